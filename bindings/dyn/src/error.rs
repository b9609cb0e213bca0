//! What can be wrong with a request.

use std::fmt;

/// Why a call did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No algorithm has this name.
    UnknownName {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
    /// The algorithm does not take an option.
    NotTaken {
        /// The algorithm.
        algorithm: &'static str,
        /// The option.
        option: &'static str,
    },
    /// The algorithm does not work without an option.
    Needed {
        /// The algorithm.
        algorithm: &'static str,
        /// The option.
        option: &'static str,
    },
    /// Something is too long or too short, or a number is out of its range.
    Range {
        /// The algorithm.
        algorithm: &'static str,
        /// What has a length.
        what: &'static str,
        /// Its length, or the number.
        found: u128,
        /// What is right.
        least: u128,
        /// What is right at most.
        most: u128,
    },
    /// Digests do not fit into the room for them.
    Room {
        /// Bytes that are needed.
        needed: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// A key and a context for deriving keys exclude each other.
    KeyAndContext,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name, known } => {
                write!(
                    f,
                    "no hash is named {name:?}; there are {}",
                    known.join(", ")
                )
            }
            Self::NotTaken { algorithm, option } => {
                write!(f, "{algorithm} takes no {option}: leave it out")
            }
            Self::Needed { algorithm, option } => {
                write!(f, "{algorithm} has no {option} of its own: give one")
            }
            Self::Range {
                algorithm,
                what,
                found,
                least,
                most,
            } => write!(
                f,
                "{what} is {found}, but {algorithm} takes {least} to {most}"
            ),
            Self::Room { needed, found } => write!(
                f,
                "the digests take {needed} bytes, there is room for {found}: give as much as is needed"
            ),
            Self::KeyAndContext => {
                f.write_str("a key and a context exclude each other: give one of them")
            }
        }
    }
}

impl std::error::Error for Error {}
