//! Blocks of one message: padding, a whole message, and the state in bytes.

use karat_hash_core::short;

/// Runs the compression function over blocks. Arguments: state, first block, number of
/// blocks.
///
/// Unsafe: the blocks must be readable, and the CPU must have the implementation's
/// ISAs.
pub(super) type Compress = unsafe fn(&mut [u32; 8], *const u8, usize);

/// Bytes in a block.
pub(super) const BLOCK: usize = 64;

/// Pads the end of a message (FIPS 180-4, section 5.1.1). `rest` is what remains after
/// the full blocks, less than a block. `length` is the length of the message in bytes.
/// `tail` must be zeros. Returns the number of blocks, 1 or 2.
///
/// The standard ends at 2^64 - 1 bits. Beyond that the length wraps.
#[inline]
pub(super) fn pad(tail: &mut [u8; 2 * BLOCK], rest: &[u8], length: u64) -> usize {
    let blocks = if rest.len() < BLOCK - 8 { 1 } else { 2 };
    short::copy(tail, rest);
    tail[rest.len()] = 0x80;
    let end = blocks * BLOCK;
    tail[end - 8..end].copy_from_slice(&(length << 3).to_be_bytes());
    blocks
}

/// The state in bytes.
#[inline]
pub(super) fn bytes(state: &[u32; 8]) -> [u8; 32] {
    let mut out = [0; 32];
    let (words, _) = out.as_chunks_mut::<4>();
    for i in 0..8 {
        words[i] = state[i].to_be_bytes();
    }
    out
}

/// [`bytes`] of a state in memory, by loads of single words. The compiler on its own
/// uses vectors, which need three times the instructions where SSSE3's shuffle is not
/// available.
#[inline]
pub(super) fn stored(state: &[u32; 8]) -> [u8; 32] {
    // SAFETY: a reference is valid for reads. The read is volatile so that the loads
    // stay single.
    bytes(&core::array::from_fn(|i| unsafe {
        (&raw const state[i]).read_volatile()
    }))
}

/// The first `D` bytes of the digest of a whole message.
///
/// # Safety
/// The CPU must have the ISAs of `compress`.
#[inline(always)]
pub(super) unsafe fn whole<const D: usize>(
    compress: Compress,
    iv: &[u32; 8],
    message: &[u8],
) -> [u8; D] {
    let mut state = *iv;
    let (body, rest) = message.split_at(message.len() / BLOCK * BLOCK);
    let mut tail = [0; 2 * BLOCK];
    let blocks = pad(&mut tail, rest, message.len() as u64);
    // SAFETY: the caller guarantees the ISAs. Both slices hold the given number of
    // blocks.
    unsafe {
        compress(&mut state, body.as_ptr(), body.len() / BLOCK);
        compress(&mut state, tail.as_ptr(), blocks);
    }
    let digest = stored(&state);
    let (digest, _) = digest.split_first_chunk().expect("D is at most 32");
    *digest
}
