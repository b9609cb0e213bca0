//! What is done to columns of shards, written once for all vectors.
//!
//! A column is 64 bytes or a multiple of it, at the same place of every shard. The bodies
//! are told where rows are by pointers, because rows are shards of the caller or lines of
//! the [workspace](crate::Workspace).

mod combine;
mod transfer;
mod transform;

use crate::field::{Skews, Tables};
pub(crate) use combine::combine;
pub(crate) use transfer::transfer;
pub(crate) use transform::{derive, forward, inverse};

/// Bytes of which a column is a multiple.
pub(crate) const BLOCK: usize = 64;

/// Widest column of rows in the workspace: beyond it, wider ones bring nothing.
pub(crate) const WIDEST: usize = 4 << 10;

/// The functions of an implementation. Unsafe: the CPU must have its ISAs, and what a job
/// points to must be there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bodies {
    /// See [`Combine`].
    pub(crate) combine: unsafe fn(&Combine),
    /// See [`Transfer`].
    pub(crate) transfer: unsafe fn(&Transfer),
    /// Values at points to coefficients; see [`Transform`].
    pub(crate) inverse: unsafe fn(&Transform),
    /// Coefficients to values at points; see [`Transform`].
    pub(crate) forward: unsafe fn(&Transform),
    /// Coefficients to those of the formal derivative, up to a factor; see [`Transform`].
    pub(crate) derive: unsafe fn(&Transform),
}

/// Each output is a sum of inputs times constants.
///
/// Inputs are readable and outputs writable for `bytes` from their offset on, and no output
/// overlaps with another row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Combine {
    pub(crate) tables: &'static Tables,
    pub(crate) inputs: *const *const u8,
    pub(crate) input_count: usize,
    /// Offset of the column in the inputs.
    pub(crate) from: usize,
    pub(crate) outputs: *const *mut u8,
    pub(crate) output_count: usize,
    /// Offset of the column in the outputs.
    pub(crate) to: usize,
    /// `output_count` constants for each input, as [`Symbols::packed`](crate::vector::Symbols)
    /// makes them.
    pub(crate) constants: *const u32,
    pub(crate) bytes: usize,
    /// Whether inputs are in the form of shards. Outputs always are.
    pub(crate) enter: bool,
    /// Whether the sum is added to what the outputs hold.
    pub(crate) add: bool,
}

/// Each output is one input, perhaps times a constant. The same holds as for [`Combine`],
/// but an output may be its own input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    pub(crate) tables: &'static Tables,
    /// Null stands for zeros.
    pub(crate) inputs: *const *const u8,
    pub(crate) from: usize,
    /// Null is left out.
    pub(crate) outputs: *const *mut u8,
    pub(crate) to: usize,
    pub(crate) count: usize,
    /// One for each row, packed, or null for none.
    pub(crate) constants: *const u32,
    pub(crate) bytes: usize,
    /// Whether inputs are in the form of shards.
    pub(crate) enter: bool,
    /// Whether outputs are to be.
    pub(crate) leave: bool,
    /// Whether outputs get the sum with what they hold.
    pub(crate) add: bool,
}

/// Rows that are transformed between values at `count` points from `point` on and
/// coefficients.
///
/// All rows are writable for `bytes`, and so are those of `sum` and the outputs; inputs are
/// readable. `count` is a power of two, `point` a multiple of it, and `bytes` at most
/// [`WIDEST`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transform {
    pub(crate) tables: &'static Tables,
    /// The constants of butterflies; `None` for those of a Cantor basis.
    pub(crate) skews: Option<&'static Skews>,
    pub(crate) rows: *mut u8,
    /// Bytes from a row to the next.
    pub(crate) stride: usize,
    pub(crate) count: usize,
    /// Rows from here on are zeros before an inverse transform, or not wanted after a
    /// forward one.
    pub(crate) used: usize,
    pub(crate) point: usize,
    pub(crate) bytes: usize,
    /// Shards from which an inverse transform reads its first `used` rows, or null when
    /// the rows hold them. In the list null stands for zeros.
    pub(crate) inputs: *const *const u8,
    /// Offset of the column in the inputs.
    pub(crate) from: usize,
    /// The first of rows with the same stride to which an inverse transform adds its
    /// result, or null.
    pub(crate) sum: *mut u8,
    /// Shards to which a forward transform writes its first `used` rows, or null when the
    /// rows shall hold them.
    pub(crate) outputs: *const *mut u8,
    /// Offset of the column in the outputs.
    pub(crate) to: usize,
}
