//! A pointer that begins with a kernel (`fixtures/begins.c`).

use crate::build::cc;
use karat_audit::{Baseline, leaks, searched};
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};

fn kernel(report: LeakReport) -> AboveBaseline {
    assert_eq!(report.functions.len(), 1, "{report:#?}");
    report.functions.into_iter().next().expect("one")
}

#[test]
fn what_is_asked_later_does_not_guard_what_a_pointer_begins_with() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for flags in [&["-O2"][..], &["-O0"], &["-O2", "-s"]] {
        let built = cc("begins.c", flags);
        let alone = kernel(searched(&built.bytes, &baseline).expect("a sound binary"));
        let sure = (alone.reach, alone.confidence);
        assert_ne!(
            sure,
            (Reach::Guarded, Certainty::High),
            "{flags:?}: {alone:#?}"
        );
        let followed = kernel(leaks(&built.bytes, &baseline).expect("a sound binary"));
        assert_eq!(followed.reach, Reach::Leak, "{flags:?}: {followed:#?}");

        let built = cc("begins.c", &[&["-DBEGIN=plain"], flags].concat());
        let right = kernel(searched(&built.bytes, &baseline).expect("a sound binary"));
        let sure = (right.reach, right.confidence);
        assert_eq!(
            sure,
            (Reach::Guarded, Certainty::High),
            "{flags:?}: {right:#?}"
        );
    }
}
