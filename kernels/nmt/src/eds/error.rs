//! What a square refuses.

use super::Axis;
use alloc::string::String;
use core::fmt;

/// What a square refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SquareError {
    /// The side of the original square is not a power of two, or larger than
    /// [`MOST`](super::MOST).
    Side {
        /// Shares on a side.
        k: usize,
    },
    /// The bytes are not k · k shares of one length, or shares are shorter than a
    /// namespace or not a multiple of 64 bytes.
    Len {
        /// Bytes found.
        found: usize,
    },
    /// There is no such row or column.
    Place,
    /// The shares of a row or column are not in the order of their namespaces.
    Order {
        /// Whether of a row or a column.
        axis: Axis,
        /// Its number.
        index: usize,
    },
    /// Roots are of a square of another side.
    Roots,
    /// The code refused, with its reason.
    Code(String),
}

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Side { k } => write!(
                f,
                "a square of {k} shares a side cannot be extended: give a power of two up to {}",
                super::MOST
            ),
            Self::Len { found } => write!(
                f,
                "{found} bytes are not the shares of a square: give shares of one length, a multiple of 64 bytes"
            ),
            Self::Place => f.write_str("the square has no such row or column"),
            Self::Order { axis, index } => write!(
                f,
                "the shares of {} {index} are not in the order of their namespaces",
                name(*axis)
            ),
            Self::Roots => f.write_str("the roots are of a square of another side"),
            Self::Code(reason) => write!(f, "the erasure code refused: {reason}"),
        }
    }
}

impl core::error::Error for SquareError {}

/// Why a square was not repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairError {
    /// Too few shares are known, in the places where they are.
    TooFew {
        /// Shares that are still unknown.
        missing: usize,
    },
    /// The shares of a row or column do not lead to its root: whoever made the roots has
    /// encoded it badly, if all shares given were verified against the roots.
    BadEncoding {
        /// Whether a row or a column.
        axis: Axis,
        /// Its number.
        index: usize,
    },
    /// The square or the roots are malformed.
    Square(SquareError),
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { missing } => write!(
                f,
                "{missing} shares cannot be made from those that are known: fetch more"
            ),
            Self::BadEncoding { axis, index } => write!(
                f,
                "{} {index} is badly encoded, or a share of it was not verified",
                name(*axis)
            ),
            Self::Square(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for RepairError {}

impl From<SquareError> for RepairError {
    fn from(error: SquareError) -> Self {
        Self::Square(error)
    }
}

pub(super) const fn name(axis: Axis) -> &'static str {
    match axis {
        Axis::Row => "row",
        Axis::Column => "column",
    }
}
