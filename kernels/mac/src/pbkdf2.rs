//! PBKDF2 (RFC 8018, section 5.2) with HMAC: keys from passwords.
//!
//! ```
//! use karat_mac::{Sha256, pbkdf2};
//! use std::num::NonZeroU32;
//!
//! let rounds = NonZeroU32::new(4096).unwrap();
//! let mut key = [0; 32];
//! pbkdf2::derive::<Sha256>(b"password", b"salt", rounds, &mut key);
//! assert_eq!(key[..4], [0xc5, 0xe4, 0x78, 0xd5]);
//!
//! // Many passwords at once.
//! let mut keys = [[0; 32]; 2];
//! pbkdf2::derive_many::<Sha256, 32>(&[b"password", b"other"], &[b"salt", b"s"], rounds, &mut keys);
//! assert_eq!(keys[0], key);
//! ```
//!
//! A round of one password waits for the round before, so one key of at most a digest's
//! length is as slow as that. Longer keys, and several passwords, go to SHA-2's lanes
//! side by side.

use crate::algorithm::{Algorithm, Bytes as _};
use crate::group::{GROUP, filled};
use crate::hmac::Key;
use core::num::NonZeroU32;
use karat_hash_core::places;

/// Fills `out` with a key from a password.
///
/// # Panics
/// When `out` is longer than 2^32 - 1 digests, as the standard demands.
pub fn derive<A: Algorithm>(password: &[u8], salt: &[u8], rounds: NonZeroU32, out: &mut [u8]) {
    assert!(
        u32::try_from(out.len().div_ceil(A::LENGTH)).is_ok(),
        "PBKDF2 was asked for {} bytes, but has 2^32 - 1 digests: ask for a shorter key",
        out.len()
    );
    let key = Key::<A>::new(password);
    let mut number = 0_u32;
    for out in out.chunks_mut(GROUP * A::LENGTH) {
        // A number that wraps is beyond the end of `out`, and not used.
        let blocks: [Block<'_, A>; GROUP] = core::array::from_fn(|i| Block {
            key: &key,
            salt,
            number: number.wrapping_add(1 + i as u32),
        });
        let count = out.len().div_ceil(A::LENGTH);
        let digests = group(&blocks[..count], rounds);
        for (out, digest) in out.chunks_mut(A::LENGTH).zip(&digests) {
            out.copy_from_slice(&digest.as_ref()[..out.len()]);
        }
        number = number.wrapping_add(count as u32);
    }
}

/// Derives a key from each password with its salt, several at a time.
///
/// # Panics
/// When `passwords`, `salts` and `out` differ in length.
#[track_caller]
pub fn derive_many<A: Algorithm, const N: usize>(
    passwords: &[&[u8]],
    salts: &[&[u8]],
    rounds: NonZeroU32,
    out: &mut [[u8; N]],
) {
    places::check(passwords.len(), out.len());
    assert!(
        salts.len() == passwords.len(),
        "{} salts for {} passwords: give each password its salt",
        salts.len(),
        passwords.len()
    );
    let groups = passwords.chunks(GROUP).zip(salts.chunks(GROUP));
    for ((passwords, salts), out) in groups.zip(out.chunks_mut(GROUP)) {
        let mut keys = passwords.iter().map(|password| Key::<A>::new(password));
        let last = Key::new(passwords[passwords.len() - 1]);
        let keys: [Key<A>; GROUP] =
            core::array::from_fn(|_| keys.next().unwrap_or_else(|| last.clone()));
        for (at, number) in (0..N).step_by(A::LENGTH).zip(1_u32..) {
            let blocks =
                filled(
                    keys.iter()
                        .zip(salts)
                        .map(|(key, salt)| Block { key, salt, number }),
                );
            let digests = group(&blocks[..passwords.len()], rounds);
            for (out, digest) in out.iter_mut().zip(&digests) {
                let out = &mut out[at..N.min(at + A::LENGTH)];
                out.copy_from_slice(&digest.as_ref()[..out.len()]);
            }
        }
    }
}

/// A block of output.
struct Block<'a, A: Algorithm> {
    key: &'a Key<A>,
    salt: &'a [u8],
    /// Counts from 1 in each key.
    number: u32,
}

impl<A: Algorithm> Clone for Block<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Algorithm> Copy for Block<'_, A> {}

/// At least one block of output and at most [`GROUP`], side by side.
fn group<A: Algorithm>(blocks: &[Block<'_, A>], rounds: NonZeroU32) -> [A::Digest; GROUP] {
    let count = blocks.len();
    let mut now = filled(blocks.iter().map(|block| {
        let mut hasher = block.key.to_hasher();
        hasher
            .update(block.salt)
            .update(&block.number.to_be_bytes())
            .finalize()
    }));
    let mut sums = now;
    if let [block] = blocks {
        for _ in 1..rounds.get() {
            now[0] = block.key.mac(now[0].as_ref());
            add(&mut sums[0], &now[0]);
        }
        return sums;
    }
    let inner = filled(blocks.iter().map(|block| &block.key.inner));
    let outer = filled(blocks.iter().map(|block| &block.key.outer));
    let mut middle = [A::Digest::ZERO; GROUP];
    for _ in 1..rounds.get() {
        let messages = now.each_ref().map(|digest| digest.as_ref());
        A::hash_many(&inner[..count], &messages[..count], &mut middle[..count]);
        let messages = middle.each_ref().map(|digest| digest.as_ref());
        A::hash_many(&outer[..count], &messages[..count], &mut now[..count]);
        for (sum, now) in sums[..count].iter_mut().zip(&now) {
            add(sum, now);
        }
    }
    sums
}

fn add<D: AsRef<[u8]> + AsMut<[u8]>>(sum: &mut D, more: &D) {
    for (sum, more) in sum.as_mut().iter_mut().zip(more.as_ref()) {
        *sum ^= more;
    }
}
