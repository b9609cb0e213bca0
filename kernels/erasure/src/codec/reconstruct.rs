//! Lost shards from those that are left.

use super::encode::width;
use super::plan::Way;
use super::{Codec, Plan, check};
use crate::body::{Combine, Transfer, Transform};
use crate::columns::{self, Column, Layout};
use crate::{Error, Shards, Workspace};
use alloc::vec;
use alloc::vec::Vec;
use core::ptr;

impl Codec {
    /// Makes all shards that are not `present` and writes them to their places in `shards`:
    /// data shards first, then parity. Present shards are only read.
    ///
    /// # Errors
    /// When a list has not as many entries as the codec has shards, when too few shards are
    /// present, when shards are empty or not equally long (lost ones too: they are the
    /// memory for what is made), or of odd length in code C.
    pub fn reconstruct<S: AsMut<[u8]>>(
        &self,
        shards: &mut [S],
        present: &[bool],
    ) -> Result<(), Error> {
        self.plan(present)?.reconstruct(shards)
    }

    /// Makes the shards that `wanted` names, from those of `present`: each with its index,
    /// data shards from 0 on, then parity. The shards that are named nowhere are left out.
    ///
    /// # Errors
    /// When an index is there twice or names no shard; otherwise as [`Codec::reconstruct`].
    pub fn reconstruct_from(
        &self,
        present: &[(usize, &[u8])],
        wanted: &mut [(usize, &mut [u8])],
    ) -> Result<(), Error> {
        let given: Vec<usize> = present.iter().map(|(index, _)| *index).collect();
        let asked: Vec<usize> = wanted.iter().map(|(index, _)| *index).collect();
        let plan = self.plan_for(&given, &asked)?;
        let inputs = present.iter().map(|(index, shard)| (*index, shard.len()));
        let outputs = wanted.iter().map(|(index, shard)| (*index, shard.len()));
        let length = check::length(self.code, inputs.chain(outputs))?;
        let mut shards = vec![ptr::null_mut(); self.total()];
        for (index, shard) in present {
            shards[*index] = shard.as_ptr().cast_mut();
        }
        for (index, shard) in wanted {
            shards[*index] = shard.as_mut_ptr();
        }
        plan.run(&mut Workspace::new(), &shards, length);
        Ok(())
    }
}

impl Plan<'_> {
    /// [`Codec::reconstruct`] with the flags of the plan: what was not present then is
    /// written, or what was wanted.
    ///
    /// # Errors
    /// As [`Codec::reconstruct`].
    pub fn reconstruct<S: AsMut<[u8]>>(&self, shards: &mut [S]) -> Result<(), Error> {
        self.reconstruct_with(&mut Workspace::new(), shards)
    }

    /// [`Plan::reconstruct`] in memory that is kept.
    ///
    /// # Errors
    /// As [`Codec::reconstruct`].
    pub fn reconstruct_with<S: AsMut<[u8]>>(
        &self,
        workspace: &mut Workspace,
        shards: &mut [S],
    ) -> Result<(), Error> {
        check::count(Shards::All, self.codec.total(), shards.len())?;
        let lengths = shards.iter_mut().map(|s| s.as_mut().len()).enumerate();
        let length = check::length(self.codec.code, lengths)?;
        let mut all = core::mem::take(&mut workspace.lists.shards);
        all.clear();
        all.extend(shards.iter_mut().map(|s| s.as_mut().as_mut_ptr()));
        self.run(workspace, &all, length);
        workspace.lists.shards = all;
        Ok(())
    }

    /// Writes the outputs. `shards` has all that are read or written, by index, and none
    /// twice. All have `length` bytes.
    fn run(&self, workspace: &mut Workspace, shards: &[*mut u8], length: usize) {
        let input = |index: &Option<usize>| index.map_or(ptr::null(), |i| shards[i].cast_const());
        let inputs = self.inputs.iter().map(input);
        let outputs = self.outputs.iter().map(|index| shards[*index]);
        workspace.lists.fill(inputs, outputs);
        match &self.way {
            Way::Nothing => {}
            Way::Matrix(constants) => {
                self.codec
                    .combine_lists(workspace, length, constants, false);
            }
            Way::Differences {
                present,
                constants,
                wanted,
            } => self.run_differences(workspace, length, present, constants, wanted),
            Way::Turned(rows) => self.run_turned(workspace, length, *rows),
            Way::Transform {
                before,
                after,
                order,
                end,
            } => self.run_transform(workspace, length, [before, after], order, *end),
        }
    }

    fn run_differences(
        &self,
        workspace: &mut Workspace,
        length: usize,
        present: &[usize],
        constants: &[u32],
        wanted: &[usize],
    ) {
        let codec = self.codec;
        let (rows, first) = (codec.transform_rows(), codec.parity_row());
        let chosen = present.iter().chain(wanted).map(|p| first + p);
        let layout = Layout {
            length,
            symbol: codec.code.symbol(),
            rows,
            order: (0..rows).chain(chosen),
            width: width(rows),
            again: true,
            workspace,
        };
        columns::each(layout, |column| {
            codec.encode_column(&column, false);
            let (present, wanted) = column.rows[rows..].split_at(present.len());
            codec.transfer(&Transfer {
                enter: true,
                add: true,
                from: column.at,
                to: 0,
                ..codec.moved(&column, &column.inputs[codec.data()..], present)
            });
            let job = Combine {
                tables: codec.tables,
                inputs: present.as_ptr().cast(),
                input_count: present.len(),
                from: 0,
                outputs: column.outputs.as_ptr(),
                output_count: column.outputs.len(),
                to: column.at,
                constants: constants.as_ptr(),
                bytes: column.bytes,
                enter: false,
                add: false,
            };
            // SAFETY: the table gives what this CPU can run; inputs are rows of the
            // workspace, outputs are shards that the caller has lent.
            unsafe { (codec.bodies().combine)(&job) };
            let data = column.outputs.len() - wanted.len();
            codec.transfer(&Transfer {
                leave: true,
                add: true,
                ..codec.moved(&column, wanted, &column.outputs[data..])
            });
            true
        });
    }

    fn run_turned(&self, workspace: &mut Workspace, length: usize, rows: usize) {
        let (codec, points) = (self.codec, &self.codec.points);
        let layout = Layout {
            length,
            symbol: codec.code.symbol(),
            rows,
            order: 0..rows,
            width: width(rows),
            again: true,
            workspace,
        };
        columns::each(layout, |column| {
            let from = points.first_parity;
            let values = codec.transformed(&column, column.first, rows, rows, from);
            let inputs = column.inputs.as_ptr();
            codec.inverse(&Transform { inputs, ..values });
            let (used, to) = (codec.data(), points.first_data);
            let data = codec.transformed(&column, column.first, rows, used, to);
            let outputs = column.outputs.as_ptr();
            codec.forward(&Transform { outputs, ..data });
            true
        });
    }

    fn run_transform(
        &self,
        workspace: &mut Workspace,
        length: usize,
        [before, after]: [&[u32]; 2],
        order: &[usize],
        end: usize,
    ) {
        let (codec, points) = (self.codec, &self.codec.points);
        let layout = Layout {
            length,
            symbol: codec.code.symbol(),
            rows: points.count,
            order: order.iter().copied(),
            width: width(points.count),
            again: true,
            workspace,
        };
        columns::each(layout, |column| {
            let (input_rows, rest) = column.rows.split_at(before.len());
            let output_rows = &rest[..after.len()];
            // The last of the order are all that is not an input, outputs among them.
            let empty_rows = &rest[after.len()..];
            codec.transfer(&Transfer {
                enter: true,
                from: column.at,
                to: 0,
                constants: before.as_ptr(),
                ..codec.moved(&column, column.inputs, input_rows)
            });
            clear(&column, empty_rows);
            let used = points.zeros().start;
            let job = codec.transformed(&column, column.first, points.count, used, 0);
            let forward = codec.transformed(&column, column.first, points.count, end, 0);
            codec.inverse(&job);
            // SAFETY: the table gives what this CPU can run, and the rows are there.
            unsafe { (codec.bodies().derive)(&job) };
            codec.forward(&forward);
            codec.transfer(&Transfer {
                leave: true,
                constants: after.as_ptr(),
                ..codec.moved(&column, output_rows, column.outputs)
            });
            true
        });
    }
}

/// Fills rows of the workspace with zeros.
fn clear(column: &Column<'_>, rows: &[*mut u8]) {
    for row in rows {
        // SAFETY: a row of the workspace has so many bytes.
        unsafe { ptr::write_bytes(*row, 0, column.bytes) };
    }
}
