//! Line tables: which source file each address came from.

use crate::debug::dwarf::{Dwarf, OpenUnit, Reader, dwarf_error};
use crate::debug::owner::{Origin, join};
use crate::error::BinaryError;
use crate::ranges::{AddressRange, flatten};
use crate::read::image::Image;
use gimli::LineProgramHeader;
use std::collections::HashMap;

/// One source file.
pub struct SourceFile {
    /// Absolute, without `.` and `..`.
    pub path: String,
    /// Index into [`Lines::owners`].
    pub owner: u32,
    /// What kind of file it is.
    pub origin: Origin,
}

/// What a line table says of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index into [`Lines::files`].
    pub file: u32,
    /// Whether there is a line. Compilers give line 0 to code of no line in
    /// particular, such as constants loaded ahead of a loop; the file is then
    /// that of whatever came before.
    pub has_line: bool,
}

/// Source files and owners as line tables name them.
#[derive(Default)]
pub struct Lines {
    /// In the order in which they were met.
    pub files: Vec<SourceFile>,
    /// Names of crates and C directories.
    pub owners: Vec<String>,
    by_path: HashMap<(String, u32), u32>,
    by_owner: HashMap<String, u32>,
    /// Rows read so far. Units may share a table, but a row is at least a byte.
    rows: usize,
}

impl Lines {
    /// Runs the line program of a unit: its addresses, sorted, non-overlapping.
    ///
    /// # Errors
    /// [`BinaryError::Malformed`] for a damaged table, or more rows than the file has bytes.
    pub fn read_unit(
        &mut self,
        image: &Image<'_>,
        dwarf: &Dwarf<'_>,
        open: &OpenUnit<'_, '_>,
    ) -> Result<Vec<AddressRange<Place>>, BinaryError> {
        let Some(program) = open.unit.line_program.clone() else {
            return Ok(Vec::new());
        };
        let place = || {
            let unit = open.of.offset;
            format!("section .debug_line, the table of the unit at {unit:#x}")
        };
        let mut nested = Vec::new();
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut start: Option<(u64, Place)> = None;
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row().map_err(dwarf_error(place()))? {
            let address = row.address();
            self.rows += 1;
            if self.rows > dwarf.size {
                return Err(BinaryError::malformed(
                    place(),
                    "the tables have more rows than the file bytes",
                ));
            }
            if let Some((start, value)) = start {
                let same = !row.end_sequence()
                    && value.has_line == row.line().is_some()
                    && Some(&value.file) == known.get(&row.file_index());
                if same {
                    continue;
                }
                // Sections the linker dropped keep tables at address 0.
                if address > start && image.is_code(start) {
                    let end = address;
                    nested.push((AddressRange { start, end, value }, 0));
                }
            }
            start = if row.end_sequence() {
                None
            } else {
                let file = *known
                    .entry(row.file_index())
                    .or_insert_with(|| self.file(dwarf, open, header, row.file_index()));
                let has_line = row.line().is_some();
                Some((address, Place { file, has_line }))
            };
        }
        Ok(flatten(nested))
    }

    /// The file with an index of a unit's line table, noted if it is new.
    pub fn file(
        &mut self,
        dwarf: &Dwarf<'_>,
        open: &OpenUnit<'_, '_>,
        header: &LineProgramHeader<Reader<'_>>,
        index: u64,
    ) -> u32 {
        let path = file_path(dwarf, open, header, index);
        let owner = dwarf.roots.owner(&path, &open.of.owner);
        let next = self.owners.len() as u32;
        let owner = *self.by_owner.entry(owner).or_insert_with_key(|name| {
            self.owners.push(name.clone());
            next
        });
        let next = self.files.len() as u32;
        *self
            .by_path
            .entry((path, owner))
            .or_insert_with_key(|(path, owner)| {
                self.files.push(SourceFile {
                    origin: Origin::of(path),
                    path: path.clone(),
                    owner: *owner,
                });
                next
            })
    }
}

/// Joins compilation directory, include directory and file name.
fn file_path(
    dwarf: &Dwarf<'_>,
    open: &OpenUnit<'_, '_>,
    header: &LineProgramHeader<Reader<'_>>,
    index: u64,
) -> String {
    let Some(file) = header.file(index) else {
        return String::new();
    };
    let text = |value| {
        dwarf
            .dwarf
            .attr_string(&open.unit, value)
            .map_or(String::new(), |r| {
                String::from_utf8_lossy(r.slice()).into_owned()
            })
    };
    let directory = file.directory(header).map_or(String::new(), text);
    join(
        &join(&open.of.comp_dir, &directory),
        &text(file.path_name()),
    )
}
