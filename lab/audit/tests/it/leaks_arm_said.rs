//! A user's word on functions and variables of AArch64 files.

use karat_audit::{Baseline, Vouched, leaks_vouched, said_arm};
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};
use std::process::Command;

/// `help` is above the baseline; what leads there goes by the flags.
const SOURCE: &str = r#"
static __attribute__((noinline)) int help(int *a) {
    __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
    return a[0];
}
#ifdef FUNCTION
int cpu_does_it(void);
int work(int *a) { return cpu_does_it() ? help(a) + 1 : a[0]; }
#endif
#ifdef CELL
extern int cpu_flags;
int work(int *a) { return cpu_flags & 4 ? help(a) + 1 : a[0]; }
#endif
#ifdef OWN_CELL
int cpu_flags;
int work(int *a) { return cpu_flags > 0 ? help(a) + 1 : a[0]; }
#endif
#ifdef NAMELESS
static int cpu_flags;
void take(int flags) { cpu_flags = flags; }
int work(int *a) { return cpu_flags ? help(a) + 1 : a[0]; }
#endif
#ifdef POINTER
typedef int (*kernel)(int *);
static __attribute__((noinline)) int plain(int *a) { return a[1]; }
__attribute__((noinline)) kernel pick(int *a) { return a[0] & 8 ? help : plain; }
int work(int *a) { return pick(a)(a); }
#endif
#ifdef FILLS
struct table { int (*one)(int *); };
static int plain(int *a) { return a[1]; }
void fill(struct table *t, const int *how) { t->one = how[0] & 8 ? help : plain; }
#endif
#ifdef ITSELF
int fill(int *a) {
    __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
    return help(a);
}
#endif
"#;

/// The library with one of the ways; none, and a line that says so, without a compiler.
fn library(flags: &[&str]) -> Option<Vec<u8>> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (source, out) = (dir.path().join("a.c"), dir.path().join("a.so"));
    std::fs::write(&source, SOURCE).expect("a file");
    let built = Command::new("aarch64-linux-gnu-gcc")
        .args(["-shared", "-fPIC", "-O2", "-march=armv8.2-a+dotprod"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&out)
        .status();
    if !built.is_ok_and(|status| status.success()) {
        println!("SKIPPED: no aarch64-linux-gnu-gcc");
        return None;
    }
    Some(std::fs::read(&out).expect("the library"))
}

fn report(library: &[u8], functions: &[&str], cells: &[&str]) -> LeakReport {
    let mut vouched = Vouched::default();
    for word in functions {
        let (name, says) = said_arm(word).expect("a word");
        vouched.function(name, says);
    }
    for word in cells {
        let (name, says) = said_arm(word).expect("a word");
        vouched.cell(name, says);
    }
    let baseline = Baseline::parse("armv8-a").expect("a baseline");
    leaks_vouched(library, &baseline, &vouched).expect("a sound binary")
}

fn of<'r>(report: &'r LeakReport, name: &str) -> &'r AboveBaseline {
    let mut functions = report.functions.iter();
    let found = functions.find(|f| f.function == name);
    found.unwrap_or_else(|| panic!("{report:#?}"))
}

#[test]
fn a_word_on_a_function_or_variable_is_a_gate() {
    // With `-s`, what is not exported has its address for a name.
    let ways: [(&str, bool, &str); 4] = [
        ("-DFUNCTION", true, "cpu_does_it"),
        ("-DCELL", false, "cpu_flags"),
        ("-DOWN_CELL", false, "cpu_flags"),
        ("-DPOINTER", true, "pick"),
    ];
    for (flag, is_function, name) in ways {
        let Some(library) = library(&[flag]) else {
            return;
        };
        let state = |word: &str| {
            let words: &[&str] = if word.is_empty() { &[] } else { &[word] };
            let report = match is_function {
                true => report(&library, words, &[]),
                false => report(&library, &[], words),
            };
            assert!(report.unmatched.is_empty(), "{report:#?}");
            (of(&report, "help").clone(), report)
        };
        let (help, all) = state("");
        // In a variable of its own the file is not seen to put an answer.
        let without = match flag {
            "-DOWN_CELL" => Reach::Leak,
            _ => Reach::Unknown,
        };
        assert_eq!(help.reach, without, "{flag}: {all:#?}");
        for (word, features) in [("", vec![]), ("=dotprod", vec!["dotprod".to_owned()])] {
            let (help, all) = state(&format!("{name}{word}"));
            let is = (help.reach, help.confidence);
            let medium = (Reach::Guarded, Certainty::Medium);
            assert_eq!(is, medium, "{flag} {word}: {all:#?}");
            let gate = help.gates.first().unwrap_or_else(|| panic!("{all:#?}"));
            assert_eq!(gate.features, features, "{flag} {word}: {all:#?}");
            let is_pointer = flag == "-DPOINTER";
            assert!(is_pointer || gate.asks.contains(name), "{all:#?}");
        }
        // What is not enough is not enough, as far as it is somebody's word.
        let (help, all) = state(&format!("{name}=lse"));
        let (reach, sure) = match flag {
            "-DPOINTER" => (Reach::Unknown, Certainty::Low),
            _ => (Reach::Insufficient, Certainty::Medium),
        };
        assert_eq!(
            (help.reach, help.confidence),
            (reach, sure),
            "{flag}: {all:#?}"
        );
    }
}

#[test]
fn a_dispatcher_is_settled_by_its_own_name() {
    let Some(library) = library(&["-DFILLS"]) else {
        return;
    };
    let none = report(&library, &[], &[]);
    assert_eq!(of(&none, "help").reach, Reach::Unknown);
    let [obstacle] = &none.obstacles[..] else {
        panic!("{none:#?}");
    };
    // The report names what can be said, and of what.
    assert!(obstacle.what.contains("fill"), "{obstacle:?}");
    assert!(obstacle.decide.contains("--gate-function"), "{obstacle:?}");
    for (word, reach) in [
        ("fill", Reach::Guarded),
        ("fill=dotprod", Reach::Guarded),
        ("fill=lse", Reach::Unknown),
    ] {
        let report = report(&library, &[word], &[]);
        assert_eq!(of(&report, "help").reach, reach, "{word}: {report:#?}");
        assert_ne!(of(&report, "help").confidence, Certainty::High);
    }
}

/// What it has itself above the baseline it does not guard.
#[test]
fn a_dispatcher_does_not_guard_itself() {
    let Some(library) = library(&["-DITSELF"]) else {
        return;
    };
    let report = report(&library, &["fill"], &[]);
    assert_eq!(of(&report, "help").reach, Reach::Guarded, "{report:#?}");
    assert_eq!(of(&report, "fill").reach, Reach::Exported, "{report:#?}");
}

#[test]
fn what_has_no_name_has_its_address() {
    let Some(library) = library(&["-DNAMELESS"]) else {
        return;
    };
    let file = object::File::parse(&*library).expect("a sound binary");
    use object::{Object, ObjectSymbol};
    let flags = (file.symbols()).find(|symbol| symbol.name() == Ok("cpu_flags"));
    let word = format!("[{:#x}]=dotprod", flags.expect("the variable").address());
    let report = report(&library, &[], &[&word]);
    assert!(report.unmatched.is_empty(), "{report:#?}");
    assert_eq!(of(&report, "help").reach, Reach::Guarded, "{report:#?}");
}

#[test]
fn names_that_the_file_does_not_have_are_said() {
    let Some(library) = library(&["-DOWN_CELL"]) else {
        return;
    };
    let report = report(
        &library,
        &["wurk", "work"],
        &["cpu_flag", "[0x8]", "cpu_flags"],
    );
    let gone: Vec<(&str, Option<&str>)> = (report.unmatched.iter())
        .map(|one| (one.name.as_str(), one.near.as_deref()))
        .collect();
    let all = [
        ("[0x8]", None),
        ("cpu_flag", Some("cpu_flags")),
        ("wurk", Some("work")),
    ];
    assert_eq!(gone, all);
}
