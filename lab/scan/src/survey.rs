//! What a binary shows of the places: by the modules that they guard.

use karat_model::audit::{BinaryAudit, SurvivalState};
use karat_model::scan::Scan;
use std::collections::{BTreeSet, HashMap};

/// The modules to look for in a binary, as an audit expects them: `krate::module::*`.
#[must_use]
pub fn modules_to_look_for(scan: &Scan) -> Vec<String> {
    let all: BTreeSet<&String> = scan.sites.iter().flat_map(|s| &s.guards).collect();
    all.into_iter()
        .map(|module| format!("{module}::*"))
        .collect()
}

/// Notes at each place what an audit found of its modules.
pub fn survey(scan: &mut Scan, binary: &str, audit: &BinaryAudit) {
    let states: HashMap<&str, SurvivalState> = audit
        .survival
        .iter()
        .map(|s| (s.function.as_str(), s.state))
        .collect();
    scan.binary = Some(binary.to_owned());
    for site in &mut scan.sites {
        site.in_binary = site
            .guards
            .iter()
            .map(|module| {
                let state = states.get(format!("{module}::*").as_str());
                state.copied().unwrap_or(SurvivalState::Gone)
            })
            .collect();
    }
}
