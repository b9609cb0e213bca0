//! Routines that are entered in their middle too (`fixtures/entries.c`).

use crate::build::cc;
use karat_audit::{Baseline, searched};
use karat_model::leaks::{Certainty, Reach};

/// How the kernel stands.
fn kernel(how: u32) -> (Reach, Certainty) {
    let how = format!("-DHOW={how}");
    let built = cc("entries.c", &["-O2", "-shared", "-fPIC", &how]);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&built.bytes, &baseline).expect("a sound binary");
    let function = report.functions.first().expect("the kernel");
    (function.reach, function.confidence)
}

#[test]
fn an_entry_behind_a_gate_does_not_open_it() {
    assert_eq!(kernel(0), (Reach::Guarded, Certainty::High));
}

#[test]
fn an_entry_before_a_gate_or_behind_its_jump_opens_it() {
    for how in [1, 2] {
        assert_ne!(kernel(how).0, Reach::Guarded, "{how}");
    }
}
