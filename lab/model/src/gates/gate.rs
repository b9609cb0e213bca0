//! What the assembly has of a gate function: its code, its calls and what guards them.

use super::run::Hits;
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
    /// Whether a run came to the branch; none without a run.
    #[serde(default)]
    pub hits: Option<Hits>,
}

/// What is at a place where a gate is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Via {
    /// A call or a jump to the gate's function.
    Call,
    /// The gate's body, inlined.
    Inlined,
    /// The gate's body, inlined, and no instruction is left that is its alone: the debug
    /// information still names the place. What is left of it is in the code around.
    Folded,
    /// Code of the source line that the gate was named by.
    Line,
}

/// One place where a gate is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GateCall {
    /// The function whose code it is in.
    pub caller: String,
    /// The call, or the first instruction of the inlined body or of the line; of a
    /// folded body, the place where it would begin.
    pub address: u64,
    /// What is there.
    pub via: Via,
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
    /// Whether a run came here: of a call to the call itself, of the others to any of
    /// their instructions, while only the first one is counted. None without a run.
    #[serde(default)]
    pub hits: Option<Hits>,
}

/// What a gate is worth looking at, after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GateState {
    /// The assembly has nothing of it.
    Absent,
    /// The run never loaded the file, so it says nothing.
    NotLoaded,
    /// It is there, and the run never asked it.
    Dead,
    /// The run asked it; how often was not counted.
    Executed,
    /// The run asked it so seldom that its cost cannot be measured.
    Rare,
    /// The run asked it often.
    Hot,
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
    /// Calls, then inlined bodies, each by address; or the code of a line.
    pub calls: Vec<GateCall>,
    /// Other places that take its address.
    pub pointers: u64,
    /// What limits the answer, if anything.
    #[serde(default)]
    pub caveat: Option<String>,
    /// The answer in one sentence.
    pub summary: String,
    /// Whether a run entered its own function, wherever from; none without a run or
    /// without such a function.
    #[serde(default)]
    pub hits: Option<Hits>,
    /// What the run says of it.
    #[serde(default)]
    pub state: Option<GateState>,
    /// What to do about it.
    #[serde(default)]
    pub advice: Option<String>,
}

impl Gate {
    /// Whether the file has nothing of it.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.addresses.is_empty() && self.calls.is_empty()
    }
}
