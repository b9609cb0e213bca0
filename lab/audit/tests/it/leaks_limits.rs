//! Programs that are larger than what a search follows.

use crate::build::cc;
use karat_audit::{Baseline, searched};
use karat_model::leaks::Reach;

/// How thirty large kernels stand that are behind one question.
fn reaches(asked: &str) -> Vec<Reach> {
    let program = cc("large.c", &["-O2", &format!("-DASKED=\"{asked}\"")]);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&program.bytes, &baseline).expect("a sound binary");
    (report.functions.iter())
        .map(|function| function.reach)
        .collect()
}

#[test]
fn many_large_kernels_leave_enough_to_ask_who_calls_them() {
    assert_eq!(reaches("avx2"), [Reach::Guarded; 30]);
    // The wrong question covers none of them.
    let wrong = reaches("sse4.2");
    assert_eq!(wrong.len(), 30);
    assert!(!wrong.contains(&Reach::Guarded), "{wrong:?}");
}
