//! The log of checkpoints.
//!
//! | bytes | content |
//! |---|---|
//! | 16 | `karat-vdf log 1` and a newline |
//! | 32 | SHA-256 of discriminant, form, iterations and plan |
//! | ... | checkpoints |
//!
//! A checkpoint is a kept form in limbs, least significant bytes first, and eight bytes of
//! the SHA-256 of header, number and form.

use super::plan::Plan;
use crate::{Discriminant, Error, Form};
use alloc::vec::Vec;
use karat_sha2::sha256;

const MAGIC: &[u8; 16] = b"karat-vdf log 1\n";

/// Bytes of a checkpoint's digest.
const CHECK: usize = 8;

/// What a log begins with.
pub(super) fn header(
    discriminant: &Discriminant,
    x: &Form,
    iterations: u64,
    plan: Plan,
) -> Vec<u8> {
    let mut hasher = sha256::Hasher::new();
    for limb in discriminant.magnitude().limbs() {
        hasher.update(&limb.to_le_bytes());
    }
    hasher.update(&x.to_bytes(discriminant));
    for number in [iterations, plan.bits.into(), plan.every] {
        hasher.update(&number.to_le_bytes());
    }
    [&MAGIC[..], &hasher.finalize()].concat()
}

/// Whether a log begins so.
pub(super) fn check_header(log: &[u8], expected: &[u8]) -> Result<(), Error> {
    if !log.starts_with(MAGIC) || log.len() < expected.len() {
        Err(Error::LogHeader)
    } else if !log.starts_with(expected) {
        Err(Error::LogOfOther)
    } else {
        Ok(())
    }
}

/// Bytes of a checkpoint of so many limbs.
pub(super) const fn entry_bytes(words: usize) -> usize {
    8 * words + CHECK
}

/// The bytes of a checkpoint.
pub(super) fn entry(header: &[u8], index: u64, limbs: &[u64]) -> Vec<u8> {
    let mut bytes: Vec<u8> = limbs.iter().flat_map(|l| l.to_le_bytes()).collect();
    let check = check(header, index, &bytes);
    bytes.extend(check);
    bytes
}

/// The limbs of a checkpoint, if it is whole.
pub(super) fn limbs(header: &[u8], index: u64, entry: &[u8]) -> Option<Vec<u64>> {
    let (limbs, found) = entry.split_last_chunk::<CHECK>()?;
    let limb = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    (check(header, index, limbs) == *found).then(|| limbs.as_chunks().0.iter().map(limb).collect())
}

fn check(header: &[u8], index: u64, limbs: &[u8]) -> [u8; CHECK] {
    let mut hasher = sha256::Hasher::new();
    hasher
        .update(header)
        .update(&index.to_le_bytes())
        .update(limbs);
    let mut check = [0; CHECK];
    check.copy_from_slice(&hasher.finalize()[..CHECK]);
    check
}
