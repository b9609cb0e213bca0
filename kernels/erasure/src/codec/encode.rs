//! Parity from data.

use super::{Codec, check};
use crate::body::{BLOCK, Combine, Transfer, Transform, WIDEST};
use crate::columns::{self, Column, Layout};
use crate::field::SKEWS;
use crate::{Code, Error, Shards, Workspace};
use core::ptr;

/// Bytes of the workspace that a column's rows should take: a quarter to half of a second-level
/// cache. In narrow columns what is done once for a group of rows shows, and memory is read in
/// pieces of pages (docs/notes/erasure.md).
const NEAR: usize = 256 << 10;

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
        let rows = self.transform_rows();
        let layout = Layout {
            length,
            symbol: self.code.symbol(),
            rows,
            order: 0..rows,
            width: width(rows),
            again: true,
            workspace,
        };
        columns::each(layout, |column| {
            self.encode_column(&column, true);
            true
        });
    }

    /// The outputs of the workspace's lists are sums of the inputs times constants:
    /// `outputs` constants for each input.
    pub(super) fn combine_lists(
        &self,
        workspace: &mut Workspace,
        length: usize,
        constants: &[u32],
        add: bool,
    ) {
        let (inputs, outputs) = (workspace.lists.inputs.len(), workspace.lists.outputs.len());
        debug_assert_eq!(constants.len(), inputs * outputs);
        let direct = outputs <= DIRECT || inputs <= 2;
        let rows = if direct { 0 } else { inputs };
        let layout = Layout {
            length,
            symbol: self.code.symbol(),
            rows,
            order: 0..rows,
            width: if direct {
                usize::MAX - BLOCK + 1
            } else {
                width(inputs)
            },
            again: !add,
            workspace,
        };
        columns::each(layout, |column| {
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

    /// Rows of the workspace that [`Codec::encode_column`] uses.
    pub(super) fn transform_rows(&self) -> usize {
        match self.code {
            Code::A | Code::D => self.parity_row() + self.parity().next_multiple_of(self.data()),
            Code::B | Code::C => {
                let rows = self.points.parity_rows();
                // A second block of data needs rows of its own.
                if self.data() > rows { 2 * rows } else { rows }
            }
        }
    }

    /// The row of the first parity shard there.
    pub(super) fn parity_row(&self) -> usize {
        match self.code {
            // Several blocks of parity each need the coefficients.
            Code::A | Code::D if self.parity() > self.data() => self.data(),
            _ => 0,
        }
    }

    /// Parity of a column by transforms: to the column's outputs, or to rows from
    /// [`Codec::parity_row`] on, not in the form of shards.
    pub(super) fn encode_column(&self, column: &Column<'_>, leave: bool) {
        match self.code {
            Code::A | Code::D => self.encode_low(column, leave),
            Code::B | Code::C => self.encode_high(column, leave),
        }
    }

    /// Codes A and D, with a power of two of data shards: their values to coefficients, and
    /// these to values at the points behind.
    fn encode_low(&self, column: &Column<'_>, leave: bool) {
        let (data, parity) = (self.data(), self.parity());
        let inputs = &column.inputs[..data];
        let weighted = self.code == Code::D;
        if weighted {
            self.transfer(&Transfer {
                enter: true,
                from: column.at,
                to: 0,
                constants: self.scale.as_ptr(),
                ..self.moved(column, inputs, &column.rows[..data])
            });
        }
        let rows = self.transformed(column, column.first, data, data, 0);
        let inputs = if weighted {
            ptr::null()
        } else {
            inputs.as_ptr()
        };
        self.inverse(&Transform { inputs, ..rows });
        for first in (0..parity).step_by(data) {
            let count = data.min(parity - first);
            let place = self.parity_row() + first;
            if place > 0 {
                // SAFETY: both are rows of the workspace, which lie end to end.
                unsafe {
                    let to = column.first.add(place * column.stride);
                    ptr::copy_nonoverlapping(column.first, to, data * column.stride);
                }
            }
            let place = column.rows[place];
            let job = self.transformed(column, place, data, count, data + first);
            let outputs = match leave && !weighted {
                true => column.outputs[first..].as_ptr(),
                false => ptr::null(),
            };
            self.forward(&Transform { outputs, ..job });
        }
        if weighted {
            let rows = &column.rows[self.parity_row()..][..parity];
            let constants = self.scale[data..].as_ptr();
            self.transfer(&match leave {
                true => Transfer {
                    constants,
                    ..self.moved(column, rows, column.outputs)
                },
                false => Transfer {
                    constants,
                    to: 0,
                    ..self.moved(column, rows, rows)
                },
            });
        }
    }

    /// Codes B and C: the sum of the coefficients of blocks of data has to be that of the
    /// block of parity.
    fn encode_high(&self, column: &Column<'_>, leave: bool) {
        let rows = self.points.parity_rows();
        for (chunk, inputs) in column.inputs[..self.data()].chunks(rows).enumerate() {
            let first = if chunk == 0 { 0 } else { rows };
            let point = (chunk + 1) * rows;
            let job = self.transformed(column, column.rows[first], rows, inputs.len(), point);
            self.inverse(&Transform {
                inputs: inputs.as_ptr(),
                sum: if chunk == 0 {
                    ptr::null_mut()
                } else {
                    column.first
                },
                ..job
            });
        }
        let job = self.transformed(column, column.first, rows, self.parity(), 0);
        let outputs = if leave {
            column.outputs.as_ptr()
        } else {
            ptr::null()
        };
        self.forward(&Transform { outputs, ..job });
    }

    /// A transform of `count` rows of the workspace in place, of which `used` count.
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
            skews: match self.code {
                Code::A | Code::D => Some(&SKEWS),
                Code::B | Code::C => None,
            },
            rows,
            stride: column.stride,
            count,
            used,
            point,
            bytes: column.bytes,
            inputs: ptr::null(),
            from: column.at,
            sum: ptr::null_mut(),
            outputs: ptr::null(),
            to: column.at,
        }
    }

    /// Values to coefficients.
    pub(super) fn inverse(&self, job: &Transform) {
        // SAFETY: the table gives what this CPU can run. Jobs are made by this module's
        // callers of rows of the workspace and of shards that the caller has lent.
        unsafe { (self.bodies().inverse)(job) };
    }

    /// Coefficients to values.
    pub(super) fn forward(&self, job: &Transform) {
        // SAFETY: as in `inverse`.
        unsafe { (self.bodies().forward)(job) };
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
    (NEAR / rows / BLOCK * BLOCK).clamp(BLOCK, WIDEST)
}
