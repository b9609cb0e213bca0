//! Ways in which what the CPU told comes to a kernel (`fixtures/told.c`), each with the right
//! question and a wrong one.

use crate::build::cc;
use karat_audit::{Baseline, searched as leaks};
use karat_model::leaks::{Certainty, Reach};

const BUILDS: [&[&str]; 3] = [&["-O2"], &["-O0"], &["-O2", "-s"]];

/// How the kernel stands.
fn reach(way: &str, asked: &str, flags: &[&str]) -> (Reach, Certainty) {
    let (way, asked) = (format!("-D{way}"), format!("-DASKED=\"{asked}\""));
    let all = [&[way.as_str(), asked.as_str()], flags].concat();
    let program = cc("told.c", &all);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = leaks(&program.bytes, &baseline).expect("a sound binary");
    assert_eq!(report.functions.len(), 1, "{all:?}: {report:#?}");
    (report.functions[0].reach, report.functions[0].confidence)
}

/// The right question guards the kernel, the wrong one is not enough.
fn is_understood(way: &str, flags: &[&str]) {
    for (asked, expected) in [("avx2", Reach::Guarded), ("sse4.2", Reach::Insufficient)] {
        let (reach, sure) = reach(way, asked, flags);
        assert_eq!(reach, expected, "{way} {asked} {flags:?}");
        assert!(sure >= Certainty::Medium, "{way} {asked} {flags:?}");
    }
}

#[test]
fn a_variable_of_the_thread_holds_what_was_told() {
    for flags in BUILDS {
        is_understood("THREAD", flags);
    }
    // In libraries its place is asked for: from the loader's table, or by a call.
    for model in ["initial-exec", "global-dynamic", "local-dynamic"] {
        let model = format!("-ftls-model={model}");
        is_understood("THREAD", &["-O2", "-fPIC", "-shared", &model]);
    }
}

#[test]
fn an_atomic_variable_holds_what_was_told() {
    for flags in BUILDS {
        is_understood("ATOMIC", flags);
    }
}

/// Who comes too late finds what another has put there, which is the same unless the user says
/// something else.
#[test]
fn a_word_that_is_set_by_who_comes_first_holds_what_was_told() {
    is_understood("ONCE", &["-O2"]);
    is_understood("ONCE", &["-O2", "-s"]);
    for flags in BUILDS {
        // What another has put there lies on the stack without optimisation, and is not followed;
        // that the vendor was asked for on the way makes no question of it that is understood.
        let (known, _) = reach("ONCE", "avx2", flags);
        assert_ne!(known, Reach::Insufficient, "{flags:?}");
        let (reach, sure) = reach("ONCE_ANY", "avx2", flags);
        let is_claimed = reach == Reach::Guarded && sure > Certainty::Low;
        assert!(!is_claimed, "{flags:?}");
    }
}

#[test]
fn an_address_that_is_left_over_at_a_jump_by_a_table_is_given_to_nobody() {
    for flags in BUILDS {
        is_understood("TABLED", flags);
        let (reach, sure) = reach("TABLED_OUT", "avx2", flags);
        let is_claimed = reach == Reach::Guarded && sure > Certainty::Low;
        assert!(!is_claimed, "{flags:?}");
    }
}

#[test]
fn a_variable_of_the_thread_that_others_may_write_says_nothing() {
    for level in ["-O2", "-O0"] {
        let flags = [level, "-fPIC", "-shared"];
        let (reach, sure) = reach("THREAD_TAKEN", "avx2", &flags);
        let is_claimed = reach == Reach::Guarded && sure > Certainty::Low;
        assert!(!is_claimed, "{flags:?}");
    }
}

#[test]
fn a_level_that_the_environment_lowers_is_still_one() {
    for flags in BUILDS {
        is_understood("LEVEL", flags);
        let (reach, _) = reach("HIGHER", "avx2", flags);
        assert_ne!(reach, Reach::Guarded, "{flags:?}");
    }
}

#[test]
fn a_name_that_is_compared_is_what_was_chosen() {
    for flags in BUILDS {
        is_understood("NAME", flags);
    }
}

/// A status says that the answer was stored; without one what was there before may be there.
#[test]
fn an_answer_behind_a_pointer_is_there_if_a_status_says_so() {
    for flags in BUILDS {
        is_understood("STATUS", flags);
        let (reach, _) = reach("SILENT", "avx2", flags);
        assert_ne!(reach, Reach::Guarded, "{flags:?}");
    }
}

#[test]
fn a_probe_beside_a_kernel_guards_it() {
    is_understood("PROBE", &["-O0"]);
    for flags in BUILDS {
        // What one of them says, another one's kernel does not go by.
        let (reach, _) = reach("EARLIER", "avx2", flags);
        assert_ne!(reach, Reach::Guarded, "{flags:?}");
    }
}

/// A call through a pointer that may be something else too is no proof that it comes there.
#[test]
fn a_call_that_may_go_elsewhere_proves_no_leak() {
    for flags in BUILDS {
        for way in ["PARTLY", "PROBE"] {
            let (reach, _) = reach(way, "avx2", flags);
            assert_ne!(reach, Reach::Leak, "{way} {flags:?}");
        }
    }
}

#[test]
fn a_gate_that_is_not_enough_does_not_guard_what_is_not_followed() {
    for flags in BUILDS {
        let (reach, _) = reach("SORTED", "sse4.2", flags);
        assert_ne!(reach, Reach::Guarded, "{flags:?}");
    }
}

/// The routine that is called may run on into another, which changes the register.
#[test]
fn a_register_stays_over_a_call_of_what_leaves_it_alone() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for (flags, is_kept) in [(&["-O2"][..], true), (&["-O2", "-DRUNS_ON"], false)] {
        let program = cc("kept.c", flags);
        let report = leaks(&program.bytes, &baseline).expect("a sound binary");
        let kernel = &report.functions[0];
        let is_guarded = kernel.reach == Reach::Guarded && kernel.confidence > Certainty::Low;
        assert_eq!(is_guarded, is_kept, "{report:#?}");
    }
}

/// Assembly carries the CPU's flags in registers that are no arguments, from function to function.
#[test]
fn flags_are_carried_by_jumps() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let stands = |flags: &[&str]| {
        let program = cc("jumped.c", flags);
        let report = leaks(&program.bytes, &baseline).expect("a sound binary");
        (report.functions[0].reach, report.functions[0].confidence)
    };
    // AVX2's bit of leaf 7, and BMI1's.
    let (avx2, bmi1) = ("-DASKED=\"32\"", "-DASKED=\"8\"");
    for level in ["-O2", "-O0"] {
        assert_eq!(stands(&[level, avx2]), (Reach::Guarded, Certainty::High));
        assert_eq!(stands(&[level, bmi1]).0, Reach::Insufficient);
        let (reach, _) = stands(&[level, avx2, "-DOTHERS"]);
        assert_ne!(reach, Reach::Guarded, "somebody else did not ask");
        // Two variables that are read as one are not followed, which is no proof of a leak.
        assert_ne!(stands(&[level, avx2, "-DWIDE"]).0, Reach::Leak);
    }
}

/// What is asked behind a place that another function jumps to is asked of all who come there.
#[test]
fn a_gate_counts_behind_a_place_that_is_jumped_to() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let stands = |flags: &[&str]| {
        let program = cc("inside.c", flags);
        let report = leaks(&program.bytes, &baseline).expect("a sound binary");
        (report.functions[0].reach, report.functions[0].confidence)
    };
    // AVX2's bit of leaf 7, and BMI1's.
    let (avx2, bmi1) = ("-DASKED=\"32\"", "-DASKED=\"8\"");
    for level in ["-O2", "-O0"] {
        assert_eq!(stands(&[level, avx2]), (Reach::Guarded, Certainty::High));
        let (reach, _) = stands(&[level, bmi1]);
        assert_ne!(reach, Reach::Guarded, "something else is asked");
        let (reach, _) = stands(&[level, avx2, "-DBEFORE"]);
        assert_ne!(reach, Reach::Guarded, "it is asked before");
    }
}

/// The object that a function is called with is the table that it was taken from.
#[test]
fn a_table_that_is_the_first_argument_is_one() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for flags in BUILDS {
        let report = leaks(&cc("object.c", flags).bytes, &baseline).expect("a sound binary");
        let kernel = &report.functions[0];
        let is_certain = kernel.reach == Reach::Guarded && kernel.confidence > Certainty::Low;
        assert!(!is_certain, "{flags:?}: {report:#?}");
    }
}
