//! The search for leaks in AArch64 code, on the programs `arm-*` of `tests/leaks`.

use crate::leaks::labels;
use crate::truth::{self, Claim};
use karat_audit::{Baseline, leaks};
use karat_model::leaks::{Certainty, LeakReport, Reach};
use std::process::Command;

/// The claims against the labels, and a few labels against the emulator.
#[test]
fn what_is_claimed_of_aarch64_for_certain_happens() {
    let labels = labels();
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("program");
    let (mut seen, mut unknown) = (0, 0);
    let mut cases = truth::cases();
    cases.retain(|case| {
        let build = case.build.join(" ");
        let ends = ["gcc -O2", "lld -O2", "--target=aarch64-unknown-linux-gnu"];
        case.file.contains(".arm.") && ends.iter().any(|end| build.ends_with(end))
    });
    for case in cases {
        let label = case.label();
        let dies = *labels
            .get(&label)
            .unwrap_or_else(|| panic!("no label of {label}"));
        if let Err(error) = truth::build(&case, &out) {
            println!("SKIPPED: {label}: {error}");
            continue;
        }
        if matches!(
            case.name.as_str(),
            "arm-direct" | "arm-exits" | "arm-resolver-lse"
        ) {
            match truth::dies_on(&out) {
                Ok(on) => assert_eq!(!on.is_empty(), dies, "{label}: {on:?}"),
                Err(error) => println!("SKIPPED: {label}: {error}"),
            }
        }
        let (claim, report) = truth::claim(&std::fs::read(&out).expect("the program"));
        seen += 1;
        match claim {
            Claim::Dies(Certainty::High) => assert!(dies, "{label}: {report:#?}"),
            Claim::Lives(_) => assert!(!dies, "{label}: {report:#?}"),
            Claim::Unknown => unknown += 1,
            Claim::Dies(_) => {}
        }
        // What is not known is named with what can be done about it.
        let mut helps = report.obstacles.iter().map(|o| &o.decide);
        assert!(helps.all(|help| help.contains("--")), "{label}");
        let (bad, less) = match case.name.as_str() {
            "arm-direct" | "arm-inverted" | "arm-warns" => (Some(Reach::Leak), true),
            // Memory decides: medium.
            "arm-heap" => (Some(Reach::Leak), false),
            "arm-lse-before-dot" | "arm-pointer-lse" | "arm-resolver-lse" => {
                (Some(Reach::Insufficient), true)
            }
            "arm-asked"
            | "arm-atomics"
            | "arm-mask-both"
            | "arm-parameter"
            | "arm-pointer"
            | "arm-resolver"
            | "arm-register"
            | "arm-exits"
            | "arm-lazy"
            | "arm-global"
            | "arm-level-2"
            | "arm-struct"
            | "arm-frame"
            | "arm-heap-flag"
            | "arm-probe"
            | "arm-switch"
            | "arm-resolver-second"
            | "arm-selected"
            | "arm-rust-branch" => (None, true),
            _ => (None, false),
        };
        if less {
            // That a bit stands for another feature is of medium confidence.
            let is_right = match bad {
                Some(Reach::Leak) => matches!(claim, Claim::Dies(Certainty::High)),
                Some(_) => matches!(claim, Claim::Dies(_)),
                None => matches!(claim, Claim::Lives(_)),
            };
            assert!(is_right, "{label}: {report:#?}");
        }
        if case.name == "arm-heap" {
            let is_right = matches!(claim, Claim::Dies(Certainty::Medium));
            assert!(is_right, "{label}: {report:#?}");
        }
        if let Some(bad) = bad {
            assert_eq!(report.functions[0].reach, bad, "{label}: {report:#?}");
        }
    }
    // All that is skipped was said.
    assert!(unknown * 20 <= seen, "{unknown} of {seen} unknown");
}

/// A library whose `kernel` is exported and calls what needs dot products.
const KERNEL: &str = r#"
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    int kernel(int *a) { return help(a) + 1; }
    #ifdef TABLE
    static int plain(int *a) { return a[0]; }
    static int (*const table[])(int *) = {plain, kernel};
    int work(int *a, int which) { return table[which & 1](a); }
    #endif
"#;

/// A library whose `work` is what `pick` picks, and that calls it itself.
const PICKED: &str = r#"
    static int wide(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    static int plain(int *a) { return a[0]; }
    static int (*pick(unsigned long hwcap))(int *) { return hwcap & BIT ? wide : plain; }
    int work(int *a) __attribute__((ifunc("pick")));
    int run(int *a) { return work(a) + 1; }
"#;

pub(crate) fn library(text: &str, flags: &[&str]) -> Option<LeakReport> {
    let all = ["-shared", "-fPIC", "-march=armv8.2-a+dotprod"];
    built(text, &[&all, flags].concat())
}

/// A program, most of which is of the baseline.
pub(crate) fn program(text: &str, flags: &[&str]) -> Option<LeakReport> {
    let text = format!("__asm__(\".arch armv8.2-a+dotprod\");{text}");
    built(&text, flags)
}

fn built(text: &str, flags: &[&str]) -> Option<LeakReport> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (source, out) = (dir.path().join("a.c"), dir.path().join("a.out"));
    std::fs::write(&source, text).expect("a file");
    let built = Command::new("aarch64-linux-gnu-gcc")
        .arg("-O2")
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&out)
        .status();
    if !built.is_ok_and(|status| status.success()) {
        println!("SKIPPED: no aarch64-linux-gnu-gcc");
        return None;
    }
    let baseline = Baseline::parse("armv8-a").expect("a baseline");
    Some(leaks(&std::fs::read(&out).expect("the file"), &baseline).expect("a sound binary"))
}

/// Who picks from a table of kernels asks; a function that others call should.
#[test]
fn an_exported_kernel_in_a_table_is_its_callers_duty() {
    for (flags, reach) in [(&[][..], Reach::Leak), (&["-DTABLE"][..], Reach::Exported)] {
        let flags = [&["-Wl,-Bsymbolic"], flags].concat();
        let Some(report) = library(KERNEL, &flags) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        assert_eq!(
            (help.reach, help.confidence),
            (reach, Certainty::Medium),
            "{report:#?}"
        );
    }
}

/// Others may replace it, so the call goes by its name though it is defined here.
#[test]
fn a_function_that_is_picked_and_called_by_its_name_is_of_this_file() {
    // HWCAP_ASIMDDP, and HWCAP_FP, which every one has.
    for (bit, reach) in [("1 << 20", Reach::Guarded), ("1", Reach::Leak)] {
        let Some(report) = library(PICKED, &[&format!("-DBIT=({bit})")]) else {
            return;
        };
        let [wide] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        let is_sure = wide.confidence > Certainty::Low;
        assert!(wide.reach == reach && is_sure, "{bit}: {report:#?}");
    }
}

/// A library whose `work` goes by a variable that `set` changes, and no answer comes to.
const SET: &str = r#"
    static int mode;
    void set(void) { mode = 1; }
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    int work(int *a) { return mode ? help(a) + 1 : a[0]; }
"#;

#[test]
fn what_others_store_in_a_variable_counts_though_they_are_not_gone_through() {
    for optimisation in ["-O0", "-O2"] {
        let Some(report) = library(SET, &["-s", optimisation]) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        let is_right = help.reach == Reach::Leak && help.confidence == Certainty::Medium;
        assert!(is_right, "{optimisation}: {help:#?}");
    }
}

/// A library with a routine that calls itself, each time with a place farther up in the frame
/// of who called it first.
const DEEP: &str = r#"
    unsigned long getauxval(unsigned long);
    static __attribute__((noinline)) unsigned long deep(long *at, unsigned long caps) {
        at[1] = 1;
        return at[0] ? caps : deep(at + 2, caps) + at[1] - 1;
    }
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    int work(int *a) {
        long frame[64] = {0};
        frame[62] = 1;
        return deep(frame, getauxval(16)) && getauxval(16) >> 20 & 1 ? help(a) + 1 : a[0];
    }
"#;

#[test]
fn a_routine_that_calls_itself_farther_up_a_frame_comes_to_an_end() {
    for optimisation in ["-O0", "-O2"] {
        let Some(report) = library(DEEP, &[optimisation]) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        assert_eq!(help.reach, Reach::Guarded, "{optimisation}: {help:#?}");
    }
}
