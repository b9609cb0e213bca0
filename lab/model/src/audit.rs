//! What the static audit found in one binary.
//!
//! Counts are of *instructions*, not of lines of a disassembly, and not of
//! executions: code that never runs is counted like code that does.

use crate::bloat::Bloat;
use crate::catalogue::KnownKernel;
use crate::leaks::LeakReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Instructions counted by register width and by instruction-set extension.
///
/// An instruction belongs to the widest register class it names: `vpaddd zmm1,
/// zmm2, ymm3` counts as zmm. `mask` counts instructions that name a `k0..k7`
/// register in any operand or as a write mask; those are counted in their width
/// class too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Census {
    /// All decoded instructions.
    pub instructions: u64,
    /// Bytes of those instructions.
    pub bytes: u64,
    /// Instructions whose widest vector register is 128 bits.
    pub xmm: u64,
    /// Instructions whose widest vector register is 256 bits.
    pub ymm: u64,
    /// Instructions whose widest vector register is 512 bits.
    pub zmm: u64,
    /// Bytes of the 128-bit instructions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub xmm_bytes: u64,
    /// Bytes of the 256-bit instructions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ymm_bytes: u64,
    /// Bytes of the 512-bit instructions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub zmm_bytes: u64,
    /// Instructions that name a mask register.
    pub mask: u64,
    /// AArch64: instructions of the Advanced SIMD and floating-point encoding
    /// groups, loads and stores of their registers included.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub simd: u64,
    /// AArch64: instructions of the SVE and SME encoding groups, whatever registers
    /// they name.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sve: u64,
    /// Positions that do not decode as an instruction.
    pub undecodable: u64,
    /// Instructions by extension (`avx2`, `avx512vl`, `bmi2`, …); the 64-bit
    /// baseline (8086 to SSE2; Armv8.0 with Advanced SIMD) is left out.
    pub extensions: BTreeMap<String, u64>,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Census {
    /// Instructions that work on vector registers.
    pub fn vector(&self) -> u64 {
        self.xmm + self.ymm + self.zmm + self.simd + self.sve
    }

    /// Positions that do not decode over all that were tried, 0 to 1; 0 without
    /// code.
    pub fn undecodable_rate(&self) -> f64 {
        let tried = self.instructions + self.undecodable;
        self.undecodable as f64 / tried.max(1) as f64
    }
}

/// One function of the binary, or one region that nothing says is a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FunctionCensus {
    /// Demangled name without the hash; `[fde 0x…]` for code that has only an
    /// entry of the unwind table (`.eh_frame`), with the address the entry starts
    /// at; `[no symbol]` for code with neither. In an archive the member follows, as
    /// in `crc32 (crc32.o)`.
    pub name: String,
    /// Address of the first instruction. In an object file or an archive, which
    /// have none yet, one that karat gave it; it tells functions apart.
    pub address: u64,
    /// Instructions of this function, inlined code included.
    pub census: Census,
}

/// Code that came from one crate (or one C compile unit's directory),
/// wherever it was inlined. A crate may come twice: by its source lines, and by the
/// symbols of functions that have none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CrateCensus {
    /// Crate name, `core`/`alloc`/`std`, or `[unattributed]`.
    pub name: String,
    /// Whether only the name of the function says so: its code has no source line, as
    /// in naked assembly and in builds without debug information. The crate is then
    /// that of the symbol's path, of `T` for `<T as Trait>::f`; what was inlined there
    /// counts with it. Symbols of C and C++ tell no crate.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_symbol: bool,
    /// Instructions whose innermost source line is in this crate; intrinsics'
    /// wrappers (`core::arch`, and what of `core` they call; the compiler's
    /// `*intrin.h`) are charged to who called them. Where the binary does not say
    /// who that was, they stay with `core`, or with the compile unit in C.
    pub census: Census,
}

/// Whether an expected function is still in the binary, and in what form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SurvivalState {
    /// It has a symbol of its own and the baseline's instruction mix.
    Present,
    /// No symbol of its own; its code runs inside other functions.
    Inlined,
    /// It has a symbol, but its instruction mix differs from the baseline's.
    Changed,
    /// Neither a symbol nor inlined code was found.
    Gone,
}

/// Survival of one expected function in one binary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Survival {
    /// The function as the study names it (a path such as
    /// `blake2b_simd::avx2::compress1_loop`).
    pub function: String,
    /// The state.
    pub state: SurvivalState,
    /// Functions that hold its inlined instructions, most first.
    pub inlined_into: Vec<InlineHost>,
    /// Instructions that came from the function, wherever they are.
    pub census: Census,
    /// Its instruction mix: mnemonic to count, wherever the code is.
    pub mix: BTreeMap<String, u64>,
    /// How alike `mix` and the baseline's are in their *proportions*: with each
    /// mnemonic's count divided by its mix's total, the sum over all mnemonics of
    /// the smaller share, divided by the sum of the larger one (weighted Jaccard).
    /// 1 is equal proportions, 0 no mnemonic in common; `None` in the baseline
    /// itself or when either has no code.
    ///
    /// It cannot see how much code there is: a loop unrolled evenly, a body
    /// inlined at several places or a part lost in proportion leave it at 1
    /// (compare `census.instructions`). Nor does it see register widths and
    /// operands (`vpaddq` is one mnemonic in xmm, ymm and zmm: compare `census`),
    /// the order of instructions, or which of them run.
    pub similarity: Option<f64>,
    /// What limits the answer, such as missing line tables.
    pub caveat: Option<String>,
}

/// A function that holds another function's inlined code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InlineHost {
    /// Demangled name of the function that has the symbol.
    pub function: String,
    /// Instructions of the expected function inside it.
    pub instructions: u64,
}

/// Code of one section that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SectionCensus {
    /// Name of the section; in Mach-O with its segment, as `__TEXT,__text`. Sections
    /// of one name (in objects and archives) are taken together.
    pub name: String,
    /// Bytes of it that count.
    pub bytes: u64,
    /// Its instructions.
    pub census: Census,
}

/// Code of one section that the totals leave out, or say less about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ApartRegion {
    /// Name of the section.
    pub section: String,
    /// Bytes of that code.
    pub bytes: u64,
    /// Positions of them that do not decode; 0 for code that was not decoded.
    pub undecodable: u64,
    /// What sets it apart: a dead copy or data, which are in no total, or code with
    /// bytes that do not decode, whose extensions are in none (its other counts are).
    pub why: String,
}

/// The audit of one binary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BinaryAudit {
    /// Object format and machine, such as `ELF x86-64`, `Mach-O AArch64 object` or
    /// `archive of 12 ELF x86-64 members`.
    pub format: String,
    /// Bytes of executable sections, dead copies and data (see
    /// [`BinaryAudit::apart`]) left out.
    pub code_bytes: u64,
    /// Whether DWARF line and inline information was there to attribute by.
    pub has_line_tables: bool,
    /// The whole binary.
    pub total: Census,
    /// Functions, those with most 256-bit and 512-bit instructions first, then those
    /// with most vector instructions; a prefix of the whole list (see [`BinaryAudit::functions_total`]).
    pub functions: Vec<FunctionCensus>,
    /// How many functions the binary has.
    pub functions_total: u64,
    /// Crates, those with most instructions first; all of them.
    pub crates: Vec<CrateCensus>,
    /// Sections with code, by address (in archives by first member).
    #[serde(default)]
    pub sections: Vec<SectionCensus>,
    /// What is counted in no total or has its extensions withheld, by address of
    /// the section; empty when all code was read and believed.
    #[serde(default)]
    pub apart: Vec<ApartRegion>,
    /// Expected functions, in the study's order.
    pub survival: Vec<Survival>,
    /// Growth against the baseline; none in the baseline itself.
    #[serde(default)]
    pub bloat: Option<Bloat>,
    /// Kernels of well-known libraries that were recognised, those with most
    /// instructions first.
    #[serde(default)]
    pub known: Vec<KnownKernel>,
    /// Code above a declared baseline; none when no baseline was declared.
    #[serde(default)]
    pub leaks: Option<LeakReport>,
    /// Seconds the audit took.
    pub seconds: f64,
}

/// Machines, as [`BinaryAudit::format`] names them.
const MACHINES: [&str; 2] = ["x86-64", "AArch64"];

impl BinaryAudit {
    /// Whether any of the code is for `machine`, such as `AArch64`: an archive may
    /// have members for several.
    #[must_use]
    pub fn is_for(&self, machine: &str) -> bool {
        self.format.contains(machine)
    }

    /// The machine that the code is for; of an archive for several the first.
    #[must_use]
    pub fn machine(&self) -> Option<&'static str> {
        MACHINES.into_iter().find(|machine| self.is_for(machine))
    }

    /// Whether both have code for one machine: else there is nothing to compare.
    #[must_use]
    pub fn same_machine(&self, other: &Self) -> bool {
        let both = |machine: &str| self.is_for(machine) && other.is_for(machine);
        MACHINES.into_iter().any(both)
    }
}
