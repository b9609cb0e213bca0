//! Inline trees: which functions' bodies an address is inside of.
//!
//! Ranges are built once and walked beside the decoder; asking a symbolizer for
//! each instruction would cost far more than the decoding.

use crate::dwarf::{CompileUnit, Dwarf, Reader, dwarf_error};
use crate::error::AuditError;
use crate::image::Image;
use crate::lines::Lines;
use crate::span::{Cursor, Nested, Span, flatten};
use gimli::{AttributeValue, DebugInfoOffset, UnitOffset};
use std::collections::HashMap;

/// How many references from one entry to the next are followed for a name.
const MAX_REFERENCES: usize = 8;
/// Parent of the outermost node.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// A function as DWARF describes it.
pub(crate) struct Frame<'a> {
    /// Linkage name if there is one, else the short name.
    pub name: &'a str,
    /// Whether `name` is a linkage name; line-tables-only builds of rustc have
    /// short names alone.
    pub is_linkage: bool,
    /// Index of the unit that declares it.
    pub unit: usize,
    /// Source file it is written in, as call sites inside it or its own
    /// lines say.
    pub file: Option<u32>,
}

/// A function body at one place: itself, or inlined into its parent.
pub(crate) struct Node {
    /// Index into [`Inlines::frames`]; none when DWARF gives no name.
    pub frame: Option<u32>,
    /// Index into [`Inlines::nodes`], or [`NO_PARENT`].
    pub parent: u32,
    /// The file its call is in, when it is inlined.
    pub call_file: Option<u32>,
    /// The line of its call, when it is inlined.
    pub call_line: Option<u32>,
}

/// All inline trees of a binary.
#[derive(Default)]
pub(crate) struct Inlines<'a> {
    pub frames: Vec<Frame<'a>>,
    /// Parents come before their children.
    pub nodes: Vec<Node>,
    /// Indices into `nodes` of the innermost body; sorted, non-overlapping.
    pub spans: Vec<Span<u32>>,
    by_offset: HashMap<usize, Option<u32>>,
}

/// The attributes of a subprogram or inlined subroutine that matter.
#[derive(Default)]
struct Entry<'a> {
    low: Option<AttributeValue<Reader<'a>>>,
    high: Option<AttributeValue<Reader<'a>>>,
    ranges: Option<AttributeValue<Reader<'a>>>,
    call_file: Option<u64>,
    call_line: Option<u64>,
    /// The entry this one takes its name from, as an offset of `.debug_info`.
    origin: Option<usize>,
}

/// Function bodies as they are found.
struct Bodies {
    nested: Vec<Nested<u32>>,
    /// Ranges that may still come. Entries may share a list of ranges, but a
    /// file where all share long ones would take for ever.
    budget: usize,
}

impl<'a> Inlines<'a> {
    /// Walks the entries of every unit.
    pub fn read(
        image: &Image<'a>,
        dwarf: &Dwarf<'a>,
        lines: &mut Lines,
    ) -> Result<Self, AuditError> {
        let mut inlines = Self::default();
        let mut bodies = Bodies {
            nested: Vec::new(),
            budget: dwarf.size,
        };
        for unit in &dwarf.units {
            let place = format!("section .debug_info, the unit at {:#x}", unit.offset);
            inlines
                .read_unit(image, dwarf, lines, unit, &mut bodies)
                .map_err(dwarf_error(place.clone()))?;
            if bodies.budget == 0 {
                let reason = "the entries have more address ranges than the file bytes";
                return Err(AuditError::malformed(place, reason));
            }
        }
        inlines.spans = flatten(bodies.nested);
        inlines.files_of_leaves(lines);
        Ok(inlines)
    }

    /// A function with no call inlined into it has no call site to tell its
    /// file; the line table at its own code does.
    fn files_of_leaves(&mut self, lines: &Lines) {
        let mut cursor = Cursor::new(&lines.spans);
        for span in &self.spans {
            if let Some(frame) = self.nodes[span.value as usize].frame {
                let frame = &mut self.frames[frame as usize];
                if frame.file.is_none() {
                    let place = cursor.at(span.start).0.filter(|place| place.has_line);
                    frame.file = place.map(|place| place.file);
                }
            }
        }
    }

    fn read_unit(
        &mut self,
        image: &Image<'a>,
        dwarf: &Dwarf<'a>,
        lines: &mut Lines,
        unit: &CompileUnit<'a>,
        bodies: &mut Bodies,
    ) -> gimli::Result<()> {
        let mut entries = unit.unit.entries_raw(None)?;
        // Depth of the entry, and its node, for each enclosing function body.
        let mut enclosing: Vec<(isize, u32)> = Vec::new();
        let mut files: HashMap<u64, u32> = HashMap::new();
        while !entries.is_empty() {
            let depth = entries.next_depth();
            let offset = entries.next_offset();
            let Some(abbreviation) = entries.read_abbreviation()? else {
                continue;
            };
            while enclosing.last().is_some_and(|(outer, _)| *outer >= depth) {
                enclosing.pop();
            }
            let tag = abbreviation.tag();
            if tag != gimli::DW_TAG_subprogram && tag != gimli::DW_TAG_inlined_subroutine {
                entries.skip_attributes(abbreviation.attributes())?;
                continue;
            }
            let mut entry = Entry::default();
            for spec in abbreviation.attributes() {
                let attribute = entries.read_attribute(*spec)?;
                match attribute.name() {
                    gimli::DW_AT_low_pc => entry.low = Some(attribute.value()),
                    gimli::DW_AT_high_pc => entry.high = Some(attribute.value()),
                    gimli::DW_AT_ranges => entry.ranges = Some(attribute.value()),
                    gimli::DW_AT_call_file => {
                        entry.call_file = match attribute.value() {
                            AttributeValue::FileIndex(file) => Some(file),
                            other => other.udata_value(),
                        };
                    }
                    gimli::DW_AT_call_line => {
                        entry.call_line = attribute.value().udata_value();
                    }
                    gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => {
                        entry.origin = reference(unit, attribute.value());
                    }
                    _ => {}
                }
            }
            if entry.low.is_none() && entry.ranges.is_none() {
                continue;
            }
            let parent = match enclosing.last() {
                Some((_, parent)) if tag == gimli::DW_TAG_inlined_subroutine => *parent,
                _ => NO_PARENT,
            };
            let frame = self.frame(dwarf, entry.origin.unwrap_or(unit.offset + offset.0))?;
            let call_file = match (entry.call_file, &unit.unit.line_program) {
                (Some(index), Some(program)) if parent != NO_PARENT => {
                    let file = files.entry(index);
                    Some(*file.or_insert_with(|| lines.file(dwarf, unit, program.header(), index)))
                }
                _ => None,
            };
            self.note_file(parent, call_file);
            let node = self.nodes.len() as u32;
            self.nodes.push(Node {
                frame,
                parent,
                call_file,
                call_line: entry.call_line.and_then(|line| u32::try_from(line).ok()),
            });
            enclosing.push((depth, node));
            let depth = u32::try_from(depth).unwrap_or(0);
            each_range(dwarf, unit, &entry, |start, end| {
                bodies.budget = bodies.budget.saturating_sub(1);
                if image.is_code(start) {
                    let value = node;
                    bodies.nested.push((Span { start, end, value }, depth));
                }
                bodies.budget > 0
            })?;
            if bodies.budget == 0 {
                break;
            }
        }
        Ok(())
    }

    /// A call site inside `parent` tells which file `parent` is written in.
    fn note_file(&mut self, parent: u32, call_file: Option<u32>) {
        let parent = self.nodes.get(parent as usize);
        if let Some(frame) = parent.and_then(|parent| parent.frame) {
            let frame = &mut self.frames[frame as usize];
            frame.file = frame.file.or(call_file);
        }
    }

    /// The frame of an entry, found through its origin.
    fn frame(&mut self, dwarf: &Dwarf<'a>, offset: usize) -> gimli::Result<Option<u32>> {
        let mut visited = Vec::new();
        let mut offset = offset;
        let mut short = None;
        let mut found = None;
        for _ in 0..MAX_REFERENCES {
            if let Some(&known) = self.by_offset.get(&offset) {
                found = known;
                break;
            }
            visited.push(offset);
            let Some(index) = dwarf.unit_at(offset) else {
                break;
            };
            let unit = &dwarf.units[index];
            let entry = unit.unit.entry(UnitOffset(offset - unit.offset))?;
            let mut next = None;
            let mut linkage = None;
            for attribute in entry.attrs() {
                match attribute.name() {
                    gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => {
                        linkage = Some(dwarf.text(&unit.unit, attribute.value()));
                    }
                    gimli::DW_AT_name if short.is_none() => {
                        short = Some((dwarf.text(&unit.unit, attribute.value()), index));
                    }
                    gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => {
                        next = reference(unit, attribute.value());
                    }
                    _ => {}
                }
            }
            if let Some(name) = linkage {
                found = Some(self.new_frame(name, true, index));
                break;
            }
            match next {
                Some(at) => offset = at,
                None => break,
            }
        }
        if found.is_none()
            && let Some((name, index)) = short
        {
            found = Some(self.new_frame(name, false, index));
        }
        for offset in visited {
            self.by_offset.insert(offset, found);
        }
        Ok(found)
    }

    fn new_frame(&mut self, name: &'a str, is_linkage: bool, unit: usize) -> u32 {
        self.frames.push(Frame {
            name,
            is_linkage,
            unit,
            file: None,
        });
        self.frames.len() as u32 - 1
    }
}

/// The entry an attribute refers to, in its own unit or (`DW_FORM_ref_addr`,
/// under fat LTO) in another one. A wild offset wraps to one out of bounds.
fn reference(unit: &CompileUnit<'_>, value: AttributeValue<Reader<'_>>) -> Option<usize> {
    match value {
        AttributeValue::UnitRef(UnitOffset(at)) => Some(unit.offset.wrapping_add(at)),
        AttributeValue::DebugInfoRef(DebugInfoOffset(at)) => Some(at),
        _ => None,
    }
}

/// Calls `each` with the address ranges of an entry until it returns false.
fn each_range<'a>(
    dwarf: &Dwarf<'a>,
    unit: &CompileUnit<'a>,
    entry: &Entry<'a>,
    mut each: impl FnMut(u64, u64) -> bool,
) -> gimli::Result<()> {
    if let Some(value) = &entry.ranges {
        if let Some(mut ranges) = dwarf.dwarf.attr_ranges(&unit.unit, *value)? {
            while let Some(range) = ranges.next()? {
                if !each(range.begin, range.end) {
                    break;
                }
            }
        }
        return Ok(());
    }
    let (Some(low), Some(high)) = (&entry.low, &entry.high) else {
        return Ok(());
    };
    let Some(start) = dwarf.dwarf.attr_address(&unit.unit, *low)? else {
        return Ok(());
    };
    // DWARF 4 and later give the length; DWARF 3 gave the end.
    let end = match dwarf.dwarf.attr_address(&unit.unit, *high)? {
        Some(end) => end,
        None => start.saturating_add(high.udata_value().unwrap_or(0)),
    };
    each(start, end);
    Ok(())
}
