//! Source lines of a few addresses, and addresses of a few lines, without keeping the
//! line tables.

use crate::debug::dwarf::{Dwarf, OpenUnit, Reader, dwarf_error, text};
use crate::debug::owner::join;
use crate::error::BinaryError;
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

/// Ranges of addresses that a line of a source file has become, for each of `wanted`:
/// a path or the last parts of one, and a line from 1. Sorted, neighbours joined.
///
/// # Errors
/// [`BinaryError::Malformed`] for damaged debug information.
pub fn code_of_lines(
    image: &Image<'_>,
    dwarf: &Dwarf<'_>,
    wanted: &[(&str, u64)],
) -> Result<Vec<Vec<(u64, u64)>>, BinaryError> {
    let mut out: Vec<Vec<(u64, u64)>> = vec![Vec::new(); wanted.len()];
    // A row is at least a byte.
    let mut budget = dwarf.size;
    for index in 0..dwarf.units.len() {
        let place = "section .debug_line";
        let unit = dwarf.open(index).map_err(dwarf_error(place.into()))?;
        let Some(program) = unit.unit.line_program.clone() else {
            continue;
        };
        // By index of the unit's file: which of `wanted` are in it.
        let mut files: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut rows = program.rows();
        let mut open: Option<LineRow> = None;
        while let Some((header, row)) = rows.next_row().map_err(dwarf_error(place.into()))? {
            let Some(left) = budget.checked_sub(1) else {
                return Ok(out);
            };
            budget = left;
            if let Some(from) = open
                && let Some(line) = from.line()
                && from.address() < row.address()
            {
                let of = files.entry(from.file_index()).or_insert_with(|| {
                    let path = file(dwarf, &unit, header, from.file_index());
                    let named = |(name, _): &(&str, u64)| is_path_of(&path, name);
                    (0..wanted.len()).filter(|at| named(&wanted[*at])).collect()
                });
                for &at in of.iter().filter(|at| wanted[**at].1 == line.get()) {
                    out[at].push((from.address(), row.address()));
                }
            }
            open = (!row.end_sequence() && image.is_code(row.address())).then_some(*row);
        }
    }
    for ranges in &mut out {
        ranges.sort_unstable();
        ranges.dedup_by(|next, last| {
            let joins = next.0 <= last.1;
            if joins {
                last.1 = last.1.max(next.1);
            }
            joins
        });
    }
    Ok(out)
}

/// Whether `name` is a path or its last parts, whole ones.
fn is_path_of(path: &str, name: &str) -> bool {
    path.strip_suffix(name)
        .is_some_and(|before| before.is_empty() || before.ends_with('/') || name.starts_with('/'))
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
