//! The form of proofs on the wire.
//!
//! ```text
//! message Proof {
//!   int64 start = 1;
//!   int64 end = 2;
//!   repeated bytes nodes = 3;
//!   bytes leaf_hash = 4;
//!   bool is_max_namespace_ignored = 5;
//! }
//! ```
//!
//! Source: github.com/celestiaorg/nmt, pb/proof.proto, and the protobuf encoding
//! (protobuf.dev/programming-guides/encoding).

use super::Proof;
use alloc::vec::Vec;
use core::fmt;

/// Most nodes of a proof: one on either side at each of 63 levels.
const MOST_NODES: usize = 126;

/// Wire types.
const VARINT: u64 = 0;
const I64: u64 = 1;
const BYTES: u64 = 2;
const I32: u64 = 5;

/// Why bytes are no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// They end inside a field.
    Truncated,
    /// A number has more than 64 bits, a field has number 0 or another type than in the
    /// format, or a type that nothing has.
    Malformed,
    /// A number of a leaf is negative.
    Negative,
    /// It has more nodes than any tree's proof.
    TooManyNodes,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the proof ends inside a field: give it in full",
            Self::Malformed => "a field is malformed or of another type than in the format",
            Self::Negative => "a number of a leaf is negative",
            Self::TooManyNodes => "more nodes than any tree's proof has",
        })
    }
}

impl core::error::Error for DecodeError {}

impl Proof {
    /// The proof in protobuf, the bytes that the Go library writes.
    #[must_use]
    pub fn to_protobuf(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (field, number) in [(1, self.range.start), (2, self.range.end)] {
            if number != 0 {
                put_varint(&mut out, field << 3 | VARINT);
                put_varint(&mut out, number);
            }
        }
        for node in &self.nodes {
            put_bytes(&mut out, 3, node);
        }
        if let Some(leaf) = self.leaf_hash.as_ref().filter(|leaf| !leaf.is_empty()) {
            put_bytes(&mut out, 4, leaf);
        }
        if self.ignores_max {
            put_varint(&mut out, 5 << 3 | VARINT);
            put_varint(&mut out, 1);
        }
        out
    }

    /// Reads a proof in protobuf. Unknown fields are skipped, as protobuf wants it. What
    /// the proof claims is not checked.
    ///
    /// # Errors
    /// Why the bytes are no proof.
    pub fn from_protobuf(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = bytes;
        let mut proof = Self::default();
        while !input.is_empty() {
            let key = varint(&mut input)?;
            let (field, wire) = (key >> 3, key & 7);
            match (field, wire) {
                (1, VARINT) => proof.range.start = leaf_number(varint(&mut input)?)?,
                (2, VARINT) => proof.range.end = leaf_number(varint(&mut input)?)?,
                (3, BYTES) => {
                    if proof.nodes.len() == MOST_NODES {
                        return Err(DecodeError::TooManyNodes);
                    }
                    proof.nodes.push(take(&mut input)?.to_vec());
                }
                (4, BYTES) => {
                    let leaf = take(&mut input)?;
                    proof.leaf_hash = (!leaf.is_empty()).then(|| leaf.to_vec());
                }
                (5, VARINT) => proof.ignores_max = varint(&mut input)? != 0,
                (0..=5, _) => return Err(DecodeError::Malformed),
                (_, VARINT) => drop(varint(&mut input)?),
                (_, BYTES) => drop(take(&mut input)?),
                (_, I64) => skip(&mut input, 8)?,
                (_, I32) => skip(&mut input, 4)?,
                _ => return Err(DecodeError::Malformed),
            }
        }
        Ok(proof)
    }
}

pub(super) fn leaf_number(number: u64) -> Result<u64, DecodeError> {
    if number > i64::MAX as u64 {
        return Err(DecodeError::Negative);
    }
    Ok(number)
}

/// Checks the number of nodes that came in another form.
#[cfg(feature = "serde")]
pub(super) fn check_nodes(nodes: usize) -> Result<(), DecodeError> {
    if nodes > MOST_NODES {
        return Err(DecodeError::TooManyNodes);
    }
    Ok(())
}

fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_varint(out, field << 3 | BYTES);
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn varint(input: &mut &[u8]) -> Result<u64, DecodeError> {
    let mut number = 0;
    for place in 0..10 {
        let (byte, rest) = input.split_first().ok_or(DecodeError::Truncated)?;
        *input = rest;
        if place == 9 && *byte > 1 {
            return Err(DecodeError::Malformed);
        }
        number |= u64::from(byte & 0x7f) << (7 * place);
        if *byte < 0x80 {
            return Ok(number);
        }
    }
    Err(DecodeError::Malformed)
}

fn take<'a>(input: &mut &'a [u8]) -> Result<&'a [u8], DecodeError> {
    let length = usize::try_from(varint(input)?).map_err(|_| DecodeError::Truncated)?;
    let (bytes, rest) = input
        .split_at_checked(length)
        .ok_or(DecodeError::Truncated)?;
    *input = rest;
    Ok(bytes)
}

fn skip(input: &mut &[u8], bytes: usize) -> Result<(), DecodeError> {
    *input = input.get(bytes..).ok_or(DecodeError::Truncated)?;
    Ok(())
}
