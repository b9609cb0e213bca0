//! Function symbols, and the code that has none.
//!
//! Order of trust: a *sized* function symbol owns exactly its bytes; of the rest
//! an entry of the unwind table owns its bytes; of the rest a global symbol
//! without a size (hand-written assembly often has no `.size`) owns what follows
//! it, up to the next of all these. What is left stays `[no symbol]`: to give it
//! to the nearest *sized* symbol before it, as disassemblers do, put 2,018
//! instructions of BLAKE3 assembly on `std::wstring::substr` in a real binary.
//!
//! Only ELF symbols have sizes. In Mach-O files and COFF objects every symbol of
//! code begins a function that ends where the next begins (padding included), by
//! the formats' rules; Mach-O lists the starts of functions without a symbol too.
//! Windows programs have the exact ranges of functions in their unwind table,
//! and names, if any, of what they export. Go's programs have a table of their own, which stays
//! where symbols are stripped.
//!
//! What the file itself marks as data between instructions is no function's, nor is what is told
//! to be data where an AArch64 file marks nothing (`constants.rs`).

use crate::names::readable;
use crate::ranges::{AddressRange, Cursor, flatten, flatten_sorted, without};
use crate::read::aliases::Aliases;
use crate::read::constants;
use crate::read::fdes;
use crate::read::function::Function;
use crate::read::image::{CodeSection, Image};
use crate::read::mach;
use crate::read::owners::{Owner, merge};
use crate::read::pclntab;
use object::read::pe::ExportTarget;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::collections::{BTreeMap, HashSet};

/// A gap shorter than this between two functions is taken for padding: 64 is
/// the largest alignment compilers give functions.
const PADDING: u64 = 64;

/// All code of an image, cut into functions.
pub struct Symbols<'a> {
    /// Functions, and regions without a symbol.
    pub functions: Vec<Function<'a>>,
    /// Every byte of code that counts: indices into `functions`, sorted,
    /// non-overlapping.
    pub ranges: Vec<AddressRange<u32>>,
    /// Bytes of code sections that are no code, as the file says, or as nothing leads there:
    /// sorted, non-overlapping.
    pub data: Vec<AddressRange<()>>,
}

impl<'a> Symbols<'a> {
    /// Reads the symbol table, the dynamic one for what a stripped file still
    /// exports, and that of the separate debug file.
    pub fn read<'file>(image: &'file Image<'a>) -> Self
    where
        'file: 'a,
    {
        let mut found = Found::default();
        match &image.file {
            // Of this format there are most symbols, so which one it is is not asked of each.
            object::File::Elf64(file) => {
                let tables = [file.elf_symbol_table(), file.elf_dynamic_symbol_table()];
                found.reserve(tables.into_iter().map(|table| table.len()).sum());
                for symbol in file.symbols().chain(file.dynamic_symbols()) {
                    found.note(image, &symbol, image.symbol_address(&symbol));
                }
            }
            file => {
                for symbol in file.symbols().chain(file.dynamic_symbols()) {
                    found.note(image, &symbol, image.symbol_address(&symbol));
                }
            }
        }
        for symbol in image.debug.iter().flat_map(|debug| debug.symbols()) {
            found.note(image, &symbol, symbol.address());
        }
        match &image.file {
            object::File::MachO64(file) => {
                let inside = found.inside();
                for start in mach::function_starts(file) {
                    if image.is_code(start) && !inside.contains(&start) {
                        found.labels.entry(start).or_default();
                    }
                }
            }
            object::File::Pe64(file) => {
                let base = image.file.relative_address_base();
                let table = file.export_table().ok().flatten();
                for export in table.iter().flat_map(|t| t.exports().unwrap_or_default()) {
                    if let (ExportTarget::Address(at), Some(name)) = (export.target, export.name) {
                        let name = std::str::from_utf8(name).unwrap_or(UNREADABLE);
                        found.label(image, base.wrapping_add(u64::from(at)), name);
                    }
                }
            }
            // Go's programs keep their names where they have no symbols.
            object::File::Elf64(file) if file.elf_symbol_table().is_empty() => {
                for function in pclntab::read(image) {
                    found.own(function.start, function.end, function.name);
                }
            }
            _ => {}
        }
        merge(&mut found.functions, &mut found.owners);
        let covered = flatten_sorted(found.owners.iter().map(|owner| owner.range()));
        drop(found.owners);
        let mut functions = found.functions;
        let fdes = fdes::read(image, &covered);
        let data = match image.is_mapped {
            true => image.data.clone(),
            false => {
                let bytes = |start, end| {
                    (
                        AddressRange {
                            start,
                            end,
                            value: (),
                        },
                        0,
                    )
                };
                let owned = covered.iter().map(|range| bytes(range.start, range.end));
                let unwound = fdes.iter().map(|range| bytes(range.start, range.end));
                let owned = flatten(owned.chain(unwound).collect());
                constants::find(image, &owned, found.labels.keys().copied())
            }
        };
        let ranges = fill_gaps(image, &covered, &fdes, &found.labels, &mut functions);
        Self {
            functions,
            ranges: without(ranges, &data),
            data,
        }
    }

    /// A function's name for readers.
    pub fn readable_name(&self, function: u32) -> String {
        let function = &self.functions[function as usize];
        match (function.names.first(), function.fde()) {
            (Some(name), _) => readable(name),
            (None, Some(start)) => format!("[fde {start:#x}]"),
            (None, None) => "[no symbol]".into(),
        }
    }

    /// Bytes of code that count.
    pub fn code_bytes(&self) -> u64 {
        self.ranges
            .iter()
            .map(|range| range.end - range.start)
            .sum()
    }

    /// Bytes of one section that count.
    pub fn bytes_in(&self, section: &CodeSection<'_>) -> u64 {
        covered_bytes(&self.ranges, section)
    }

    /// Bytes of one section that the file says are data.
    pub fn data_in(&self, section: &CodeSection<'_>) -> u64 {
        covered_bytes(&self.data, section)
    }
}

/// Bytes of a section that sorted, non-overlapping ranges cover.
fn covered_bytes<T>(ranges: &[AddressRange<T>], section: &CodeSection<'_>) -> u64 {
    let first = ranges.partition_point(|s| s.end <= section.address);
    let inside = ranges[first..].iter();
    inside
        .take_while(|range| range.start < section.end())
        .map(|range| range.end.min(section.end()) - range.start.max(section.address))
        .sum()
}

/// A damaged name is no reason to lose the function.
const UNREADABLE: &str = "[unreadable name]";

/// What the symbol tables say.
#[derive(Default)]
struct Found<'a> {
    /// Those with a size.
    functions: Vec<Function<'a>>,
    /// Their bytes.
    owners: Vec<Owner>,
    labels: Labels<'a>,
    /// Symbols of a Mach-O file that are perhaps labels inside of functions.
    perhaps_inside: Vec<(u64, &'a str)>,
}

impl<'a> Found<'a> {
    /// Makes room for so many symbols: to double the lists again and again would take longer.
    fn reserve(&mut self, count: usize) {
        self.functions.reserve(count);
        self.owners.reserve(count);
    }

    #[inline(always)]
    fn note(&mut self, image: &Image<'_>, symbol: &impl ObjectSymbol<'a>, address: u64) {
        // Assembly often has a size but no type.
        if !matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Unknown)
            || !symbol.is_definition()
            || !image.is_code(address)
        {
            return;
        }
        let name = symbol.name().unwrap_or(UNREADABLE);
        let elf = matches!(image.file, object::File::Elf64(_));
        let size = symbol.size();
        if size == 0 || !elf {
            if mach::may_be_inside(name)
                && !symbol.is_global()
                && matches!(image.file, object::File::MachO64(_))
            {
                self.perhaps_inside.push((address, name));
            } else if !elf || symbol.is_global() {
                // In ELF files local ones are labels inside of functions.
                self.label(image, address, name);
            }
            return;
        }
        let Some(end) = address.checked_add(size) else {
            return;
        };
        self.own(address, end, name);
    }

    /// Where the labels inside of functions are; what is none is a function's.
    fn inside(&mut self) -> HashSet<u64> {
        let mut all = std::mem::take(&mut self.perhaps_inside);
        all.sort_unstable();
        let mut out = HashSet::new();
        for (address, name) in all {
            let before = self.labels.range(..address).next_back();
            let is_one = match mach::function_of(name) {
                None => before.is_some(),
                Some(function) => before.is_some_and(|(_, names)| names.contains(&function)),
            };
            if self.labels.contains_key(&address) {
                continue;
            }
            if is_one {
                out.insert(address);
            } else {
                let names = self.labels.entry(address).or_default();
                names.add(mach::plain(name));
            }
        }
        out
    }

    /// A function that owns its bytes.
    #[inline(always)]
    fn own(&mut self, start: u64, end: u64, name: &'a str) {
        self.functions.push(Function::sized(start, name));
        let function = self.functions.len() as u32 - 1;
        self.owners.push(Owner::new(start, end - start, function));
    }

    fn label(&mut self, image: &Image<'_>, address: u64, name: &'a str) {
        if !image.is_code(address) {
            return;
        }
        // Mach-O compilers put an underscore before every name.
        let name = match image.file {
            object::File::MachO64(_) => mach::plain(name),
            _ => name,
        };
        self.labels.entry(address).or_default().add(name);
    }
}

/// Symbols without a size that begin a function, and starts of functions that
/// have no symbol (no name), by address.
type Labels<'a> = BTreeMap<u64, Aliases<'a>>;

/// Adds functions for what no sized symbol covers.
fn fill_gaps<'a>(
    image: &Image<'_>,
    covered: &[AddressRange<u32>],
    fdes: &[AddressRange<u64>],
    labels: &Labels<'a>,
    functions: &mut Vec<Function<'a>>,
) -> Vec<AddressRange<u32>> {
    // Of a section that holds dead copies, what else leads to is live.
    let is_reached = match image.code.iter().any(|section| section.named_only) {
        true => relative_targets(image),
        false => Vec::new(),
    };
    let mut ranges = Vec::with_capacity(covered.len() * 2);
    for section in &image.code {
        let mut gaps = Gaps {
            fdes: Cursor::new(fdes),
            labels,
            padding: None,
            last_fde: None,
            functions,
        };
        let mut at = section.address;
        let first = covered.partition_point(|range| range.end <= section.address);
        for range in covered[first..]
            .iter()
            .take_while(|s| s.start < section.end())
        {
            let live = section.named_only.then_some(&is_reached[..]);
            gaps.fill(at, range.start, live, &mut ranges);
            // A size that runs over the section's end is cut.
            let start = range.start.max(at);
            let end = range.end.min(section.end());
            ranges.push(AddressRange {
                start,
                end,
                value: range.value,
            });
            at = end;
        }
        let live = section.named_only.then_some(&is_reached[..]);
        gaps.fill(at, section.end(), live, &mut ranges);
    }
    ranges
}

/// What relative relocations of an x86-64 or AArch64 file point to, sorted: pointers in
/// its data, through which code is called.
fn relative_targets(image: &Image<'_>) -> Vec<u64> {
    let word = |entry: &[u8], at: usize| {
        let bytes = entry
            .get(at..at + 8)
            .and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_le_bytes)
    };
    let mut out = Vec::new();
    for section in image.file.sections() {
        if !section.name_bytes().unwrap_or(b"").starts_with(b".rela") {
            continue;
        }
        for entry in section.data().unwrap_or(&[]).chunks_exact(24) {
            // R_X86_64_RELATIVE, R_AARCH64_RELATIVE
            if matches!(word(entry, 8) as u32, 8 | 1027) && image.is_code(word(entry, 16)) {
                out.push(word(entry, 16));
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The code of one section that no sized symbol covers.
struct Gaps<'g, 'a> {
    fdes: Cursor<'g, u64>,
    labels: &'g Labels<'a>,
    /// The function for all short gaps: with one each, a binary would have as
    /// many regions as functions.
    padding: Option<u32>,
    /// The FDE seen last and its function: a symbol may cut it in two.
    last_fde: Option<(u64, u32)>,
    functions: &'g mut Vec<Function<'a>>,
}

impl Gaps<'_, '_> {
    /// Appends ranges for the gap `start..end`, if it is one; where `live` is given, only
    /// those that begin at a symbol or have one of its addresses.
    fn fill(
        &mut self,
        start: u64,
        end: u64,
        live: Option<&[u64]>,
        ranges: &mut Vec<AddressRange<u32>>,
    ) {
        let mut at = start;
        while at < end {
            let (fde, until) = self.fdes.at(at);
            let mut until = until.min(end);
            if fde.is_none() {
                let next = self.labels.range(at + 1..until).next();
                until = next.map_or(until, |(address, _)| *address);
            }
            let is_live = live.is_none_or(|live| {
                let next = live.partition_point(|address| *address < at);
                let is_named = self.labels.contains_key(&at);
                is_named || live.get(next).is_some_and(|address| *address < until)
            });
            if !is_live {
                at = until;
                continue;
            }
            let value = self.function(at, until, fde);
            ranges.push(AddressRange {
                start: at,
                end: until,
                value,
            });
            at = until;
        }
    }

    fn function(&mut self, start: u64, end: u64, fde: Option<u64>) -> u32 {
        match (fde, self.last_fde) {
            (Some(fde), Some((last, function))) if fde == last => return function,
            // What a symbol leaves of its own FDE is padding.
            (Some(fde), _) if fde == start || end - start >= PADDING => {
                let function = self.add(start, Some(fde));
                self.last_fde = Some((fde, function));
                return function;
            }
            _ if end - start >= PADDING || self.labels.contains_key(&start) => {
                return self.add(start, None);
            }
            _ => {}
        }
        if let Some(padding) = self.padding {
            return padding;
        }
        let padding = self.add(start, None);
        self.padding = Some(padding);
        padding
    }

    fn add(&mut self, address: u64, fde: Option<u64>) -> u32 {
        let names = self.labels.get(&address).cloned().unwrap_or_default();
        self.functions
            .push(Function::unsized_at(address, names, fde));
        self.functions.len() as u32 - 1
    }
}
