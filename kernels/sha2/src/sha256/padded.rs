//! Messages that the caller has put into whole blocks, with their padding.

use super::constants::IV256;
use crate::job::{Job, Starts};

/// Bytes in a block.
const BLOCK: usize = 64;

/// Messages whose addresses are on the stack at once: the widest lanes.
const AT_ONCE: usize = 32;

/// Bytes of a message of `length` bytes with its padding (FIPS 180-4, section 5.1.1): a
/// multiple of 64.
///
/// # Panics
/// When the sum is larger than `usize`, in a build with overflow checks.
#[must_use]
pub const fn padded_len(length: usize) -> usize {
    (length + 9).div_ceil(BLOCK) * BLOCK
}

/// Writes the padding behind the `length` bytes of a message in `room`. Those bytes are
/// neither read nor changed.
///
/// # Panics
/// When `room` does not have [`padded_len`] bytes.
pub fn pad(room: &mut [u8], length: usize) {
    assert!(
        room.len() == padded_len(length),
        "a message of {length} bytes is {} bytes with its padding, not {}",
        padded_len(length),
        room.len()
    );
    let (marker, end) = (length, room.len() - 8);
    room[marker..end].fill(0);
    room[marker] = 0x80;
    room[end..].copy_from_slice(&((length as u64) << 3).to_be_bytes());
}

/// SHA-256 of messages of one length that lie end to end, each with its padding behind
/// it, several at a time. Who assembles messages in memory of their own, such as nodes of
/// trees, saves the copy that [`hash_many`](super::hash_many) makes of each message's end:
/// the padding stays as it is when the next messages are written over these.
///
/// The digests are those of the messages if [`pad`] has written the padding. It is not
/// checked.
///
/// ```
/// use karat_sha2::sha256::{self, pad, padded_len};
///
/// let mut room = [0; 2 * padded_len(3)];
/// for (slot, message) in room.chunks_exact_mut(padded_len(3)).zip([b"abc", b"abd"]) {
///     slot[..3].copy_from_slice(message);
///     pad(slot, 3);
/// }
/// let mut digests = [[0; 32]; 2];
/// sha256::hash_many_padded(&room, &mut digests);
/// assert_eq!(digests[1], sha256::hash(b"abd"));
/// ```
///
/// # Panics
/// When the bytes are not the same number of whole blocks for each digest.
pub fn hash_many_padded(messages: &[u8], out: &mut [[u8; 32]]) {
    hash_many_padded_ahead(messages, out, &[]);
}

/// The same as [`hash_many_padded`], by someone who goes on to read `ahead`, such as what the next
/// messages are assembled from: a slice for each message, or for the first ones. Some
/// implementations ask memory for as many bytes of each as a message has, a line at a time, so
/// that it works while they hash. It is a hint, and changes no digest.
///
/// # Panics
/// As [`hash_many_padded`].
pub fn hash_many_padded_ahead(messages: &[u8], out: &mut [[u8; 32]], mut ahead: &[&[u8]]) {
    if out.is_empty() && messages.is_empty() {
        return;
    }
    let length = messages.len().checked_div(out.len()).unwrap_or(0);
    assert!(
        length > 0 && length.is_multiple_of(BLOCK) && length * out.len() == messages.len(),
        "{} bytes are not {} messages of whole blocks: give each its padding",
        messages.len(),
        out.len()
    );
    let groups = messages.chunks(AT_ONCE * length);
    for (group, out) in groups.zip(out.chunks_mut(AT_ONCE)) {
        let mut slices: [&[u8]; AT_ONCE] = [&[]; AT_ONCE];
        for (slice, message) in slices.iter_mut().zip(group.chunks_exact(length)) {
            *slice = message;
        }
        let (now, later) = ahead.split_at(ahead.len().min(AT_ONCE));
        ahead = later;
        let mut job = Job {
            starts: Starts::Initial(&IV256),
            messages: &slices[..out.len()],
            out: out.as_flattened_mut(),
            size: 32,
            padded: true,
            ahead: now,
        };
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { (super::MANY.get_for(length))(&mut job) };
    }
}
