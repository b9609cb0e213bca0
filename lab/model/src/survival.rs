//! Whether expected functions are still in a binary, and in what form.

use crate::census::Census;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
