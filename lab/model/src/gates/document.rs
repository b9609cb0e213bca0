//! What `karat gates` writes.

use super::coverage::Coverage;
use super::gate::Gate;
use super::kernel::WatchedKernel;
use super::run::TracedRun;
use serde::{Deserialize, Serialize};

/// Version of [`GatesDocument`]'s form.
pub const SCHEMA: u32 = 3;

/// All that was asked of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GatesDocument {
    /// [`SCHEMA`].
    pub schema: u32,
    /// karat's version.
    pub karat: String,
    /// The file, as it was named.
    pub binary: String,
    /// The run; none when only the file was looked at.
    #[serde(default)]
    pub run: Option<TracedRun>,
    /// Gates, in the order in which they were asked for.
    pub gates: Vec<Gate>,
    /// Code that a dispatcher may choose, by address; none when it was not asked for.
    #[serde(default)]
    pub kernels: Option<Vec<WatchedKernel>>,
    /// All functions; none when they were not asked for.
    #[serde(default)]
    pub coverage: Option<Coverage>,
    /// What limits the answer, whatever was run.
    #[serde(default)]
    pub notes: Vec<String>,
}
