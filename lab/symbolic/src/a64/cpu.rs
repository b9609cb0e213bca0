//! What AArch64's CPUs tell, as symbols: the kernel's words (`getauxval`, what it gives to
//! resolvers) and the ID registers.

use super::place;
use super::sold::Arm;
use crate::bits::{Bit, Kind, ONE, Word, ZERO};
use crate::facts::Facts;
use crate::library::Told as Answer;
use crate::machine::Machine;
use crate::memory::{GIVEN, STACK, THREAD};
use crate::plain::AUXILIARY;
use crate::state::State;
use karat_flow::a64::features::{self, Told};
use karat_flow::program;

/// Keys of what the system tells (`elf.h`).
pub(crate) const AT_HWCAP: u64 = 16;
pub(crate) const AT_HWCAP2: u64 = 26;
/// A resolver is given both words (`sys/ifunc.h` of glibc).
const IFUNC_ARG_HWCAP: u64 = 62;
/// Where what its second argument points to lies: the size, and both words.
const ARGUMENT: u64 = GIVEN + 0x9000;
/// The first number of those that a CPU or a kernel has one way or the other.
const FREE: u8 = 16;

/// What the C library keeps of the kernel's words, and where it tells them.
#[derive(Clone, Debug, Default)]
pub struct Auxiliary {
    /// Where it keeps which.
    pub words: Vec<(u64, Told)>,
    /// Bytes in which it keeps which bit of one.
    pub bits: Vec<(u64, (Told, u32))>,
    /// Where it keeps the CPU's number.
    pub models: Vec<u64>,
    /// Its own `getauxval`.
    pub routines: Vec<u64>,
}

/// Whether a bit of an answer may be set at all.
fn is_one(told: Told, bit: u32) -> bool {
    match told {
        // Fields of four bits: some are never one, but two.
        Told::Isar0 => matches!(
            bit,
            4 | 5 | 8 | 12 | 13 | 16 | 21 | 28 | 32 | 36 | 40 | 44 | 48 | 52 | 53 | 60
        ),
        Told::Isar1 => matches!(
            bit,
            0 | 1 | 4..=11 | 12 | 16 | 20 | 21 | 24 | 28 | 32 | 36 | 40 | 44 | 48 | 52
        ),
        Told::Pfr0 => matches!(bit, 0 | 4 | 16 | 20 | 32 | 48),
        Told::Zfr0 => matches!(bit, 0 | 4 | 5 | 16 | 20 | 32 | 40 | 44 | 52 | 56),
        _ => true,
    }
}

impl Machine<'_> {
    /// A word that tells what the CPU has.
    pub(crate) fn told(&mut self, at: u64, told: Told) -> Word {
        self.found.asked(at);
        if let Some(cpu) = self.sold.and_then(|sold| sold.arm) {
            return Word::Known(cpu.word(told));
        }
        let mut bits = [ZERO; 64];
        for (bit, number) in bits.iter_mut().zip(0..) {
            *bit = self.arm_bit(told, number);
        }
        Word::from_bits(bits)
    }

    fn arm_bit(&mut self, told: Told, number: u32) -> Bit {
        let set = told.bit(number);
        match (told, number) {
            _ if !is_one(told, number) => ZERO,
            // Floating point and vectors, which all have; levels of exceptions.
            (Told::Hwcap, 0 | 1) | (Told::Pfr0, 0 | 4) => ONE,
            // Half precision, where it is not all ones.
            (Told::Pfr0, 16 | 20) => self.symbols.arm(told, number, features::FP16),
            // The event stream, and whether ID registers are readable, are the kernel's.
            (Told::Hwcap, 2 | 11) => self.symbols.free(FREE + number as u8),
            _ => self.symbols.arm(told, number, set),
        }
    }

    /// The CPU's part number.
    pub(super) fn midr(&self) -> Word {
        match self.sold.and_then(|sold| sold.arm) {
            Some(cpu) => Word::Known(u64::from(cpu.midr)),
            None => Word::unknown(4, Kind::Model),
        }
    }

    /// `getauxval`: none for what is no word of the CPU's.
    pub(crate) fn auxval(&mut self, state: &State, key: u64) -> Option<Word> {
        match key {
            AT_HWCAP => Some(self.told(state.at, Told::Hwcap)),
            AT_HWCAP2 => Some(self.told(state.at, Told::Hwcap2)),
            _ => None,
        }
    }

    /// A function of the C library's is asked for a word of the system's.
    pub(crate) fn asks_arm(
        &mut self,
        state: &mut State,
        name: &str,
    ) -> Result<Option<Answer>, crate::machine::Stop> {
        if !self.is_arm() || !matches!(name, "getauxval" | "__getauxval") {
            return Ok(None);
        }
        let key = self.given(state, 0).number()?;
        let known = key.and_then(|key| self.auxval(state, key));
        Ok(known.map(|word| Answer(Some(word), None)))
    }

    /// What a resolver is given.
    pub(crate) fn give_resolver(&mut self, state: &mut State) {
        let [one, two] = [Told::Hwcap, Told::Hwcap2].map(|told| self.told(state.at, told));
        let mut bits = one.each();
        bits[IFUNC_ARG_HWCAP as usize] = ONE;
        state.registers[place(0)] = Word::from_bits(bits);
        state.registers[place(1)] = Word::Known(ARGUMENT);
        for (at, word) in [(0, Word::Known(24)), (8, one), (16, two)] {
            state.memory.write(ARGUMENT + at, &word, 8);
        }
    }

    /// What an AArch64 program finds, and what the C library that is linked in keeps of the
    /// kernel's words, which its start does.
    pub(crate) fn begin_arm(&mut self, state: &mut State, known: &Auxiliary) {
        let words = [Told::Hwcap, Told::Hwcap2].map(|told| self.told(state.at, told));
        if self.is_plain {
            for (number, word) in (0..).zip(&words) {
                let at = STACK - 0x1000 + AUXILIARY + number * 16 + 8;
                state.memory.write(at, word, 8);
            }
        }
        for (at, told) in &known.words {
            let word = &words[usize::from(*told == Told::Hwcap2)];
            state.memory.write(*at, word, 8);
        }
        for (at, (told, bit)) in &known.bits {
            let word = &words[usize::from(*told == Told::Hwcap2)];
            let byte = word.right(*bit as usize).and(&Word::Known(1));
            state.memory.write(*at, &byte.unwrap_or(Word::ZERO), 1);
        }
        // Of no CPU in particular it stays what the file has: which of its own functions that all
        // CPUs have the library takes makes no difference.
        if let (Word::Known(model), true) = (self.midr(), self.sold.is_some()) {
            for at in &known.models {
                state.memory.write(*at, &Word::Known(model), 8);
            }
        }
        // Nobody asked yet.
        self.found.asks.clear();
        // Words that the loader fills with places of variables of a thread are distances.
        let of_threads = |at: u64| (THREAD..THREAD + (1 << 20)).contains(&at);
        for (place, word) in self.image.program.words.iter() {
            if let program::Word::Address(at) = word
                && of_threads(at)
            {
                self.image
                    .foreign
                    .insert(place, at.wrapping_sub(self.thread));
            }
        }
        self.routines_of_auxiliary = known.routines.clone();
    }

    /// Whether the code is AArch64's.
    pub(crate) fn is_arm(&self) -> bool {
        self.image.program.is_arm
    }
}

impl Arm {
    /// What one of its words says.
    fn word(&self, told: Told) -> u64 {
        match told {
            Told::Hwcap => self.hwcap,
            Told::Hwcap2 => self.hwcap2,
            Told::Isar0 => self.isar0(),
            Told::Isar1 => self.isar1(),
            Told::Pfr0 => {
                let half = self.has(features::FP16) * 0x11_0000;
                0x11 | half | self.has(features::SVE) << 32
            }
            Told::Zfr0 => self.has(features::SVE2),
            Told::CpuFeatures | Told::HaveLse => 0,
        }
    }

    fn has(&self, feature: features::Set) -> u64 {
        let need = Facts::of_arm(feature);
        u64::from(need.without(Facts::of_arm(self.set())).is_none())
    }

    fn isar0(&self) -> u64 {
        let one = |feature, at: u32| self.has(feature) << at;
        let two = |first, second, at: u32| (self.has(first) + self.has(second)) << at;
        two(features::AES, features::PMULL, 4)
            | one(features::SHA1, 8)
            | two(features::SHA2, features::SHA512, 12)
            | one(features::CRC, 16)
            | one(features::LSE, 21)
            | one(features::SHA3, 32)
            | one(features::SM3, 36)
            | one(features::SM4, 40)
            | one(features::DOTPROD, 44)
    }

    fn isar1(&self) -> u64 {
        let one = |feature, at: u32| self.has(feature) << at;
        let rcpc = self.has(features::RCPC) + self.has(features::RCPC2);
        rcpc << 20 | one(features::PACA, 4) | one(features::BF16, 44) | one(features::I8MM, 52)
    }
}
