//! Shards cut into columns that fit into the caches.

use crate::Workspace;
use crate::body::BLOCK;
use crate::workspace::Lists;
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
    /// Whether a step may come to bytes that it has had.
    pub(crate) again: bool,
    /// Memory, with the shards in its lists.
    pub(crate) workspace: &'a mut Workspace,
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// Length of shards from which on a column of their first block, so that all others begin at
/// cache lines, costs less than loads and stores over the ends of lines. Where rows lie in the
/// workspace, most of these are there, and nothing is gained (docs/notes/erasure.md).
const LONG: usize = 2 << 10;

/// Calls `step` for all columns, until it says `false`.
///
/// Where symbols are bytes and a step may come to bytes again, the last column of shards that
/// end inside of a block is their last 64 bytes, some of which it shares with the one before.
/// And where there are no rows, long shards that all begin at one place of a cache line have
/// their first 64 bytes as a column; the others begin at lines. Elsewhere the last bytes are
/// copied to a block of their own, with zeros behind them, and back.
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
        again,
        workspace,
    } = layout;
    let again = again && symbol == 1 && length >= BLOCK;
    let begin = match again && rows == 0 && length >= LONG {
        true => to_lines(&workspace.lists),
        false => 0,
    };
    let end = (length - begin) % BLOCK;
    let whole = length - end;
    let stride = width.min((whole - begin).max(BLOCK));
    let (inputs, outputs) = (workspace.lists.inputs.len(), workspace.lists.outputs.len());
    let ends = if end > 0 && !again {
        inputs + outputs
    } else {
        0
    };
    let first = workspace.rows(1, rows * stride + ends * BLOCK);
    let lists = &mut workspace.lists;
    lists.rows.clear();
    // SAFETY: the workspace has so many rows.
    let row = |row: usize| unsafe { first.add(row * stride) };
    lists.rows.extend(order.map(row));
    let mut column = |at, bytes| {
        step(Column {
            inputs: &lists.inputs,
            outputs: &lists.outputs,
            at,
            bytes,
            rows: &lists.rows,
            first,
            stride,
        })
    };
    if begin > 0 && !column(0, BLOCK) {
        return;
    }
    for at in (begin..whole).step_by(stride) {
        if !column(at, stride.min(whole - at)) {
            return;
        }
    }
    if end == 0 {
        return;
    }
    if again {
        column(length - BLOCK, BLOCK);
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

/// Bytes to the next cache line, where they are as many in all shards; else 0.
fn to_lines(lists: &Lists) -> usize {
    let inputs = lists.inputs.iter().map(|input| input.addr());
    let outputs = lists.outputs.iter().map(|output| output.addr());
    // Null stands for no shard.
    let places = inputs.chain(outputs).filter(|place| *place > 0);
    let mut bytes = places.map(|place| place.wrapping_neg() % LINE);
    let first = bytes.next().unwrap_or(0);
    if bytes.all(|other| other == first) {
        first
    } else {
        0
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
