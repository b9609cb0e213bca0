//! Many messages, and where their digests go.

/// Messages, and places for their digests. Only the implementations of [`super::MANY`]
/// use it.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(super) iv: &'a [u32; 8],
    pub(super) messages: &'a [&'a [u8]],
    /// Places for as many digests, one after another.
    pub(super) out: &'a mut [u8],
    /// Bytes in a digest, 32 or 28.
    pub(super) size: usize,
    /// Whether the messages are whole blocks that end with their own padding. Then all
    /// have the same length.
    pub(super) padded: bool,
}

impl Job<'_> {
    /// Removes messages at the front, whose digests have been written.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        self.messages = &self.messages[count..];
        self.out = &mut core::mem::take(&mut self.out)[count * self.size..];
    }

    pub(super) fn put(&mut self, message: usize, digest: &[u8; 32]) {
        // A copy of constant size is two instructions, any other is a call.
        if self.size == 32 {
            self.out.as_chunks_mut::<32>().0[message] = *digest;
        } else {
            self.out.as_chunks_mut::<28>().0[message].copy_from_slice(&digest[..28]);
        }
    }
}
