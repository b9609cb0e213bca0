//! Libraries whose user may say which kernel is picked (`fixtures/said_number.c`).

use crate::build::try_by;
use karat_audit::{Baseline, leaks};
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

const BUILDS: [[&str; 2]; 3] = [["cc", "-O2"], ["cc", "-O3"], ["clang", "-O2"]];
const LIBRARY: [&str; 3] = ["-shared", "-fPIC", "-fvisibility=hidden"];

/// The kernels, in each kind of library, by each compiler that is there. The file is followed too.
fn each(says: &str, check: impl Fn(&AboveBaseline, &str)) {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for [compiler, level] in BUILDS {
        for [like, early] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let more = [format!("-DLIKE={like}"), format!("-DEARLY={early}")];
            let more = more.each_ref().map(String::as_str);
            let flags = [&LIBRARY[..], &[level, says], &more].concat();
            let Some(built) = try_by(compiler, "said_number.c", &flags) else {
                println!("SKIPPED: {compiler} {flags:?} does not build");
                continue;
            };
            let report = leaks(&built.bytes, &baseline).expect("a sound binary");
            for name in ["middle", "fast"] {
                let mut all = report.functions.iter();
                let kernel = all.find(|it| it.function == name).expect(name);
                check(kernel, &format!("{compiler} {flags:?}: {kernel:#?}"));
            }
        }
    }
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
    for says in ["-DSAYS=1", "-DSAYS=2", "-DSAYS=3", "-DSAYS=4"] {
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
