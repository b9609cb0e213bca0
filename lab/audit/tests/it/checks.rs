//! Findings of variants against a baseline.

use crate::build::{KERNEL, facts, rust};
use karat_audit::checks::{ALL, run};
use karat_model::audit::{BinaryAudit, CrateCensus};
use karat_model::finding::{Finding, Severity};

fn findings(flags: &[&str]) -> Vec<Finding> {
    let baseline = facts(&rust(&[]), &[KERNEL], None);
    let variant = facts(&rust(flags), &[KERNEL], Some(&baseline));
    run("variant", &variant, &baseline)
}

fn one<'a>(findings: &'a [Finding], code: &str) -> &'a Finding {
    let all: Vec<_> = findings.iter().filter(|f| f.code == code).collect();
    assert_eq!(all.len(), 1, "{code} in {findings:?}");
    assert_eq!(all[0].variant.as_deref(), Some("variant"));
    all[0]
}

#[test]
fn the_baseline_against_itself_finds_nothing() {
    assert_eq!(findings(&[]), []);
}

#[test]
fn gone_is_an_error() {
    let all = findings(&["--cfg", "gone"]);
    let finding = one(&all, "KA001");
    assert_eq!(finding.severity, Severity::Error);
    assert_eq!(finding.place.as_deref(), Some(KERNEL));
    assert!(
        finding.message.contains("the baseline has it"),
        "{finding:?}"
    );
}

#[test]
fn a_changed_mix_names_the_mnemonics() {
    let all = findings(&["-Ctarget-cpu=x86-64-v4", "--cfg", "keep"]);
    let finding = one(&all, "KA002");
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.contains("vprolq"), "{finding:?}");
    assert!(
        finding.message.contains(": +") || finding.message.contains(": -"),
        "{finding:?}"
    );
}

#[test]
fn inlined_is_a_note_with_its_hosts() {
    let all = findings(&["-Ctarget-cpu=x86-64-v3"]);
    let finding = one(&all, "KA003");
    assert_eq!(finding.severity, Severity::Note);
    assert!(
        finding.message.contains("kernels::main (100 %)"),
        "{finding:?}"
    );
    assert!(!all.iter().any(|f| f.code == "KA001"), "{all:?}");
}

#[test]
fn wider_vectors_name_the_crates() {
    let with = |wide: &[(&str, u64)]| {
        let mut audit = BinaryAudit::default();
        for &(name, zmm) in wide {
            let mut part = CrateCensus {
                name: name.into(),
                by_symbol: false,
                census: Default::default(),
            };
            part.census.zmm = zmm;
            audit.total.zmm += zmm;
            audit.crates.push(part);
        }
        audit
    };
    let before = with(&[("a", 100), ("b", 7)]);
    let after = with(&[("a", 100), ("b", 307), ("c", 20), ("d", 5), ("e", 1)]);
    let all = run("variant", &after, &before);
    let message = &one(&all, "KA004").message;
    assert_eq!(
        message,
        "wide vector instructions grew: zmm 107 → 433, ymm 0 → 0; most from b (+300), c (+20), d (+5)"
    );
    assert_eq!(run("variant", &before, &with(&[("a", 90)])), []);
}

#[test]
fn every_check_has_a_page() {
    for check in ALL {
        let page = check.page();
        assert!(
            page.starts_with(&format!("# {}: {}\n", check.code, check.title)),
            "{page}"
        );
        for part in ["## Why it matters", "## What to do"] {
            assert!(page.contains(part), "{} lacks {part}", check.code);
        }
    }
}
