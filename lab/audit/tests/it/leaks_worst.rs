//! How sure it is that a function is guarded, where many gates decide.

use crate::build::cc;
use karat_audit::{Baseline, searched};
use karat_model::leaks::{Certainty, Reach};

/// Five gates that are certain come before the one that is a guess.
#[test]
fn a_function_is_guarded_as_surely_as_by_its_worst_gate() {
    let baseline = Baseline::parse("x86-64").expect("a level");
    for (ways, sure) in [
        (&["-DPICKED", "-DMANY"][..], Certainty::Low),
        (&["-DSUPPORTS"], Certainty::High),
    ] {
        for flags in [&["-O2"][..], &["-O1"], &["-O2", "-s"]] {
            let all = [ways, flags].concat();
            let report = searched(&cc("leaks.c", &all).bytes, &baseline).expect("a sound binary");
            let kernel = &report.functions[0];
            assert_eq!(kernel.reach, Reach::Guarded, "{all:?}: {kernel:#?}");
            assert_eq!(kernel.confidence, sure, "{all:?}: {kernel:#?}");
            // The one that decides is shown.
            let mut shown = kernel.gates.iter();
            assert!(shown.any(|gate| gate.confidence == sure), "{kernel:#?}");
        }
    }
}
