//! What the assembly has of a gate function: its code, its calls and what guards them.

use crate::finding::Location;
use serde::{Deserialize, Serialize};

/// The branch that decides whether a call is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// The conditional branch.
    pub address: u64,
    /// The instructions that make its condition, as text.
    pub condition: String,
    /// The variable whose value decides, when it is a global one.
    #[serde(default)]
    pub variable: Option<String>,
    /// Source line, when the file has line tables.
    #[serde(default)]
    pub location: Option<Location>,
    /// Why the branch can go one way only, if that can be seen.
    #[serde(default)]
    pub constant: Option<String>,
}

/// One place where a gate is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GateCall {
    /// The function whose code it is in.
    pub caller: String,
    /// The call, or the first instruction of the inlined body.
    pub address: u64,
    /// Whether the body is inlined here.
    pub inlined: bool,
    /// Source line of the call, when the file has line tables.
    #[serde(default)]
    pub location: Option<Location>,
    /// The nearest branch that decides whether this is reached; none when the
    /// caller always gets here.
    #[serde(default)]
    pub guard: Option<Guard>,
    /// Why this never runs, if that can be seen.
    #[serde(default)]
    pub dead: Option<String>,
}

/// One gate function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// As it was asked for.
    pub name: String,
    /// Addresses of functions of that name.
    pub addresses: Vec<u64>,
    /// Instructions of those.
    pub instructions: u64,
    /// Calls, then inlined bodies, each by address.
    pub calls: Vec<GateCall>,
    /// Other places that take its address.
    pub pointers: u64,
    /// What limits the answer, if anything.
    #[serde(default)]
    pub caveat: Option<String>,
    /// The answer in one sentence.
    pub summary: String,
}
