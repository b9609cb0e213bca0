//! Programs of Go's compiler (`fixtures/go`), followed from their initialisers on: each as one
//! that asks for what its kernel needs, and as one that asks for less.

use karat_audit::{Baseline, leaks};
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};
use std::path::Path;
use std::process::Command;

/// What is found of a program; none where there is no Go.
fn report(tags: &str, flags: &[&str]) -> Option<LeakReport> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures/go");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("program");
    let mut command = Command::new("go");
    command
        .current_dir(source)
        .args(["build", "-trimpath", "-buildvcs=false"])
        .args(flags)
        .arg(format!("-tags={tags}"))
        .arg("-o")
        .arg(&out)
        .arg(".")
        .envs([("GOAMD64", "v1"), ("CGO_ENABLED", "0"), ("GOFLAGS", "")]);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            println!("SKIPPED: go: {error}");
            return None;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tags}: {errors}");
    let bytes = std::fs::read(&out).expect("the program");
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    Some(leaks(&bytes, &baseline).expect("a sound program"))
}

fn kernel(report: LeakReport) -> AboveBaseline {
    let mut all = report.functions.into_iter();
    let kernel = all.find(|f| f.function.starts_with("main.kernel"));
    kernel.expect("the kernel by its name")
}

const STRIPPED: &[&str] = &["-ldflags=-s -w"];

fn is_decided(kind: &str, flags: &[&str]) {
    let Some(good) = report(kind, flags) else {
        return;
    };
    let good = kernel(good);
    assert_eq!(good.reach, Reach::Guarded, "{kind} {flags:?}: {good:#?}");
    assert!(!good.gates.is_empty(), "{kind} {flags:?}: {good:#?}");
    let bad = report(&format!("{kind},bad"), flags).expect("built before");
    let bad = kernel(bad);
    assert_eq!(bad.reach, Reach::Insufficient, "{kind} {flags:?}: {bad:#?}");
}

/// Nothing false may be said of what is not followed.
fn is_not_falsely_decided(kind: &str) {
    let Some(good) = report(kind, STRIPPED) else {
        return;
    };
    let good = kernel(good);
    let dies = matches!(good.reach, Reach::Leak | Reach::Insufficient);
    assert!(!dies, "{kind}: {good:#?}");
    let bad = kernel(report(&format!("{kind},bad"), STRIPPED).expect("built before"));
    // The search itself may say so with little certainty.
    let lives = matches!(bad.reach, Reach::Guarded | Reach::Unreferenced);
    let is_sure = bad.confidence != Certainty::Low;
    assert!(!(lives && is_sure), "{kind}: {bad:#?}");
}

#[test]
fn a_copy_of_the_packages_cpu_is_followed() {
    is_decided("cell", &[]);
    is_decided("cell", STRIPPED);
}

#[test]
fn programs_that_move_are_followed() {
    is_decided("cell", &["-buildmode=pie"]);
    is_decided("variable", &["-buildmode=pie", "-ldflags=-s -w"]);
}

#[test]
fn a_variable_of_a_package_holds_the_best() {
    is_decided("variable", &[]);
    is_decided("variable", STRIPPED);
}

#[test]
fn interfaces_are_sorted_by_what_they_say() {
    is_decided("interface", STRIPPED);
}

#[test]
fn closures_keep_what_was_asked() {
    is_decided("closure", STRIPPED);
}

#[test]
fn own_assembly_asks() {
    is_decided("asks", STRIPPED);
}

#[test]
fn goroutines_are_given_what_was_asked() {
    is_decided("goroutine", STRIPPED);
}

#[test]
fn what_catches_a_panic_is_not_falsely_decided() {
    is_not_falsely_decided("recovers");
}

/// The run-time's own kernels are known by those who call them, with symbols and without.
#[test]
fn the_run_times_own_kernels_are_guarded() {
    for flags in [&[], STRIPPED] {
        let Some(report) = report("cell", flags) else {
            return;
        };
        let own = |f: &&AboveBaseline| !f.function.starts_with("main.");
        let others: Vec<&AboveBaseline> = report.functions.iter().filter(own).collect();
        assert!(others.len() >= 8, "{flags:?}: {others:#?}");
        let names: Vec<&str> = (others.iter())
            .filter(|f| !matches!(f.reach, Reach::Guarded | Reach::Unreferenced))
            .map(|f| f.function.as_str())
            .collect();
        assert!(names.is_empty(), "{flags:?}: {names:?}");
    }
}
