//! What this analysis needs to know of a file, and nothing more: functions with
//! their spans, bytes of code, words of data that are addresses, imports, entries.

use crate::error::AuditError;
use crate::image::Image;
use crate::names::readable;
use crate::span::Span;
use crate::symbols::Symbols;
use object::{
    Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind, SymbolFlags, SymbolKind,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Variables that hold what CPUID answered, by parts of their names: GCC's and
/// LLVM's run-time libraries, Rust's std_detect, glibc, OpenSSL and its
/// offspring, Go.
const CELLS: [&str; 12] = [
    "__cpu_model",
    "__cpu_features2",
    "std_detect6detect5cache5CACHE",
    "_rtld_global_ro",
    "_dl_x86_cpu_features",
    "OPENSSL_ia32cap",
    "GFp_ia32cap_P",
    "internal/cpu.X86",
    "/sys/cpu.X86",
    "runtime.x86Has",
    "runtime.support_",
    "_cpu_feature",
];

/// Imported functions whose result is what CPUID answered.
const ASKING: [&str; 4] = [
    "__x86_get_cpuid_feature_leaf",
    "__x86_get_cpu_features",
    "_dl_x86_get_cpu_features",
    "android_getCpuFeatures",
];

/// Functions that do not return, by name (imports have no code to look at).
const NO_RETURN: [&str; 16] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "longjmp",
    "__longjmp_chk",
    "siglongjmp",
    "__stack_chk_fail",
    "__fortify_fail",
    "__chk_fail",
    "__assert_fail",
    "_Unwind_Resume",
    "__cxa_throw",
    "__cxa_rethrow",
    "pthread_exit",
];

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

/// What a word of data stands for once the file is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word<'a> {
    /// An address of this file.
    Address(u64),
    /// Another file's symbol.
    Import(&'a str),
}

/// Why a function is where execution may come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The loader or the C run-time calls it.
    Start,
    /// The loader calls it to choose an implementation.
    Resolver,
    /// Another file may call it by name.
    Exported,
}

/// One function, or one region that nothing says is one.
pub(crate) struct Routine<'a> {
    pub start: u64,
    /// Mangled.
    pub names: Vec<&'a str>,
    /// Sorted, non-overlapping.
    pub spans: Vec<(u64, u64)>,
    /// Neither a symbol nor an entry of the unwind table: maybe data.
    pub is_guess: bool,
    /// Where it ends is not known: a guess, or a symbol without a size.
    pub is_open: bool,
}

/// The file.
pub(crate) struct Program<'a> {
    pub routines: Vec<Routine<'a>>,
    /// Indices into `routines`; sorted, non-overlapping.
    pub spans: Vec<Span<u32>>,
    /// (address, bytes) of code sections, sorted.
    pub code: Vec<(u64, &'a [u8])>,
    /// (start, end, is written by the program) of mapped data, sorted.
    pub data: Vec<(u64, u64, bool)>,
    /// Words of data by their address.
    pub words: HashMap<u64, Word<'a>>,
    /// (what a word points to, the word's address), sorted. Words of the global
    /// offset table are not among them.
    pub pointers: Vec<(u64, u64)>,
    /// Places of the global offset table, (start, end).
    got: Vec<(u64, u64)>,
    /// Read-only once relocated, (start, end).
    relro: Vec<(u64, u64)>,
    /// Procedure linkage: address of a stub to its slot.
    pub stubs: HashMap<u64, u64>,
    /// Entries of the file.
    pub entries: BTreeMap<u64, Entry>,
    /// Known cells: (start, end, name).
    pub cells: Vec<(u64, u64, &'a str)>,
    /// Names and sizes of variables, sorted by address.
    pub variables: Vec<(u64, u64, &'a str)>,
    /// Initial bytes of data sections, sorted by address.
    contents: Vec<(u64, &'a [u8])>,
    pub is_library: bool,
    /// Where the loader starts a program.
    pub start: u64,
    /// Whether addresses appear as immediates in code.
    pub is_fixed: bool,
}

impl<'a> Program<'a> {
    /// Reads what the image has.
    pub fn read<'file>(image: &'file Image<'a>) -> Result<Self, AuditError>
    where
        'file: 'a,
    {
        let symbols = Symbols::read(image);
        let tables = [image.file.symbols(), image.file.dynamic_symbols()];
        let sized: HashSet<u64> = tables
            .into_iter()
            .flatten()
            .filter(|symbol| symbol.size() > 0)
            .map(|symbol| symbol.address())
            .collect();
        let mut program = Self {
            routines: Vec::new(),
            spans: symbols.spans,
            code: image.code.iter().map(|s| (s.address, s.bytes)).collect(),
            data: Vec::new(),
            words: HashMap::new(),
            pointers: Vec::new(),
            got: Vec::new(),
            relro: Vec::new(),
            stubs: HashMap::new(),
            entries: BTreeMap::new(),
            cells: Vec::new(),
            variables: Vec::new(),
            contents: Vec::new(),
            is_library: false,
            start: image.file.entry(),
            is_fixed: image.file.kind() == object::ObjectKind::Executable,
        };
        program.routines = symbols
            .functions
            .into_iter()
            .map(|f| Routine {
                start: f.address,
                is_guess: f.names.is_empty() && f.fde.is_none(),
                is_open: f.fde.is_none() && !sized.contains(&f.address),
                names: f.names,
                spans: Vec::new(),
            })
            .collect();
        for span in &program.spans {
            let routine = &mut program.routines[span.value as usize];
            routine.spans.push((span.start, span.end));
        }
        program.read_sections(image);
        program.read_symbols(image);
        program.read_words(image);
        program.read_stubs(image);
        Ok(program)
    }

    fn read_sections(&mut self, image: &Image<'a>) {
        let mut has_name = false;
        let mut has_interpreter = false;
        for section in image.file.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
                continue;
            };
            let name = section.name_bytes().unwrap_or(b"");
            has_interpreter |= name == b".interp";
            if name == b".dynamic" {
                for (tag, value) in pairs(section.data().unwrap_or(&[])) {
                    match tag {
                        14 => has_name = true, // DT_SONAME
                        0x6fff_fffb if value & 0x0800_0000 != 0 => has_interpreter = true,
                        12 | 13 => {
                            self.enter(value, Entry::Start); // DT_INIT, DT_FINI
                        }
                        _ => {}
                    }
                }
            }
            let executable = sh_flags.contains(object::elf::SHF_EXECINSTR);
            if !sh_flags.contains(object::elf::SHF_ALLOC) || executable {
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
        self.data.sort_unstable();
        self.contents.sort_unstable_by_key(|(start, _)| *start);
        self.is_library = !self.is_fixed && (has_name || !has_interpreter);
        self.enter(image.file.entry(), Entry::Start);
    }

    /// Notes an entry of the file.
    pub fn enter(&mut self, address: u64, entry: Entry) {
        if self.is_code(address) {
            let known = self.entries.entry(address).or_insert(entry);
            if *known == Entry::Exported {
                *known = entry;
            }
        }
    }

    fn read_symbols(&mut self, image: &'a Image<'a>) {
        let tables = [
            (image.file.symbols(), false),
            (image.file.dynamic_symbols(), true),
        ];
        let mut seen = HashSet::new();
        for (table, is_dynamic) in tables {
            for symbol in table {
                let (address, size) = (symbol.address(), symbol.size());
                if !symbol.is_definition() {
                    continue;
                }
                let name = symbol.name().unwrap_or("");
                if self.is_code(address) {
                    let SymbolFlags::Elf { st_info, .. } = symbol.flags() else {
                        continue;
                    };
                    if st_info.st_type() == object::elf::STT_GNU_IFUNC {
                        self.enter(address, Entry::Resolver);
                    } else if matches!(name, "main" | "_start" | "main.main" | "runtime.main") {
                        self.enter(address, Entry::Start);
                    } else if is_dynamic
                        && symbol.is_global()
                        && matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Unknown)
                    {
                        self.enter(address, Entry::Exported);
                    }
                    continue;
                }
                if symbol.kind() != SymbolKind::Data || !seen.insert(address) {
                    continue;
                }
                self.variables.push((address, size, name));
                if CELLS.iter().any(|cell| name.contains(cell)) {
                    let end = address.saturating_add(size.max(1));
                    self.cells.push((address, end, name));
                }
            }
        }
        self.variables.sort_unstable();
    }

    /// Relocations, and in files at a fixed address every word of data.
    fn read_words(&mut self, image: &'a Image<'a>) {
        let mut dynamic: Vec<(u64, &'a str, bool)> = Vec::new();
        for symbol in image.file.dynamic_symbols() {
            let index = symbol.index().0;
            if dynamic.len() <= index && index < image.size {
                dynamic.resize(index + 1, (0, "", false));
            }
            if let Some(place) = dynamic.get_mut(index) {
                let name = symbol.name().unwrap_or("");
                *place = (symbol.address(), name, symbol.is_definition());
            }
        }
        let mut arrays: Vec<(u64, u64)> = Vec::new();
        for section in image.file.sections() {
            let name = section.name_bytes().unwrap_or(b"");
            if matches!(name, b".init_array" | b".fini_array" | b".preinit_array") {
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
                for entry in bytes.chunks_exact(24) {
                    let word = |at: usize| u64_at(entry, at).unwrap_or(0);
                    let (place, info, addend) = (word(0), word(8), word(16));
                    let symbol = dynamic.get((info >> 32) as usize);
                    match info as u32 {
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
                        kind @ (1 | 6 | 7) => {
                            if let Some(&(address, name, defined)) = symbol {
                                let addend = if kind == 1 { addend } else { 0 };
                                let word = match defined {
                                    true => Word::Address(address.wrapping_add(addend)),
                                    false => Word::Import(name),
                                };
                                self.words.insert(place, word);
                            }
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
            for (start, bytes) in &contents {
                let skip = (start.wrapping_neg() & 7) as usize;
                for at in (skip..bytes.len().saturating_sub(7)).step_by(8) {
                    let value = u64_at(bytes, at).unwrap_or(0);
                    if value != 0 && (self.is_code(value) || self.is_data(value)) {
                        let place = start + at as u64;
                        self.words.entry(place).or_insert(Word::Address(value));
                    }
                }
            }
            self.contents = contents;
        }
        let mut pointers = Vec::new();
        let mut roots = Vec::new();
        for (&place, word) in &self.words {
            if let Word::Address(to) = *word {
                if arrays
                    .iter()
                    .any(|(start, end)| (*start..*end).contains(&place))
                {
                    roots.push(to);
                } else if !self.is_got(place) {
                    pointers.push((to, place));
                }
            }
        }
        pointers.sort_unstable();
        self.pointers = pointers;
        for root in roots {
            self.enter(root, Entry::Start);
        }
    }

    /// Stubs of the procedure linkage table: `jmp [slot]`, with or without a hint
    /// before it.
    fn read_stubs(&mut self, image: &Image<'a>) {
        use iced_x86::{Decoder, DecoderOptions, FlowControl, Mnemonic};
        for section in image.code.iter().filter(|s| s.name.starts_with(".plt")) {
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

    /// What a slot holds, when the program itself never writes there.
    pub fn slot(&self, address: u64) -> Option<&Word<'a>> {
        let word = self.words.get(&address)?;
        (!self.is_written(address) || self.is_got(address)).then_some(word)
    }

    pub fn is_code(&self, address: u64) -> bool {
        self.section_at(address).is_some()
    }

    fn section_at(&self, address: u64) -> Option<(u64, &'a [u8])> {
        let at = self.code.partition_point(|(start, _)| *start <= address);
        let (start, bytes) = *self.code.get(at.checked_sub(1)?)?;
        (address - start < bytes.len() as u64).then_some((start, bytes))
    }

    /// The code from `start` up to `end`, if it is all in one section.
    pub fn bytes(&self, start: u64, end: u64) -> Option<&'a [u8]> {
        let (first, bytes) = self.section_at(start)?;
        bytes.get((start - first) as usize..(end.checked_sub(first)?) as usize)
    }

    fn range(&self, address: u64) -> Option<&(u64, u64, bool)> {
        let at = self.data.partition_point(|(start, _, _)| *start <= address);
        let range = self.data.get(at.checked_sub(1)?)?;
        (address < range.1).then_some(range)
    }

    /// Whether `address` is in mapped data.
    pub fn is_data(&self, address: u64) -> bool {
        self.range(address).is_some()
    }

    /// Whether a reference to this data is worth keeping: the program writes it,
    /// or it may hold pointers. Read-only data of a file that moves holds none.
    pub fn is_kept(&self, address: u64) -> bool {
        self.range(address)
            .is_some_and(|(_, _, written)| *written || self.is_fixed)
            || self.is_relro(address)
    }

    fn is_relro(&self, address: u64) -> bool {
        self.relro
            .iter()
            .any(|(start, end)| (*start..*end).contains(&address))
    }

    /// Whether it is data that the program may write.
    pub fn is_written(&self, address: u64) -> bool {
        self.range(address).is_some_and(|(_, _, written)| *written)
    }

    pub fn is_got(&self, address: u64) -> bool {
        self.got
            .iter()
            .any(|(start, end)| (*start..*end).contains(&address))
    }

    /// The initial word at an address of data; zero where nothing is stored.
    pub fn content(&self, address: u64) -> Option<u64> {
        self.stored(address)
            .or_else(|| self.is_data(address).then_some(0))
    }

    /// The word that the file stores for an address of data.
    fn stored(&self, address: u64) -> Option<u64> {
        let at = self
            .contents
            .partition_point(|(start, _)| *start <= address);
        let (start, bytes) = self.contents[at.checked_sub(1)?];
        let rest = bytes.get(usize::try_from(address - start).ok()?..)?;
        let mut word = [0; 8];
        let length = rest.len().min(8);
        word[..length].copy_from_slice(&rest[..length]);
        (length > 0).then(|| u64::from_le_bytes(word))
    }

    /// The 32 bits at an address of data, as a jump table has them.
    pub fn content32(&self, address: u64) -> Option<i32> {
        self.content(address).map(|word| word as u32 as i32)
    }

    /// The routine that has an address.
    pub fn routine_at(&self, address: u64) -> Option<u32> {
        let at = self.spans.partition_point(|span| span.end <= address);
        let span = self.spans.get(at)?;
        (span.start <= address).then_some(span.value)
    }

    /// A routine's name as a reader expects it.
    pub fn name(&self, routine: u32) -> String {
        let routine = &self.routines[routine as usize];
        match routine.names.first() {
            Some(name) => readable(name),
            None => format!("[{:#x}]", routine.start),
        }
    }

    /// The name of the variable at an address, with the offset in it.
    pub fn variable(&self, address: u64) -> Option<String> {
        let at = self
            .variables
            .partition_point(|(start, _, _)| *start <= address);
        let (start, size, name) = self.variables.get(at.checked_sub(1)?)?;
        match address - start {
            0 => Some(readable(name)),
            offset if offset < *size => Some(format!("{}+{offset:#x}", readable(name))),
            _ => None,
        }
    }

    /// Where the variable begins that has an address.
    pub fn variable_start(&self, address: u64) -> u64 {
        let at = self
            .variables
            .partition_point(|(start, _, _)| *start <= address);
        let variable = at.checked_sub(1).map(|at| self.variables[at]);
        variable
            .filter(|(start, size, _)| address - start < *size)
            .map_or(address, |(start, ..)| start)
    }

    /// The name of a variable, or its address.
    pub fn variable_or_address(&self, address: u64) -> String {
        self.variable(address)
            .unwrap_or_else(|| format!("[{address:#x}]"))
    }

    /// Where a call or jump to `address` really goes, linkage stubs followed.
    pub fn follow(&self, address: u64) -> Target<'a> {
        match self
            .stubs
            .get(&address)
            .and_then(|slot| self.words.get(slot))
        {
            Some(Word::Address(to)) => Target::Address(*to),
            Some(Word::Import(name)) => Target::Import(name),
            None => Target::Address(address),
        }
    }

    /// Cuts routines whose end is not known where something is known to begin. Short
    /// gaps between functions are one routine until then.
    pub fn cut(&mut self, starts: &[u64]) {
        let old = std::mem::take(&mut self.spans);
        for span in old {
            if !self.routines[span.value as usize].is_open {
                self.spans.push(span);
                continue;
            }
            // The first span of a routine stays the routine's.
            let own = u64::from(self.routines[span.value as usize].start == span.start);
            let from = starts.partition_point(|start| *start < span.start + own);
            let to = starts.partition_point(|start| *start < span.end);
            let mut cuts = starts.get(from..to).unwrap_or_default().to_vec();
            cuts.dedup();
            cuts.push(span.end);
            let (mut start, mut value) = (span.start, span.value);
            let mut is_new = false;
            for end in cuts {
                if start < end {
                    if is_new {
                        value = self.routines.len() as u32;
                        self.routines.push(Routine {
                            start,
                            names: Vec::new(),
                            spans: Vec::new(),
                            is_guess: true,
                            is_open: true,
                        });
                    }
                    self.spans.push(Span { start, end, value });
                }
                start = end;
                is_new = true;
            }
        }
        for routine in &mut self.routines {
            if routine.is_open {
                routine.spans.clear();
            }
        }
        for span in &self.spans {
            let routine = &mut self.routines[span.value as usize];
            if routine.is_open {
                routine.spans.push((span.start, span.end));
            }
        }
        for routine in &mut self.routines {
            if let (true, Some((start, _))) = (routine.is_guess, routine.spans.first()) {
                routine.start = *start;
            }
        }
    }
}

/// Where a transfer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target<'a> {
    Address(u64),
    Import(&'a str),
}

/// Whether a symbol's name says that it never returns.
pub(crate) fn never_returns(name: &str) -> bool {
    NO_RETURN.contains(&name)
}

/// Whether an imported function's result is what CPUID answered.
pub(crate) fn import_asks(name: &str) -> bool {
    ASKING.contains(&name)
}

/// Whether an imported variable holds what CPUID answered.
pub(crate) fn import_is_cell(name: &str) -> bool {
    CELLS.iter().any(|cell| name.contains(cell))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(word.try_into().ok()?))
}

/// Pairs of 64-bit words, as the dynamic section has them.
fn pairs(bytes: &[u8]) -> impl Iterator<Item = (u64, u64)> + '_ {
    bytes
        .chunks_exact(16)
        .map(|pair| (u64_at(pair, 0).unwrap_or(0), u64_at(pair, 8).unwrap_or(0)))
}

/// Places that a packed table of relative relocations names (`SHT_RELR`, ELF
/// gABI: an even word is a place, an odd one a bitmap of the 63 after it).
fn relr(bytes: &[u8]) -> Vec<u64> {
    let mut out = Vec::new();
    let mut next = 0u64;
    for entry in bytes.chunks_exact(8) {
        let word = u64_at(entry, 0).unwrap_or(0);
        if word & 1 == 0 {
            out.push(word);
            next = word.wrapping_add(8);
        } else {
            for bit in 0..63 {
                if word >> (bit + 1) & 1 == 1 {
                    out.push(next.wrapping_add(bit * 8));
                }
            }
            next = next.wrapping_add(63 * 8);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::relr;

    #[test]
    fn packed_relocations() {
        let words = [0x1000u64, 0b1011, 0x3000];
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(relr(&bytes), [0x1000, 0x1008, 0x1018, 0x3000]);
    }
}
