//! Conversion between words and bytes, little-endian.

/// Converts words to bytes.
#[inline(always)]
pub(crate) fn write<const N: usize>(words: &[u32], out: &mut [u8; N]) {
    let (chunks, _) = out.as_chunks_mut::<4>();
    for (bytes, word) in chunks.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
}

/// Converts 8 words to bytes.
#[inline(always)]
pub(crate) fn bytes(words: &[u32; 8]) -> [u8; 32] {
    let mut out = [0; 32];
    write(words, &mut out);
    out
}

/// Converts 32 bytes to 8 words.
pub(crate) fn words(bytes: &[u8; 32]) -> [u32; 8] {
    let (chunks, _) = bytes.as_chunks::<4>();
    core::array::from_fn(|i| u32::from_le_bytes(chunks[i]))
}
