//! Blocks of one message: padding, a whole message, and the state in bytes.

use crate::algorithm::{Algorithm, Bytes, State, Word as _};

/// Runs the compression function over blocks. Arguments: state, first block, number of
/// blocks.
///
/// Unsafe: the blocks must be readable, and the CPU must have the implementation's
/// ISAs.
pub(crate) type Compress<A> = unsafe fn(&mut State<A>, *const u8, usize);

/// How many blocks the end of a message takes with its padding, 1 or 2.
#[inline(always)]
pub(crate) fn ends<A: Algorithm>(rest: &[u8]) -> usize {
    if rest.len() < A::BLOCK - A::LENGTH {
        1
    } else {
        2
    }
}

/// Pads the end of a message (FIPS 180-4, section 5.1). `rest` is what remains after
/// the full blocks, less than a block. `length` is the length of the message in bytes.
/// `ends` must be zeros, as many blocks as [`ends`] says or more. Returns their number.
///
/// For SHA-256 the standard ends at 2^64 - 1 bits. Beyond that the length wraps.
#[inline]
pub(crate) fn pad<A: Algorithm, E: Bytes>(ends: &mut E, rest: &[u8], length: u64) -> usize {
    let blocks = self::ends::<A>(rest);
    ends.begin_with(rest);
    let ends = ends.as_mut();
    ends[rest.len()] = 0x80;
    let end = blocks * A::BLOCK;
    ends[end - 8..end].copy_from_slice(&(length << 3).to_be_bytes());
    if A::LENGTH > 8 {
        ends[end - 9] = (length >> 61) as u8;
    }
    blocks
}

/// The state in bytes.
#[inline]
pub(crate) fn bytes<A: Algorithm>(state: &State<A>) -> A::Digest {
    let mut out = A::Digest::ZERO;
    let words = out.as_mut().chunks_exact_mut(A::Word::BYTES);
    for (to, word) in words.zip(state) {
        word.write(to);
    }
    out
}

/// [`bytes`] of a state in memory, by loads of single words. The compiler on its own
/// uses vectors, which need three times the instructions where SSSE3's shuffle is not
/// available.
#[inline]
pub(crate) fn stored<A: Algorithm>(state: &State<A>) -> A::Digest {
    // SAFETY: a reference is valid for reads. The read is volatile so that the loads
    // stay single.
    bytes::<A>(&core::array::from_fn(|i| unsafe {
        (&raw const state[i]).read_volatile()
    }))
}

/// The first `D` bytes of the state.
#[inline]
pub(crate) fn cut<A: Algorithm, const D: usize>(digest: &A::Digest) -> [u8; D] {
    let digest = digest.as_ref().first_chunk();
    *digest.expect("no digest is longer than the state")
}

/// The first `D` bytes of the digest of a whole message.
///
/// # Safety
/// The CPU must have the ISAs of `compress`.
#[inline(always)]
pub(crate) unsafe fn whole<A: Algorithm, const D: usize>(
    compress: Compress<A>,
    iv: &State<A>,
    message: &[u8],
) -> [u8; D] {
    let mut state = *iv;
    // SAFETY: the caller guarantees the ISAs.
    unsafe { finish::<A>(compress, &mut state, message, 0) };
    cut::<A, D>(&stored::<A>(&state))
}

/// Runs the rest of a message, and its padding. `before` is the number of bytes that
/// are in the state already, a multiple of a block.
///
/// # Safety
/// The CPU must have the ISAs of `compress`.
#[inline(always)]
pub(crate) unsafe fn finish<A: Algorithm>(
    compress: Compress<A>,
    state: &mut State<A>,
    message: &[u8],
    before: u64,
) {
    let (body, rest) = message.split_at(message.len() / A::BLOCK * A::BLOCK);
    let mut ends = A::Ends::ZERO;
    let length = before.wrapping_add(message.len() as u64);
    let blocks = pad::<A, A::Ends>(&mut ends, rest, length);
    // SAFETY: the caller guarantees the ISAs. Both slices hold the given number of
    // blocks.
    unsafe {
        compress(state, body.as_ptr(), body.len() / A::BLOCK);
        compress(state, ends.as_ref().as_ptr(), blocks);
    }
}
