//! What the static audit found in one binary.
//!
//! Counts are of *instructions*, not of lines of a disassembly, and not of
//! executions: code that never runs is counted like code that does.

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
    /// Instructions that name a mask register.
    pub mask: u64,
    /// Positions that do not decode as an instruction.
    pub undecodable: u64,
    /// Instructions by extension (`avx2`, `avx512vl`, `bmi2`, …); the 64-bit
    /// baseline (8086 to SSE2) is left out.
    pub extensions: BTreeMap<String, u64>,
}

/// One function symbol of the binary (or one region without a symbol).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FunctionCensus {
    /// Demangled name without the hash; `[no symbol]` for code outside any.
    pub name: String,
    /// Address of the first instruction.
    pub address: u64,
    /// Instructions of this symbol, inlined code included.
    pub census: Census,
}

/// Code that came from one crate (or one C compile unit's directory),
/// wherever it was inlined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CrateCensus {
    /// Crate name, `core`/`alloc`/`std`, or `[unattributed]`.
    pub name: String,
    /// Instructions whose innermost source line is in this crate.
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
    /// Overlap of `mix` with the baseline's, both as shares of their totals, 0 to
    /// 1 (sum of minima over sum of maxima); `None` in the baseline itself or
    /// when either has no code.
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

/// The audit of one binary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BinaryAudit {
    /// Object format and machine, such as `ELF x86-64`.
    pub format: String,
    /// Bytes of executable sections.
    pub code_bytes: u64,
    /// Whether DWARF line and inline information was there to attribute by.
    pub has_line_tables: bool,
    /// The whole binary.
    pub total: Census,
    /// Functions, those with most vector instructions first; a prefix of the
    /// whole list (see [`BinaryAudit::functions_total`]).
    pub functions: Vec<FunctionCensus>,
    /// How many functions the binary has.
    pub functions_total: u64,
    /// Crates, those with most instructions first; all of them.
    pub crates: Vec<CrateCensus>,
    /// Expected functions, in the study's order.
    pub survival: Vec<Survival>,
    /// Seconds the audit took.
    pub seconds: f64,
}
