//! The loop of the tests that hold what is decided of programs of `tests/leaks`.

use crate::truth::{self, Case, Claim};

/// How much the search has to say of a program of which it is known what happens.
#[derive(Clone, Copy, PartialEq)]
pub enum Must {
    /// What happens.
    Say,
    /// That, or nothing.
    NotDeny,
    /// It may be wrong; the program is run on emulated CPUs instead.
    Happen,
}

/// Builds the programs of which `decided` says whether they die, and compares what is claimed
/// of them. No less than `least` must have been built.
pub fn check(cases: Vec<Case>, least: usize, decided: impl Fn(&str, &str) -> Option<(bool, Must)>) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("program");
    let mut seen = 0;
    for case in cases {
        let Some((dies, must)) = decided(&case.name, &case.build.join(" ")) else {
            continue;
        };
        if let Err(error) = truth::build(&case, &out) {
            println!("SKIPPED: {}: {error}", case.label());
            continue;
        }
        seen += 1;
        if must == Must::Happen {
            match truth::dies_on(&out) {
                Ok(on) => assert_eq!(!on.is_empty(), dies, "{}: {on:?}", case.label()),
                Err(error) => println!("SKIPPED: {}: {error}", case.label()),
            }
            continue;
        }
        let (claim, report) = truth::claim(&std::fs::read(&out).expect("the program"));
        let is_right = match claim {
            Claim::Dies(_) => dies,
            Claim::Lives(_) => !dies,
            Claim::Unknown => must == Must::NotDeny,
        };
        assert!(is_right, "{}: {report:#?}", case.label());
    }
    assert!(seen >= least, "{seen} programs");
}
