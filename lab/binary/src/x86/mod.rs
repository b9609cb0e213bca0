//! x86-64: what an instruction is, and what each instruction code names and needs.
//!
//! iced-x86 knows about 4,900 instruction codes. What a code can name is fixed,
//! so it is worked out beforehand; only two questions depend on the
//! instruction at hand: is a register-or-memory operand a register, and is a
//! write mask set.

pub(crate) mod brief;
#[cfg(test)]
mod learn;

pub use brief::Brief;
pub(crate) use brief::{NO_BASE, RIP};

use iced_x86::{Code, FlowControl, Mnemonic};
use std::sync::OnceLock;

/// Bits of [`CodeInfo::kind`] for the width every instance of the code has:
/// 0 none, 1 xmm, 2 ymm, 3 zmm.
const WIDTH: u8 = 0b11;
/// An operand is a mask register in every instance.
const MASK: u8 = 1 << 2;
/// A write mask is possible.
const WRITE_MASK: u8 = 1 << 3;
/// In `codes.bin`: [`CodeInfo::is_by_shape`]. Bit 4 is of codes that need more than the 64-bit
/// baseline.
const BY_SHAPE: u8 = 1 << 5;
/// Where the width begins that it has when the operand that may be memory is a register.
const OF_REGISTERS: u8 = 6;

/// What is known of a code before its operands are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeInfo {
    kind: u8,
    /// Index into [`Table::sets`]; 0 is the empty set.
    pub set: u8,
    /// The mnemonic.
    pub mnemonic: Mnemonic,
    /// Where execution goes from it.
    pub flow: FlowControl,
    /// Operands make no difference but by what a [`Shape`](crate::brief) tells apart.
    pub(crate) is_by_shape: bool,
}

impl CodeInfo {
    /// No vector or mask register, no extension: nothing more to count.
    #[inline(always)]
    pub fn is_plain(self) -> bool {
        self.kind == 0
    }

    /// The widest vector register the instruction names: 0 none, 1 xmm, 2 ymm,
    /// 3 zmm.
    #[inline(always)]
    pub fn width(self, instruction: &Brief) -> u8 {
        self.width_with(instruction.has_memory)
    }

    /// The same, where it names memory or not.
    #[inline(always)]
    pub fn width_with(self, has_memory: bool) -> u8 {
        match has_memory {
            true => self.kind & WIDTH,
            false => self.kind >> OF_REGISTERS,
        }
    }

    /// Whether it names `k0` to `k7`, as an operand or as a write mask.
    #[inline(always)]
    pub fn has_mask(self, instruction: &Brief) -> bool {
        self.kind & MASK != 0 || (self.kind & WRITE_MASK != 0 && instruction.has_mask)
    }

    /// Whether it goes to the next instruction, is no padding, asks nothing of the CPU, is in all
    /// x86-64 CPUs and names no vector register, and neither writes memory nor names any by a
    /// distance from itself.
    pub fn is_dull(self, instruction: &Brief) -> bool {
        // The last three may name older vector registers.
        let is_asked = matches!(
            self.mnemonic,
            Mnemonic::Cpuid | Mnemonic::Movd | Mnemonic::Movq | Mnemonic::Pxor
        );
        self.is_plain() && !is_asked && self.only_reads(instruction)
    }

    /// The same of one that names an xmm register.
    pub fn is_dull_vector(self, instruction: &Brief) -> bool {
        self.set == 0 && self.width(instruction) == 1 && self.only_reads(instruction)
    }

    /// Whether it goes to the next instruction, is no padding, and neither writes memory nor names
    /// any by a distance from itself.
    fn only_reads(self, instruction: &Brief) -> bool {
        let is_next = self.flow == FlowControl::Next && !self.is_padding();
        is_next && !instruction.is_first && instruction.named().is_none()
    }

    /// Whether it fills the room between functions and before loops.
    #[inline(always)]
    pub fn is_padding(self) -> bool {
        matches!(self.mnemonic, Mnemonic::Nop | Mnemonic::Int3)
    }
}

/// The facts of all codes.
pub struct Table {
    /// By `Code as usize`.
    pub codes: Vec<CodeInfo>,
    /// Distinct sets of extension names, in the order of [`CodeInfo::set`].
    pub sets: Vec<Vec<String>>,
}

/// What the codes are, packed: `learn` says how it is made. To ask iced-x86 for all operands
/// takes three milliseconds, as long as to count a small program.
const PACKED: &[u8] = include_bytes!("codes.bin");

/// The table, made at the first call.
pub fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut names = PACKED.split_inclusive(|byte| *byte == b'\n');
        let mut sets = Vec::new();
        let mut length = 0;
        // An empty line is behind the last set; that of the empty set has a blank.
        for line in names.by_ref() {
            length += line.len();
            if line == b"\n" {
                break;
            }
            let line = String::from_utf8_lossy(line);
            sets.push(line.split_whitespace().map(str::to_owned).collect());
        }
        let (facts, _) = PACKED[length..].as_chunks();
        let codes = Code::values()
            .zip(facts)
            .map(|(code, [kind, set])| CodeInfo {
                kind: kind & !BY_SHAPE,
                set: *set,
                mnemonic: code.mnemonic(),
                flow: code.flow_control(),
                is_by_shape: kind & BY_SHAPE != 0,
            });
        let codes = codes.collect();
        Table { codes, sets }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions};

    fn facts(bytes: &[u8]) -> (u8, bool, Vec<String>) {
        let instruction = Decoder::new(64, bytes, DecoderOptions::NONE).decode();
        assert!(!instruction.is_invalid());
        let table = table();
        let info = table.codes[instruction.code() as usize];
        let brief = Brief::of(&instruction);
        (
            info.width(&brief),
            info.has_mask(&brief),
            table.sets[info.set as usize].clone(),
        )
    }

    #[test]
    fn width_follows_the_registers_that_are_named() {
        // mov rax, rbx
        assert_eq!(facts(&[0x48, 0x89, 0xd8]), (0, false, vec![]));
        // paddd xmm0, xmm1
        assert_eq!(facts(&[0x66, 0x0f, 0xfe, 0xc1]), (1, false, vec![]));
        // vcvtpd2ps xmm0, ymm0 names a ymm; from memory it names only the xmm
        assert_eq!(facts(&[0xc5, 0xfd, 0x5a, 0xc0]).0, 2);
        assert_eq!(facts(&[0xc5, 0xfd, 0x5a, 0x00]).0, 1);
        // vzeroupper names nothing but needs AVX
        assert_eq!(facts(&[0xc5, 0xf8, 0x77]), (0, false, vec!["avx".into()]));
    }

    #[test]
    fn masks_count_as_operand_and_as_write_mask() {
        // vpaddd zmm0{k1}, zmm0, zmm0, then the same without a mask
        assert_eq!(
            facts(&[0x62, 0xf1, 0x7d, 0x49, 0xfe, 0xc0]),
            (3, true, vec!["avx512f".into()])
        );
        assert!(!facts(&[0x62, 0xf1, 0x7d, 0x48, 0xfe, 0xc0]).1);
        // kmovw eax, k1
        assert!(facts(&[0xc5, 0xf8, 0x93, 0xc1]).1);
    }
}
