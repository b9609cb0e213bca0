//! Source lines of a few addresses, without keeping the line tables.

use crate::debug::dwarf::{Dwarf, OpenUnit, Reader, text};
use crate::debug::owner::join;
use crate::read::image::Image;
use crate::read::sections::DebugSections;
use gimli::{LineProgramHeader, LineRow};
use std::collections::HashMap;

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The file's path with `/`; empty if the table does not tell.
    pub file: String,
    /// From 1; none for one that does not fit.
    pub line: Option<u32>,
}

/// The source lines of `addresses`, for those that have one. Damage in the
/// tables costs lines, not the answer.
pub fn lines(image: &Image<'_>, addresses: &[u64]) -> HashMap<u64, SourceLine> {
    let mut out = HashMap::new();
    if addresses.is_empty() {
        return out;
    }
    let Ok(sections) = DebugSections::read(image, &[]) else {
        return out;
    };
    let Ok(dwarf) = Dwarf::read(&sections) else {
        return out;
    };
    let mut wanted = addresses.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    // A row is at least a byte.
    let mut budget = dwarf.size;
    for index in 0..dwarf.units.len() {
        let Ok(unit) = dwarf.open(index) else {
            continue;
        };
        let Some(program) = unit.unit.line_program.clone() else {
            continue;
        };
        let mut rows = program.rows();
        let mut open: Option<LineRow> = None;
        while let Ok(Some((header, row))) = rows.next_row() {
            let Some(left) = budget.checked_sub(1) else {
                return out;
            };
            budget = left;
            if let Some(from) = open {
                let first = wanted.partition_point(|address| *address < from.address());
                for &address in wanted[first..].iter().take_while(|a| **a < row.address()) {
                    if let Some(line) = from.line() {
                        out.entry(address).or_insert(SourceLine {
                            file: file(&dwarf, &unit, header, from.file_index()),
                            line: u32::try_from(line.get()).ok(),
                        });
                    }
                }
            }
            open = (!row.end_sequence() && image.is_code(row.address())).then_some(*row);
        }
    }
    out
}

/// Joins compilation directory, include directory and file name.
fn file<'a>(
    dwarf: &Dwarf<'a>,
    unit: &OpenUnit<'_, 'a>,
    header: &LineProgramHeader<Reader<'a>>,
    index: u64,
) -> String {
    let Some(file) = header.file(index) else {
        return String::new();
    };
    let text = |value| text(&dwarf.dwarf, &unit.unit, value);
    let directory = file.directory(header).map_or("", text);
    join(&join(&unit.of.comp_dir, directory), text(file.path_name()))
}
