//! Functions of which much is in doubt by their own branches (`fixtures/reasons.c`).

use crate::by_compilers;
use karat_model::leaks::{Certainty, Reach};

/// How the kernel stands, by each compiler that is there.
fn each(flags: &[&str], check: impl Fn(Reach, Certainty, &str)) {
    let builds = [["cc", "-O1"], ["cc", "-O2"], ["clang", "-O2"]];
    by_compilers::each(&builds, "reasons.c", flags, |report, built| {
        let kernel = report.functions.first().expect("the kernel");
        let what = format!("{built}: {kernel:#?}");
        check(kernel.reach, kernel.confidence, &what);
    });
}

/// Twenty parts that the caller's gate guards come before one that it does not. That one was
/// not looked at, and the function was guarded for certain.
#[test]
fn what_is_behind_many_doubts_is_in_doubt_too() {
    for parts in ["-DPARTS=1", "-DPARTS=5"] {
        for more in [&["-DASK=\"avx2\""][..], &["-DASK=\"avx2\"", "-s"]] {
            each(&[&[parts], more].concat(), |reach, _, what| {
                assert_ne!(reach, Reach::Guarded, "{what}");
            });
        }
    }
}

/// The caller asks for all that is needed.
#[test]
fn many_doubts_behind_one_gate_are_guarded() {
    for parts in ["-DPARTS=1", "-DPARTS=5"] {
        each(&[parts, "-DASK=\"avx512f\""], |reach, confidence, what| {
            let state = (reach, confidence);
            assert_eq!(state, (Reach::Guarded, Certainty::High), "{what}");
        });
    }
}
