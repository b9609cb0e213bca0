//! The findings about one file.

use karat_audit::checks;
use karat_model::audit::BinaryAudit;
use karat_model::audit_document::AuditedFile;
use karat_model::catalogue::Expected;
use karat_model::finding::{Finding, Location, Severity};

/// The findings about one file, each with a place in it.
pub(super) fn of(
    file: &AuditedFile,
    baseline: Option<&BinaryAudit>,
    expected: &Expected,
) -> Vec<Finding> {
    let label = file.label();
    let mut found = match baseline {
        Some(baseline) => checks::run(&label, &file.audit, baseline),
        None => Vec::new(),
    };
    found.extend(checks::run_single(Some(&label), &file.path, &file.audit));
    if let Some(facts) = &file.facts {
        found.extend(checks::run_facts(&label, facts));
    }
    // What is expected must be there, also where the baseline lacks it.
    let same = |a: &Finding, b: &Finding| a.code == b.code && a.place == b.place;
    for gone in checks::run_expected(&label, &file.audit) {
        if !found.iter().any(|other| same(other, &gone)) {
            found.push(gone);
        }
    }
    let missing = expected.missing(&file.audit.known);
    found.extend(missing.into_iter().map(|kernel| Finding {
        code: "KA005".into(),
        severity: Severity::Error,
        variant: Some(label.clone()),
        place: Some(kernel.to_owned()),
        location: None,
        message:
            "expected, and not recognised in the binary by name, instructions or constants".into(),
    }));
    for finding in &mut found {
        if finding.location.is_none() {
            let function = file
                .audit
                .functions
                .iter()
                .find(|f| Some(f.name.as_str()) == finding.place.as_deref());
            finding.location = Some(Location {
                file: file.path.clone(),
                address: function.map(|f| f.address),
                ..Location::default()
            });
        }
    }
    found
}
