//! Code behind a constant between functions (`fixtures/behind_constants.c`).

use crate::by_compilers;
use karat_model::leaks::{Certainty, Reach};

/// How the kernel stands, by each compiler that is there, with symbols and without.
fn each(gated: &str, check: impl Fn(Reach, Certainty, &str)) {
    let builds = [["cc", "-O1"], ["cc", "-O2"], ["clang", "-O2"]];
    for more in [&[][..], &["-s"], &["-DDEEP=1"], &["-DDEEP=1", "-s"]] {
        let flags = [&[gated][..], more].concat();
        by_compilers::each(&builds, "behind_constants.c", &flags, |report, built| {
            let kernel = report.functions.first().expect("the kernel");
            let what = format!("{built}: {kernel:#?}");
            check(kernel.reach, kernel.confidence, &what);
        });
    }
}

/// It was read once it was known where it begins, and what it names was not noted: the kernel
/// was guarded for certain, by the other call of it.
#[test]
fn what_it_names_is_used_there() {
    each("-DGATED=0", |reach, _, what| {
        assert_ne!(reach, Reach::Guarded, "{what}");
    });
}

/// Its caller asks.
#[test]
fn what_its_caller_guards_is_guarded() {
    each("-DGATED=1", |reach, confidence, what| {
        let state = (reach, confidence);
        assert_eq!(state, (Reach::Guarded, Certainty::High), "{what}");
    });
}
