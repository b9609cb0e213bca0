//! Trees: leaves in, nodes and proofs out.

mod builder;
mod digests;
mod nodes;
#[cfg(feature = "rayon")]
mod parallel;
mod prove;

pub use builder::Builder;
pub use nodes::Tree;
