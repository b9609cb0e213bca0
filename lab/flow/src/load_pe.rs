//! Reads sections, symbols, relocations and import thunks of a Windows program into a
//! [`Program`].
//!
//! Source: Microsoft, "PE format" and "x64 exception handling".

use super::convention::MICROSOFT;
use super::load_pe_start::is_in;
use super::load_pe_unwind::{ENTRY, given, word};
use super::modules::exported;
use super::names::is_cell;
use super::program::{Entry, Program, Word};
use super::ranges::Ranges;
use super::references::References;
use karat_binary::ranges::AddressRange;
use karat_binary::read::image::Image;
use object::pe::{self, ImageNtHeaders64};
use object::read::pe::{ExportTarget, Import, PeFile64};
use object::{LittleEndian as LE, Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};
use std::collections::{BTreeMap, HashMap};

/// Sections that the loader, the debugger or the unwinder reads.
const LOADER: [&str; 8] = [
    ".pdata", ".xdata", ".reloc", ".rsrc", ".edata", ".debug", ".eh_fram", "/",
];
/// Entries of a chain of unwind records, at most.
const CHAIN: usize = 32;
/// Bytes of a variable that nothing says the size of, at most.
const VARIABLE: u64 = 4096;

/// How routines begin that change no register which a caller may keep something in, other
/// than the first argument: what checks the stack's canary, and what touches the pages of a
/// large frame, of Microsoft's run-time library and of MinGW's. A blank is any byte.
const KEEPING: [&str; 4] = [
    "48 3b 0d __ __ __ __ 75 __ 48 c1 c1 10 66 f7 c1 ff ff",
    "48 3b 0d __ __ __ __ f2 75 __ 48 c1 c1 10 66 f7 c1 ff ff",
    "48 83 ec 10 4c 89 14 24 4c 89 5c 24 08 4d 33 db",
    "51 50 48 3d 00 10 00 00 48 8d 4c 24 18",
];

impl<'a> Program<'a> {
    pub(crate) fn read_pe(&mut self, image: &'a Image<'a>, file: &'a PeFile64<'a>) {
        self.convention = &MICROSOFT;
        self.image_base = file.relative_address_base();
        let headers = file.nt_headers().file_header.characteristics.get(LE);
        self.is_fixed = headers.contains(pe::IMAGE_FILE_RELOCS_STRIPPED);
        self.is_library = headers.contains(pe::IMAGE_FILE_DLL);
        self.read_pe_sections(file);
        self.read_pe_imports(file);
        self.read_pe_delayed(file);
        self.read_pe_relocations(file);
        self.read_pe_symbols(image);
        self.read_pe_entries(file);
        self.read_pe_thunks();
        let parts = self.merge_chained(file);
        let tables = self.read_pe_start(file);
        let mut pointers = References::new(self.base);
        for (place, word) in self.words.iter() {
            if let Word::Address(to) = word
                && !self.is_got(place)
                && !is_in(&tables, place)
            {
                pointers.push((to, place));
            }
        }
        self.read_pe_distances(&parts, &mut pointers);
        pointers.sort();
        self.pointers = pointers;
        self.read_keeping();
    }

    fn read_pe_sections(&mut self, file: &PeFile64<'a>) {
        for section in file.sections() {
            let SectionFlags::Coff { characteristics } = section.flags() else {
                continue;
            };
            let name = section.name().unwrap_or("");
            if characteristics.contains(pe::IMAGE_SCN_MEM_EXECUTE)
                || LOADER.iter().any(|part| name.starts_with(part))
            {
                continue;
            }
            let start = section.address();
            let Some(end) = start.checked_add(section.size()) else {
                continue;
            };
            let written = characteristics.contains(pe::IMAGE_SCN_MEM_WRITE);
            self.data.push((start, end, written));
            if !written {
                self.relro.push((start, end));
            }
            if let Ok(bytes) = section.data() {
                self.contents.push((start, bytes));
            }
        }
        self.data.sort_unstable();
        self.contents.sort_unstable_by_key(|(start, _)| *start);
    }

    /// The import address tables: each slot is the address of another file's function.
    fn read_pe_imports(&mut self, file: &PeFile64<'a>) {
        let Ok(Some(table)) = file.import_table() else {
            return;
        };
        let Ok(descriptors) = table.descriptors() else {
            return;
        };
        for descriptor in descriptors.flatten() {
            let first = descriptor.first_thunk.get(LE);
            let named = match descriptor.original_first_thunk.get(LE) {
                0 => first,
                named => named,
            };
            let Ok(mut thunks) = table.thunks(named) else {
                continue;
            };
            let start = self.image_base.wrapping_add(u64::from(first));
            let mut slot = start;
            while let Ok(Some(thunk)) = thunks.next::<ImageNtHeaders64>() {
                self.add_import(slot, table.import::<ImageNtHeaders64>(thunk));
                slot = slot.wrapping_add(8);
            }
            self.got.push((start, slot));
        }
    }

    /// The same of files that are loaded where one of their functions is called first: until then
    /// a slot has the linker's helper.
    fn read_pe_delayed(&mut self, file: &PeFile64<'a>) {
        let Ok(Some(table)) = file.delay_load_import_table() else {
            return;
        };
        let Ok(descriptors) = table.descriptors() else {
            return;
        };
        for descriptor in descriptors.flatten() {
            let Ok(mut thunks) = table.thunks(descriptor.import_name_table_rva.get(LE)) else {
                continue;
            };
            let first = descriptor.import_address_table_rva.get(LE);
            let start = self.image_base.wrapping_add(u64::from(first));
            let mut slot = start;
            while let Ok(Some(thunk)) = thunks.next::<ImageNtHeaders64>() {
                self.add_import(slot, table.import::<ImageNtHeaders64>(thunk));
                slot = slot.wrapping_add(8);
            }
            self.got.push((start, slot));
        }
    }

    fn add_import(&mut self, slot: u64, import: object::Result<Import<'a>>) {
        let name = match import {
            Ok(Import::Name(_, name)) => std::str::from_utf8(name).ok(),
            _ => None,
        };
        self.words
            .insert(slot, Word::Import(name.unwrap_or("[by number]")));
    }

    /// Words that the loader moves with the file.
    fn read_pe_relocations(&mut self, file: &PeFile64<'a>) {
        let directories = file.data_directories();
        let blocks = directories.relocation_blocks(file.data(), &file.section_table());
        let Ok(Some(blocks)) = blocks else {
            return;
        };
        for block in blocks.flatten() {
            for relocation in block {
                if relocation.typ != pe::IMAGE_REL_BASED_DIR64 {
                    continue;
                }
                let place = u64::from(relocation.virtual_address);
                let place = self.image_base.wrapping_add(place);
                if let Some(to) = self.stored(place) {
                    self.words.add(place, Word::Address(to));
                }
            }
        }
    }

    /// COFF symbols, which MinGW leaves in programs. They have no size: a variable ends
    /// where the next begins.
    fn read_pe_symbols(&mut self, image: &'a Image<'a>) {
        let mut named: BTreeMap<u64, &'a str> = BTreeMap::new();
        for symbol in image.file.symbols() {
            let address = symbol.address();
            let name = symbol.name().unwrap_or("");
            if !symbol.is_definition() {
                continue;
            }
            if self.is_code(address) {
                if matches!(name, "main" | "wmain" | "WinMain" | "wWinMain") {
                    self.enter(address, Entry::Start);
                }
            } else if symbol.kind() == SymbolKind::Data && self.is_data(address) {
                named.entry(address).or_insert(name);
            }
        }
        self.add_unsized(&named);
    }

    /// Adds variables whose format has no sizes.
    pub(crate) fn add_unsized(&mut self, named: &BTreeMap<u64, &'a str>) {
        for (&address, &name) in named {
            let next = named.range(address + 1..).next().map(|(next, _)| *next);
            let section = self
                .data
                .iter()
                .find(|(start, end, _)| (*start..*end).contains(&address));
            let Some((_, end, _)) = section else {
                continue;
            };
            let end = next.unwrap_or(*end).min(*end);
            let size = (end - address).min(VARIABLE);
            self.variables.push((address, size, name));
            if is_cell(name) {
                self.cells.push((address, address + size.min(64), name));
            }
        }
        self.variables.sort_unstable();
    }

    fn read_pe_entries(&mut self, file: &PeFile64<'a>) {
        self.enter(file.entry(), Entry::Start);
        let exports = file.export_table().ok().flatten();
        for export in exports.iter().flat_map(|t| t.exports().unwrap_or_default()) {
            if let ExportTarget::Address(at) = export.target {
                let entry = exported(export.name.unwrap_or_default());
                self.enter(self.image_base.wrapping_add(u64::from(at)), entry);
            }
        }
        // Callbacks for threads: the fourth word of the directory is the address of a list.
        let tls = file
            .data_directory(pe::IMAGE_DIRECTORY_ENTRY_TLS)
            .map(|directory| u64::from(directory.virtual_address.get(LE)));
        let list = tls.and_then(|tls| self.stored(self.image_base.wrapping_add(tls + 24)));
        for at in (0..64).map_while(|n| list?.checked_add(n * 8)) {
            match self.words.get(at) {
                Some(Word::Address(to)) => self.enter(to, Entry::Start),
                _ => break,
            }
        }
    }

    /// `jmp [slot]` for each function that is imported; linkers put them anywhere.
    fn read_pe_thunks(&mut self) {
        for &(start, bytes) in &self.code {
            let jumps = bytes.windows(2).enumerate();
            for (at, _) in jumps.filter(|(_, two)| *two == [0xff, 0x25]) {
                let Some(Ok(distance)) = bytes.get(at + 2..at + 6).map(<[u8; 4]>::try_from) else {
                    continue;
                };
                let address = start + at as u64;
                let distance = i64::from(i32::from_le_bytes(distance)) as u64;
                let slot = address.wrapping_add(6).wrapping_add(distance);
                if matches!(self.words.get(slot), Some(Word::Import(_))) {
                    self.stubs.insert(address, slot);
                }
            }
        }
    }

    /// Parts of a function that have an unwind record of their own, and say whose they are.
    /// Returns where they say so, and where they name functions otherwise without a call.
    fn merge_chained(&mut self, file: &PeFile64<'a>) -> Vec<(u64, u64)> {
        let base = self.image_base;
        let sections = file.section_table();
        let table = file
            .data_directory(pe::IMAGE_DIRECTORY_ENTRY_EXCEPTION)
            .and_then(|directory| directory.data(file.data(), &sections).ok())
            .unwrap_or(&[]);
        // What the record at `unwind` is chained to: start, and that one's record.
        let chained = |unwind: u32| {
            let record = sections.pe_data_at(file.data(), unwind)?;
            let (&flags, &count) = (record.first()?, record.get(2)?);
            // UNW_FLAG_CHAININFO; codes are two bytes each, an even number of them.
            (flags >> 3 & 4 != 0).then_some(())?;
            let at = 4 + usize::from(count).next_multiple_of(2) * 2;
            let place = base.wrapping_add(u64::from(unwind)).wrapping_add(at as u64);
            Some((word(record, at)?, word(record, at + 8)?, place))
        };
        let mut parts: Vec<(u64, u64)> = Vec::new();
        let by_start: HashMap<u64, u32> = (0..)
            .zip(&self.routines)
            .map(|(n, r)| (r.start, n))
            .collect();
        let mut owner: HashMap<u32, u32> = HashMap::new();
        for entry in table.chunks_exact(ENTRY as usize) {
            let (Some(start), Some(mut unwind)) = (word(entry, 0), word(entry, 8)) else {
                continue;
            };
            let mut primary = start;
            for _ in 0..CHAIN {
                let Some((to, next, place)) = chained(unwind) else {
                    break;
                };
                (primary, unwind) = (to, next);
                parts.push((place, place.saturating_add(ENTRY)));
            }
            let of = |at: u32| by_start.get(&base.wrapping_add(u64::from(at))).copied();
            if let (Some(part), Some(whole)) = (of(start), of(primary))
                && part != whole
                && self.routines[part as usize].names.is_empty()
            {
                owner.insert(part, whole);
            }
        }
        let given = given(file);
        parts.extend(self.add_actions(&given, &by_start, &mut owner));
        let with_owner = |mut range: AddressRange<u32>| {
            // A part of a part, at most.
            for _ in 0..2 {
                range.value = owner.get(&range.value).copied().unwrap_or(range.value);
            }
            range
        };
        self.ranges = Ranges::of(self.ranges.iter().map(with_owner).collect());
        for routine in &mut self.routines {
            routine.ranges.clear();
        }
        for range in self.ranges.iter() {
            let routine = &mut self.routines[range.value as usize];
            routine.ranges.push((range.start, range.end));
        }
        let place = |at: u32| base.wrapping_add(u64::from(at));
        parts.extend((given.iter()).map(|of| (place(of.map.0), place(of.map.1))));
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// Distances from the file's start that may be functions: handlers of exceptions, and
    /// tables that compilers make. What only such a word leads to is not unreferenced. By what
    /// is in `parts`, of unwind records, nobody calls: Microsoft's linker puts these among other
    /// data.
    fn read_pe_distances(&self, parts: &[(u64, u64)], pointers: &mut References) {
        let is_part = |at: u64| {
            let next = parts.partition_point(|(start, _)| *start <= at);
            next.checked_sub(1).is_some_and(|last| at < parts[last].1)
        };
        let starts: std::collections::HashSet<u64> = (self.routines.iter())
            .filter(|routine| !routine.is_guess)
            .map(|routine| routine.start)
            .collect();
        for (start, bytes) in &self.contents {
            if self.is_written(*start) {
                continue;
            }
            for (at, four) in (*start..).step_by(4).zip(bytes.chunks_exact(4)) {
                let distance = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                let to = self.image_base.wrapping_add(u64::from(distance));
                if distance != 0 && starts.contains(&to) && !is_part(at) {
                    pointers.push((to, at));
                }
            }
        }
    }

    /// Finds the routines that keep registers; see [`KEEPING`].
    fn read_keeping(&mut self) {
        let patterns: Vec<Vec<Option<u8>>> = (KEEPING.iter())
            .map(|text| {
                let bytes = text.split_whitespace();
                bytes
                    .map(|byte| u8::from_str_radix(byte, 16).ok())
                    .collect()
            })
            .collect();
        for routine in &self.routines {
            let is_one = |pattern: &Vec<Option<u8>>| {
                let end = routine.start.checked_add(pattern.len() as u64);
                let bytes = end.and_then(|end| self.bytes(routine.start, end));
                bytes.is_some_and(|bytes| {
                    let mut both = bytes.iter().zip(pattern);
                    both.all(|(byte, wanted)| wanted.is_none_or(|wanted| wanted == *byte))
                })
            };
            if patterns.iter().any(is_one) {
                self.keeping.insert(routine.start);
            }
        }
    }
}
