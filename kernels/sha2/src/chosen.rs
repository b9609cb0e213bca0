//! The chosen implementations of an algorithm, for what is written for both.

use crate::algorithm::Algorithm;
use crate::block::Compress;
use crate::job::Job;

/// Hashes many messages. Unsafe: the CPU must have the implementation's ISAs.
pub(crate) type Many<A> = unsafe fn(&mut Job<'_, A>);

/// An algorithm with tables of implementations.
pub(crate) trait Chosen: Algorithm {
    /// The chosen compression function.
    fn compress() -> Compress<Self>;
    /// The chosen function for many messages of about `length` bytes.
    fn many(length: usize) -> Many<Self>;
}
