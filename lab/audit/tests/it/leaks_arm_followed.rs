//! AArch64 programs that are followed from their start, and what is known of the C library that
//! is linked in. Each has a wrong twin, which must not be said to live.

use crate::leaks_arm::{library, program};
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};

/// HWCAP's bits of dot products, of AES, and of vectors, which all have.
const RIGHT: &str = "20";
const OTHER: &str = "3";
const ALL: &str = "1";

/// What all programs have.
const HEAD: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    #include <pthread.h>
    unsigned long getauxval(unsigned long);
    typedef int work(int *, int);
    static __attribute__((noinline)) int plain(int *a, int n) { return a[0] + n; }
    static __attribute__((noinline)) int dot(int *a, int n) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0] * n;
    }
    static int data[4] = {1, 2, 3, 4};
"#;

fn built(text: &str, bit: &str, flags: &[&str]) -> Option<LeakReport> {
    let text = format!("{HEAD}{}", text.replace("BIT", bit));
    program(&text, flags)
}

/// Whether all that is above the baseline is guarded, or nothing leads there.
pub(crate) fn lives(report: &LeakReport) -> bool {
    let is_safe = |f: &AboveBaseline| matches!(f.reach, Reach::Guarded | Reach::Unreferenced);
    !report.functions.is_empty() && report.functions.iter().all(is_safe)
}

pub(crate) fn dies(report: &LeakReport) -> bool {
    let mut all = report.functions.iter();
    all.any(|f| matches!(f.reach, Reach::Leak | Reach::Insufficient))
}

/// The program with the right bit lives, and those with others die.
pub(crate) fn is_decided(text: &str, flags: &[&[&str]]) {
    for flags in flags {
        for bit in [RIGHT, OTHER, ALL] {
            let Some(report) = built(text, bit, flags) else {
                return;
            };
            let is_right = match bit {
                RIGHT => lives(&report),
                _ => dies(&report),
            };
            assert!(is_right, "{bit} {flags:?}: {report:#?}");
        }
    }
}

pub(crate) const DYNAMIC: [&[&str]; 3] = [&[], &["-s", "-O3"], &["-O0"]];

#[test]
fn a_structure_on_the_heap_is_followed() {
    let text = r#"
        struct ops { int size; work *first, *second; };
        static struct ops *make(void) {
            struct ops *ops = malloc(sizeof *ops);
            ops->size = 4;
            ops->first = ops->second = plain;
            if (getauxval(16) >> BIT & 1) ops->second = dot;
            return ops;
        }
        int main(int argc, char **argv) {
            struct ops *all[2] = {make(), make()};
            printf("%d\n", all[argc > 1]->second(data, all[0]->size));
        }
    "#;
    is_decided(text, &DYNAMIC);
}

#[test]
fn pthread_once_and_threads_are_followed() {
    let text = r#"
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        static work *picked = plain;
        static void pick(void) { if (getauxval(16) & 1ul << BIT) picked = dot; }
        static void *run(void *given) {
            pthread_once(&once, pick);
            *(int *)given = picked(data, 3);
            return given;
        }
        int main(void) {
            pthread_t thread;
            int out = 0;
            if (pthread_create(&thread, 0, run, &out)) return 1;
            pthread_join(thread, 0);
            printf("%d\n", out);
        }
    "#;
    is_decided(text, &DYNAMIC);
}

#[test]
fn the_best_of_a_sorted_list_is_followed() {
    let text = r#"
        struct one { const char *name; unsigned long needs; int score; work *run; };
        static struct one all[] = {
            {"plain", 0, 1, plain}, {"dot", 1ul << BIT, 9, dot}, {"other", 0, 4, plain}};
        static int better(const void *a, const void *b) {
            return ((const struct one *)b)->score - ((const struct one *)a)->score;
        }
        int main(void) {
            unsigned long has = getauxval(16);
            qsort(all, 3, sizeof *all, better);
            for (int i = 0; i < 3; i++)
                if ((has & all[i].needs) == all[i].needs) {
                    printf("%s %d\n", all[i].name, all[i].run(data, 2));
                    return 0;
                }
        }
    "#;
    is_decided(text, &DYNAMIC);
}

/// What a CPU's number decides is seen on those that were sold: Neoverse N1 has dot products,
/// Cortex-A53 has not.
#[test]
fn the_part_number_decides_on_cpus_that_were_sold() {
    let text = r#"
        int main(void) {
            unsigned long midr = 0;
            if (getauxval(16) >> 11 & 1) __asm__("mrs %0, midr_el1" : "=r"(midr));
            int (*run)(int *, int) = (midr >> 4 & 0xfff) == BIT ? dot : plain;
            printf("%d\n", run(data, 2));
        }
    "#;
    for (part, must) in [("0xd0c", Reach::Guarded), ("0xd03", Reach::Insufficient)] {
        for flags in DYNAMIC {
            let Some(report) = built(text, part, flags) else {
                return;
            };
            let [dot] = &report.functions[..] else {
                panic!("{report:#?}");
            };
            let is_bad = matches!(dot.reach, Reach::Leak | Reach::Insufficient);
            let is_right = (must == Reach::Guarded) != is_bad && dot.reach != Reach::Unknown;
            assert!(is_right, "{part} {flags:?}: {dot:#?}");
            // Other CPUs may have the number too.
            assert!(dot.confidence < Certainty::High, "{dot:#?}");
        }
    }
}

/// glibc's own functions for SVE are picked by what its start keeps of the kernel's word, and its
/// unwinder asks for the length of SVE's registers where a frame names it.
#[test]
fn a_c_library_that_is_linked_in_guards_its_own() {
    let text = r#"
        int main(int argc, char **argv) {
            work *run = getauxval(16) >> BIT & 1 ? dot : plain;
            printf("%d\n", run(data, argc));
        }
    "#;
    is_decided(
        text,
        &[&["-static", "-s"], &["-static", "-s", "-O2", "-flto"]],
    );
}

/// What leads to the length of SVE's registers, where a number is `NUMBER`.
const UNWINDER: &str = r#"
    __asm__(".arch armv8.2-a+sve\n"
            ".type granule, %function\n"
            ".hidden granule\n.globl granule\n"
            "granule: cmp w0, #NUMBER\n"
            "b.CONDITION 1f\n"
            "MORE\n"
            "mov x0, #0\n"
            "ret\n"
            "1: cntd x0\n"
            "ret\n"
            ".size granule, . - granule\n");
    long granule(int);
    long unwind(int number) { return granule(number) + 1; }
"#;

#[test]
fn only_frames_of_sve_name_its_length() {
    for (number, condition, more, is_guarded) in [
        ("46", "eq", "nop", true),
        ("45", "eq", "nop", false),
        ("46", "ne", "nop", false),
        // Another way leads there too.
        ("46", "eq", "cbz w1, 1f", false),
    ] {
        let text = UNWINDER.replace("NUMBER", number);
        let text = text.replace("CONDITION", condition).replace("MORE", more);
        let Some(report) = library(&text, &[]) else {
            return;
        };
        let [granule] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        let known = (granule.reach, granule.confidence);
        match is_guarded {
            true => assert_eq!(known, (Reach::Guarded, Certainty::Medium), "{granule:#?}"),
            false => assert_ne!(granule.reach, Reach::Guarded, "{number} {condition} {more}"),
        }
    }
}
