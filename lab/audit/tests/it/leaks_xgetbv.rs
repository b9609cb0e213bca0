//! XGETBV, which dies where the system does not use XSAVE (`fixtures/xgetbv.c`).

use crate::build::cc;
use crate::truth;
use karat_audit::{Baseline, leaks};
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};

const BUILDS: [&[&str]; 4] = [&["-O2"], &["-O0"], &["-O3", "-s"], &["-O1", "-static"]];

fn report(way: &str, flags: &[&str], baseline: &str) -> LeakReport {
    let way = format!("-D{way}");
    let baseline = Baseline::parse(baseline).expect("a level");
    let built = cc("xgetbv.c", &[&[way.as_str()], flags].concat());
    leaks(&built.bytes, &baseline).expect("a sound binary")
}

/// The states of what dies by XGETBV, or asks before it.
fn asking(way: &str, flags: &[&str]) -> Vec<AboveBaseline> {
    let functions = report(way, flags, truth::BASELINE).functions.into_iter();
    let asking = functions.filter(|one| one.first.mnemonic == "xgetbv");
    asking.collect()
}

#[test]
fn xgetbv_before_a_question_is_a_leak() {
    for flags in BUILDS {
        for way in ["BARE", "LEAF", "HELPED_BARE"] {
            let all = asking(way, flags);
            let leak = all.iter().find(|one| one.reach == Reach::Leak);
            let leak = leak.unwrap_or_else(|| panic!("{way} {flags:?}: {all:#?}"));
            assert_eq!(leak.confidence, Certainty::High, "{way} {flags:?}");
            assert!(leak.extensions.contains(&"xsave".to_owned()), "{leak:#?}");
        }
    }
}

#[test]
fn xgetbv_behind_another_question_is_not_enough() {
    for flags in BUILDS {
        let all = asking("SSE42", flags);
        assert!(
            all.iter()
                .any(|one| one.reach == Reach::Insufficient && one.lacks == ["xsave"]),
            "{flags:?}: {all:#?}"
        );
    }
}

#[test]
fn xgetbv_behind_a_question_is_guarded() {
    for flags in BUILDS {
        for way in ["OSXSAVE", "XSAVE", "AVX", "HELPED", "BUILTIN"] {
            let all = asking(way, flags);
            let is_guarded = |one: &AboveBaseline| one.reach == Reach::Guarded;
            assert!(all.iter().all(is_guarded), "{way} {flags:?}: {all:#?}");
            let is_own = all.iter().any(|one| one.confidence == Certainty::High);
            assert!(is_own, "{way} {flags:?}: {all:#?}");
        }
    }
}

/// Nearly all who execute it asked before, so that what is not known of it is not told.
#[test]
fn what_is_not_known_of_xgetbv_is_left_out() {
    for flags in &BUILDS[..3] {
        let report = report("INPUT", flags, truth::BASELINE);
        assert_eq!(report.counts.unknown, 0, "{flags:?}: {report:#?}");
        assert_eq!(report.counts.leaks, 0, "{flags:?}: {report:#?}");
        assert_eq!(report.counts.guarded, 1, "{flags:?}: {report:#?}");
    }
}

#[test]
fn a_baseline_may_have_it() {
    let report = report("BARE", &["-O2"], "x86-64-v3");
    assert_eq!(report.counts.above, 0, "{report:#?}");
}
