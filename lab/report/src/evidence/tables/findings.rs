//! Findings, those that differ only in the variant taken together.

use karat_model::evidence::Evidence;
use karat_model::finding::{Finding, Severity};

/// The same fact about the same place, in one or more variants.
pub struct Group<'a> {
    /// The check.
    pub code: &'a str,
    /// How much it weighs.
    pub severity: Severity,
    /// Function, workload or file; empty when it is about the whole.
    pub place: &'a str,
    /// Each finding of the group.
    pub findings: Vec<&'a Finding>,
}

/// All findings in groups, in the order of the evidence.
pub fn groups(evidence: &Evidence) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for finding in &evidence.findings {
        let place = finding.place.as_deref().unwrap_or_default();
        let same = |g: &&mut Group<'_>| {
            g.code == finding.code && g.severity == finding.severity && g.place == place
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.findings.push(finding),
            None => groups.push(Group {
                code: &finding.code,
                severity: finding.severity,
                place,
                findings: vec![finding],
            }),
        }
    }
    groups
}

impl Group<'_> {
    /// The variants it is about: `native, native-no-slp`.
    pub fn variants(&self) -> String {
        let names: Vec<&str> = self
            .findings
            .iter()
            .filter_map(|f| f.variant.as_deref())
            .collect();
        names.join(", ")
    }

    /// The message, if all variants have the same one.
    pub fn common_message(&self) -> Option<&str> {
        let first = self.findings.first()?.message.as_str();
        self.findings
            .iter()
            .all(|f| f.message == first)
            .then_some(first)
    }
}
