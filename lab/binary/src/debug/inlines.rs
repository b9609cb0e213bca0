//! Inline trees: which functions' bodies an address is inside of.
//!
//! Ranges are built once and walked beside the decoder; asking a symbolizer for
//! each instruction would cost far more than the decoding.

use crate::debug::dwarf::{Dwarf, OpenUnit, Reader, dwarf_error, text};
use crate::debug::lines::{Lines, Place};
use crate::error::BinaryError;
use crate::ranges::{AddressRange, Cursor, Nested, flatten};
use crate::read::image::Image;
use gimli::{AttributeValue, DebugInfoOffset, UnitOffset};
use std::collections::HashMap;
use std::rc::Rc;

/// How many references from one entry to the next are followed for a name.
const MAX_REFERENCES: usize = 8;
/// Parent of the outermost node.
pub const NO_PARENT: u32 = u32::MAX;

/// A function as DWARF describes it.
pub struct Frame<'a> {
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
pub struct Node {
    /// Index into [`Inlines::frames`]; none when DWARF gives no name.
    pub frame: Option<u32>,
    /// Index into [`Inlines::nodes`], or [`NO_PARENT`].
    pub parent: u32,
    /// The file its call is in, when it is inlined.
    pub call_file: Option<u32>,
    /// The line of its call, when it is inlined.
    pub call_line: Option<u32>,
}

/// The inline trees of a unit.
#[derive(Default)]
pub struct Inlines<'a> {
    /// Functions, each once.
    pub frames: Vec<Frame<'a>>,
    /// Parents come before their children.
    pub nodes: Vec<Node>,
    /// Indices into `nodes` of the innermost body; sorted, non-overlapping.
    pub ranges: Vec<AddressRange<u32>>,
    /// Inlined bodies of which no instruction is left that is theirs alone, as indices
    /// into `nodes`, each with the address where it would begin.
    pub folded: Vec<(u32, u64)>,
    /// By offset of the entry that names it.
    by_offset: HashMap<usize, Option<u32>>,
}

/// What the trees of one unit after the other are read with.
#[derive(Default)]
pub struct Trees<'a> {
    /// Units that entries of others took their names from.
    others: HashMap<usize, Rc<gimli::Unit<Reader<'a>>>>,
    /// Ranges read so far. Entries may share a list of ranges, but a file where
    /// all share long ones would take for ever.
    ranges: usize,
}

/// How many units are kept at hand for their names. Under link-time optimisation
/// entries refer to any of hundreds.
const KEPT_UNITS: usize = 256;

/// The attributes of a subprogram or inlined subroutine that matter.
#[derive(Default)]
struct Entry<'a> {
    entry: Option<AttributeValue<Reader<'a>>>,
    low: Option<AttributeValue<Reader<'a>>>,
    high: Option<AttributeValue<Reader<'a>>>,
    ranges: Option<AttributeValue<Reader<'a>>>,
    call_file: Option<u64>,
    call_line: Option<u64>,
    /// The entry this one takes its name from, as an offset of `.debug_info`.
    origin: Option<usize>,
}

impl<'a> Inlines<'a> {
    /// Walks the entries of a unit; `places` are what its line table says.
    ///
    /// # Errors
    /// [`BinaryError::Malformed`] for damaged entries, or more ranges than the file has bytes.
    pub fn read_unit(
        image: &Image<'_>,
        dwarf: &Dwarf<'a>,
        open: &OpenUnit<'_, 'a>,
        lines: &mut Lines,
        places: &[AddressRange<Place>],
        trees: &mut Trees<'a>,
    ) -> Result<Self, BinaryError> {
        let place = || format!("section .debug_info, the unit at {:#x}", open.of.offset);
        let mut inlines = Self::default();
        let mut nested = Vec::new();
        inlines
            .walk(image, dwarf, open, lines, trees, &mut nested)
            .map_err(dwarf_error(place()))?;
        if trees.ranges > dwarf.size {
            let reason = "the entries have more address ranges than the file bytes";
            return Err(BinaryError::malformed(place(), reason));
        }
        inlines.ranges = flatten(nested);
        inlines.files_of_leaves(places);
        Ok(inlines)
    }

    /// A function with no call inlined into it has no call site to tell its
    /// file; the line table at its own code does.
    fn files_of_leaves(&mut self, places: &[AddressRange<Place>]) {
        let mut cursor = Cursor::new(places);
        for range in &self.ranges {
            if let Some(frame) = self.nodes[range.value as usize].frame {
                let frame = &mut self.frames[frame as usize];
                if frame.file.is_none() {
                    let place = cursor.at(range.start).0.filter(|place| place.has_line);
                    frame.file = place.map(|place| place.file);
                }
            }
        }
    }

    fn walk(
        &mut self,
        image: &Image<'_>,
        dwarf: &Dwarf<'a>,
        open: &OpenUnit<'_, 'a>,
        lines: &mut Lines,
        trees: &mut Trees<'a>,
        nested: &mut Vec<Nested<u32>>,
    ) -> gimli::Result<()> {
        let (sections, unit) = open.full(dwarf);
        let base = unit_offset(unit);
        let mut entries = unit.entries_raw(None)?;
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
                    gimli::DW_AT_entry_pc => entry.entry = Some(attribute.value()),
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
                        entry.origin = reference(base, attribute.value());
                    }
                    _ => {}
                }
            }
            if entry.low.is_none() && entry.ranges.is_none() && entry.entry.is_none() {
                continue;
            }
            let parent = match enclosing.last() {
                Some((_, parent)) if tag == gimli::DW_TAG_inlined_subroutine => *parent,
                _ => NO_PARENT,
            };
            let origin = entry.origin.unwrap_or(base.wrapping_add(offset.0));
            let frame = self.frame(dwarf, open, trees, origin)?;
            let call_file = match (entry.call_file, &open.unit.line_program) {
                (Some(index), Some(program)) if parent != NO_PARENT => {
                    let file = files.entry(index);
                    Some(*file.or_insert_with(|| lines.file(dwarf, open, program.header(), index)))
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
            let mut has_code = false;
            each_range(sections, unit, &entry, |start, end| {
                trees.ranges += 1;
                if image.is_code(start) {
                    has_code |= start < end;
                    let value = node;
                    nested.push((AddressRange { start, end, value }, depth));
                }
                trees.ranges <= dwarf.size
            })?;
            if trees.ranges > dwarf.size {
                break;
            }
            if !has_code && parent != NO_PARENT {
                let begin = begin(sections, unit, &entry)?;
                self.folded
                    .extend(begin.filter(|at| image.is_code(*at)).map(|at| (node, at)));
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
    fn frame(
        &mut self,
        dwarf: &Dwarf<'a>,
        open: &OpenUnit<'_, 'a>,
        trees: &mut Trees<'a>,
        offset: usize,
    ) -> gimli::Result<Option<u32>> {
        let (sections, full) = open.full(dwarf);
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
            // Another file's offsets are its own, and its units stand alone.
            let index = match open.is_split() {
                true => Some(open.index),
                false => dwarf.unit_at(offset),
            };
            let Some(index) = index else {
                break;
            };
            let other;
            let unit = if index == open.index {
                full
            } else {
                other = trees.other(dwarf, index)?;
                &*other
            };
            let entry = unit.entry(UnitOffset(offset.wrapping_sub(unit_offset(unit))))?;
            let mut next = None;
            let mut linkage = None;
            for attribute in entry.attrs() {
                match attribute.name() {
                    gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => {
                        linkage = Some(text(sections, unit, attribute.value()));
                    }
                    gimli::DW_AT_name if short.is_none() => {
                        short = Some((text(sections, unit, attribute.value()), index));
                    }
                    gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => {
                        next = reference(unit_offset(unit), attribute.value());
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

impl<'a> Trees<'a> {
    /// A unit that an entry of another refers to, without its line table.
    fn other(
        &mut self,
        dwarf: &Dwarf<'a>,
        index: usize,
    ) -> gimli::Result<Rc<gimli::Unit<Reader<'a>>>> {
        if let Some(unit) = self.others.get(&index) {
            return Ok(Rc::clone(unit));
        }
        if self.others.len() >= KEPT_UNITS {
            self.others.clear();
        }
        let mut unit = dwarf.open(index)?.unit;
        unit.line_program = None;
        let unit = Rc::new(unit);
        self.others.insert(index, Rc::clone(&unit));
        Ok(unit)
    }
}

/// Offset of a unit in its section.
fn unit_offset(unit: &gimli::Unit<Reader<'_>>) -> usize {
    let DebugInfoOffset(offset) = unit
        .header
        .debug_info_offset()
        .unwrap_or(DebugInfoOffset(0));
    offset
}

/// The entry an attribute refers to, in its own unit (at `base`) or (`DW_FORM_ref_addr`,
/// under fat LTO) in another one. A wild offset wraps to one out of bounds.
fn reference(base: usize, value: AttributeValue<Reader<'_>>) -> Option<usize> {
    match value {
        AttributeValue::UnitRef(UnitOffset(at)) => Some(base.wrapping_add(at)),
        AttributeValue::DebugInfoRef(DebugInfoOffset(at)) => Some(at),
        _ => None,
    }
}

/// Where a body begins. DWARF 5 (section 2.18) also allows an offset from its lowest
/// address.
fn begin<'a>(
    dwarf: &gimli::Dwarf<Reader<'a>>,
    unit: &gimli::Unit<Reader<'a>>,
    entry: &Entry<'a>,
) -> gimli::Result<Option<u64>> {
    let low = match &entry.low {
        Some(low) => dwarf.attr_address(unit, *low)?,
        None => None,
    };
    let Some(value) = &entry.entry else {
        return Ok(low);
    };
    let offset = || Some(low?.saturating_add(value.udata_value()?));
    Ok(dwarf.attr_address(unit, *value)?.or_else(offset))
}

/// Calls `each` with the address ranges of an entry until it returns false.
fn each_range<'a>(
    dwarf: &gimli::Dwarf<Reader<'a>>,
    unit: &gimli::Unit<Reader<'a>>,
    entry: &Entry<'a>,
    mut each: impl FnMut(u64, u64) -> bool,
) -> gimli::Result<()> {
    if let Some(value) = &entry.ranges {
        if let Some(mut ranges) = dwarf.attr_ranges(unit, *value)? {
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
    let Some(start) = dwarf.attr_address(unit, *low)? else {
        return Ok(());
    };
    // DWARF 4 and later give the length; DWARF 3 gave the end.
    let end = match dwarf.attr_address(unit, *high)? {
        Some(end) => end,
        None => start.saturating_add(high.udata_value().unwrap_or(0)),
    };
    each(start, end);
    Ok(())
}
