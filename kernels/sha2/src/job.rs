//! Many messages, the states that they start from, and where their digests go.

use crate::algorithm::{Algorithm, State};

/// The states from which messages are hashed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Starts<'a, A: Algorithm> {
    /// One initial state for all.
    Initial(&'a State<A>),
    /// One state for each message, after a prefix of `length` bytes, whole blocks.
    Each { states: &'a [State<A>], length: u64 },
}

/// Messages, and places for their digests. Only the implementations of the tables for
/// many messages use it.
#[derive(Debug)]
pub(crate) struct Job<'a, A: Algorithm> {
    pub(crate) starts: Starts<'a, A>,
    pub(crate) messages: &'a [&'a [u8]],
    /// Places for as many digests, one after another.
    pub(crate) out: &'a mut [u8],
    /// Bytes in a digest: 32 or 28, or 64, 48 or 32.
    pub(crate) size: usize,
    /// Whether the messages are whole blocks that end with their own padding. Then all
    /// have the same length, and start from the initial state.
    pub(crate) padded: bool,
    /// What the caller reads next, a slice for each message: lanes may ask memory for the first
    /// bytes of each, as many as a message has.
    #[cfg_attr(
        not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))),
        expect(dead_code, reason = "no implementation of others takes the hint")
    )]
    pub(crate) ahead: &'a [&'a [u8]],
}

impl<A: Algorithm> Job<'_, A> {
    /// The state from which a message is hashed.
    #[inline]
    pub(crate) fn start(&self, message: usize) -> &State<A> {
        match self.starts {
            Starts::Initial(state) => state,
            Starts::Each { states, .. } => &states[message],
        }
    }

    /// Bytes of the prefix that the states hold already.
    #[inline]
    pub(crate) fn before(&self) -> u64 {
        match self.starts {
            Starts::Initial(_) => 0,
            Starts::Each { length, .. } => length,
        }
    }

    /// Whether all messages start from the initial state.
    #[inline]
    pub(crate) fn one_start(&self) -> bool {
        matches!(self.starts, Starts::Initial(_))
    }

    /// Removes messages at the front, whose digests have been written. All messages
    /// must start from the initial state.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    #[inline]
    pub(crate) fn skip(&mut self, count: usize) {
        debug_assert!(self.one_start());
        self.messages = &self.messages[count..];
        self.out = &mut core::mem::take(&mut self.out)[count * self.size..];
    }

    #[inline]
    pub(crate) fn put(&mut self, message: usize, digest: &A::Digest) {
        let digest = digest.as_ref();
        // A copy of constant size is two instructions, any other is a call.
        match self.size {
            64 => copy::<64>(self.out, message, digest),
            48 => copy::<48>(self.out, message, digest),
            32 => copy::<32>(self.out, message, digest),
            _ => copy::<28>(self.out, message, digest),
        }
    }
}

#[inline(always)]
fn copy<const D: usize>(out: &mut [u8], message: usize, digest: &[u8]) {
    let digest = digest.first_chunk::<D>();
    out.as_chunks_mut::<D>().0[message] = *digest.expect("no digest is longer than the state");
}
