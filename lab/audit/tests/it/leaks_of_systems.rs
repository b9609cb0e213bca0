//! What systems tell of the CPU by a name, what they run before `main`, and routines that
//! have a variable's address in a register. Programs that are run are in `tests/leaks`.

use crate::tools::{Dir, run};
use karat_audit::{Baseline, searched as leaks};
use karat_model::leaks::{Certainty, Reach};

/// A kernel behind `sysctlbyname`, or one that `_initterm` comes to.
const SOURCE: &str = concat!(
    include_str!("fixtures/kernel.c"),
    r#"
static int numbers[64];
#if defined(NAME)
typedef __SIZE_TYPE__ size_t;
int sysctlbyname(const char *, void *, size_t *, void *, size_t);
__attribute__((noinline)) static int has(const char *name) {
    int out = 0;
    size_t size = sizeof out;
    return sysctlbyname(name, &out, &size, 0, 0) == 0 && out;
}
int main(int c, char **v) { return has(NAME) ? kernel(numbers, 64) : c; }
#else
typedef void function(void);
__declspec(dllimport) void _initterm(function **, function **);
static int first;
__attribute__((noinline)) static void start(void) { first = kernel(numbers, 64); }
__attribute__((section(".CRT$XCA"))) function *begin = 0;
__attribute__((section(".CRT$XCU"), used)) static function *const starts = start;
__attribute__((section(".CRT$XCZ"))) function *end = 0;
int main(int c, char **v) {
    _initterm(&begin, &end);
    return first;
}
#endif
"#
);

/// What is said of the only function above the baseline.
fn kernel(bytes: &[u8], what: &str) -> (Reach, Certainty) {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = leaks(bytes, &baseline).expect("a sound file");
    assert_eq!(report.functions.len(), 1, "{what}: {report:#?}");
    (report.functions[0].reach, report.functions[0].confidence)
}

/// Runs tools one after the other; false where one is not there.
fn all_run(dir: &Dir, commands: &[String]) -> bool {
    commands.iter().all(|command| {
        let words: Vec<&str> = command.split(' ').collect();
        run(dir, words[0], &words[1..]).is_some()
    })
}

#[test]
fn what_macos_tells_by_name_is_a_gate() {
    let dir = Dir::new();
    dir.write("k.c", SOURCE.as_bytes());
    for (name, reach) in [
        ("hw.optional.avx2_0", Reach::Guarded),
        ("hw.optional.avx512f", Reach::Guarded),
        ("hw.optional.sse4_2", Reach::Insufficient),
        // How many CPUs there are: any number of them.
        ("hw.ncpu", Reach::Leak),
    ] {
        for level in ["-O0", "-O1", "-O2"] {
            // The version decides how the linker binds what is imported.
            for version in ["11", "13"] {
                let compile = format!(
                    "clang --target=x86_64-apple-macos11 -DNAME=\"{name}\" {level} -c k.c -o k.o"
                );
                let link = format!(
                    "ld64.lld-14 -arch x86_64 -platform_version macos {version} {version} \
                     -undefined dynamic_lookup -e _main k.o -o k"
                );
                if !all_run(&dir, &[compile, link]) {
                    return;
                }
                let what = format!("{name} {level} {version}");
                let (is, sure) = kernel(&dir.read("k"), &what);
                match reach {
                    // No answer, so no gate.
                    Reach::Leak => assert_ne!(is, Reach::Guarded, "{what}"),
                    // At -O0 it is not followed.
                    _ if level == "-O0" && is == Reach::Unknown => {}
                    // Apple's word.
                    _ => assert_eq!((is, sure), (reach, Certainty::Medium), "{what}"),
                }
            }
        }
    }
}

#[test]
fn what_windows_runs_before_main_is_an_entry() {
    let dir = Dir::new();
    dir.write("k.c", SOURCE.as_bytes());
    dir.write("u.def", b"LIBRARY ucrt.dll\nEXPORTS\n_initterm\n");
    for level in ["-O0", "-O1", "-O2"] {
        let commands = [
            "llvm-dlltool -m i386:x86-64 -d u.def -l u.lib".to_owned(),
            format!("clang --target=x86_64-pc-windows-msvc {level} -c k.c -o k.o"),
            "lld-link /entry:main /subsystem:console /nodefaultlib k.o u.lib /out:k".to_owned(),
        ];
        if !all_run(&dir, &commands) {
            return;
        }
        let said = kernel(&dir.read("k"), level);
        assert_eq!(said, (Reach::Leak, Certainty::High), "{level}");
    }
}

#[test]
fn a_store_through_a_register_is_not_lost() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/leaks/gates.c");
    let dir = Dir::new();
    for compiler in ["gcc", "clang", "x86_64-w64-mingw32-gcc"] {
        for level in ["-O0", "-O2"] {
            for (overrides, may_be_guarded) in [("0", true), ("1", false)] {
                let build =
                    format!("{compiler} {level} -w -DOVERRIDES={overrides} {source} -o k.exe");
                // clang keeps the pointer on the stack then, and it is not followed.
                if (compiler, level) == ("clang", "-O0") || !all_run(&dir, &[build]) {
                    continue;
                }
                let what = format!("{compiler} {level} {overrides}");
                let baseline = Baseline::parse("x86-64-v2").expect("a level");
                let report = leaks(&dir.read("k.exe"), &baseline).expect("a sound file");
                let kernel = report.functions.iter().find(|f| f.function == "kernel");
                let reach = kernel.map(|f| f.reach);
                let is_guarded = reach == Some(Reach::Guarded);
                assert_eq!(is_guarded, may_be_guarded, "{what}: {reach:?}");
            }
        }
    }
}

/// A kernel that needs AVX2 is taken behind a gate for SSE4.2, and there by a number too.
const BY_NUMBER: &str = concat!(
    include_str!("fixtures/kernel.c"),
    r#"
static int numbers[64];
typedef int function(int *, int);
static function *volatile chosen;
static volatile int bytes;
__attribute__((noinline)) static int plain(int *a, int n) { return a[n - 1]; }
__attribute__((noinline)) static void choose(void) {
    chosen = plain;
    if (__builtin_cpu_supports("sse4.2") && (NUMBER)) chosen = kernel;
}
int main(int c, char **v) {
    bytes = c;
    choose();
    return chosen(numbers, 64);
}
"#
);

#[test]
fn a_number_that_decides_behind_a_gate_may_hang_on_the_cpu() {
    let dir = Dir::new();
    dir.write("k.c", BY_NUMBER.as_bytes());
    for (number, said) in [
        ("1", (Reach::Insufficient, Certainty::Medium)),
        ("bytes == 32", (Reach::Unknown, Certainty::Low)),
    ] {
        let number = format!("-DNUMBER={number}");
        if run(&dir, "gcc", &["-O2", "k.c", &number, "-o", "k"]).is_none() {
            return;
        }
        assert_eq!(kernel(&dir.read("k"), &number), said, "{number}");
    }
}
