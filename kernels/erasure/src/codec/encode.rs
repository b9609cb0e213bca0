//! Parity from data.

use super::{Codec, check};
use crate::body::{BLOCK, Combine, Transfer, Transform};
use crate::columns::{self, Column, Room};
use crate::{Error, Shards, Workspace};
use core::ptr;

/// Bytes of the workspace that a column's rows should take: they stay in the first-level
/// cache.
const NEAR: usize = 24 << 10;

/// Widest column of the workspace: beyond it, wider ones bring nothing.
const WIDEST: usize = 4 << 10;

/// Outputs up to which inputs are read where they are: an input is read once then. Two
/// inputs and fewer always are.
const DIRECT: usize = 4;

impl Codec {
    /// Writes the parity shards of data shards. All have the same length.
    ///
    /// # Errors
    /// When a list has not as many shards as the codec, when shards are empty or not
    /// equally long, or of odd length in code C.
    pub fn encode<D: AsRef<[u8]>, P: AsMut<[u8]>>(
        &self,
        data: &[D],
        parity: &mut [P],
    ) -> Result<(), Error> {
        self.encode_with(&mut Workspace::new(), data, parity)
    }

    /// [`Codec::encode`] in memory that is kept.
    ///
    /// # Errors
    /// As [`Codec::encode`].
    pub fn encode_with<D: AsRef<[u8]>, P: AsMut<[u8]>>(
        &self,
        workspace: &mut Workspace,
        data: &[D],
        parity: &mut [P],
    ) -> Result<(), Error> {
        check::count(Shards::Data, self.data(), data.len())?;
        check::count(Shards::Parity, self.parity(), parity.len())?;
        let given = data.iter().map(|d| d.as_ref().len());
        let wanted = parity.iter_mut().map(|p| p.as_mut().len());
        let length = check::length(self.code, given.chain(wanted).enumerate())?;
        let inputs = data.iter().map(|d| d.as_ref().as_ptr());
        let outputs = parity.iter_mut().map(|p| p.as_mut().as_mut_ptr());
        workspace.lists.fill(inputs, outputs);
        self.encode_lists(workspace, length);
        Ok(())
    }

    /// Parity to the outputs of the workspace's lists from the inputs. All are checked.
    fn encode_lists(&self, workspace: &mut Workspace, length: usize) {
        if let Some(matrix) = &self.matrix {
            return self.combine_lists(workspace, length, matrix, false);
        }
        let rows = self.points.parity_rows();
        let room = Room {
            length,
            symbol: self.code.symbol(),
            rows: 2 * rows,
            order: 0..2 * rows,
            width: width(2 * rows),
            workspace,
        };
        columns::each(room, |column| {
            self.encode_column(&column);
            self.transfer(&Transfer {
                leave: true,
                ..self.moved(&column, column.rows, column.outputs)
            });
            true
        });
    }

    /// The outputs of the workspace's lists are sums of the inputs times constants:
    /// `outputs` constants for each input.
    pub(super) fn combine_lists(
        &self,
        workspace: &mut Workspace,
        length: usize,
        constants: &[u16],
        add: bool,
    ) {
        let (inputs, outputs) = (workspace.lists.inputs.len(), workspace.lists.outputs.len());
        debug_assert_eq!(constants.len(), inputs * outputs);
        let direct = outputs <= DIRECT || inputs <= 2;
        let rows = if direct { 0 } else { inputs };
        let room = Room {
            length,
            symbol: self.code.symbol(),
            rows,
            order: 0..rows,
            width: if direct {
                usize::MAX - BLOCK + 1
            } else {
                width(inputs)
            },
            workspace,
        };
        columns::each(room, |column| {
            if !direct {
                self.transfer(&Transfer {
                    enter: true,
                    from: column.at,
                    to: 0,
                    ..self.moved(&column, column.inputs, column.rows)
                });
            }
            let (from, at) = match direct {
                true => (column.inputs.as_ptr(), column.at),
                false => (column.rows.as_ptr().cast(), 0),
            };
            let job = Combine {
                tables: self.tables,
                inputs: from,
                input_count: inputs,
                from: at,
                outputs: column.outputs.as_ptr(),
                output_count: outputs,
                to: column.at,
                constants: constants.as_ptr(),
                bytes: column.bytes,
                enter: direct,
                add,
            };
            // SAFETY: the table gives what this CPU can run. The lists are of shards that
            // the caller has lent, and of rows of the workspace; there are as many
            // constants.
            unsafe { (self.bodies().combine)(&job) };
            true
        });
    }

    /// Parity of a column to the first rows of the workspace, not yet in the form of
    /// shards. As many rows behind them are used as well.
    pub(super) fn encode_column(&self, column: &Column<'_>) {
        let rows = self.points.parity_rows();
        for (chunk, inputs) in column.inputs[..self.data()].chunks(rows).enumerate() {
            let first = if chunk == 0 { 0 } else { rows };
            let place = &column.rows[first..first + rows];
            self.transfer(&Transfer {
                enter: true,
                from: column.at,
                to: 0,
                ..self.moved(column, inputs, place)
            });
            // SAFETY: the rows of `place` lie end to end in the workspace.
            unsafe {
                let behind = place[0].add(inputs.len() * column.stride);
                ptr::write_bytes(behind, 0, (rows - inputs.len()) * column.stride);
            }
            let job = self.transformed(column, place[0], rows, inputs.len(), (chunk + 1) * rows);
            // SAFETY: the table gives what this CPU can run, and the rows are there.
            unsafe { (self.bodies().inverse)(&job) };
            if chunk > 0 {
                self.transfer(&Transfer {
                    add: true,
                    to: 0,
                    ..self.moved(column, place, &column.rows[..rows])
                });
            }
        }
        let job = self.transformed(column, column.first, rows, self.parity(), 0);
        // SAFETY: as above.
        unsafe { (self.bodies().forward)(&job) };
    }

    /// A transform of `count` rows of the workspace, of which `used` count.
    pub(super) fn transformed(
        &self,
        column: &Column<'_>,
        rows: *mut u8,
        count: usize,
        used: usize,
        point: usize,
    ) -> Transform {
        Transform {
            tables: self.tables,
            rows,
            stride: column.stride,
            count,
            used,
            point,
            bytes: column.bytes,
        }
    }

    /// A transfer as it is, from rows of the workspace to shards, of as many rows as both
    /// lists have.
    pub(super) fn moved<P>(
        &self,
        column: &Column<'_>,
        inputs: &[P],
        outputs: &[*mut u8],
    ) -> Transfer {
        Transfer {
            tables: self.tables,
            inputs: inputs.as_ptr().cast(),
            from: 0,
            outputs: outputs.as_ptr(),
            to: column.at,
            count: inputs.len().min(outputs.len()),
            constants: ptr::null(),
            bytes: column.bytes,
            enter: false,
            leave: false,
            add: false,
        }
    }

    /// Does a transfer between shards that the caller has lent and the workspace.
    pub(super) fn transfer(&self, job: &Transfer) {
        // SAFETY: the table gives what this CPU can run. Jobs are made by this module's
        // callers from lists of a column, which are of lent shards and of rows.
        unsafe { (self.bodies().transfer)(job) };
    }
}

/// Width of a column with so many rows in the workspace.
pub(super) fn width(rows: usize) -> usize {
    let fits = NEAR / rows / BLOCK * BLOCK;
    fits.clamp(BLOCK, WIDEST)
}
