//! AArch64: what a branch that is not understood decides, and what lies in registers over calls.

use crate::leaks_arm::library;
use karat_model::leaks::{Certainty, LeakReport, Reach};

const HELP: &str = r#"
    int report(int);
    unsigned long getauxval(unsigned long);
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
"#;

/// The CPU's own name, of which the search understands nothing.
const NAME: &str = r#"
    static inline int name(void) {
        unsigned long midr;
        __asm__("mrs %0, midr_el1" : "=r"(midr));
        return midr >> 4;
    }
"#;

/// What is said of the only function above the baseline.
fn only(report: &LeakReport) -> (Reach, Certainty) {
    let mut all = report.functions.iter();
    // Others have atomic instructions.
    let help = all.find(|f| f.function != "check");
    let help = help.unwrap_or_else(|| panic!("{report:#?}"));
    (help.reach, help.confidence)
}

fn library_of(text: &str, flags: &[&str]) -> Option<(Reach, Certainty)> {
    library(&format!("{HELP}{text}"), flags).map(|report| only(&report))
}

/// A flag that a routine brings back, decided by something that is not understood or by the
/// program's own input.
const DECIDED: &str = r#"
    static __attribute__((noinline)) int has(int *a) {
        if (DECIDES) { report(1); if (a[2]) return 1; }
        report(3);
        return 0;
    }
    int work(int *a) { return has(a) ? help(a) + 1 : a[0]; }
"#;

#[test]
fn what_a_branch_that_is_not_understood_decides_is_in_doubt_itself() {
    for (decides, reach) in [("name() == 7", Reach::Unknown), ("a[1]", Reach::Leak)] {
        let text = format!("{NAME}{}", DECIDED.replace("DECIDES", decides));
        for optimisation in ["-O1", "-O2"] {
            let Some(said) = library_of(&text, &[optimisation]) else {
                return;
            };
            assert_eq!(said.0, reach, "{optimisation} {decides}");
        }
    }
}

/// An answer in a register that a routine need not keep, and what the routine does.
const KEPT: &str = r#"
    int word;
    __asm__(
        ".arch armv8.2-a+dotprod+lse\n"
        ".globl work\n.type work, %function\n.type check, %function\n.type other, %function\n"
        "work: stp x29, x30, [sp, #-16]!\n"
        "mov x0, #16\nbl getauxval\nmov x5, x0\nadr x2, work\nbl check\n"
        "tbz x5, #20, 1f\nsdot v0.4s, v1.16b, v2.16b\n"
        "1: ldp x29, x30, [sp], #16\nret\n.size work, . - work\n"
        "check: BODY\n.size check, . - check\n"
        "other: mov x5, #-1\nret\n.size other, . - other\n");
"#;

#[test]
fn what_a_routine_of_the_file_does_not_change_is_there_behind_its_call() {
    for (body, is_guarded) in [
        ("mov x1, #1\\nret", true),
        ("ldr x1, [x2]\\ncbz x1, 2f\\nmov x3, #2\\n2: ret", true),
        ("mov x5, #-1\\nret", false),
        ("ldp x1, x5, [x2]\\nret", false),
        ("ldr x1, [x5], #8\\nret", false),
        ("cas w5, w1, [x2]\\nret", false),
        ("casp x4, x5, x6, x7, [x2]\\nret", false),
        ("stxr w5, w1, [x2]\\nret", false),
        ("b other", false),
        ("cbz x1, other\\nret", false),
    ] {
        let text = KEPT.replace("BODY", body);
        let text = format!("unsigned long getauxval(unsigned long);{text}");
        let Some(report) = library(&text, &["-Wl,-Bsymbolic"]) else {
            return;
        };
        let (reach, _) = only(&report);
        assert_eq!(reach == Reach::Guarded, is_guarded, "{body}: {report:#?}");
    }
}

/// The smaller of a level that is wanted and of one that there is.
const SMALLER: &str = r#"
    __attribute__((target("+sve"), noinline)) static int vast(int *a) {
        __asm__ volatile("ptrue p0.b" : : : "memory");
        return a[0];
    }
    int work(int *a) {
        unsigned long caps = getauxval(16);
        unsigned there = caps >> 20 & 1 ? caps >> 22 & 1 ? 2 : 1 : 0;
        unsigned wanted = a[1] > 500 ? 0 : 2, other = a[2] > 500 ? 0 : 2;
        __asm__ volatile("" : "+r"(wanted), "+r"(there), "+r"(other));
        unsigned level = wanted COMPARED there ? PICKED : there;
        return level == 2 ? vast(a) + 1 : a[0];
    }
"#;

#[test]
fn the_smaller_of_two_levels_is_guarded_and_not_the_larger_nor_a_third() {
    for (compared, picked, is_guarded) in [
        ("<", "wanted", true),
        (">", "wanted", false),
        ("<", "other", false),
    ] {
        let text = (SMALLER.replace("COMPARED", compared)).replace("PICKED", picked);
        let text = format!("unsigned long getauxval(unsigned long);{text}");
        let Some(report) = library(&text, &[]) else {
            return;
        };
        let (reach, _) = only(&report);
        assert_eq!(
            reach == Reach::Guarded,
            is_guarded,
            "{compared} {picked}: {report:#?}"
        );
    }
}

/// A bit of AT_HWCAP2 that is of Armv8.7, and one that is of no version.
const LATER: &str = "int work(int *a) { return getauxval(26) >> BIT & 1 ? help(a) + 1 : a[0]; }";

#[test]
fn bits_of_later_versions_tell_of_dot_products_at_medium() {
    for (bit, reach) in [
        ("20", Reach::Guarded),
        ("17", Reach::Guarded),
        ("15", Reach::Insufficient),
    ] {
        let Some(said) = library_of(&LATER.replace("BIT", bit), &[]) else {
            return;
        };
        assert_eq!(said, (reach, Certainty::Medium), "{bit}");
    }
}

/// Older linkers write where `.text` begins as the start of a library that has no name.
#[test]
fn a_library_does_not_start_where_its_text_begins() {
    let text = r#"
        __attribute__((visibility("hidden"), noinline)) int help(int *a) {
            __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
            return a[0];
        }
        unsigned long getauxval(unsigned long);
        int work(int *a) { return getauxval(16) >> 20 & 1 ? help(a) + 1 : a[0]; }
    "#;
    for entry in ["", "-Wl,--entry=help"] {
        let flags = ["-nostartfiles", entry];
        let some = flags.iter().filter(|flag| !flag.is_empty());
        let Some(report) = library(text, &some.copied().collect::<Vec<_>>()) else {
            return;
        };
        let said = only(&report);
        assert_eq!(said, (Reach::Guarded, Certainty::High), "{entry}");
    }
}
