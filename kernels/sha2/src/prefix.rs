//! The state after a prefix of whole blocks, from which messages are hashed.

use crate::algorithm::{Algorithm, State};
use crate::block;
use crate::chosen::Chosen;
use crate::job::Starts;
use crate::many;
use karat_hash_core::places;

/// The state after whole blocks.
#[derive(Clone, Debug)]
pub(crate) struct Prefix<A: Algorithm> {
    pub(crate) state: State<A>,
    /// Bytes of the prefix.
    pub(crate) length: u64,
}

#[cfg(feature = "zeroize")]
karat_hash_core::wiped_on_drop!([A: Algorithm] Prefix<A>);

impl<A: Chosen> Prefix<A> {
    /// # Panics
    /// When `prefix` is not of whole blocks.
    #[track_caller]
    pub(crate) fn new(iv: &State<A>, prefix: &[u8]) -> Self {
        assert!(
            prefix.len().is_multiple_of(A::BLOCK),
            "a prefix of {} bytes is not of whole blocks: give a multiple of {} bytes",
            prefix.len(),
            A::BLOCK
        );
        let mut state = *iv;
        // SAFETY: the slice holds that many blocks, and the table gives only what this
        // CPU can run.
        unsafe { A::compress()(&mut state, prefix.as_ptr(), prefix.len() / A::BLOCK) };
        Self {
            state,
            length: prefix.len() as u64,
        }
    }

    /// The first `D` bytes of the digest of the prefix and `message`.
    pub(crate) fn hash<const D: usize>(&self, message: &[u8]) -> [u8; D] {
        let mut state = self.state;
        // SAFETY: the table gives only what this CPU can run.
        unsafe { block::finish::<A>(A::compress(), &mut state, message, self.length) };
        block::cut::<A, D>(&block::stored::<A>(&state))
    }
}

/// Prefixes whose states are together at a time: as many as any implementation has
/// lanes.
const GROUP: usize = 32;

/// The first `D` bytes of the digests of each prefix, which `of` finds, followed by its
/// message.
///
/// # Panics
/// When the three differ in length, or prefixes in theirs.
#[track_caller]
pub(crate) fn hash_many<A: Chosen, P, const D: usize>(
    prefixes: &[&P],
    of: impl Fn(&P) -> &Prefix<A>,
    messages: &[&[u8]],
    out: &mut [[u8; D]],
) {
    places::check(messages.len(), out.len());
    assert!(
        prefixes.len() == messages.len(),
        "{} prefixes for {} messages: give each message its prefix",
        prefixes.len(),
        messages.len()
    );
    let Some(first) = prefixes.first() else {
        return;
    };
    let first = of(first);
    let mut states = [first.state; GROUP];
    let groups = prefixes.chunks(GROUP).zip(messages.chunks(GROUP));
    for ((prefixes, messages), out) in groups.zip(out.chunks_mut(GROUP)) {
        for (state, prefix) in states.iter_mut().zip(prefixes) {
            let prefix = of(prefix);
            assert!(
                prefix.length == first.length,
                "prefixes of {} and {} bytes: give prefixes of one length",
                first.length,
                prefix.length
            );
            *state = prefix.state;
        }
        let starts = Starts::Each {
            states: &states[..prefixes.len()],
            length: first.length,
        };
        many::hash::<A, D>(starts, messages, out);
    }
}
