//! Functions that are registered in tables by a number, of which answers pick one.

use crate::build::cc;
use karat_audit::{Baseline, searched};
use karat_model::leaks::{Certainty, Reach};

/// `HOW` of the fixture, and whether a wrong bit is asked for.
fn states(how: u32, is_wrong: bool, level: &str) -> Vec<(String, Reach, Certainty)> {
    let how = format!("-DHOW={how}");
    let far = if is_wrong {
        "-DFAR=(1u<<3)"
    } else {
        "-DFAR=(1u<<5)"
    };
    let built = cc("registry.c", &["-shared", "-fPIC", level, &how, far]);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&built.bytes, &baseline).expect("a sound binary");
    let functions = report.functions.into_iter();
    let all: Vec<_> = functions
        .map(|it| (it.function, it.reach, it.confidence))
        .collect();
    assert_eq!(all.len(), 4, "{how} {level}: {all:?}");
    all
}

#[test]
fn what_is_registered_runs_where_its_number_is_picked() {
    for (how, sure) in [
        (0, Certainty::Medium),
        (1, Certainty::Medium),
        (7, Certainty::Low),
    ] {
        for level in ["-O2", "-O3"] {
            let all = states(how, false, level);
            let is_one = |(_, reach, how)| (reach, how) == (Reach::Guarded, sure);
            assert!(all.iter().cloned().all(is_one), "{how} {level}: {all:?}");
            // What is asked for the largest kind does not imply what it needs.
            for (name, reach, _) in states(how, true, level) {
                let is_far = name.ends_with("avx2");
                assert_eq!(
                    reach == Reach::Guarded,
                    !is_far,
                    "{how} {level}: {name} {reach:?}"
                );
            }
        }
    }
}

/// All contexts are one, somebody names a kind, tries all, is told it by the library's user, or
/// keeps a kernel beside its context.
#[test]
fn what_is_registered_and_used_otherwise_is_not_guarded() {
    for how in 2..=6 {
        for level in ["-O2", "-O3"] {
            let all = states(how, false, level);
            // Of the kind that is named.
            let concerned = |name: &str| how != 3 || name.ends_with("avx2");
            let is_guarded = |(name, reach, _): &(String, Reach, Certainty)| {
                *reach == Reach::Guarded && concerned(name)
            };
            assert!(!all.iter().any(is_guarded), "{how} {level}: {all:?}");
        }
    }
}
