//! What this analysis needs to know of a file, and nothing more: functions with
//! their ranges, bytes of code, words of data that are addresses, imports, entries.

use super::convention::{Convention, SYSTEM_V};
use super::extended::extended;
use super::facts::systems;
use super::facts::vouched::Vouched;
use super::names::{import_asks, import_may_ask, is_cell};
use super::pages::Pages;
use super::ranges::Ranges;
use super::references::References;
use super::relocated::Words;
use super::spans::Spans;
use super::threads::Threads;
use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind};
use karat_binary::BinaryError;
use karat_binary::names::readable;
use karat_binary::numbers::{NumberMap, NumberSet};
use karat_binary::read::aliases::Aliases;
use karat_binary::read::format::Arch;
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::{BTreeMap, HashSet};

/// Bytes of a variable that a user names by its address.
const NAMELESS: u64 = 4;

/// The address that a name is, as reports write it.
fn address(name: &str) -> Option<u64> {
    let inner = name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    u64::from_str_radix(inner.unwrap_or(name).strip_prefix("0x")?, 16).ok()
}

/// What a word of data stands for once the file is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// An address of this file.
    Address(u64),
    /// Another file's symbol.
    Import(&'a str),
}

/// Why a function is where execution may come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The loader or the C run-time calls it.
    Start,
    /// The loader calls it to choose an implementation.
    Resolver,
    /// Another file may call it by name.
    Exported,
    /// The same, by an interpreter that loads the file as a module, and asks nothing before.
    Module,
}

impl Entry {
    /// Whether it runs whenever the file is loaded, before anybody calls what it exports.
    pub fn is_first(self) -> bool {
        matches!(self, Self::Start | Self::Module)
    }

    /// Whether another file may call it by name.
    pub fn is_exported(self) -> bool {
        matches!(self, Self::Exported | Self::Module)
    }
}

/// One function, or one region that nothing says is one.
pub struct Routine<'a> {
    /// Address of its first byte.
    pub start: u64,
    /// Mangled.
    pub names: Aliases<'a>,
    /// Sorted, non-overlapping.
    pub ranges: Spans,
    /// Neither a symbol nor an entry of the unwind table: maybe data.
    pub is_guess: bool,
    /// Where it ends is not known: a guess, or a symbol without a size.
    pub is_open: bool,
}

/// The file.
pub struct Program<'a> {
    /// The lowest address of a section.
    pub(crate) base: u64,
    /// Functions, and regions that nothing says are some.
    pub routines: Vec<Routine<'a>>,
    /// Indices into `routines`; sorted, non-overlapping.
    pub ranges: Ranges,
    /// Where to look among them.
    pub(crate) pages: Pages,
    /// (address, bytes) of code sections, sorted.
    pub code: Vec<(u64, &'a [u8])>,
    /// (start, end, is written by the program) of mapped data, sorted.
    pub data: Vec<(u64, u64, bool)>,
    /// Words of data by their address.
    pub words: Words<'a>,
    /// (what a word points to, the word's address), sorted. Words of the global
    /// offset table are not among them.
    pub pointers: References,
    /// Places of the global offset table, (start, end).
    pub got: Vec<(u64, u64)>,
    /// Read-only once relocated, (start, end).
    pub relro: Vec<(u64, u64)>,
    /// Procedure linkage: address of a stub to its slot.
    pub stubs: NumberMap<u64, u64>,
    /// Entries of the file.
    pub entries: BTreeMap<u64, Entry>,
    /// Those that run before a program's `main`, of ELF files.
    pub initialisers: NumberSet<u64>,
    /// Known cells: (start, end, name).
    pub cells: Vec<(u64, u64, &'a str)>,
    /// Names and sizes of variables, sorted by address.
    pub variables: Vec<(u64, u64, &'a str)>,
    /// Initial bytes of data sections, sorted by address.
    pub contents: Vec<(u64, &'a [u8])>,
    /// Whether its code is AArch64's.
    pub is_arm: bool,
    /// Whether other programs load it.
    pub is_library: bool,
    /// Where the loader starts a program.
    pub start: u64,
    /// Whether addresses appear as immediates in code.
    pub is_fixed: bool,
    /// Imports that something is said of: they tell what the CPU has.
    pub asked: HashSet<&'a str>,
    /// Imports that may tell what the CPU has, by their names.
    pub may_ask: HashSet<&'a str>,
    /// Words of imports that hold what CPUID answered, or give it, by their names.
    pub holders: NumberSet<u64>,
    /// How its routines are called.
    pub convention: &'static Convention,
    /// What 32-bit distances in a PE file are from; 0 for others.
    pub image_base: u64,
    /// Routines that change no register: a call of one is nothing.
    pub keeping: NumberSet<u64>,
    /// Variables of a thread.
    pub threads: Option<Threads>,
}

impl<'a> Program<'a> {
    /// Reads what the image has.
    ///
    /// # Errors
    /// None at present: damage in a table costs what it would have told.
    pub fn read<'file>(image: &'file Image<'a>) -> Result<Self, BinaryError>
    where
        'file: 'a,
    {
        let symbols = Symbols::read(image);
        let sized = sized(image, &symbols);
        // What is not loaded has no address.
        let addresses = image.file.sections().map(|section| section.address());
        let base = addresses.filter(|address| *address > 0).min().unwrap_or(0);
        let mut program = Self {
            base,
            routines: Vec::new(),
            pages: Pages::of(symbols.ranges.iter().map(|range| range.end)),
            ranges: Ranges::of(symbols.ranges),
            code: image.code.iter().map(|s| (s.address, s.bytes)).collect(),
            data: Vec::new(),
            words: Words::new(base),
            pointers: References::new(base),
            got: Vec::new(),
            relro: Vec::new(),
            stubs: NumberMap::default(),
            entries: BTreeMap::new(),
            initialisers: NumberSet::default(),
            cells: Vec::new(),
            variables: Vec::new(),
            contents: Vec::new(),
            is_arm: image.arch == Arch::Aarch64,
            is_library: false,
            start: image.file.entry(),
            is_fixed: image.file.kind() == object::ObjectKind::Executable,
            asked: HashSet::new(),
            may_ask: HashSet::new(),
            holders: NumberSet::default(),
            convention: &SYSTEM_V,
            image_base: 0,
            keeping: NumberSet::default(),
            threads: None,
        };
        program.routines = symbols
            .functions
            .into_iter()
            .map(|f| Routine {
                start: f.address,
                is_guess: f.names.is_empty() && f.fde().is_none(),
                is_open: f.fde().is_none() && !f.is_sized && !sized.contains(&f.address),
                names: f.names,
                ranges: Spans::default(),
            })
            .collect();
        for range in program.ranges.iter() {
            let routine = &mut program.routines[range.value as usize];
            routine.ranges.push((range.start, range.end));
        }
        match &image.file {
            object::File::Pe64(file) => program.read_pe(image, file),
            object::File::MachO64(file) => program.read_mach(image, file),
            _ => {
                program.read_sections(image);
                program.read_symbols(image);
                program.read_words(image);
            }
        }
        program.read_stubs(image);
        program.read_imports();
        Ok(program)
    }

    /// Notes what the names of imports tell, once: calls of them are many.
    fn read_imports(&mut self) {
        for (at, word) in self.words.iter() {
            if let Word::Import(name) = word {
                if import_asks(name) || is_cell(name) {
                    self.holders.insert(at);
                }
                if !self.may_ask.contains(name) && import_may_ask(name) {
                    self.may_ask.insert(name);
                }
            }
        }
    }

    /// Notes an entry of the file.
    pub fn enter(&mut self, address: u64, entry: Entry) {
        if self.is_code(address) {
            let known = self.entries.entry(address).or_insert(entry);
            if known.is_exported() {
                *known = entry;
            }
        }
    }

    /// Notes which imports something is said of, and gives names to what is named by its
    /// address, as reports write it (`[0x4010]`).
    pub fn vouch(&mut self, vouched: &'a Vouched) {
        for (name, _) in vouched.functions() {
            let routine = address(name).and_then(|at| {
                let routine = self.routine_at(at)? as usize;
                (self.routines[routine].start == at).then_some(routine)
            });
            if let Some(routine) = routine {
                self.routines[routine].names.add(name);
            }
        }
        for (name, _) in vouched.cells() {
            if let Some(at) = address(name).filter(|at| self.is_written(*at)) {
                self.variables.push((at, NAMELESS, name));
            }
        }
        self.variables.sort_unstable();
        let is_one = |name: &&str| {
            let is_said = vouched.of_function(name).is_some() || vouched.of_cell(name).is_some();
            is_said || systems::is_one(name)
        };
        self.asked = self.words.imports().filter(is_one).collect();
    }

    /// Whether something is said of an import.
    pub fn is_asked(&self, name: &str) -> bool {
        !self.asked.is_empty() && self.asked.contains(name)
    }

    /// What a slot holds, when the program itself never writes there.
    pub fn slot(&self, address: u64) -> Option<Word<'a>> {
        let word = self.words.get(address)?;
        (!self.is_written(address) || self.is_got(address)).then_some(word)
    }

    /// Whether `address` is in code.
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

    /// Bytes of all code.
    pub(crate) fn code_size(&self) -> usize {
        self.code.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    /// The instructions of routine `number`, each of its ranges after the other. A range that
    /// is not all in one section has none.
    pub fn instructions(&self, number: u32) -> impl Iterator<Item = Instruction> + use<'a, '_> {
        let ranges = self.routines[number as usize].ranges.iter();
        ranges.flat_map(|&(start, end)| {
            let bytes = self.bytes(start, end).unwrap_or_default();
            Decoder::with_ip(64, bytes, start, DecoderOptions::NONE)
        })
    }

    /// Of these instructions all that may need an extension: addresses and numbers of codes.
    pub fn extended(&self, number: u32) -> impl Iterator<Item = (u64, u16)> + use<'a, '_> {
        let ranges = self.routines[number as usize].ranges.iter();
        ranges.flat_map(|&(start, end)| {
            let bytes = self.bytes(start, end).unwrap_or_default();
            extended(bytes, start)
        })
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

    /// Whether `address` is in the global offset table.
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
    pub fn stored(&self, address: u64) -> Option<u64> {
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
        let near = self.pages.around(address, self.ranges.len());
        self.ranges.at(address, near)
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

    /// The mangled name of the variable that has an address.
    pub fn variable_name(&self, address: u64) -> Option<&'a str> {
        let at = self
            .variables
            .partition_point(|(start, _, _)| *start <= address);
        let (start, size, name) = self.variables.get(at.checked_sub(1)?)?;
        (address - start < (*size).max(1)).then_some(*name)
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
            .and_then(|slot| self.words.get(*slot))
        {
            Some(Word::Address(to)) => Target::Address(to),
            Some(Word::Import(name)) => Target::Import(name),
            None => Target::Address(address),
        }
    }

    /// Whether a call is of a routine that changes no register.
    pub(crate) fn keeps(&self, call: &Instruction) -> bool {
        !self.keeping.is_empty()
            && call.op0_kind() == OpKind::NearBranch64
            && self.keeping.contains(&call.near_branch_target())
    }
}

/// Addresses of functions that only a symbol of another kind has a size of. Functions without
/// are few, and symbols many.
fn sized(image: &Image<'_>, symbols: &Symbols<'_>) -> NumberSet<u64> {
    let functions = symbols.functions.iter();
    let open = functions.filter(|f| f.fde().is_none() && !f.is_sized);
    let open: NumberSet<u64> = open.map(|f| f.address).collect();
    let tables = [image.file.symbols(), image.file.dynamic_symbols()];
    let symbols = tables.into_iter().flatten();
    let all = symbols.filter(|s| open.contains(&s.address()) && s.size() > 0);
    all.map(|s| s.address()).collect()
}

/// Where a transfer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// An address of this file.
    Address(u64),
    /// Another file's function, by its name.
    Import(&'a str),
}
