//! What an implementation is: the types of its functions.

use super::state::{Parameters, Rounds};

/// Adds blocks to a state and permutes it after each block. Arguments: `(state, data,
/// blocks, words, row, rounds)`. A block is `words` words of 8 bytes, 0 to 21. With 0 words
/// `data` is not used. Lane x + 5y of the state has index x + 5y. With `row`, only
/// lanes 0 to 4 have to be right afterwards, which suffices for digests of up to 40
/// bytes.
///
/// # Safety
/// `blocks` must be 1 or more and `words` at most 21. `data` must be readable for
/// `blocks * words * 8` bytes.
pub(crate) type One = unsafe fn(&mut [u64; 25], *const u8, usize, usize, bool, Rounds);

/// Hashes messages. Arguments: `(messages, out, length, parameters)`. Digest number i
/// goes to the `length` bytes of `out` from `i * length` on.
///
/// # Safety
/// `out` must have `length` bytes for each message. `length` must be at most the rate.
pub(crate) type Many = unsafe fn(&[&[u8]], &mut [u8], usize, Parameters);
