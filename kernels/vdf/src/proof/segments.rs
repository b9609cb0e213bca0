//! Proofs in segments (chiavdf's n-Wesolowski): each part of a computation has a proof of
//! its own, so that most of the work is proven while the rest is computed.

use super::challenge::{self, challenge};
use super::verify::end;
use super::{Proof, verify};
use crate::{Discriminant, Error, Form, Uint};
use alloc::vec::Vec;

/// Bytes of a challenge.
const CHALLENGE: usize = challenge::BITS / 8;
/// Bytes of a number of iterations.
const COUNT: usize = 8;

/// A part of a computation. Its end is not there, for it follows from the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its squarings.
    pub iterations: u64,
    /// Its challenge, the most significant byte first.
    pub challenge: [u8; CHALLENGE],
    /// Its proof.
    pub pi: Form,
}

impl Segment {
    /// The segment of a proof that begins at `x`.
    #[must_use]
    pub fn of(x: &Form, proof: &Proof, iterations: u64, discriminant: &Discriminant) -> Self {
        let number = challenge(x, &proof.y, discriminant);
        Self {
            iterations,
            challenge: bytes(&number),
            pi: proof.pi,
        }
    }

    /// Where the segment ends, if it begins at `x`.
    fn end(&self, x: &Form, discriminant: &Discriminant) -> Result<Form, Error> {
        end(
            x,
            &self.pi,
            &number(&self.challenge),
            self.iterations,
            discriminant,
        )
    }

    /// The same, and whether the challenge is that of these ends.
    fn checked_end(&self, x: &Form, discriminant: &Discriminant) -> Result<Option<Form>, Error> {
        let y = self.end(x, discriminant)?;
        let expected = bytes(&challenge(x, &y, discriminant));
        Ok((expected == self.challenge).then_some(y))
    }
}

/// A challenge has fewer bits than the capacity.
fn number(bytes: &[u8; CHALLENGE]) -> Uint {
    Uint::from_be_bytes(bytes).unwrap_or_default()
}

fn bytes(number: &Uint) -> [u8; CHALLENGE] {
    let mut bytes = [0; CHALLENGE];
    let fits = number.to_be_bytes(&mut bytes);
    debug_assert!(fits.is_ok(), "a challenge has {} bits", challenge::BITS);
    bytes
}

/// A proof whose first parts have proofs of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentedProof {
    /// The first parts, the first one first.
    pub segments: Vec<Segment>,
    /// The proof of the last part.
    pub last: Proof,
}

impl SegmentedProof {
    /// The bytes that chiavdf has for it: `y`, its proof, and the segments, the last one
    /// first, each with its iterations (8 bytes), challenge (33 bytes) and proof.
    #[must_use]
    pub fn to_bytes(&self, discriminant: &Discriminant) -> Vec<u8> {
        let mut bytes = self.last.to_bytes(discriminant);
        for segment in self.segments.iter().rev() {
            bytes.extend(segment.iterations.to_be_bytes());
            bytes.extend(segment.challenge);
            bytes.extend(segment.pi.to_bytes(discriminant));
        }
        bytes
    }

    /// The proof with these bytes and so many segments before the last part (chiavdf's
    /// `recursion`).
    ///
    /// # Errors
    /// [`Error::Length`], and as [`Form::from_bytes`].
    pub fn from_bytes(
        bytes: &[u8],
        recursion: usize,
        discriminant: &Discriminant,
    ) -> Result<Self, Error> {
        let last = 2 * discriminant.form_bytes();
        let segments = segments(bytes, last, recursion, discriminant)?;
        Ok(Self {
            last: Proof::from_bytes(&bytes[..last], discriminant)?,
            segments,
        })
    }

    /// The challenge of the last part, the most significant byte first (chiavdf's
    /// `get_b_from_n_wesolowski`). The segments are not checked.
    ///
    /// # Errors
    /// [`Error::ChallengeValue`].
    pub fn last_challenge(
        &self,
        x: &Form,
        discriminant: &Discriminant,
    ) -> Result<[u8; CHALLENGE], Error> {
        let mut x = *x;
        for segment in &self.segments {
            x = segment.end(&x, discriminant)?;
        }
        Ok(bytes(&challenge(&x, &self.last.y, discriminant)))
    }
}

/// The segments that follow `start` bytes.
fn segments(
    bytes: &[u8],
    start: usize,
    recursion: usize,
    discriminant: &Discriminant,
) -> Result<Vec<Segment>, Error> {
    let each = COUNT + CHALLENGE + discriminant.form_bytes();
    let expected = recursion.saturating_mul(each).saturating_add(start);
    if bytes.len() != expected {
        return Err(Error::Length {
            what: "a proof in segments",
            expected,
            found: bytes.len(),
        });
    }
    let segment = |bytes: &[u8]| {
        let mut segment = Segment {
            iterations: 0,
            challenge: [0; CHALLENGE],
            pi: Form::from_bytes(&bytes[COUNT + CHALLENGE..], discriminant)?,
        };
        let mut count = [0; COUNT];
        count.copy_from_slice(&bytes[..COUNT]);
        segment.iterations = u64::from_be_bytes(count);
        segment
            .challenge
            .copy_from_slice(&bytes[COUNT..][..CHALLENGE]);
        Ok(segment)
    };
    bytes[start..].chunks(each).rev().map(segment).collect()
}

/// Walks segments from `x`; gives where they end and the iterations that are left.
fn walk(
    x: &Form,
    segments: &[Segment],
    iterations: u64,
    discriminant: &Discriminant,
) -> Result<(Form, u64), Error> {
    let (mut x, mut left) = (*x, iterations);
    for (index, segment) in segments.iter().enumerate() {
        let less = left.checked_sub(segment.iterations);
        left = less.ok_or(Error::SegmentIterations)?;
        let end = segment.checked_end(&x, discriminant)?;
        x = end.ok_or(Error::SegmentChallenge(index))?;
    }
    Ok((x, left))
}

/// Whether the proof's `y` is `x` squared `iterations` times (chiavdf's
/// `verify_n_wesolowski`).
///
/// # Errors
/// [`Error::SegmentIterations`], [`Error::SegmentChallenge`], [`Error::ChallengeValue`],
/// [`Error::ProofWrong`].
pub fn verify_segmented(
    x: &Form,
    proof: &SegmentedProof,
    iterations: u64,
    discriminant: &Discriminant,
) -> Result<(), Error> {
    let (x, left) = walk(x, &proof.segments, iterations, discriminant)?;
    verify(&x, &proof.last, left, discriminant)
}

/// The result of `iterations` squarings of `x`, from the challenge of the last part and a
/// proof without the result: its last part's proof, and the segments as in
/// [`SegmentedProof::to_bytes`] (chiavdf's `verify_n_wesolowski_with_b`).
///
/// # Errors
/// As [`SegmentedProof::from_bytes`] and [`verify_segmented`].
pub fn verify_with_challenge(
    x: &Form,
    challenge: &[u8; CHALLENGE],
    proof: &[u8],
    recursion: usize,
    iterations: u64,
    discriminant: &Discriminant,
) -> Result<Form, Error> {
    let start = discriminant.form_bytes();
    let segments = segments(proof, start, recursion, discriminant)?;
    let pi = Form::from_bytes(&proof[..start], discriminant)?;
    let (x, iterations) = walk(x, &segments, iterations, discriminant)?;
    let last = Segment {
        iterations,
        challenge: *challenge,
        pi,
    };
    last.checked_end(&x, discriminant)?.ok_or(Error::ProofWrong)
}
