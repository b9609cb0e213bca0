//! The baseline, and which instructions are above it.
//!
//! The levels are those of the x86-64 psABI, section 3.1.1 (Micro-Architecture
//! Levels). iced-x86 names the CPUID features of each instruction code; what is
//! left out here, and why:
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

use super::facts::members::may_store;
use iced_x86::{Code, FlowControl, Instruction, Mnemonic};
use karat_binary::a64::NAMES;
use karat_binary::x86::table;

/// Extensions that each level adds to the one before.
const LEVELS: [(&str, &[&str]); 4] = [
    ("x86-64", &[]),
    (
        "x86-64-v2",
        &["cmpxchg16b", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"],
    ),
    (
        "x86-64-v3",
        &[
            "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave",
        ],
    ),
    (
        "x86-64-v4",
        &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
    ),
];

/// What each version of AArch64 adds to the one before, of what is counted.
/// Source: Arm Architecture Reference Manual (DDI 0487), A2.2 to A2.12, mandatory features;
/// `-march` of GCC and LLVM. `armv9-a` is Armv8.5 with SVE2.
const ARM_LEVELS: [(&str, &[&str]); 8] = [
    ("armv8-a", &[]),
    ("armv8.1-a", &["lse", "crc"]),
    ("armv8.2-a", &[]),
    ("armv8.3-a", &["rcpc", "paca"]),
    ("armv8.4-a", &["dotprod", "rcpc2"]),
    ("armv8.5-a", &[]),
    ("armv8.6-a", &["bf16", "i8mm"]),
    ("armv8.7-a", &[]),
];

/// Names that only CPUs with another of the names have: iced's and rustc's
/// spelling differ in a few.
const SAME: [(&str, &str); 6] = [
    ("cx16", "cmpxchg16b"),
    ("fma3", "fma"),
    ("pclmul", "pclmulqdq"),
    ("bmi", "bmi1"),
    ("abm", "lzcnt"),
    ("rdrnd", "rdrand"),
];

/// What every CPU that the file is meant for can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    text: String,
    extensions: Vec<String>,
    is_arm: bool,
}

/// Why a text names no baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{word}` is neither a level (x86-64, x86-64-v2, x86-64-v3, x86-64-v4) nor an x86-64 \
     extension; write for example x86-64-v2 or x86-64-v2+aes+pclmulqdq, or for AArch64 \
     armv8-a (to armv8.7-a, armv9-a) or armv8-a+lse"
)]
pub struct BaselineError {
    /// What was not understood.
    pub word: String,
}

impl Baseline {
    /// Reads a level (`armv8-a` and the like are of AArch64), or a list of levels and extensions by rustc's names, with
    /// `,`, `+` or blanks between them. Levels include the ones below; so does
    /// `avx512f` include nothing but itself, as CPUID has it.
    ///
    /// # Errors
    /// [`BaselineError`] names the first word that is neither.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        if text.trim_start().to_ascii_lowercase().starts_with("armv") {
            return Self::parse_arm(text);
        }
        let known = |word: &str| table().sets.iter().flatten().any(|name| name == word);
        let mut extensions: Vec<String> = Vec::new();
        let words = text.split([',', '+', ' ']).filter(|w| !w.is_empty());
        for word in words {
            let word = word.to_ascii_lowercase();
            if let Some(at) = LEVELS.iter().position(|(name, _)| *name == word) {
                let all = LEVELS[..=at].iter().flat_map(|(_, adds)| *adds);
                extensions.extend(all.map(|name| (*name).to_string()));
                continue;
            }
            let same = SAME.iter().find(|(alias, _)| *alias == word);
            let word = same.map_or(word.clone(), |(_, name)| (*name).to_string());
            if !known(&word) {
                return Err(BaselineError { word });
            }
            extensions.push(word);
        }
        if text.trim().is_empty() {
            let word = text.to_string();
            return Err(BaselineError { word });
        }
        extensions.sort();
        extensions.dedup();
        Ok(Self {
            text: text.trim().to_string(),
            extensions,
            is_arm: false,
        })
    }

    fn parse_arm(text: &str) -> Result<Self, BaselineError> {
        let mut extensions: Vec<String> = Vec::new();
        for word in text.split([',', '+', ' ']).filter(|w| !w.is_empty()) {
            let word = word.to_ascii_lowercase();
            let (level, beyond): (&str, &[&str]) = match word.as_str() {
                "armv8.0-a" => ("armv8-a", &[]),
                "armv9-a" | "armv9.0-a" => ("armv8.5-a", &["sve", "sve2", "fp16"]),
                other => (other, &[]),
            };
            if let Some(at) = ARM_LEVELS.iter().position(|(name, _)| *name == level) {
                let all = ARM_LEVELS[..=at].iter().flat_map(|(_, adds)| *adds);
                extensions.extend(all.chain(beyond).map(|name| (*name).to_string()));
            } else if NAMES.contains(&word.as_str()) {
                extensions.push(word);
            } else {
                return Err(BaselineError { word });
            }
        }
        extensions.sort();
        extensions.dedup();
        Ok(Self {
            text: text.trim().to_string(),
            extensions,
            is_arm: true,
        })
    }

    /// Whether it is of AArch64, not of x86-64.
    #[must_use]
    pub fn is_arm(&self) -> bool {
        self.is_arm
    }

    /// The extensions that it has, by the names of a census.
    #[must_use]
    pub fn extensions(&self) -> &[String] {
        &self.extensions
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it has an extension, by the name that a census has.
    #[must_use]
    pub fn has(&self, extension: &str) -> bool {
        self.extensions.iter().any(|name| name == extension)
    }
}

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

/// The lowest level that has all of `extensions`, or the highest one for those
/// that no level has.
pub fn level_of(extensions: &[&str]) -> &'static str {
    let mut level = LEVELS[0].0;
    for (name, adds) in LEVELS {
        if extensions.iter().any(|e| adds.contains(e)) {
            level = name;
        }
    }
    level
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
        let mut dull = 0;
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
            if !table().codes[usize::from(brief.code)].is_dull(&brief) {
                continue;
            }
            dull += 1;
            let class = classes.of_number(brief.code);
            let is_noted = class.is_cpuid || class.is_extended || class.is_before_avx;
            assert!(
                !is_noted && !class.is_tzcnt && class.above == 0,
                "{bytes:02x?}"
            );
            assert!(class.flow == FlowControl::Next && brief.named().is_none());
            assert!(!matches!(class.mnemonic, Mnemonic::Nop | Mnemonic::Int3));
            assert_eq!(Store::of(&brief, class, 0), None, "{bytes:02x?}");
        }
        assert!(dull > 100_000, "{dull}");
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

    #[test]
    fn a_level_covers_what_is_below() {
        assert_eq!(level_of(&["popcnt"]), "x86-64-v2");
        assert_eq!(level_of(&["popcnt", "bmi2", "aes"]), "x86-64-v3");
        assert_eq!(level_of(&["avx512vl"]), "x86-64-v4");
    }
}
