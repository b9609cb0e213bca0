//! Libraries whose user may say which kernel is picked (`fixtures/said_number.c`,
//! `fixtures/said_first.c`).

use crate::build::try_by;
use karat_audit::{Baseline, leaks};
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

const BUILDS: [[&str; 2]; 3] = [["cc", "-O2"], ["cc", "-O3"], ["clang", "-O2"]];
const LIBRARY: [&str; 3] = ["-shared", "-fPIC", "-fvisibility=hidden"];

/// Kernels of a library by each compiler that is there. The file is followed too.
fn each_of(file: &str, more: &[&str], names: &[&str], check: &impl Fn(&AboveBaseline, &str)) {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for [compiler, level] in BUILDS {
        let flags = [&LIBRARY[..], &[level], more].concat();
        let Some(built) = try_by(compiler, file, &flags) else {
            println!("SKIPPED: {compiler} {flags:?} does not build");
            continue;
        };
        let report = leaks(&built.bytes, &baseline).expect("a sound binary");
        for name in names {
            let mut all = report.functions.iter();
            let kernel = all.find(|it| it.function == *name).expect(name);
            check(kernel, &format!("{compiler} {flags:?}: {kernel:#?}"));
        }
    }
}

/// The kernels in each kind of library.
fn each(says: &str, check: impl Fn(&AboveBaseline, &str)) {
    for like in ["-DLIKE=0", "-DLIKE=1"] {
        for early in ["-DEARLY=0", "-DEARLY=1"] {
            let more = [says, like, early];
            each_of("said_number.c", &more, &["middle", "fast"], &check);
        }
    }
}

fn first(wrong: &str, check: impl Fn(&AboveBaseline, &str)) {
    each_of("said_first.c", &[wrong], &["fast"], &check);
}

#[test]
fn a_number_that_nobody_says_guards() {
    each("-DSAYS=0", |kernel, what| {
        let is_sure = kernel.confidence != Certainty::Low;
        assert!(kernel.reach == Reach::Guarded && is_sure, "{what}");
    });
}

/// Not each word was tried in each order of calls: these were guarded at medium confidence.
#[test]
fn a_number_that_the_user_says_guards_at_low_confidence_at_most() {
    for says in ["-DSAYS=1", "-DSAYS=2", "-DSAYS=3", "-DSAYS=4", "-DSAYS=6"] {
        each(says, |kernel, what| {
            let is_sure = kernel.confidence != Certainty::Low;
            assert!(kernel.reach != Reach::Guarded || !is_sure, "{what}");
        });
    }
}

#[test]
fn a_word_that_is_trimmed_to_what_the_cpu_has_is_no_leak() {
    each("-DSAYS=5", |kernel, what| {
        let is_leak = matches!(kernel.reach, Reach::Leak | Reach::Insufficient);
        assert!(!is_leak, "{what}");
    });
}

/// No word of the user's changes what happens before the user said one: such deaths were dropped.
#[test]
fn what_dies_before_anything_was_said_is_a_leak() {
    for wrong in ["-DWRONG=1", "-DWRONG=4"] {
        first(wrong, |kernel, what| {
            assert_eq!(kernel.reach, Reach::Leak, "{what}")
        });
    }
}

/// A user who says that the kernel may run asked first.
#[test]
fn what_dies_by_what_was_said_is_no_leak() {
    for wrong in ["-DWRONG=0", "-DWRONG=2", "-DWRONG=3"] {
        first(wrong, |kernel, what| {
            let is_leak = matches!(kernel.reach, Reach::Leak | Reach::Insufficient);
            assert!(!is_leak, "{what}");
            let is_sure = kernel.confidence != Certainty::Low;
            assert!(kernel.reach != Reach::Guarded || !is_sure, "{what}");
        });
    }
}
