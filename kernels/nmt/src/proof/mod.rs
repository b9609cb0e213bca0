//! Proofs: what they hold, how they are written, how they are verified.

mod error;
mod fold;
#[cfg(feature = "serde")]
mod json;
mod proofs;
mod protobuf;
pub(crate) mod shape;
mod subtrees;
mod verifier;

pub use error::VerifyError;
pub use proofs::{MultiProof, Proof};
pub use protobuf::DecodeError;
pub use verifier::Verifier;
