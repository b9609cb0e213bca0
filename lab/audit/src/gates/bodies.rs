//! Code that is a gate's without being its function: inlined bodies, and source lines.

use crate::catalogue::code_at;
use iced_x86::{Decoder, DecoderOptions};
use karat_binary::BinaryError;
use karat_binary::attribute::target::Target;
use karat_binary::debug::dwarf::{Dwarf, dwarf_error};
use karat_binary::debug::inlines::{Inlines, NO_PARENT, Trees};
use karat_binary::debug::lines::Lines;
use karat_binary::debug::places::code_of_lines;
use karat_binary::read::image::Image;
use karat_model::finding::Location;
use std::collections::BTreeMap;

/// One inlined body, or what a line has become at one place.
pub(super) struct Body {
    /// Its lowest address, or where it would begin.
    pub start: u64,
    /// All of its code, by address; empty where none is left that is its alone.
    pub ranges: Vec<(u64, u64)>,
    /// Of an inlined body: where its call is written.
    pub location: Option<Location>,
}

/// `file:line`, if a gate is named so.
pub(super) fn source_line(name: &str) -> Option<(&str, u64)> {
    let (file, line) = name.rsplit_once(':')?;
    // `a::1` is no file.
    let is_path = !file.is_empty() && !file.ends_with(':');
    let line = line.parse().ok().filter(|line| *line > 0)?;
    is_path.then_some((file, line))
}

/// The bodies of each gate, by address.
pub(super) fn bodies(
    image: &Image<'_>,
    dwarf: &Dwarf<'_>,
    names: &[String],
) -> Result<Vec<Vec<Body>>, BinaryError> {
    let mut out: Vec<Vec<Body>> = names.iter().map(|_| Vec::new()).collect();
    let mut targets: Vec<(usize, Target)> = Vec::new();
    let mut lines: Vec<(usize, (&str, u64))> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        match source_line(name) {
            Some(line) => lines.push((at, line)),
            None => targets.push((at, Target::new(name))),
        }
    }
    if !lines.is_empty() {
        let wanted: Vec<(&str, u64)> = lines.iter().map(|(_, line)| *line).collect();
        let found = code_of_lines(image, dwarf, &wanted)?;
        for ((at, _), ranges) in lines.iter().zip(found) {
            out[*at].extend(ranges.into_iter().map(|range| Body {
                start: range.0,
                ranges: vec![range],
                location: None,
            }));
        }
    }
    if !targets.is_empty() {
        inlined(image, dwarf, &targets, &mut out)?;
    }
    for found in &mut out {
        found.sort_by_key(|body| body.start);
    }
    Ok(out)
}

/// Adds bodies inlined into other functions.
fn inlined(
    image: &Image<'_>,
    dwarf: &Dwarf<'_>,
    targets: &[(usize, Target)],
    out: &mut [Vec<Body>],
) -> Result<(), BinaryError> {
    let mut tables = Lines::default();
    let mut trees = Trees::default();
    for index in 0..dwarf.units.len() {
        if !dwarf.units[index].has_code {
            continue;
        }
        let place = format!(
            "section .debug_info, the unit at {:#x}",
            dwarf.units[index].offset
        );
        let open = dwarf.open(index).map_err(dwarf_error(place))?;
        let places = tables.read_unit(image, dwarf, &open)?;
        let inlines = Inlines::read_unit(image, dwarf, &open, &mut tables, &places, &mut trees)?;
        for (at, target) in targets {
            of_unit(dwarf, &tables, &inlines, target, &mut out[*at]);
        }
    }
    Ok(())
}

fn of_unit(
    dwarf: &Dwarf<'_>,
    tables: &Lines,
    inlines: &Inlines<'_>,
    target: &Target,
    out: &mut Vec<Body>,
) {
    let matches: Vec<bool> = inlines
        .frames
        .iter()
        .map(|frame| {
            target.matches_frame(frame, dwarf, tables) || target.may_be_short_cxx(frame, dwarf)
        })
        .collect();
    if !matches.contains(&true) {
        return;
    }
    let is_body = |node: u32| {
        let body = &inlines.nodes[node as usize];
        let is_gate = body.frame.is_some_and(|frame| matches[frame as usize]);
        is_gate && body.parent != NO_PARENT
    };
    let mut ranges: BTreeMap<u32, Vec<(u64, u64)>> = BTreeMap::new();
    for range in &inlines.ranges {
        let mut node = range.value;
        while node != NO_PARENT {
            if is_body(node) {
                let own = ranges.entry(node).or_default();
                own.push((range.start, range.end));
            }
            node = inlines.nodes[node as usize].parent;
        }
    }
    let mut starts: BTreeMap<u32, u64> = ranges
        .iter()
        .filter_map(|(node, ranges)| Some((*node, ranges.first()?.0)))
        .collect();
    // One that has others inlined into it may have code through them.
    for &(node, at) in inlines.folded.iter().filter(|(node, _)| is_body(*node)) {
        starts.entry(node).or_insert(at);
    }
    out.extend(starts.into_iter().map(|(node, start)| {
        let body = &inlines.nodes[node as usize];
        let ranges = ranges.remove(&node).unwrap_or_default();
        let location = body.call_file.map(|file| Location {
            file: tables.files[file as usize].path.clone(),
            line: body.call_line,
            column: None,
            address: Some(start),
        });
        Body {
            start,
            ranges,
            location,
        }
    }));
}

/// Addresses of the x86-64 instructions in ranges, each of which begins with one.
pub(super) fn instructions_of(image: &Image<'_>, ranges: &[(u64, u64)]) -> Vec<u64> {
    let mut out = Vec::new();
    for &(start, end) in ranges {
        let Some(code) = code_at(image, start, end) else {
            continue;
        };
        let mut decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
        while decoder.can_decode() {
            let instruction = decoder.decode();
            if instruction.is_invalid() {
                break;
            }
            out.push(instruction.ip());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::source_line;

    #[test]
    fn lines_are_told_from_paths() {
        assert_eq!(source_line("src/a.c:12"), Some(("src/a.c", 12)));
        assert_eq!(source_line("a::b"), None);
        assert_eq!(source_line("a::1"), None);
        assert_eq!(source_line("a.c:0"), None);
        assert_eq!(source_line(":3"), None);
        assert_eq!(source_line("debug_enabled"), None);
    }
}
