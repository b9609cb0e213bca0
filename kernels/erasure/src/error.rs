//! What can be wrong with a request.

use crate::Code;
use core::fmt;

/// Which list of shards an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shards {
    /// Data shards.
    Data,
    /// Parity shards.
    Parity,
    /// Data shards, then parity shards.
    All,
    /// The flags that say which shards are present.
    Flags,
}

impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Data => "data shards",
            Self::Parity => "parity shards",
            Self::All => "shards (data, then parity)",
            Self::Flags => "flags of present shards",
        })
    }
}

/// Why a call did nothing. All buffers are as they were before it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The code has no such shape.
    Shape {
        /// The code.
        code: Code,
        /// Data shards that were asked for.
        data: usize,
        /// Parity shards that were asked for.
        parity: usize,
    },
    /// A list is too short or too long.
    Count {
        /// The list.
        shards: Shards,
        /// Its length in this codec.
        expected: usize,
        /// Its length in the call.
        found: usize,
    },
    /// Shards have no bytes.
    Empty,
    /// Shards are not equally long.
    Length {
        /// Index of the first shard of another length: data shards from 0 on, then parity.
        index: usize,
        /// Length of the shard before it in the call.
        expected: usize,
        /// Its own length.
        found: usize,
    },
    /// The code's symbols have two bytes, and the shards an odd number of bytes.
    Odd {
        /// Their length.
        length: usize,
    },
    /// Fewer shards are left than there were data shards.
    TooFew {
        /// Shards that are needed: as many as there are data shards.
        needed: usize,
        /// Shards that are there.
        present: usize,
    },
    /// A shard occurs twice.
    Duplicate {
        /// Its index.
        index: usize,
    },
    /// There is no such shard.
    Unknown {
        /// The index that was given.
        index: usize,
        /// Indices are below it.
        count: usize,
    },
    /// More shards are corrupt than the parity shards can locate.
    TooManyCorrupt {
        /// So many can always be located.
        limit: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { code, data, parity } => write!(
                f,
                "code {code} cannot have {data} data and {parity} parity shards; {}",
                code.rule()
            ),
            Self::Count {
                shards,
                expected,
                found,
            } => write!(
                f,
                "the call has {found} {shards}, the codec {expected}; give one for each"
            ),
            Self::Empty => f.write_str("the shards are empty; each needs at least one byte"),
            Self::Length {
                index,
                expected,
                found,
            } => write!(
                f,
                "shard {index} has {found} bytes, those before it {expected}; pad shards to \
                 one length"
            ),
            Self::Odd { length } => write!(
                f,
                "shards of {length} bytes in code C, whose symbols have two bytes; pad them to \
                 an even length"
            ),
            Self::TooFew { needed, present } => write!(
                f,
                "{present} shards are left and {needed} are needed; find {} more",
                needed - present
            ),
            Self::Duplicate { index } => {
                write!(f, "shard {index} is there twice; give each shard once")
            }
            Self::Unknown { index, count } => write!(
                f,
                "there is no shard {index}; indices here are below {count}"
            ),
            Self::TooManyCorrupt { limit } => write!(
                f,
                "shards are corrupt, but not which ones can be told; at most {limit} can be \
                 located with this many parity shards"
            ),
        }
    }
}

impl core::error::Error for Error {}
