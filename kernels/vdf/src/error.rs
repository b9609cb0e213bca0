//! What is wrong with an input.

use crate::{MAX_BITS, MIN_BITS};
use core::fmt;

/// What is wrong with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A discriminant was asked for, or is, of so many bits.
    DiscriminantSize(usize),
    /// A discriminant is not a number in the form `-0x...`.
    DiscriminantText,
    /// A discriminant is not below zero.
    DiscriminantSign,
    /// A discriminant is not congruent to 1 modulo 8.
    DiscriminantResidue,
    /// A discriminant that must be the negative of a prime is not.
    DiscriminantComposite,
    /// The seed of a discriminant is empty.
    EmptySeed,
    /// The seed is so short that none of its hashes is prime.
    ShortSeed,
    /// Bytes of another length than the format has.
    Length {
        /// What is read.
        what: &'static str,
        /// Its length.
        expected: usize,
        /// The length of what was given.
        found: usize,
    },
    /// A form's bytes are none that the format has.
    FormBytes,
    /// A form's bytes stand for a form that is written otherwise.
    FormNotCanonical,
    /// Coefficients that are no form of the discriminant.
    FormNotInGroup,
    /// A form is not the reduced one of its class.
    FormNotReduced,
    /// The iterations of a proof's segments are more than those of the whole proof.
    SegmentIterations,
    /// The challenge that a segment carries is not the hash of its ends.
    SegmentChallenge(usize),
    /// The challenge that a segment carries is even, or one.
    ChallengeValue,
    /// A proof does not fit its claim.
    ProofWrong,
    /// A log of checkpoints is not one, or of another version.
    LogHeader,
    /// A log of checkpoints belongs to another computation.
    LogOfOther,
    /// A checkpoint is damaged. Those before it are not.
    LogDamaged {
        /// Its number in the log.
        checkpoint: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DiscriminantSize(bits) => write!(
                f,
                "a discriminant of {bits} bits: ask for a multiple of 8 from {MIN_BITS} to \
                 {MAX_BITS}"
            ),
            Self::DiscriminantText => {
                f.write_str("not a discriminant: write it in hexadecimal digits as -0x1234abcd")
            }
            Self::DiscriminantSign => f.write_str("the discriminant is not below zero"),
            Self::DiscriminantResidue => {
                f.write_str("the discriminant is not congruent to 1 modulo 8")
            }
            Self::DiscriminantComposite => f.write_str(
                "the discriminant is not the negative of a prime, so its group's order may be \
                 known: make one from a seed",
            ),
            Self::EmptySeed => f.write_str("the seed is empty: give at least one byte"),
            Self::ShortSeed => {
                f.write_str("none of the seed's hashes is prime: give a longer seed")
            }
            Self::Length {
                what,
                expected,
                found,
            } => write!(f, "{what} has {found} bytes and not {expected}"),
            Self::FormBytes => f.write_str("the bytes are not those of a form"),
            Self::FormNotCanonical => {
                f.write_str("the bytes of the form are not those that it is written with")
            }
            Self::FormNotInGroup => f.write_str("the form is not one of this discriminant"),
            Self::FormNotReduced => f.write_str("the form is not reduced"),
            Self::SegmentIterations => {
                f.write_str("the proof's segments have more iterations than the proof")
            }
            Self::SegmentChallenge(segment) => {
                write!(
                    f,
                    "segment {segment} of the proof does not fit its challenge"
                )
            }
            Self::ChallengeValue => f.write_str("a challenge of the proof is not an odd prime"),
            Self::ProofWrong => f.write_str("the proof does not fit the claim"),
            Self::LogHeader => {
                f.write_str("not a log of checkpoints of this version: begin a new one")
            }
            Self::LogOfOther => f.write_str(
                "the log of checkpoints belongs to another discriminant, form or number of \
                 iterations: name another file",
            ),
            Self::LogDamaged { checkpoint } => write!(
                f,
                "checkpoint {checkpoint} of the log is damaged: cut the log before it, or begin \
                 a new one"
            ),
        }
    }
}

impl core::error::Error for Error {}
