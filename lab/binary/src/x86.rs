//! x86-64: what each instruction code names and needs.
//!
//! iced-x86 knows about 4,900 instruction codes. What a code can name is fixed,
//! so it is worked out once per process; only two questions depend on the
//! instruction at hand: is a register-or-memory operand a register, and is a
//! write mask set.

use crate::brief::Brief;
use iced_x86::{Code, CpuidFeature, EncodingKind, FlowControl, Mnemonic, OpCodeOperandKind};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Bits of [`CodeInfo::kind`] for the width every instance of the code has:
/// 0 none, 1 xmm, 2 ymm, 3 zmm.
const WIDTH: u8 = 0b11;
/// An operand is a mask register in every instance.
const MASK: u8 = 1 << 2;
/// A write mask is possible.
const WRITE_MASK: u8 = 1 << 3;
/// The code needs more than the 64-bit baseline.
const EXTENSION: u8 = 1 << 4;
/// Where the width begins that it has when the operand that may be memory is a register.
const OF_REGISTERS: u8 = 6;

/// What is known of a code before its operands are seen.
#[derive(Clone, Copy)]
pub struct CodeInfo {
    kind: u8,
    /// Index into [`Table::sets`]; 0 is the empty set.
    pub set: u8,
    /// The mnemonic.
    pub mnemonic: Mnemonic,
    /// Where execution goes from it.
    pub flow: FlowControl,
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
        let is_next = self.flow == FlowControl::Next && !self.is_padding() && !is_asked;
        self.is_plain() && is_next && !instruction.is_first && instruction.named().is_none()
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

/// The table, built at the first call (about two milliseconds).
pub fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut sets: Vec<Vec<String>> = vec![Vec::new()];
        let mut known: HashMap<&'static [CpuidFeature], u8> = HashMap::new();
        let codes = Code::values()
            .map(|code| {
                let features = code.cpuid_features();
                let set = *known.entry(features).or_insert_with(|| {
                    let names: Vec<String> =
                        features.iter().filter_map(|f| extension(*f)).collect();
                    let at = sets.iter().position(|set| *set == names);
                    at.unwrap_or_else(|| {
                        sets.push(names);
                        sets.len() - 1
                    }) as u8
                });
                code_info(code, set)
            })
            .collect();
        assert!(sets.len() <= 256, "extension sets no longer fit a byte");
        Table { codes, sets }
    })
}

fn code_info(code: Code, set: u8) -> CodeInfo {
    use OpCodeOperandKind as K;
    let mut always = 0;
    let mut perhaps = 0;
    let mut kind = 0;
    for operand in code.op_code().op_kinds() {
        match operand {
            K::xmm_or_mem => perhaps = perhaps.max(1),
            K::ymm_or_mem => perhaps = perhaps.max(2),
            K::zmm_or_mem => perhaps = perhaps.max(3),
            // A gather's index register is named inside the memory operand.
            K::mem_vsib32x | K::mem_vsib64x => always = always.max(1),
            K::mem_vsib32y | K::mem_vsib64y => always = always.max(2),
            K::mem_vsib32z | K::mem_vsib64z => always = always.max(3),
            K::xmm_reg | K::xmm_rm | K::xmm_vvvv | K::xmmp3_vvvv | K::xmm_is4 | K::xmm_is5 => {
                always = always.max(1);
            }
            K::ymm_reg | K::ymm_rm | K::ymm_vvvv | K::ymm_is4 | K::ymm_is5 => {
                always = always.max(2);
            }
            K::zmm_reg | K::zmm_rm | K::zmm_vvvv | K::zmmp3_vvvv => always = always.max(3),
            K::k_reg | K::kp1_reg | K::k_rm | K::k_vvvv | K::k_or_mem => kind |= MASK,
            _ => {}
        }
    }
    kind |= always | always.max(perhaps) << OF_REGISTERS;
    if code.encoding() == EncodingKind::EVEX {
        kind |= WRITE_MASK;
    }
    if set != 0 {
        kind |= EXTENSION;
    }
    CodeInfo {
        kind,
        set,
        mnemonic: code.mnemonic(),
        flow: code.flow_control(),
    }
}

/// The name of a CPUID feature as rustc spells it (`sse4.1`, `avx512vbmi2`), or
/// none for what every x86-64 CPU has and for hints that older CPUs skip.
fn extension(feature: CpuidFeature) -> Option<String> {
    use CpuidFeature as F;
    let baseline = matches!(
        feature,
        F::INTEL8086
            | F::INTEL8086_ONLY
            | F::INTEL186
            | F::INTEL286
            | F::INTEL286_ONLY
            | F::INTEL386
            | F::INTEL386_ONLY
            | F::INTEL486
            | F::X64
            | F::FPU
            | F::FPU287
            | F::FPU387
            | F::CMOV
            | F::CPUID
            | F::CX8
            | F::FXSR
            | F::MMX
            | F::MSR
            | F::SSE
            | F::SSE2
            | F::SYSCALL
            | F::TSC
            | F::SEP
            | F::CLFSH
            | F::SMM
            | F::RDPMC
            | F::MULTIBYTENOP
            | F::PAUSE
            | F::CET_IBT
    );
    if baseline {
        return None;
    }
    let name = format!("{feature:?}").to_ascii_lowercase();
    Some(match name.as_str() {
        "sse4_1" => "sse4.1".into(),
        "sse4_2" => "sse4.2".into(),
        "sse4a" => "sse4a".into(),
        _ if name.starts_with("avx") => name.replace('_', ""),
        _ => name.replace('_', "-"),
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
