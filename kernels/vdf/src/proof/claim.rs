//! What is claimed of a computation.

use super::Proof;
use crate::Form;

/// That `proof.y` is `x` squared `iterations` times.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// Where the computation began.
    pub x: &'a Form,
    /// Its result, and the proof of it.
    pub proof: &'a Proof,
    /// How many squarings.
    pub iterations: u64,
}
