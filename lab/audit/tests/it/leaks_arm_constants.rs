//! Constants between functions of AArch64 files (`fixtures/constants_arm.S`), whether the file
//! says where they lie or not.

use karat_audit::{Baseline, leaks};
use karat_model::leaks::LeakReport;
use std::process::Command;

fn built(flags: &[&str]) -> Option<LeakReport> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("a.so");
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/it/fixtures/constants_arm.S"
    );
    let built = Command::new("aarch64-linux-gnu-gcc")
        .args(["-shared", "-nostdlib", "-Wa,-march=armv8-a+sve", source])
        .args(flags)
        .arg("-o")
        .arg(&out)
        .status();
    if !built.is_ok_and(|status| status.success()) {
        println!("SKIPPED: no aarch64-linux-gnu-gcc");
        return None;
    }
    let baseline = Baseline::parse("armv8-a").expect("a baseline");
    Some(leaks(&std::fs::read(&out).expect("the file"), &baseline).expect("a sound binary"))
}

/// Instructions above the baseline.
fn above(report: &LeakReport) -> u64 {
    report.functions.iter().map(|one| one.instructions).sum()
}

#[test]
fn constants_are_no_code() {
    for strip in ["-g0", "-s"] {
        let Some(report) = built(&[strip]) else {
            return;
        };
        assert_eq!(above(&report), 0, "{strip}: {report:#?}");
    }
}

/// Behind a table that is none lies code to which only a pointer in data leads, an address that
/// code takes, a branch, or a jump by a register.
#[test]
fn code_behind_constants_counts() {
    for way in ["-DPOINTER", "-DTAKEN", "-DBRANCHED", "-DJUMPED"] {
        for strip in ["-g0", "-s"] {
            let Some(report) = built(&[strip, way]) else {
                return;
            };
            assert_eq!(above(&report), 1, "{way} {strip}: {report:#?}");
        }
    }
}
