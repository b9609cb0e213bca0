//! Which instructions are above a baseline, and what else of them matters.
//!
//! iced-x86 names the CPUID features of each instruction code; what is left out here, and why:
//!
//! - Hints in encodings that older CPUs execute as a no-operation: `endbr64`,
//!   `pause`, `prefetchw`, `prefetchwt1`, `prefetchit0/1`, `cldemote`, `rdssp`
//!   (Intel SDM volume 2, each instruction's page).
//! - `tzcnt` is `rep bsf`: CPUs without BMI1 run it as `bsf`, with another result
//!   for zero. GCC emits it for every CPU where zero is excluded. Counted apart.
//! - `cpuid` is how a program asks. So is `xgetbv`, which faults where the operating
//!   system does not use XSAVE, as `cpuid` tells before: it is above the baseline, and
//!   kept apart from what programs choose between.
//! - Instructions of an operating system (`swapgs`, `invpcid`, …) are judged like
//!   all others: they appear in kernels, not in programs.

use super::baseline::Baseline;
use super::facts::members::may_store;
use iced_x86::{Code, FlowControl, Instruction, Mnemonic};
use karat_binary::x86::table;

/// What of an instruction matters to this analysis.
#[derive(Clone, Copy)]
pub struct CodeClass {
    /// Index into the extension sets of [`table`]; 0 is nothing above the baseline. `xgetbv` has
    /// one, and is counted apart.
    pub above: u8,
    /// It asks the CPU: `cpuid` or `xgetbv`.
    pub is_cpuid: bool,
    /// It is `tzcnt`, which is counted apart.
    pub is_tzcnt: bool,
    /// It needs more than every x86-64 CPU has, whatever the baseline.
    pub is_extended: bool,
    /// It moves or clears a vector register as no compiler does that may use AVX.
    pub is_before_avx: bool,
    /// The mnemonic.
    pub mnemonic: Mnemonic,
    /// Where execution goes from it.
    pub flow: FlowControl,
    /// It writes its first operand, where that is memory.
    pub may_store: bool,
    /// So many bytes.
    pub bytes: u16,
    /// What it moves or pushes is in the instruction, and may be an address.
    pub immediate: Immediate,
    /// What it moves is in the instruction.
    pub moves_number: bool,
}

/// A number in an instruction that may be an address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Immediate {
    /// There is none.
    None,
    /// Of 32 bits.
    Short,
    /// Of 64 bits, or of 32 with their sign.
    Whole,
}

impl Immediate {
    // Not asked of iced, which would then write down all codes as text: 9,500 strings.
    fn of(code: Code) -> Self {
        match code {
            Code::Mov_r32_imm32 | Code::Mov_rm32_imm32 | Code::Pushd_imm32 => Self::Short,
            Code::Mov_r64_imm64 | Code::Mov_rm64_imm32 | Code::Pushq_imm32 => Self::Whole,
            _ => Self::None,
        }
    }
}

/// All codes under a baseline.
pub struct Classes {
    codes: Vec<CodeClass>,
    baseline: Baseline,
}

impl Classes {
    /// Classifies all codes.
    pub fn new(baseline: &Baseline) -> Self {
        let table = table();
        let above: Vec<bool> = table
            .sets
            .iter()
            .map(|set| set.iter().any(|name| !baseline.has(name)))
            .collect();
        let mut instruction = Instruction::default();
        let codes = Code::values()
            .zip(&table.codes)
            .map(|(code, info)| {
                let mnemonic = code.mnemonic();
                instruction.set_code(code);
                let is_cpuid = matches!(mnemonic, Mnemonic::Cpuid | Mnemonic::Xgetbv);
                let is_tzcnt = mnemonic == Mnemonic::Tzcnt;
                let counts = above[usize::from(info.set)] && !is_tzcnt && !is_hint(mnemonic);
                CodeClass {
                    above: if counts { info.set } else { 0 },
                    is_cpuid,
                    is_tzcnt,
                    is_extended: info.set != 0 && !is_cpuid && !is_tzcnt && !is_hint(mnemonic),
                    is_before_avx: is_before_avx(code),
                    mnemonic,
                    flow: info.flow,
                    may_store: may_store(mnemonic),
                    bytes: instruction.memory_size().size() as u16,
                    immediate: Immediate::of(code),
                    moves_number: moves_number(code),
                }
            })
            .collect();
        Self {
            codes,
            baseline: baseline.clone(),
        }
    }

    /// What they were classified by.
    #[must_use]
    pub fn baseline(&self) -> &Baseline {
        &self.baseline
    }

    /// The class of a code.
    #[inline(always)]
    pub fn of(&self, code: Code) -> &CodeClass {
        &self.codes[code as usize]
    }

    /// The class of a code by its number.
    #[inline(always)]
    pub fn of_number(&self, code: u16) -> &CodeClass {
        &self.codes[usize::from(code)]
    }

    /// Whether the baseline has AVX.
    pub fn has_avx(&self) -> bool {
        self.baseline.has("avx")
    }

    /// The extension set of `xgetbv`, if that is above the baseline.
    pub fn xgetbv(&self) -> u8 {
        self.of(Code::Xgetbv).above
    }

    /// The extensions of a set that the baseline lacks.
    pub fn missing(&self, set: u8) -> Vec<String> {
        let names = table().sets.get(usize::from(set)).into_iter().flatten();
        names
            .filter(|name| !self.baseline.has(name))
            .cloned()
            .collect()
    }
}

/// Whether it moves a number that is in the instruction.
fn moves_number(code: Code) -> bool {
    matches!(
        code,
        Code::Mov_r8_imm8
            | Code::Mov_r16_imm16
            | Code::Mov_r32_imm32
            | Code::Mov_r64_imm64
            | Code::Mov_rm8_imm8
            | Code::Mov_rm16_imm16
            | Code::Mov_rm32_imm32
            | Code::Mov_rm64_imm32
    )
}

/// Runs as a no-operation where it is not known.
fn is_hint(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Endbr64
            | Mnemonic::Endbr32
            | Mnemonic::Pause
            | Mnemonic::Prefetchw
            | Mnemonic::Prefetchwt1
            | Mnemonic::Prefetchit0
            | Mnemonic::Prefetchit1
            | Mnemonic::Cldemote
            | Mnemonic::Rdsspd
            | Mnemonic::Rdsspq
    )
}

/// With AVX these are `vmovaps`, `vpxor` and so on, in another encoding.
fn is_before_avx(code: Code) -> bool {
    use Mnemonic as M;
    let is_one = matches!(
        code.mnemonic(),
        M::Movaps
            | M::Movups
            | M::Movapd
            | M::Movupd
            | M::Movdqa
            | M::Movdqu
            | M::Movss
            | M::Movsd
            | M::Movd
            | M::Movq
            | M::Pxor
            | M::Xorps
            | M::Xorpd
    );
    // The string instruction has the same name.
    is_one && code != Code::Movsd_m32_m32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::members::Store;
    use iced_x86::{Decoder, DecoderOptions};
    use karat_binary::brief::Brief;

    fn above(baseline: &str, bytes: &[u8]) -> Vec<String> {
        let classes = Classes::new(&Baseline::parse(baseline).unwrap());
        let code = Decoder::new(64, bytes, DecoderOptions::NONE)
            .decode()
            .code();
        classes.missing(classes.of(code).above)
    }

    #[test]
    fn levels_and_lists() {
        let vpaddd = [0xc5, 0xfd, 0xfe, 0xc0];
        assert_eq!(above("x86-64", &vpaddd), ["avx2"]);
        assert_eq!(above("x86-64-v2", &vpaddd), ["avx2"]);
        assert!(above("x86-64-v3", &vpaddd).is_empty());
        assert!(above("x86-64+avx2", &vpaddd).is_empty());
        let aesenc = [0x66, 0x0f, 0x38, 0xdc, 0xc1];
        assert_eq!(above("x86-64-v4", &aesenc), ["aes"]);
        let error = Baseline::parse("x86-64-v9").unwrap_err();
        assert!(error.to_string().contains("x86-64-v9"));
        assert!(Baseline::parse(" ").is_err());
    }

    #[test]
    fn what_older_cpus_skip_is_no_offence() {
        let endbr64 = [0xf3, 0x0f, 0x1e, 0xfa];
        let rdsspq = [0xf3, 0x48, 0x0f, 0x1e, 0xc8];
        let prefetchw = [0x0f, 0x0d, 0x08];
        let tzcnt = [0xf3, 0x0f, 0xbc, 0xc0];
        let cpuid = [0x0f, 0xa2];
        for bytes in [&endbr64[..], &rdsspq, &prefetchw, &tzcnt, &cpuid] {
            assert!(above("x86-64", bytes).is_empty(), "{bytes:x?}");
        }
        let xgetbv = [0x0f, 0x01, 0xd0];
        assert_eq!(above("x86-64-v2", &xgetbv), ["xsave"]);
        assert!(above("x86-64-v3", &xgetbv).is_empty());
        let incsspq = [0xf3, 0x48, 0x0f, 0xae, 0xe8];
        assert!(!above("x86-64", &incsspq).is_empty());
        let lzcnt = [0xf3, 0x0f, 0xbd, 0xc0];
        assert_eq!(above("x86-64", &lzcnt), ["lzcnt"]);
    }

    #[test]
    fn encodings_before_avx() {
        let classes = Classes::new(&Baseline::parse("x86-64-v2").unwrap());
        let is_before = |bytes: &[u8]| {
            let code = Decoder::new(64, bytes, DecoderOptions::NONE)
                .decode()
                .code();
            classes.of(code).is_before_avx
        };
        let movups = [0x0f, 0x11, 0x00];
        let movsd = [0xf2, 0x0f, 0x10, 0x00];
        assert!(is_before(&movups) && is_before(&movsd));
        let vmovups = [0xc5, 0xf8, 0x11, 0x00];
        let movsd_of_strings = [0xa5];
        assert!(!is_before(&vmovups) && !is_before(&movsd_of_strings));
    }

    /// The first pass leaves out what is dull, so nothing that it notes may be.
    #[test]
    fn nothing_is_noted_of_what_is_dull() {
        let classes = Classes::new(&Baseline::parse("x86-64").unwrap());
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let (mut dull, mut vector) = (0, 0);
        for _ in 0..2_000_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mut bytes = state.to_le_bytes();
            if state >> 60 < 8 {
                bytes[0] = [0x0f, 0x66, 0xf3, 0xf2][(state >> 58) as usize & 3];
            }
            let instruction = Decoder::new(64, &bytes, DecoderOptions::NONE).decode();
            if instruction.is_invalid() {
                continue;
            }
            let brief = Brief::of(&instruction);
            let info = table().codes[usize::from(brief.code)];
            let is_vector = info.is_dull_vector(&brief);
            if !is_vector && !info.is_dull(&brief) {
                continue;
            }
            dull += 1;
            vector += u32::from(is_vector);
            let class = classes.of_number(brief.code);
            // That is asked of one of a routine's vector instructions.
            let is_before_avx = class.is_before_avx && !is_vector;
            let is_noted = class.is_cpuid || class.is_extended || is_before_avx;
            assert!(
                !is_noted && !class.is_tzcnt && class.above == 0,
                "{bytes:02x?}"
            );
            assert!(class.flow == FlowControl::Next && brief.named().is_none());
            assert!(!matches!(class.mnemonic, Mnemonic::Nop | Mnemonic::Int3));
            assert_eq!(Store::of(&brief, class, 0), None, "{bytes:02x?}");
        }
        assert!(dull > 100_000 && vector > 10_000, "{dull}, {vector}");
    }

    /// What is said of codes here is what iced says of them.
    #[test]
    fn numbers_and_sizes_are_those_of_iced() {
        use iced_x86::OpCodeOperandKind as K;
        let classes = Classes::new(&Baseline::parse("x86-64").unwrap());
        for code in Code::values() {
            let class = classes.of(code);
            let kinds = code.op_code().op_kinds();
            let is_one = matches!(code.mnemonic(), Mnemonic::Mov | Mnemonic::Push);
            let immediate = match kinds.last() {
                Some(K::imm32) if is_one => Immediate::Short,
                Some(K::imm64 | K::imm32sex64) if is_one => Immediate::Whole,
                _ => Immediate::None,
            };
            let is_number = |kind: &K| {
                matches!(
                    kind,
                    K::imm8 | K::imm16 | K::imm32 | K::imm32sex64 | K::imm64
                )
            };
            let moves = code.mnemonic() == Mnemonic::Mov && kinds.get(1).is_some_and(is_number);
            assert!(class.immediate == immediate, "{code:?}");
            assert_eq!(class.moves_number, moves, "{code:?}");
            let bytes = code.op_code().memory_size().size();
            assert_eq!(usize::from(class.bytes), bytes, "{code:?}");
        }
    }
}
