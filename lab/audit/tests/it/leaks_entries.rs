//! Where routines are entered: in their middle too (`fixtures/entries.c`), or not at all where
//! linkers write that a file starts (`fixtures/first.c`).

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

/// How the first function of `.text` stands, whose address is the file's entry or not.
fn first(how: u32, flags: &[&str]) -> (Reach, Certainty) {
    let how = format!("-DHOW={how}");
    let all = [&["-O1", "-nostartfiles", how.as_str()], flags].concat();
    let built = cc("first.c", &all);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&built.bytes, &baseline).expect("a sound binary");
    let function = report.functions.first().expect("the kernel");
    (function.reach, function.confidence)
}

#[test]
fn a_library_does_not_start_where_its_code_begins() {
    let (reach, _) = first(0, &["-shared", "-fPIC", "-Wl,-e,first"]);
    assert_eq!(reach, Reach::Guarded);
    for flags in [
        &["-static", "-Wl,-e,first"][..],
        &["-static-pie", "-fPIE", "-Wl,-e,first"],
    ] {
        assert_eq!(first(1, flags).0, Reach::Leak, "{flags:?}");
    }
    let (reach, _) = first(2, &["-shared", "-fPIC", "-Wl,-e,second"]);
    assert_eq!(reach, Reach::Leak);
}
