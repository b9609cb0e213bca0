//! What the count asks of a machine's decoder.

use crate::catalogue::Constants;
use crate::count::a64;
use crate::count::counts::Counts;
use crate::count::x86;
use karat_binary::read::format::Arch;
use karat_binary::x86::table;

/// A decoder of a section.
pub(crate) trait Isa<'a> {
    /// Of a section that lies at an address; of what names a constant the place is kept.
    fn new(bytes: &'a [u8], start: u64, constants: Option<&'a Constants>) -> Self;

    /// Decodes what is at `at` and counts what is special of it.
    fn step(&mut self, at: u64, stretch: &mut Stretch) -> Step;

    /// Number of the mnemonic of what was decoded last (see [`mnemonic_name`]).
    fn mnemonic(&self) -> usize;
}

/// What a step came to.
pub(crate) struct Step {
    /// Where the next begins.
    pub next: u64,
    /// Whether it was an instruction.
    pub decoded: bool,
}

/// Counts of one stretch, before they are added to their owners.
pub(crate) struct Stretch {
    pub counts: Counts,
    pub sets: [u32; 256],
    /// Sets that are not 0.
    pub touched: Vec<u8>,
    /// Instructions that name a constant of a known kernel.
    pub places: Vec<u64>,
}

impl Stretch {
    pub fn new() -> Self {
        Self {
            counts: Counts::default(),
            sets: [0; 256],
            touched: Vec::new(),
            places: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn class(&mut self, class: u8, bytes: u64) {
        self.counts.class[usize::from(class)] += 1;
        self.counts.class_bytes[usize::from(class)] += bytes;
    }

    #[inline(always)]
    pub fn set(&mut self, set: u8) {
        if set != 0 {
            let count = &mut self.sets[usize::from(set)];
            if *count == 0 {
                self.touched.push(set);
            }
            *count += 1;
        }
    }
}

/// Bytes that one position which does not decode stands for.
pub(crate) fn undecodable_bytes(arch: Arch) -> u64 {
    match arch {
        Arch::X86_64 => 1,
        Arch::Aarch64 => 4,
    }
}

/// Distinct sets of extension names; the first is empty.
pub(crate) fn extension_sets(arch: Arch) -> &'static [Vec<String>] {
    match arch {
        Arch::X86_64 => &table().sets,
        Arch::Aarch64 => a64::sets(),
    }
}

/// How many mnemonics have a number.
pub(crate) fn mnemonics(arch: Arch) -> usize {
    match arch {
        Arch::X86_64 => x86::mnemonics(),
        Arch::Aarch64 => a64::mnemonics(),
    }
}

/// A mnemonic by its number, in lower case.
pub(crate) fn mnemonic_name(arch: Arch, number: usize) -> String {
    match arch {
        Arch::X86_64 => x86::mnemonic_name(number),
        Arch::Aarch64 => a64::mnemonic_name(number).to_string(),
    }
}
