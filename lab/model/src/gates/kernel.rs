//! Code for instruction sets that a program may have to choose at run time.

use super::run::Hits;
use crate::leaks::Reach;
use serde::{Deserialize, Serialize};

/// A function above the baseline, or a known kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WatchedKernel {
    /// Demangled name, or the address of code without one.
    pub function: String,
    /// Its first byte.
    pub address: u64,
    /// `library: kernel` where the catalogue knows it.
    #[serde(default)]
    pub known_as: Option<String>,
    /// What it needs beyond the baseline, by rustc's target-feature names or, where
    /// those have none, by the decoder's.
    pub needs: Vec<String>,
    /// Whether this machine's CPU has all of that; none where karat cannot tell.
    pub supported: Option<bool>,
    /// What the leak check says of the way there; none where it did not look.
    #[serde(default)]
    pub reach: Option<Reach>,
    /// Whether a run entered it; none without a run.
    #[serde(default)]
    pub hits: Option<Hits>,
    /// Of one that never ran: code of the same library or crate that did, and needs no
    /// less of the CPU.
    #[serde(default)]
    pub instead: Option<String>,
}

impl WatchedKernel {
    /// Whether this CPU could run it, and the run did neither that nor anything of its
    /// kind: a dispatcher that does not choose it, or a workload that does not need it.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let never = self.hits.is_some_and(|hits| !hits.any());
        self.supported == Some(true) && never && self.instead.is_none()
    }
}
