//! Shards cut into columns that fit into the caches.

use crate::Workspace;
use crate::body::BLOCK;
use core::ptr;

/// A column of a call's shards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    /// The shards that are read; null stands for zeros.
    pub(crate) inputs: &'a [*const u8],
    /// The shards that are written; null is left out.
    pub(crate) outputs: &'a [*mut u8],
    /// Where the column begins in the shards.
    pub(crate) at: usize,
    /// Its width, a multiple of [`BLOCK`].
    pub(crate) bytes: usize,
    /// Rows of the workspace in the order that was asked for.
    pub(crate) rows: &'a [*mut u8],
    /// Row 0.
    pub(crate) first: *mut u8,
    /// Bytes from a row of the workspace to the next.
    pub(crate) stride: usize,
}

/// What a call needs besides its shards.
pub(crate) struct Layout<'a, R> {
    /// Length of the shards, in bytes.
    pub(crate) length: usize,
    /// Bytes of a symbol.
    pub(crate) symbol: usize,
    /// Rows of the workspace.
    pub(crate) rows: usize,
    /// Which of them are in [`Column::rows`], and in which order.
    pub(crate) order: R,
    /// Widest column, a multiple of [`BLOCK`].
    pub(crate) width: usize,
    /// Memory, with the shards in its lists.
    pub(crate) workspace: &'a mut Workspace,
}

/// Calls `step` for all columns, until it says `false`. The last bytes of shards that end
/// inside of a block are copied to a block of their own, with zeros behind them, and back.
pub(crate) fn each<R: Iterator<Item = usize>>(
    layout: Layout<'_, R>,
    mut step: impl FnMut(Column<'_>) -> bool,
) {
    let Layout {
        length,
        symbol,
        rows,
        order,
        width,
        workspace,
    } = layout;
    let (whole, end) = (length - length % BLOCK, length % BLOCK);
    let stride = width.min(whole.max(BLOCK));
    let (inputs, outputs) = (workspace.lists.inputs.len(), workspace.lists.outputs.len());
    let ends = if end > 0 { inputs + outputs } else { 0 };
    let first = workspace.rows(1, rows * stride + ends * BLOCK);
    let lists = &mut workspace.lists;
    lists.rows.clear();
    // SAFETY: the workspace has so many rows.
    let row = |row: usize| unsafe { first.add(row * stride) };
    lists.rows.extend(order.map(row));
    let mut at = 0;
    while at < whole {
        let bytes = stride.min(whole - at);
        let go_on = step(Column {
            inputs: &lists.inputs,
            outputs: &lists.outputs,
            at,
            bytes,
            rows: &lists.rows,
            first,
            stride,
        });
        if !go_on {
            return;
        }
        at += bytes;
    }
    if end == 0 {
        return;
    }
    // SAFETY: behind the rows there is a block for each shard.
    let block = |index: usize| unsafe { first.add(rows * stride + index * BLOCK) };
    lists.end_inputs.clear();
    for (index, input) in lists.inputs.iter().enumerate() {
        let staged = match input.is_null() {
            true => ptr::null(),
            // SAFETY: shards have `length` bytes, blocks `BLOCK`.
            false => unsafe { stage(input.add(whole), block(index), end, symbol) },
        };
        lists.end_inputs.push(staged);
    }
    lists.end_outputs.clear();
    for (index, output) in lists.outputs.iter().enumerate() {
        let staged = match output.is_null() {
            true => ptr::null_mut(),
            // SAFETY: as above.
            false => unsafe { stage(output.add(whole), block(inputs + index), end, symbol) },
        };
        lists.end_outputs.push(staged);
    }
    step(Column {
        inputs: &lists.end_inputs,
        outputs: &lists.end_outputs,
        at: 0,
        bytes: BLOCK,
        rows: &lists.rows,
        first,
        stride,
    });
    for (output, staged) in lists.outputs.iter().zip(&lists.end_outputs) {
        if !output.is_null() {
            // SAFETY: as above.
            unsafe { unstage(*staged, output.add(whole), end, symbol) };
        }
    }
}

/// Copies the end of a shard to a block: of two-byte symbols one half holds low bytes.
///
/// # Safety
/// `from` has `length` bytes, fewer than [`BLOCK`], and `block` has [`BLOCK`].
unsafe fn stage(from: *const u8, block: *mut u8, length: usize, symbol: usize) -> *mut u8 {
    let part = length / symbol;
    // SAFETY: the parts fit into their part of the block.
    unsafe {
        ptr::write_bytes(block, 0, BLOCK);
        for i in 0..symbol {
            let place = block.add(i * BLOCK / symbol);
            ptr::copy_nonoverlapping(from.add(i * part), place, part);
        }
    }
    block
}

/// The way back.
///
/// # Safety
/// As [`stage`].
unsafe fn unstage(block: *const u8, to: *mut u8, length: usize, symbol: usize) {
    let part = length / symbol;
    for i in 0..symbol {
        // SAFETY: as in `stage`.
        unsafe {
            let place = block.add(i * BLOCK / symbol);
            ptr::copy_nonoverlapping(place, to.add(i * part), part);
        }
    }
}
