//! Reads sections, symbols, relocations and linkage stubs into a [`Program`].

use super::a64;
use super::modules::exported;
use super::names::is_cell;
use super::program::{Entry, Program, Word};
use super::references::References;
use super::threads::{self, Places};
use karat_binary::numbers::NumberSet;
use karat_binary::read::dynamic::{
    Dynamic, Rela, is_here, is_picked, lists_initialisers, relas, relr,
};
use karat_binary::read::image::Image;
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind, SymbolKind};

/// Sections that the loader, the debugger or the unwinder reads.
const LOADER: [&[u8]; 9] = [
    b".dyn",
    b".gnu",
    b".rel",
    b".hash",
    b".eh_frame",
    b".gcc_except_table",
    b".note",
    b".interp",
    b".gopclntab",
];

/// Bytes of data in front of a function, at most.
const STAMP: u64 = 16;

/// Whether a symbol without a type is of data in front of a function that has one, as ISA-L puts
/// its versions there. Who enters there falls into the function, which is entered anyway.
fn is_stamp(address: u64, typed: &[u64]) -> bool {
    let next = typed.partition_point(|function| *function <= address);
    typed
        .get(next)
        .is_some_and(|function| function - address <= STAMP)
}

impl<'a> Program<'a> {
    pub(crate) fn read_sections(&mut self, image: &Image<'a>) {
        let mut has_name = false;
        let mut has_interpreter = false;
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
            let executable = sh_flags.contains(object::elf::SHF_EXECINSTR);
            let is_thread = sh_flags.contains(object::elf::SHF_TLS);
            if !sh_flags.contains(object::elf::SHF_ALLOC) || executable || is_thread {
                continue;
            }
            // Tables of the loader and the unwinder are no data of the program.
            if LOADER.iter().any(|part| name.starts_with(part)) {
                continue;
            }
            let start = section.address();
            let Some(end) = start.checked_add(section.size()) else {
                continue;
            };
            let written = sh_flags.contains(object::elf::SHF_WRITE)
                && !matches!(
                    name,
                    b".data.rel.ro" | b".got" | b".init_array" | b".fini_array"
                );
            self.data.push((start, end, written));
            if matches!(name, b".got" | b".got.plt") {
                self.got.push((start, end));
            } else if sh_flags.contains(object::elf::SHF_WRITE) && !written {
                self.relro.push((start, end));
            }
            if section.kind() != SectionKind::UninitializedData
                && let Ok(bytes) = section.data()
            {
                self.contents.push((start, bytes));
            }
        }
        self.read_threads(image);
        self.data.sort_unstable();
        self.contents.sort_unstable_by_key(|(start, _)| *start);
        self.is_library = !self.is_fixed && (has_name || !has_interpreter);
        // A library has none: linkers write there where `.text` begins.
        let text = image.file.section_by_name(".text");
        let is_text = text.is_some_and(|text| text.address() == image.file.entry());
        match self.is_library && !has_interpreter && is_text {
            true => self.start = 0,
            false => self.enter(image.file.entry(), Entry::Start),
        }
    }

    pub(crate) fn read_symbols(&mut self, image: &'a Image<'a>) {
        let tables = [
            (image.file.symbols(), false),
            (image.file.dynamic_symbols(), true),
        ];
        let mut seen = NumberSet::default();
        let typed = image.file.dynamic_symbols();
        let typed = typed.filter(|symbol| symbol.kind() == SymbolKind::Text && is_here(symbol));
        let mut typed: Vec<u64> = typed.map(|symbol| symbol.address()).collect();
        typed.sort_unstable();
        for (table, is_dynamic) in tables {
            for symbol in table {
                let (address, size) = (symbol.address(), symbol.size());
                if !is_here(&symbol) {
                    continue;
                }
                if self.is_code(address) {
                    let name = symbol.name_bytes().unwrap_or(b"");
                    if is_picked(&symbol) {
                        self.enter(address, Entry::Resolver);
                    } else if matches!(name, b"main" | b"_start" | b"main.main" | b"runtime.main") {
                        self.enter(address, Entry::Start);
                    } else if is_dynamic
                        && symbol.is_global()
                        && match symbol.kind() {
                            SymbolKind::Text => true,
                            SymbolKind::Unknown => !is_stamp(address, &typed),
                            _ => false,
                        }
                    {
                        self.enter(address, exported(name));
                    }
                    continue;
                }
                let address = match symbol.kind() {
                    SymbolKind::Data => address,
                    SymbolKind::Tls => match self.thread_variable(address) {
                        Some(address) => address,
                        None => continue,
                    },
                    _ => continue,
                };
                if !seen.insert(address) {
                    continue;
                }
                let name = symbol.name().unwrap_or("");
                self.variables.push((address, size, name));
                if is_cell(name) {
                    let end = address.saturating_add(size.max(1));
                    self.cells.push((address, end, name));
                }
            }
        }
        self.variables.sort_unstable();
    }

    /// Relocations, and in files at a fixed address every word of data.
    pub(crate) fn read_words(&mut self, image: &'a Image<'a>) {
        let mut dynamic: Vec<(u64, &'a str, bool)> = Vec::new();
        for symbol in image.file.dynamic_symbols() {
            let index = symbol.index().0;
            if dynamic.len() <= index && index < image.size {
                dynamic.resize(index + 1, (0, "", false));
            }
            if let Some(place) = dynamic.get_mut(index) {
                // Of what is defined here the name is not asked for.
                let is_here = is_here(&symbol);
                let name = if is_here {
                    ""
                } else {
                    symbol.name().unwrap_or("")
                };
                *place = (symbol.address(), name, is_here);
            }
        }
        let mut arrays: Vec<(u64, u64, bool)> = Vec::new();
        let mut thread_places = Places::default();
        for section in image.file.sections() {
            let name = section.name_bytes().unwrap_or(b"");
            if lists_initialisers(name) {
                arrays.push((
                    section.address(),
                    section.address().saturating_add(section.size()),
                    matches!(name, b".preinit_array" | b".init_array" | b".ctors"),
                ));
            }
            let Ok(bytes) = section.data() else {
                continue;
            };
            if section.address() == 0 {
                continue;
            }
            if name.starts_with(b".rela") {
                self.words.reserve(relas(bytes).size_hint().0);
                for Rela {
                    place,
                    kind,
                    symbol,
                    addend,
                } in relas(bytes)
                {
                    let symbol = dynamic.get(symbol);
                    let kind = match self.is_arm {
                        true => a64::relocation(kind),
                        false => kind,
                    };
                    match kind {
                        // R_X86_64_RELATIVE
                        8 => {
                            self.words.insert(place, Word::Address(addend));
                        }
                        // R_X86_64_IRELATIVE
                        37 => {
                            self.enter(addend, Entry::Resolver);
                            self.words.insert(place, Word::Address(addend));
                        }
                        // R_X86_64_64, GLOB_DAT, JUMP_SLOT
                        1 | 6 | 7 => {
                            if let Some(&(address, name, defined)) = symbol {
                                let addend = if kind == 1 { addend } else { 0 };
                                let word = match defined {
                                    true => Word::Address(address.wrapping_add(addend)),
                                    false => Word::Import(name),
                                };
                                self.words.insert(place, word);
                            }
                        }
                        // Of a variable of a thread that is defined here.
                        16..=18 if symbol.is_none_or(|symbol| symbol.2 || symbol.1.is_empty()) => {
                            let known = symbol.filter(|symbol| symbol.2).map(|symbol| symbol.0);
                            thread_places.add(kind, place, known, addend);
                        }
                        _ => {}
                    }
                }
            } else if name == b".relr.dyn" {
                for place in relr(bytes) {
                    if let Some(value) = self.stored(place) {
                        self.words.insert(place, Word::Address(value));
                    }
                }
            }
        }
        if self.is_fixed {
            let contents = std::mem::take(&mut self.contents);
            // Most numbers are far from all addresses.
            let code = self
                .code
                .iter()
                .map(|(start, bytes)| (*start, start + bytes.len() as u64));
            // Those given to variables of threads are far away, and in no file.
            let data = self
                .data
                .iter()
                .filter(|(start, ..)| *start != threads::BASE);
            let all = code.chain(data.map(|(start, end, _)| (*start, *end)));
            let (low, high) = all.fold((u64::MAX, 0), |(low, high), (start, end)| {
                (start.min(low), end.max(high))
            });
            let near = low.max(1)..high;
            for (start, bytes) in &contents {
                let skip = (start.wrapping_neg() & 7) as usize;
                let (words, _) = bytes.get(skip..).unwrap_or_default().as_chunks();
                let first = start.wrapping_add(skip as u64);
                for (word, place) in words.iter().zip((first..).step_by(8)) {
                    let value = u64::from_le_bytes(*word);
                    if near.contains(&value) && (self.is_code(value) || self.is_data(value)) {
                        self.words.add(place, Word::Address(value));
                    }
                }
            }
            self.contents = contents;
        }
        self.read_thread_places(thread_places);
        let mut pointers = References::new(self.base);
        let mut roots = Vec::new();
        for (place, word) in self.words.iter() {
            if let Word::Address(to) = word {
                let mut arrays = arrays.iter();
                let array = arrays.find(|(start, end, _)| (*start..*end).contains(&place));
                if let Some((.., is_first)) = array {
                    roots.push(to);
                    if *is_first {
                        self.initialisers.insert(to);
                    }
                } else if !self.is_got(place) {
                    pointers.push((to, place));
                }
            }
        }
        pointers.sort();
        self.pointers = pointers;
        for root in roots {
            self.enter(root, Entry::Start);
        }
    }

    /// Stubs of the procedure linkage table: `jmp [slot]`, with or without a hint
    /// before it.
    pub(crate) fn read_stubs(&mut self, image: &Image<'a>) {
        if self.is_arm {
            return self.stubs.extend(crate::a64::stubs(image));
        }
        use iced_x86::{Decoder, DecoderOptions, FlowControl, Mnemonic};
        for section in image
            .code
            .iter()
            .filter(|s| s.name.starts_with(".plt") || s.name == "__TEXT,__stubs")
        {
            let decoder =
                Decoder::with_ip(64, section.bytes, section.address, DecoderOptions::NONE);
            let mut start = None;
            for instruction in decoder {
                let is_padding =
                    matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::INVALID);
                if is_padding {
                    continue;
                }
                let first = *start.get_or_insert(instruction.ip());
                match instruction.flow_control() {
                    FlowControl::IndirectBranch => {
                        if instruction.is_ip_rel_memory_operand() {
                            let slot = instruction.ip_rel_memory_address();
                            self.stubs.insert(first, slot);
                            self.stubs.insert(instruction.ip(), slot);
                        }
                        start = None;
                    }
                    FlowControl::UnconditionalBranch => start = None,
                    _ => {}
                }
            }
        }
    }
}
