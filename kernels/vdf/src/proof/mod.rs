//! Wesolowski's proofs.

mod batch;
mod blocks;
mod challenge;
mod claim;
mod kept;
mod log;
mod multiply;
mod plan;
mod prover;
mod segments;
mod single;
mod verify;

pub use batch::verify_batch;
pub use claim::Claim;
pub use prover::{Prover, advance_all};
pub use segments::{Segment, SegmentedProof, verify_segmented, verify_with_challenge};
pub use single::Proof;
pub use verify::{verify, verify_each};
