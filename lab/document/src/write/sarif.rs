//! SARIF 2.1.0, for code hosts that show findings beside the code.
//!
//! Only findings with a location are written: SARIF's readers drop or misplace the
//! others. Source: OASIS, Static Analysis Results Interchange Format 2.1.0, § 3.27
//! (result) and § 3.49 (reportingDescriptor).

use karat_model::finding::{Finding, Severity};
use serde_json::{Value, json};

/// A kind of finding, for SARIF's list of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The findings' code, such as `KA001`.
    pub code: &'static str,
    /// A few words.
    pub title: &'static str,
    /// The page about it, in Markdown.
    pub page: String,
}

/// The findings as one SARIF log, ending in a newline. Rules that no finding
/// names are left out.
#[must_use]
pub fn render(rules: &[Rule], findings: &[Finding]) -> String {
    let located: Vec<&Finding> = findings.iter().filter(|f| f.location.is_some()).collect();
    let used: Vec<&Rule> = rules
        .iter()
        .filter(|rule| located.iter().any(|f| f.code == rule.code))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "karat",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": used.iter().map(|r| rule(r)).collect::<Vec<_>>(),
            }},
            "results": located.iter().map(|f| result(f, &used)).collect::<Vec<_>>(),
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("a JSON value always serialises");
    text.push('\n');
    text
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "shortDescription": { "text": rule.title },
        "help": { "text": rule.page, "markdown": rule.page },
    })
}

fn result(finding: &Finding, rules: &[&Rule]) -> Value {
    let location = finding
        .location
        .as_ref()
        .expect("only located ones get here");
    let mut physical = json!({ "artifactLocation": { "uri": uri(&location.file) } });
    if let Some(line) = location.line {
        physical["region"] = json!({ "startLine": line.max(1) });
        if let Some(column) = location.column {
            physical["region"]["startColumn"] = json!(column.max(1));
        }
    }
    if let Some(address) = location.address {
        physical["address"] = json!({ "absoluteAddress": address });
    }
    let text = match &finding.place {
        Some(place) => format!("{place}: {}", finding.message),
        None => finding.message.clone(),
    };
    let mut result = json!({
        "ruleId": finding.code,
        "level": match finding.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        },
        "message": { "text": text },
        "locations": [{ "physicalLocation": physical }],
    });
    if let Some(at) = rules.iter().position(|rule| rule.code == finding.code) {
        result["ruleIndex"] = json!(at);
    }
    result
}

/// A path as a URI reference (RFC 3986): what is not allowed in a path's segment is
/// escaped, byte by byte.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}
