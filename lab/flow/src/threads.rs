//! Variables of a thread, as ELF files have them: what each thread's copy begins with is in
//! the file, and code names them by their distance from the thread's own base, which is in
//! `fs` (Drepper, *ELF Handling For Thread-Local Storage*, 2013, section 3.4.6 and 4.4.6).
//!
//! All copies are taken for one variable, at an address that no file has. What one thread
//! stores another does not see, but what the CPU has it has for all.

use super::program::{Program, Word};
use iced_x86::{Instruction, Register};
use karat_binary::brief::Brief;
use karat_binary::numbers::NumberMap;
use karat_binary::read::image::Image;
use object::{Object, ObjectSection, SectionFlags, SectionKind};

/// Where the variables of a thread are said to lie.
pub(crate) const BASE: u64 = 0xffff_e000_0000_0000;
/// What lies between the base and the first of them on AArch64.
const HEAD: u64 = 16;
/// So many bytes of them are followed at most.
const MOST: u64 = 1 << 20;
/// The function that gives the address of one, by a pair of words: module and distance.
pub(crate) const GETTER: &str = "__tls_get_addr";

/// What a file has of them.
#[derive(Clone, Copy)]
pub struct Threads {
    /// Their bytes.
    size: u64,
    /// From the first to the thread's base.
    to_base: u64,
}

impl Threads {
    /// Bytes of them.
    #[must_use]
    pub fn size(self) -> u64 {
        self.size
    }

    /// From the first of them to the thread's base.
    #[must_use]
    pub fn to_base(self) -> u64 {
        self.to_base
    }
}

/// A word that the loader fills with the place of such a variable.
#[derive(Default)]
pub(crate) struct Places {
    /// By place: the distance from the first variable. What begins a pair is that of the pair.
    words: NumberMap<u64, u64>,
    /// Pairs whose distance the file has itself.
    pairs: Vec<u64>,
}

impl Places {
    /// Notes a relocation. `known` is what its symbol stands for, if the file defines it.
    pub fn add(&mut self, kind: u32, place: u64, known: Option<u64>, addend: u64) {
        let distance = || known.unwrap_or(0).wrapping_add(addend);
        match kind {
            // R_X86_64_DTPMOD64
            16 => self.pairs.push(place),
            // R_X86_64_DTPOFF64, of the word before
            17 => drop(self.words.insert(place.wrapping_sub(8), distance())),
            // R_X86_64_TPOFF64
            18 => drop(self.words.insert(place, distance())),
            _ => {}
        }
    }
}

impl<'a> Program<'a> {
    /// Reads where they lie and what they begin with.
    pub(crate) fn read_threads(&mut self, image: &Image<'a>) {
        let (mut start, mut end, mut align) = (u64::MAX, 0, 1);
        let mut bytes: &[u8] = &[];
        for section in image.file.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
                continue;
            };
            if !sh_flags.contains(object::elf::SHF_TLS) {
                continue;
            }
            if section.address() < start && section.kind() != SectionKind::UninitializedTls {
                bytes = section.data().unwrap_or(&[]);
            }
            start = start.min(section.address());
            end = end.max(section.address().saturating_add(section.size()));
            align = align.max(section.align());
        }
        let size = end.saturating_sub(start);
        if size == 0 || size > MOST || !align.is_power_of_two() {
            return;
        }
        let to_base = match self.is_arm {
            // They lie behind the base (the same, variant I: two words are the system's).
            true => 0u64.wrapping_sub(HEAD.next_multiple_of(align.min(MOST))),
            false => size.next_multiple_of(align.min(MOST)),
        };
        self.threads = Some(Threads { size, to_base });
        self.data.push((BASE, BASE + size, true));
        self.contents.push((BASE, bytes));
    }

    /// Words that the loader fills with places of them are addresses.
    pub(crate) fn read_thread_places(&mut self, mut places: Places) {
        for pair in places.pairs {
            if let Some(distance) = self.stored(pair.wrapping_add(8)) {
                places.words.entry(pair).or_insert(distance);
            }
        }
        for (place, distance) in places.words {
            if let Some(at) = self.thread_variable(distance) {
                self.words.insert(place, Word::Address(at));
            }
        }
    }

    /// The address that is given to a variable of a thread, by its distance from the first.
    pub(crate) fn thread_variable(&self, distance: u64) -> Option<u64> {
        let Threads { size, .. } = self.threads?;
        (distance < size).then(|| BASE + distance)
    }

    /// The same by what code adds to the thread's base, or where it has the address already.
    pub(crate) fn threads(&self, from_base: u64) -> Option<u64> {
        let Threads { to_base, .. } = self.threads?;
        self.thread_variable(from_base.wrapping_add(to_base))
            .or_else(|| self.thread_variable(from_base.wrapping_sub(BASE)))
    }

    /// What an instruction loads that asks for the thread's base: from there code may come to
    /// any variable.
    pub(crate) fn thread_base(&self, instruction: &Instruction) -> Option<u64> {
        let Threads { to_base, .. } = self.threads?;
        let is_one = instruction.memory_segment() == Register::FS
            && instruction.memory_base() == Register::None
            && instruction.memory_index() == Register::None
            && instruction.memory_displacement64() == 0
            && instruction.memory_size().size() == 8;
        is_one.then_some(BASE + to_base)
    }

    /// The variable of a thread, or its base, that an instruction names by a number: what it
    /// reads there, or what it moves to a register to read by that.
    pub(crate) fn names_thread(&self, instruction: &Brief, is_move: bool) -> Option<u64> {
        let Threads { to_base, .. } = self.threads?;
        if let Some(by) = instruction.of_thread() {
            return match by {
                0 => Some(BASE + to_base),
                by => self.threads(by),
            };
        }
        let by = instruction.immediate;
        (is_move && (by as i64) < 0)
            .then(|| self.threads(by))
            .flatten()
    }

    /// Where those are found in the list of what instructions name who may come to any variable
    /// of a thread: by the base, or by the first.
    pub(crate) fn all_threads(&self, address: u64) -> Option<[u64; 2]> {
        let Threads { size, to_base } = self.threads?;
        (BASE..BASE + size)
            .contains(&address)
            .then_some([BASE, BASE + to_base])
    }

    /// What `__tls_get_addr` gives for the pair at an address.
    pub fn thread_pair(&self, pair: u64) -> Option<u64> {
        match self.words.get(pair) {
            Some(Word::Address(at)) => self.threads(at).filter(|_| at >= BASE),
            _ => None,
        }
    }
}
