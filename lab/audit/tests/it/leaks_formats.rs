//! The search for leaks in files of Windows and macOS, made by clang and lld. What happens
//! on a CPU without AVX2 is plain from the source; `tests/leaks` has programs that are run.

use crate::tools::{Dir, run};
use karat_audit::{Baseline, leaks};
use karat_model::leaks::{Certainty, LeakReport, Reach};

/// Whether the kernel runs is decided in one of several ways, by a macro.
const SOURCE: &str = concat!(
    include_str!("fixtures/kernel.c"),
    r#"
__attribute__((noinline)) int plain(const int *a, int n) { return a[n - 1] * 3; }
__attribute__((noinline)) static unsigned leaf(unsigned number, int which) {
    unsigned a = number, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return which ? b : c;
}
#if defined(TABLE)
static int (*chosen)(const int *, int);
static int (*const all[])(const int *, int) = {plain, kernel};
static int work(const int *a, int n) {
    if (!chosen)
        chosen = all[leaf(7, 1) >> 5 & 1];
    return chosen(a, n);
}
#elif defined(WRONG)
static int work(const int *a, int n) {
    return leaf(1, 0) >> 20 & 1 ? kernel(a, n) : plain(a, n);
}
#elif defined(FIFTH)
/* The flag is the fifth argument, which is on the stack on Windows. */
__attribute__((noinline, optnone)) static int
with(const int *a, int n, long x, long y, int has) {
    return has ? kernel(a, n) : plain(a, n);
}
static int work(const int *a, int n) { return with(a, n, 1, 2, leaf(7, 1) >> 5 & 1); }
#elif defined(GATE)
static int work(const int *a, int n) {
    return leaf(7, 1) >> 5 & 1 ? kernel(a, n) : plain(a, n);
}
#else
static int work(const int *a, int n) { return kernel(a, n); }
#endif
static int numbers[64];
int main(int c, char **v) {
    for (int i = 0; i < 64; i++)
        numbers[i] = i + c;
    return work(numbers, 64);
}
"#
);

/// What is said of the kernel, of a program in both formats.
fn each(way: &str, test: impl Fn(Reach, Certainty, &str)) {
    let dir = Dir::new();
    dir.write("k.c", SOURCE.as_bytes());
    let exe = "/entry:main /subsystem:console /nodefaultlib k.o /out:k";
    let mac = "-arch x86_64 -platform_version macos 11 11 -e _main k.o -o k";
    for (target, linker, args) in [
        ("x86_64-pc-windows-msvc", "lld-link", exe),
        ("x86_64-apple-macos11", "ld64.lld-14", mac),
    ] {
        for level in ["-O1", "-O2"] {
            let flags = format!(
                "--target={target} -D{way} {level} -fno-optimize-sibling-calls -c k.c -o k.o"
            );
            let flags: Vec<&str> = flags.split(' ').collect();
            let args: Vec<&str> = args.split(' ').collect();
            if run(&dir, "clang", &flags).is_none() || run(&dir, linker, &args).is_none() {
                continue;
            }
            let baseline = Baseline::parse("x86-64-v2").expect("a level");
            let report: LeakReport = leaks(&dir.read("k"), &baseline).expect("a sound file");
            let what = format!("{way} {target} {level}: {report:#?}");
            assert_eq!(report.functions.len(), 1, "{what}");
            let kernel = &report.functions[0];
            test(kernel.reach, kernel.confidence, &what);
        }
    }
}

#[test]
fn a_gate_is_one_on_windows_and_macos() {
    for way in ["GATE", "FIFTH"] {
        each(way, |reach, sure, what| {
            assert_eq!((reach, sure), (Reach::Guarded, Certainty::High), "{what}");
        });
    }
    each("TABLE", |reach, _, what| {
        assert_eq!(reach, Reach::Guarded, "{what}")
    });
}

#[test]
fn no_gate_or_a_wrong_one_is_found_on_windows_and_macos() {
    each("NONE", |reach, sure, what| {
        assert_eq!((reach, sure), (Reach::Leak, Certainty::High), "{what}");
    });
    each("WRONG", |reach, sure, what| {
        assert_eq!(
            (reach, sure),
            (Reach::Insufficient, Certainty::High),
            "{what}"
        );
    });
}

/// Data may lie so far from code that no distance of 32 bits is between them.
#[test]
fn code_and_data_may_be_farther_apart_than_four_gigabytes() {
    let dir = Dir::new();
    dir.write("k.c", SOURCE.as_bytes());
    let flags = "-O2 -nostdlib -static -fno-pie -mcmodel=large -e main -Wl,-Tbss=0x900000000";
    for (way, wanted) in [("TABLE", Reach::Guarded), ("NONE", Reach::Leak)] {
        let way = format!("-D{way}");
        let flags: Vec<&str> = flags.split(' ').chain([&*way, "k.c", "-o", "k"]).collect();
        if run(&dir, "clang", &flags).is_none() {
            continue;
        }
        let baseline = Baseline::parse("x86-64-v2").expect("a level");
        let report = leaks(&dir.read("k"), &baseline).expect("a sound file");
        let reaches: Vec<Reach> = report.functions.iter().map(|it| it.reach).collect();
        assert_eq!(reaches, [wanted], "{way}: {report:#?}");
    }
}

#[test]
fn an_object_is_refused_with_what_is_needed() {
    let dir = Dir::new();
    dir.write("k.c", b"int main(void) { return 0; }\n");
    if run(&dir, "cc", &["-c", "k.c", "-o", "k.o"]).is_none() {
        return;
    }
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let error = leaks(&dir.read("k.o"), &baseline).expect_err("an object");
    let said = error.to_string();
    assert!(said.contains("needs a linked x86-64 file"), "{said}");
    assert!(said.contains("object"), "{said}");
}
