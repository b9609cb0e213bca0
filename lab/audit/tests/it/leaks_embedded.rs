//! Data between functions of assembly (`fixtures/embedded.c`).

use crate::build::cc;
use karat_audit::{Baseline, searched};
use karat_model::leaks::{Certainty, Reach};

/// How the kernel stands.
fn kernel(asked: u32) -> (Reach, Certainty) {
    let asked = format!("-DASKED={asked}");
    let built = cc("embedded.c", &["-O2", "-shared", "-fPIC", "-s", &asked]);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&built.bytes, &baseline).expect("a sound binary");
    let function = report.functions.first().expect("the kernel");
    (function.reach, function.confidence)
}

#[test]
fn a_function_ends_where_data_begins() {
    assert_eq!(kernel(32), (Reach::Guarded, Certainty::High));
    // Another bit is asked for.
    assert_ne!(kernel(8).0, Reach::Guarded);
}
