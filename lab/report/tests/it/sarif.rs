//! SARIF of findings.

use karat_model::audit_document::AuditDocument;
use karat_model::finding::{Finding, Location, Severity};
use karat_report::{Format, Rule, Setting, render};
use serde_json::{Value, json};

fn finding(code: &str, location: Option<Location>) -> Finding {
    Finding {
        code: code.into(),
        severity: Severity::Warning,
        variant: None,
        place: Some("f".into()),
        location,
        message: "is odd".into(),
    }
}

fn log(rules: &[Rule], findings: Vec<Finding>) -> Value {
    let document = AuditDocument {
        findings,
        ..AuditDocument::default()
    };
    let setting = Setting {
        rules,
        ..Setting::default()
    };
    let text = render(Format::Sarif, &document, setting).expect("audits have it");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn located_findings_and_their_rules_are_written() {
    let rules = ["KA001", "KA002"].map(|code| Rule {
        code,
        title: "a title",
        page: "# page\n".into(),
    });
    let at = Location {
        file: "src/a b.rs".into(),
        line: Some(3),
        column: Some(7),
        address: None,
    };
    let findings = vec![finding("KA001", None), finding("KA002", Some(at))];
    let log = log(&rules, findings);
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 1);
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["ruleIndex"], 0);
    assert_eq!(results[0]["message"]["text"], "f: is odd");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/a%20b.rs");
    assert_eq!(place["region"], json!({ "startLine": 3, "startColumn": 7 }));
}

#[test]
fn a_place_in_a_binary_has_its_address() {
    let at = Location {
        file: "target/app".into(),
        address: Some(0x1234),
        ..Location::default()
    };
    let log = log(&[], vec![finding("KA010", Some(at))]);
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["address"]["absoluteAddress"], 0x1234);
    assert!(place.get("region").is_none());
}
