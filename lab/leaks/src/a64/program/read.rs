//! How an AArch64 ELF file is read.

use super::{Entry, IMPORTS, Program, RESOLVED};
use crate::a64::decode::page;
use crate::a64::said::Said;
use karat_binary::a64::{NAMES, classify};
use karat_binary::read::dynamic::{
    Dynamic, Rela, is_here, is_picked, lists_initialisers, relas, relr, u64_at,
};
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use karat_flow::facts::vouched::Vouched;
use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, SectionFlags, SectionKind};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

impl<'a> Program<'a> {
    pub fn read<'file: 'a>(image: &'file Image<'a>, said: &Vouched) -> Self {
        let symbols = Symbols::read(image);
        let starts = (symbols.functions.iter())
            .filter(|f| !f.names.is_empty() || f.fde().is_some())
            .map(|f| f.address)
            .collect();
        let mut program = Self {
            symbols,
            sections: image.code.iter().map(|s| (s.address, s.bytes)).collect(),
            entries: BTreeMap::new(),
            imports: Vec::new(),
            words: BTreeMap::new(),
            table: Vec::new(),
            stubs: HashMap::new(),
            stubbed: (0, 0),
            contents: Vec::new(),
            writable: Vec::new(),
            got: Vec::new(),
            variables: BTreeMap::new(),
            begun: BTreeSet::new(),
            exported: BTreeSet::new(),
            starts,
            have_lse: HashSet::new(),
            auxval: HashSet::new(),
            auxiliary: HashMap::new(),
            kept_bits: HashMap::new(),
            kept_models: HashSet::new(),
            lowest: u64::MAX,
            said: Said::default(),
        };
        let loaded = image.file.sections().map(|section| section.address());
        program.lowest = loaded.filter(|at| *at > 0).min().unwrap_or(0);
        program.read_sections(image);
        program.read_symbols(image);
        program.read_words(image);
        program.table = program.words.iter().map(|(at, to)| (*at, *to)).collect();
        let begun = program.words.iter().filter(|(at, _)| program.is_got(**at));
        program.begun = begun.map(|(_, to)| *to).collect();
        program.read_stubs(image);
        program.find_have_lse();
        program.find_auxval();
        program.find_kept();
        program.read_threads(image);
        program.said = Said::of(&program, said);
        program
    }

    /// The byte that libgcc's and compiler-rt's atomics go by: each of them begins with
    /// `adrp x16; ldrb w16, [x16, …]; cbz w16`, an instruction of LSE and `ret`. Source:
    /// `libgcc/config/aarch64/lse.S`.
    fn find_have_lse(&mut self) {
        for (start, bytes) in &self.sections {
            let words: Vec<u32> = (bytes.chunks_exact(4))
                .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
                .collect();
            for (at, five) in words.windows(5).enumerate() {
                if five[0] & 0x9f00_001f == 0x9000_0010
                    && five[1] & 0xffc0_03ff == 0x3940_0210
                    && five[2] & 0xff00_001f == 0x3400_0010
                    && five[4] == 0xd65f_03c0
                    && classify(five[3]).is_some_and(|(_, set)| NAMES[usize::from(set)] == "lse")
                {
                    let from = page(five[0], start + 4 * at as u64);
                    self.have_lse
                        .insert(from + u64::from(five[1] >> 10 & 0xfff));
                }
            }
        }
    }

    fn read_sections(&mut self, image: &Image<'a>) {
        let (mut has_name, mut has_interpreter) = (false, false);
        for section in image.file.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
                continue;
            };
            let name = section.name_bytes().unwrap_or(b"");
            has_interpreter |= name == b".interp";
            if name == b".dynamic" {
                let dynamic = Dynamic::of(section.data().unwrap_or(&[]));
                has_name |= dynamic.has_name;
                has_interpreter |= dynamic.is_program;
                for address in dynamic.runs {
                    self.enter(address, Entry::Start);
                }
            }
            if !sh_flags.contains(object::elf::SHF_ALLOC)
                || sh_flags.contains(object::elf::SHF_EXECINSTR)
            {
                continue;
            }
            let (start, size) = (section.address(), section.size());
            let end = start.saturating_add(size);
            let is_tls = sh_flags.contains(object::elf::SHF_TLS);
            if matches!(name, b".got" | b".got.plt" | b".dynamic") {
                self.got.push((start, end));
            }
            let is_fixed = matches!(
                name,
                b".data.rel.ro"
                    | b".got"
                    | b".got.plt"
                    | b".init_array"
                    | b".fini_array"
                    | b".dynamic"
            );
            if sh_flags.contains(object::elf::SHF_WRITE) && !is_fixed && !is_tls {
                self.writable.push((start, end));
            }
            if section.kind() != SectionKind::UninitializedData
                && let Ok(bytes) = section.data()
            {
                self.contents.push((start, bytes));
            }
        }
        self.contents.sort_unstable_by_key(|(start, _)| *start);
        let is_program = image.file.kind() == ObjectKind::Executable;
        let is_library = !is_program && (has_name || !has_interpreter);
        // A library starts nowhere: linkers write there where `.text` begins.
        let text = image.file.section_by_name(".text");
        let is_text = text.is_some_and(|text| text.address() == image.file.entry());
        if has_interpreter || !is_library || !has_name && !is_text {
            self.enter(image.file.entry(), Entry::Start);
        }
        if is_library {
            for symbol in image.file.dynamic_symbols() {
                if is_here(&symbol) && symbol.is_global() && self.is_code(symbol.address()) {
                    self.enter(symbol.address(), Entry::Exported);
                }
            }
        }
    }

    fn enter(&mut self, address: u64, entry: Entry) {
        if self.is_code(address) {
            let known = self.entries.entry(address).or_insert(entry);
            // A resolver is called by the loader, however it is known.
            if entry == Entry::Resolver || (*known == Entry::Exported && entry == Entry::Start) {
                *known = entry;
            }
        }
    }

    fn read_symbols(&mut self, image: &'a Image<'a>) {
        let exported = image.file.dynamic_symbols().filter(is_here);
        self.exported = exported.map(|symbol| symbol.address()).collect();
        for symbol in image.file.symbols().chain(image.file.dynamic_symbols()) {
            if !is_here(&symbol) {
                continue;
            }
            let (address, name) = (symbol.address(), symbol.name().unwrap_or(""));
            if self.is_code(address) {
                if is_picked(&symbol) {
                    self.enter(address, Entry::Resolver);
                } else if matches!(name, "main" | "_start") {
                    self.enter(address, Entry::Start);
                }
            } else if !name.is_empty() && !name.starts_with('$') && symbol.size() > 0 {
                self.variables
                    .entry(address)
                    .or_insert((symbol.size(), name));
            }
        }
    }

    fn import(&mut self, name: &'a str) -> u64 {
        let at = self.imports.iter().position(|known| *known == name);
        let at = at.unwrap_or_else(|| {
            self.imports.push(name);
            self.imports.len() - 1
        });
        IMPORTS + 16 * at as u64
    }

    fn read_words(&mut self, image: &'a Image<'a>) {
        let mut dynamic: HashMap<usize, (u64, &'a str, bool, bool)> = HashMap::new();
        for symbol in image.file.dynamic_symbols() {
            let known = (
                symbol.address(),
                symbol.name().unwrap_or(""),
                is_here(&symbol),
                is_picked(&symbol),
            );
            dynamic.insert(symbol.index().0, known);
        }
        let mut arrays = Vec::new();
        let mut is_fixed = true;
        for section in image.file.sections() {
            let name = section.name_bytes().unwrap_or(b"");
            if lists_initialisers(name) {
                arrays.push((
                    section.address(),
                    section.address().saturating_add(section.size()),
                ));
            }
            let Ok(bytes) = section.data() else {
                continue;
            };
            if section.address() == 0 {
                continue;
            }
            if name.starts_with(b".rela") {
                for Rela {
                    place,
                    kind,
                    symbol,
                    addend,
                } in relas(bytes)
                {
                    // ELF for the Arm 64-bit Architecture, "Dynamic relocations".
                    match kind {
                        1027 => {
                            is_fixed = false;
                            self.words.insert(place, addend);
                        }
                        1032 => {
                            self.enter(addend, Entry::Resolver);
                            self.words.insert(place, RESOLVED.wrapping_add(addend));
                        }
                        257 | 1025 | 1026 => {
                            let Some(&(address, name, defined, is_resolver)) = dynamic.get(&symbol)
                            else {
                                continue;
                            };
                            let addend = if kind == 1026 { 0 } else { addend };
                            let value = match (defined, is_resolver) {
                                (true, true) => RESOLVED.wrapping_add(address),
                                (true, false) => address.wrapping_add(addend),
                                (false, _) => self.import(name),
                            };
                            self.words.insert(place, value);
                        }
                        _ => {}
                    }
                }
            } else if name == b".relr.dyn" {
                is_fixed = false;
                for place in relr(bytes) {
                    if let Some(value) = self.stored(place) {
                        self.words.insert(place, value);
                    }
                }
            }
        }
        if is_fixed {
            let contents = std::mem::take(&mut self.contents);
            for (start, bytes) in &contents {
                let skip = (start.wrapping_neg() & 7) as usize;
                for at in (skip..bytes.len().saturating_sub(7)).step_by(8) {
                    let value = u64_at(bytes, at).unwrap_or(0);
                    if value & 3 == 0 && self.is_code(value) {
                        self.words.entry(start + at as u64).or_insert(value);
                    }
                }
            }
            self.contents = contents;
        }
        let in_arrays = |place: &u64| {
            arrays
                .iter()
                .any(|(start, end)| (*start..*end).contains(place))
        };
        let roots: Vec<u64> = (self.words.iter())
            .filter(|(place, _)| in_arrays(place))
            .map(|(_, to)| *to)
            .collect();
        self.words.retain(|place, _| !in_arrays(place));
        for root in roots {
            self.enter(root, Entry::Start);
        }
    }

    fn read_stubs(&mut self, image: &Image<'a>) {
        self.stubs.extend(karat_flow::a64::stubs(image));
        self.stubbed = (
            self.stubs.keys().min().copied().unwrap_or(0),
            self.stubs.keys().max().copied().unwrap_or(0),
        );
    }
}
