//! Rows and columns.

/// A direction in a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// From left to right.
    Row,
    /// From top to bottom.
    Column,
}

impl Axis {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Row => Self::Column,
            Self::Column => Self::Row,
        }
    }

    /// Row and column of a share: number `place` of row or column number `index`.
    pub(crate) const fn cell(self, index: usize, place: usize) -> (usize, usize) {
        match self {
            Self::Row => (index, place),
            Self::Column => (place, index),
        }
    }

    /// The row or column that a share is in, and its number there.
    pub(crate) const fn place(self, row: usize, column: usize) -> (usize, usize) {
        match self {
            Self::Row => (row, column),
            Self::Column => (column, row),
        }
    }
}
