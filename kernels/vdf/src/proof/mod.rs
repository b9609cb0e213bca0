//! Wesolowski's proofs.

mod challenge;
mod verify;

pub use verify::{Proof, verify};
