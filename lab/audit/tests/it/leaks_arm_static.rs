//! AArch64 programs that are linked statically, and variables of threads.

use crate::leaks_arm::{library, program};
use karat_model::leaks::{Certainty, LeakReport, Reach};

/// What is said of the functions whose instructions are of dot products.
fn dots(report: &LeakReport) -> Vec<(Reach, Certainty)> {
    let all = report.functions.iter();
    let dots = all.filter(|f| format!("{f:?}").contains("dot"));
    dots.map(|f| (f.reach, f.confidence)).collect()
}

/// A program that asks itself.
const ASKS: &str = r#"
    unsigned long getauxval(unsigned long);
    int printf(const char *, ...);
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    int main(int argc, char **argv) {
        int a[2] = {argc, 2};
        return getauxval(16) >> BIT & 1 ? printf("%d", help(a)) : a[1];
    }
"#;

#[test]
fn a_static_program_without_symbols_asks_its_own_getauxval() {
    // HWCAP_ASIMDDP, HWCAP_ASIMD, HWCAP_AES.
    for (bit, is_guarded) in [("20", true), ("1", false), ("3", false)] {
        let Some(report) = program(&ASKS.replace("BIT", bit), &["-static", "-s"]) else {
            return;
        };
        let said = dots(&report);
        let is_right = said
            .iter()
            .all(|(reach, _)| (*reach == Reach::Guarded) == is_guarded);
        assert!(is_right && !said.is_empty(), "{bit}: {report:#?}");
    }
}

/// A variable of a thread that tells a level.
const THREADS: &str = r#"
    unsigned long getauxval(unsigned long);
    static __thread int first = FIRST;
    static __thread int level;
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    __attribute__((noinline)) void set(int *a) {
        first += a[1];
        level = getauxval(16) >> BIT & 1;
    }
    __attribute__((noinline)) int work(int *a) { return WHICH ? help(a) + 1 : a[0]; }
    #ifdef MAIN
    int main(int argc, char **argv) {
        int a[2] = {argc, 2};
        set(a);
        return work(a);
    }
    #endif
"#;

fn threads(first: &str, bit: &str, which: &str) -> String {
    (THREADS.replace("FIRST", first).replace("BIT", bit)).replace("WHICH", which)
}

#[test]
fn a_variable_of_a_thread_is_a_variable() {
    for (bit, which, is_guarded) in [
        ("20", "level", true),
        ("1", "level", false),
        ("3", "level", false),
        ("20", "first", false),
        ("20", "!level", false),
    ] {
        for flags in [&["-DMAIN"][..], &["-DMAIN", "-s"], &["-DMAIN", "-O0"]] {
            let Some(report) = program(&threads("3", bit, which), flags) else {
                return;
            };
            let said = dots(&report);
            let is_right = said
                .iter()
                .all(|(reach, _)| (*reach == Reach::Guarded) == is_guarded);
            assert!(
                is_right && !said.is_empty(),
                "{bit} {which} {flags:?}: {report:#?}"
            );
        }
    }
}

/// A library's variables lie elsewhere: nothing is certain of them.
#[test]
fn a_variable_of_a_thread_in_a_library_is_not_known() {
    for flag in [
        "-ftls-model=initial-exec",
        "-ftls-model=global-dynamic",
        "-mtls-dialect=trad",
    ] {
        let Some(report) = library(&threads("0", "20", "level"), &[flag]) else {
            return;
        };
        let said = dots(&report);
        assert!(
            !said.contains(&(Reach::Leak, Certainty::High)),
            "{flag}: {report:#?}"
        );
    }
}
