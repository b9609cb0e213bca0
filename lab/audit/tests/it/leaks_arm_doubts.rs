//! AArch64: what a branch that is not understood decides, and what lies in registers over calls.

use crate::leaks_arm::{library, program};
use karat_model::leaks::{Certainty, LeakReport, Reach};

const HELP: &str = r#"
    int cpu_does_it(unsigned long);
    int report(int);
    unsigned long getauxval(unsigned long);
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    static __attribute__((noinline)) int plain(int *a) { return a[1]; }
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
    println!("REASON {:?} {:?} {:?}", help.reach, help.reason, help.obstacle);
    (help.reach, help.confidence)
}

fn library_of(text: &str, flags: &[&str]) -> Option<(Reach, Certainty)> {
    library(&format!("{HELP}{text}"), flags).map(|report| only(&report))
}

/// A flag that such a branch stores, leaves in a register, brings back or gives. Instead of
/// `DECIDES` something that is not understood is asked, or the program's own input.
const DECIDED: [&str; 4] = [
    r#"
    static int flag;
    static __attribute__((noinline)) void set(int *a) {
        if (DECIDES) { report(1); flag = 1; }
        report(2);
    }
    int work(int *a) { set(a); return flag ? help(a) + 1 : a[0]; }
    "#,
    r#"
    int work(int *a) {
        int flag = 0;
        if (DECIDES) { report(1); if (a[2]) { report(2); flag = 1; } }
        report(3);
        return flag ? help(a) + 1 : a[0];
    }
    "#,
    r#"
    static __attribute__((noinline)) int has(int *a) {
        if (DECIDES) { report(1); if (a[2]) return 1; }
        report(3);
        return 0;
    }
    int work(int *a) { return has(a) ? help(a) + 1 : a[0]; }
    "#,
    r#"
    static __attribute__((noinline)) int go(int *a, int flag) {
        report(4);
        return flag ? help(a) + 1 : a[0];
    }
    int work(int *a) {
        if (DECIDES) { report(1); return go(a, 1) + 1; }
        return go(a, 0) + 2;
    }
    "#,
];

#[test]
fn what_a_branch_that_is_not_understood_decides_is_in_doubt_itself() {
    for text in DECIDED {
        for (decides, reach) in [("name() == 7", Reach::Unknown), ("a[1]", Reach::Leak)] {
            let text = format!("{NAME}{}", text.replace("DECIDES", decides));
            for optimisation in ["-O1", "-O2"] {
                let Some(said) = library_of(&text, &[optimisation]) else {
                    return;
                };
                assert_eq!(said.0, reach, "{optimisation} {text}");
            }
        }
    }
}

/// Where the ways have met it decides nothing.
#[test]
fn what_is_done_on_both_ways_is_not_in_doubt() {
    let text = r#"
    static int flag;
    static __attribute__((noinline)) void set(int *a) {
        if (name() == 7) report(1);
        report(2);
        if (a[1]) flag = 1;
    }
    int work(int *a) { set(a); return flag ? help(a) + 1 : a[0]; }
    "#;
    if let Some(said) = library_of(&format!("{NAME}{text}"), &[]) {
        assert_eq!(said.0, Reach::Leak);
    }
}

/// A program whose `main` hands on a function, or one of two.
const HANDED: &str = r#"
    int on_exit(int (*)(int *), int *);
    int toupper(int);
    int main(void) {
        int is_there = toupper(getauxval(16));
        return on_exit(WHICH, 0) + is_there;
    }
"#;

#[test]
fn what_main_hands_on_is_not_called_where_something_that_is_not_understood_picks_it() {
    for (which, is_leak) in [("help", true), ("is_there ? help : plain", false)] {
        let text = format!("{HELP}{}", HANDED.replace("WHICH", which));
        let Some(report) = program(&text, &[]) else {
            return;
        };
        let (reach, confidence) = only(&report);
        assert_eq!(reach == Reach::Leak, is_leak, "{which}: {report:#?}");
        assert!(confidence < Certainty::High, "{which}: {report:#?}");
    }
}

/// A word in memory that is not followed: the program's, or the CPU's name.
const FILLED: &str = r#"
    int *place(void);
    int work(int *a) {
        place()[0] = VALUE;
        report(1);
        return place()[0] & 1 ? help(a) + 1 : a[0];
    }
"#;

#[test]
fn what_is_not_understood_may_be_anywhere_when_it_was_stored_where_nobody_follows() {
    for (value, reach) in [("a[1]", Reach::Leak), ("name()", Reach::Unknown)] {
        let Some(said) = library_of(&format!("{NAME}{}", FILLED.replace("VALUE", value)), &[])
        else {
            return;
        };
        assert_eq!(said.0, reach, "{value}");
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
        __asm__ volatile("" : : "r"(wanted), "r"(there), "r"(other));
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
