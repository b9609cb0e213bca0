//! Which functions need more than the declared instruction set, and whether the
//! program asks the CPU before it gets there.

use crate::finding::Location;
use serde::{Deserialize, Serialize};

/// How a function above the baseline is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// An entry of the program gets there by direct calls without a gate.
    Leak,
    /// Every unguarded way crosses a gate that asks for less than is needed.
    Insufficient,
    /// It is an entry itself: a shared library exports it, so to ask the CPU is
    /// its caller's duty. Also what only saves wide registers for callers of such, and
    /// what an exported function leads to that is there for callers who asked.
    Exported,
    /// Neither a gate nor an unguarded path was found.
    Unknown,
    /// Every way there that was found crosses a gate.
    Guarded,
    /// Nothing in the file calls it or has its address: no way leads there.
    Unreferenced,
}

/// How sure a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// A heuristic: the pointer's table is used where the CPU is asked, or handed on
    /// to code that is not seen to call from it.
    Low,
    /// The gate is in the function that takes the pointer, not shown to decide it, or
    /// what is called was picked from a table in a way that is not followed.
    Medium,
    /// Each step is a direct call or a branch that decides the call.
    High,
}

/// An instruction that a CPU of the baseline lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Offence {
    /// Mnemonic, lower case.
    pub mnemonic: String,
    /// Address as linked.
    pub address: u64,
    /// The extensions it needs beyond the baseline.
    pub extensions: Vec<String>,
    /// Source line, when the file has line tables.
    #[serde(default)]
    pub location: Option<Location>,
}

/// One function of a call path, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The function.
    pub function: String,
    /// Where it calls the next step; of the last, the offending instruction.
    pub address: u64,
    /// Source line of that, when the file has line tables.
    #[serde(default)]
    pub location: Option<Location>,
}

/// What asks the CPU on the way to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GateKind {
    /// A conditional branch on what the CPU answered.
    Branch,
    /// A function pointer chosen by what the CPU answered.
    Pointer,
    /// The resolver of an indirect function (`target_clones`, libc's `memcpy`).
    Ifunc,
}

/// One gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GuardedBy {
    /// What it is.
    pub kind: GateKind,
    /// The function it is in.
    pub function: String,
    /// The branch, or the place that takes the pointer.
    pub address: u64,
    /// Where the answer comes from: `cpuid`, a variable, or a function's result.
    pub asks: String,
    /// The features that are there behind it, without those that others of them imply;
    /// also what is no feature, such as `the vendor`. Empty when that is not known.
    #[serde(default)]
    pub features: Vec<String>,
    /// How sure that is.
    pub confidence: Certainty,
}

/// One function that has instructions above the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AboveBaseline {
    /// Demangled name, or the address of a function without one.
    pub function: String,
    /// Its first byte.
    pub address: u64,
    /// Instructions above the baseline.
    pub instructions: u64,
    /// The extensions they need.
    pub extensions: Vec<String>,
    /// The first of them, in address order; of a leak the first that is reached.
    pub first: Offence,
    /// How it is reached.
    pub reach: Reach,
    /// The extensions it needs that neither the baseline nor a gate implies.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Whether it asks the CPU itself: a dispatcher above the baseline dies
    /// before its answer.
    pub is_dispatcher: bool,
    /// How sure the state is.
    pub confidence: Certainty,
    /// Of a leak, the calls from an entry to the instruction.
    #[serde(default)]
    pub path: Vec<Step>,
    /// Gates on the ways there, a few.
    #[serde(default)]
    pub gates: Vec<GuardedBy>,
    /// Why the state is not known, or what the exported name is.
    #[serde(default)]
    pub reason: String,
    /// The variable, table or call that stands in the way of a state.
    #[serde(default)]
    pub obstacle: String,
}

/// What stands in the way of the states of some functions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// The variable, table or call.
    pub what: String,
    /// Functions that hang on it.
    pub functions: u64,
    /// One of them, with the reason.
    pub example: String,
    /// What would decide it.
    pub decide: String,
}

/// A name that a user said something of, and that the file does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UnmatchedName {
    /// As it was given.
    pub name: String,
    /// What is called nearly so, if anything is.
    #[serde(default)]
    pub near: Option<String>,
}

/// Functions by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LeakCounts {
    /// All functions of the file.
    pub functions: u64,
    /// Those with instructions above the baseline.
    pub above: u64,
    /// Of those, by state.
    pub guarded: u64,
    /// See [`Reach::Leak`].
    pub leaks: u64,
    /// See [`Reach::Insufficient`].
    #[serde(default)]
    pub insufficient: u64,
    /// See [`Reach::Exported`].
    pub exported: u64,
    /// See [`Reach::Unknown`].
    pub unknown: u64,
    /// See [`Reach::Unreferenced`].
    #[serde(default)]
    pub unreferenced: u64,
    /// Functions with bytes that do not decode: they may be data, and nothing
    /// is claimed of them.
    pub withheld: u64,
}

/// A whole file compiled for more than the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BuiltFor {
    /// The lowest level that covers what most of these functions need.
    pub level: String,
    /// Functions above the baseline without a gate.
    pub functions: u64,
}

/// Something that loads a file of a package by its name, or another instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Picked {
    /// The binary or script that names both, by its path in the document.
    pub by: String,
    /// The other file, by its path.
    pub other: String,
    /// What a script looks for in what the CPU has before it starts this file. None where
    /// that is not seen: then the other needs no more than the baseline where no gate is.
    #[serde(default)]
    pub asks: Option<String>,
}

impl Picked {
    /// In words, with the names of the files alone; which question is asked, and whether it is
    /// enough, nobody followed.
    #[must_use]
    pub fn describe(&self, baseline: &str) -> String {
        let (by, other) = (last(&self.by), last(&self.other));
        match &self.asks {
            Some(word) => format!(
                "{by} looks for {word} in what the CPU has and loads this file or {other}; \
                 whether that is enough for this one is not followed"
            ),
            None => format!(
                "{by} names this file and {other}, which needs no more than {baseline} without \
                 a gate; whether the CPU is asked before this one is loaded is not followed"
            ),
        }
    }
}

/// The name of a file without its folder.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The answer for one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LeakReport {
    /// The baseline as it was declared.
    pub baseline: String,
    /// How many functions are in which state.
    pub counts: LeakCounts,
    /// Set when so much is above the baseline without a gate, and so little vector code
    /// in the encodings of the baseline, that the file was built for more; single leaks
    /// then say nothing.
    #[serde(default)]
    pub built_for: Option<BuiltFor>,
    /// Set when the file is loaded by its name by something that may load another instead.
    /// Whether that asks the CPU is not known, so nothing here is a leak or insufficient.
    #[serde(default)]
    pub picked: Option<Picked>,
    /// `tzcnt`: older CPUs run it as `bsf`, so it is no leak, but its result for
    /// zero differs. GCC emits it on purpose where zero cannot be.
    pub tzcnt: u64,
    /// Functions above the baseline: leaks first, then by address. Cut at
    /// [`LeakReport::LISTED`] for each state.
    pub functions: Vec<AboveBaseline>,
    /// What stands in the way of functions whose state is unknown; what most hang on
    /// first.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// What limits the answer, if anything.
    #[serde(default)]
    pub limits: Vec<String>,
    /// Names of gates and variables that the user gave and the file does not have.
    #[serde(default)]
    pub unmatched: Vec<UnmatchedName>,
}

impl LeakReport {
    /// Functions listed for each state.
    pub const LISTED: usize = 200;
}
