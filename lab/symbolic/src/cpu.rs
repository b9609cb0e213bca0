//! What the CPU tells, as symbols (Intel SDM, volume 2, CPUID and XGETBV; AMD64 APM, volume 3,
//! appendix E).

use crate::bits::{Bit, Kind, ONE, Word, ZERO, not};
use crate::machine::{Machine, Stop};
use crate::sold::Sold;
use crate::state::State;
use karat_flow::facts::features::Register;

/// Numbers of what CPUs have one way or the other.
const HIGHEST: u8 = 0;
const VENDOR: u8 = 1;
/// The highest leaf of old CPUs of the second level (Nehalem's is 11) and of new ones, which
/// differ in one bit: what all have needs no ways apart.
const LEAVES: (u64, u64) = (0xb, 0x2b);
const EXTENDED: u64 = 0x8000_001f;
/// What all x86-64 CPUs tell of leaf 1 in `edx`, in common values.
pub(crate) const LEAF_1_EDX: u64 = 0x178b_fbff;
/// The same of leaf 1's `ebx`, of a system of one processor.
const LEAF_1_EBX: u64 = 0x0001_0800;
/// What all x86-64 CPUs of today tell of leaf 0x80000001: LAHF in `ecx`, and SYSCALL, NX and long
/// mode in `edx`.
const LAHF: u32 = 1;
const LONG_MODE: u32 = 0x2010_0800;

impl Machine<'_> {
    /// One number where a bit is set, another where it is not.
    fn either(&self, bit: Bit, set: u64, other: u64) -> Word {
        Word::from_bits(std::array::from_fn(|at| {
            match (set >> at & 1 == 1, other >> at & 1 == 1) {
                (true, true) => ONE,
                (false, false) => ZERO,
                (true, false) => bit,
                (false, true) => not(bit),
            }
        }))
    }

    /// What stands for the vendor: one number for Intel, another for AMD.
    pub fn vendor(&mut self, intel: u64, amd: u64) -> Word {
        let vendor = match self.sold {
            Some(sold) => Bit::from(sold.is_intel),
            None => self.symbols.free(VENDOR),
        };
        self.either(vendor, intel, amd)
    }

    fn answers(&mut self, leaf: u32, subleaf: u32, register: Register) -> Word {
        let mut bits = [ZERO; 64];
        for (bit, at) in bits.iter_mut().take(32).zip(0..) {
            *bit = self.symbols.cpuid(leaf, subleaf, register, at);
        }
        let all_have = self.sold.map_or(0, |_| match (leaf, register) {
            (0x8000_0001, Register::C) => LAHF,
            (0x8000_0001, Register::D) => LONG_MODE,
            _ => 0,
        });
        for (bit, at) in bits.iter_mut().take(32).zip(0..) {
            if all_have >> at & 1 == 1 {
                *bit = ONE;
            }
        }
        Word::from_bits(bits)
    }

    /// What goes by the model: of one CPU its own number.
    fn model(&self, number: impl Fn(&Sold) -> u32) -> Word {
        match self.sold {
            Some(sold) => Word::Known(u64::from(number(sold))),
            None => Word::unknown(4, Kind::Model),
        }
    }

    pub fn cpuid(&mut self, state: &mut State) -> Result<(), Stop> {
        use Register::{A, B, C, D};
        let leaf = state
            .plain(&self.symbols, state.registers[0].low(4))
            .number()?;
        let subleaf = state.plain(&self.symbols, state.registers[1].low(4));
        let subleaf = match leaf {
            Some(4 | 7 | 0xb | 0xd | 0x14 | 0x1f | 0x24) => subleaf.number()?,
            _ => Some(0),
        };
        let opaque = || Word::unknown(4, Kind::Opaque);
        let name = || Word::unknown(4, Kind::Model);
        let signature = self.model(|sold| sold.signature);
        let [a, b, c, d] = match (leaf, subleaf) {
            (Some(0), _) => {
                let highest = match self.sold {
                    Some(sold) => Word::Known(u64::from(sold.highest)),
                    None => {
                        let highest = self.symbols.free(HIGHEST);
                        self.either(highest, LEAVES.1, LEAVES.0)
                    }
                };
                let mut word = |intel: &[u8; 4], amd: &[u8; 4]| {
                    let [intel, amd] =
                        [intel, amd].map(|name| u64::from(u32::from_le_bytes(*name)));
                    self.vendor(intel, amd)
                };
                let name = [
                    word(b"Genu", b"Auth"),
                    word(b"ntel", b"cAMD"),
                    word(b"ineI", b"enti"),
                ];
                let [b, c, d] = name;
                [highest, b, c, d]
            }
            (Some(1), _) => [
                signature,
                match self.sold {
                    Some(_) => Word::Known(LEAF_1_EBX),
                    None => opaque(),
                },
                self.answers(1, 0, C),
                Word::Known(LEAF_1_EDX),
            ],
            (Some(7), Some(0)) => [
                Word::Known(1),
                self.answers(7, 0, B),
                self.answers(7, 0, C),
                self.answers(7, 0, D),
            ],
            (Some(leaf @ (7 | 0xd | 0x14 | 0x19 | 0x1e | 0x24)), Some(subleaf)) => {
                [A, B, C, D].map(|register| self.answers(leaf as u32, subleaf as u32, register))
            }
            (Some(0x8000_0000), _) => [Word::Known(EXTENDED), Word::ZERO, Word::ZERO, Word::ZERO],
            (Some(0x8000_0001), _) => [
                // Intel's have none there.
                self.model(|sold| if sold.is_intel { 0 } else { sold.signature }),
                opaque(),
                self.answers(0x8000_0001, 0, C),
                self.answers(0x8000_0001, 0, D),
            ],
            (Some(0x8000_0008), _) => [
                opaque(),
                self.answers(0x8000_0008, 0, B),
                opaque(),
                opaque(),
            ],
            (Some(0x8000_0002..=0x8000_0004), _) => [name(), name(), name(), name()],
            _ => [opaque(), opaque(), opaque(), opaque()],
        };
        for (number, word) in [(0, a), (3, b), (1, c), (2, d)] {
            state.registers[number] = word;
        }
        Ok(())
    }

    pub fn xgetbv(&mut self, state: &mut State) {
        let mut bits = [ZERO; 64];
        for (bit, at) in bits.iter_mut().take(8).zip(0..) {
            *bit = self.symbols.xcr0(at);
        }
        state.registers[0] = Word::from_bits(bits);
        state.registers[2] = Word::ZERO;
    }
}
