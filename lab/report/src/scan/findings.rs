//! The places as findings, for SARIF.

use super::rows;
use karat_model::finding::{Finding, Severity};
use karat_model::scan::{Class, Fold, Scan, Site};
use std::collections::HashSet;

/// One finding for each place; of compile-time choices one for each file and set of
/// features, since a vector library has hundreds. What this build has anyway is none.
pub fn findings(scan: &Scan) -> Vec<Finding> {
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    for site in &scan.sites {
        let wanted = site.class != Class::CompileTime
            || (site.fold != Fold::True && seen.insert((&site.location.file, &site.features)));
        if wanted {
            out.push(finding(site));
        }
    }
    out
}

fn finding(site: &Site) -> Finding {
    let severity = match (site.class, site.fold) {
        (Class::CompileTime, Fold::No) => Severity::Warning,
        _ => Severity::Note,
    };
    let features = site.features.join(", ");
    let of = if features.is_empty() {
        String::new()
    } else {
        format!(" ({features})")
    };
    Finding {
        code: site.class.code().into(),
        severity,
        variant: None,
        place: Some(site.item.clone()),
        location: Some(site.location.clone()),
        message: format!(
            "{}{of}; under these flags: {}. {}",
            rows::heading(site.class),
            rows::under_flags(site),
            rows::meaning(site.class)
        ),
    }
}
