//! Whether parity fits data.

use super::encode::width;
use super::{Codec, check};
use crate::body::{Combine, Transfer};
use crate::columns::{self, Column, Layout};
use crate::{Error, Shards, Workspace};
use core::{iter, slice};

impl Codec {
    /// Whether the parity shards are those of the data shards.
    ///
    /// # Errors
    /// As [`Codec::encode`].
    pub fn verify<D: AsRef<[u8]>, P: AsRef<[u8]>>(
        &self,
        data: &[D],
        parity: &[P],
    ) -> Result<bool, Error> {
        self.verify_with(&mut Workspace::new(), data, parity)
    }

    /// [`Codec::verify`] in memory that is kept.
    ///
    /// # Errors
    /// As [`Codec::encode`].
    pub fn verify_with<D: AsRef<[u8]>, P: AsRef<[u8]>>(
        &self,
        workspace: &mut Workspace,
        data: &[D],
        parity: &[P],
    ) -> Result<bool, Error> {
        check::count(Shards::Data, self.data(), data.len())?;
        check::count(Shards::Parity, self.parity(), parity.len())?;
        let all = || {
            let parity = parity.iter().map(AsRef::as_ref);
            data.iter().map(AsRef::as_ref).chain(parity)
        };
        let length = check::length(self.code, all().map(<[u8]>::len).enumerate())?;
        let inputs = all().map(<[u8]>::as_ptr);
        workspace.lists.fill(inputs, iter::empty());
        let (rows, first) = match self.matrix {
            Some(_) => (self.total(), 0),
            None => (self.transform_rows(), self.parity_row()),
        };
        let layout = Layout {
            length,
            symbol: self.code.symbol(),
            rows,
            order: 0..rows,
            width: width(rows),
            again: true,
            workspace,
        };
        let mut right = true;
        columns::each(layout, |column| {
            self.parity_column(&column);
            let parity = &column.inputs[self.data()..];
            right = parity
                .iter()
                .zip(&column.rows[first..])
                .all(|(shard, row)| {
                    // SAFETY: a shard has the column's bytes at its place, and so has a row.
                    let (shard, row) = unsafe {
                        (
                            slice::from_raw_parts(shard.add(column.at), column.bytes),
                            slice::from_raw_parts(*row, column.bytes),
                        )
                    };
                    shard == row
                });
            right
        });
        Ok(right)
    }

    /// Parity of a column, in the form of shards, to rows of the workspace.
    fn parity_column(&self, column: &Column<'_>) {
        let Some(matrix) = &self.matrix else {
            self.encode_column(column, false);
            let rows = &column.rows[self.parity_row()..][..self.parity()];
            return self.transfer(&Transfer {
                leave: true,
                to: 0,
                ..self.moved(column, rows, rows)
            });
        };
        let rows = &column.rows[self.parity()..];
        self.transfer(&Transfer {
            enter: true,
            from: column.at,
            to: 0,
            ..self.moved(column, &column.inputs[..self.data()], rows)
        });
        let job = Combine {
            tables: self.tables,
            inputs: rows.as_ptr().cast(),
            input_count: self.data(),
            from: 0,
            outputs: column.rows.as_ptr(),
            output_count: self.parity(),
            to: 0,
            constants: matrix.as_ptr(),
            bytes: column.bytes,
            enter: false,
            add: false,
        };
        // SAFETY: the table gives what this CPU can run; all rows are the workspace's.
        unsafe { (self.bodies().combine)(&job) };
    }
}
