//! The machine a run was made on.

use serde::{Deserialize, Serialize};

/// What can be seen of a machine without privileges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Brand string of the CPU.
    pub cpu: String,
    /// Vendor, family, model and stepping, such as `AuthenticAMD 26/2/1`.
    pub cpu_id: String,
    /// ISAs the CPU and the operating system offer (rustc's feature names).
    pub isas: Vec<String>,
    /// Processors this process may run on.
    pub processors: u32,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// Operating system and kernel release.
    pub kernel: String,
    /// Hypervisor, if CPUID says that there is one.
    pub hypervisor: Option<String>,
    /// Frequency governor, if the kernel shows it.
    pub governor: Option<String>,
    /// Whether turbo is on, if the kernel shows it.
    pub turbo: Option<bool>,
    /// Whether two hardware threads share a core, if the kernel shows it.
    pub smt: Option<bool>,
    /// What a CPU quota of karat's control groups allows, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_quota: Option<String>,
    /// Whether the kernel gives this user hardware counters.
    pub perf_counters: bool,
    /// First line of `rustc --version`, if there is a rustc; not asked when nothing
    /// is built.
    pub rustc: Option<String>,
    /// First line of `cc --version`, if there is a C compiler; not asked when nothing
    /// is built.
    pub cc: Option<String>,
}
