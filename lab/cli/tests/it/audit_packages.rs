//! `karat audit` on packages whose libraries belong together, gates that a user names, and
//! `--try`.

use crate::lab::{Lab, have};
use karat_model::audit_document::AuditDocument;
use karat_model::leaks::Reach;
use std::process::Command;

/// Says whether the CPU has AVX2; it is a library's own file.
const ASKS: &str = r#"
#include <cpuid.h>
int cpu_does_it(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    return (b >> 5) & 1;
}
"#;

/// Has the code, and asks the other one.
const USES: &str = r#"
int cpu_does_it(void);
typedef int v8 __attribute__((vector_size(32)));
__attribute__((target("avx2"), noinline)) static int wide(const int *p) {
    v8 a;
    __builtin_memcpy(&a, p, sizeof a);
    a *= a;
    return a[0] + a[7];
}
int work(const int *p) { return cpu_does_it() ? wide(p) + 1 : p[0]; }
"#;

/// A program that runs the code whatever the CPU has, unless it is told not to.
const PROGRAM: &str = r#"
typedef int v8 __attribute__((vector_size(32)));
__attribute__((target("avx2"), noinline)) static int wide(const int *p) {
    v8 a;
    __builtin_memcpy(&a, p, sizeof a);
    a *= a;
    return a[0] + a[7];
}
int main(int c, char **v) {
    int x[8] = {c, 2, 3, 4, 5, 6, 7, 8};
    return c == 1 ? wide(x) == 0 : 0;
}
"#;

/// Compiles in the lab's folder; false, and a line that says so, if that fails.
fn gcc(lab: &Lab, line: &str) -> bool {
    let done = Command::new("gcc")
        .args(line.split(' '))
        .current_dir(lab.path(""))
        .status()
        .is_ok_and(|status| status.success());
    if !done {
        println!("SKIPPED: gcc {line} fails on this machine");
    }
    done
}

/// A package of two libraries, one of which asks the CPU for the other.
fn package() -> Option<Lab> {
    let lab = Lab::empty();
    lab.write("asks.c", ASKS);
    lab.write("uses.c", USES);
    std::fs::create_dir(lab.path("pack")).expect("a folder");
    let libraries = [
        "-O2 -shared -fPIC asks.c -o pack/libasks.so -Wl,-soname,libasks.so",
        "-O2 -shared -fPIC uses.c -o pack/libuses.so -Lpack -lasks -Wl,-rpath,$ORIGIN",
    ];
    if !libraries.iter().all(|line| gcc(&lab, line)) {
        return None;
    }
    let mut tar = Command::new("tar");
    tar.args(["-czf", "pack.tgz", "pack"])
        .current_dir(lab.path(""));
    let tar = tar.status().is_ok_and(|status| status.success());
    assert!(tar, "tar fails");
    Some(lab)
}

/// How the code of `libuses.so` stands, and by which features.
fn state(lab: &Lab, args: &[&str]) -> (Reach, Vec<String>) {
    let always = [
        "audit",
        "--isa",
        "x86-64-v2",
        "--format",
        "json",
        "--exit-zero",
    ];
    let out = lab.karat(&[&always[..], args].concat()).exits(0);
    let document: AuditDocument = serde_json::from_str(&out.stdout).expect("a document");
    let mut files = document.files.iter();
    let file = files.find(|file| file.path.ends_with("libuses.so"));
    let leaks = file.and_then(|file| file.audit.leaks.as_ref());
    let [function] = &leaks.expect("an answer").functions[..] else {
        panic!("{leaks:?}");
    };
    assert_eq!(function.function, "wide");
    let features = function.gates.iter().flat_map(|gate| gate.features.clone());
    (function.reach, features.collect())
}

#[test]
fn a_gate_in_another_library_of_the_package_is_understood() {
    let Some(lab) = package() else { return };
    let (reach, features) = state(&lab, &["pack.tgz"]);
    assert_eq!(reach, Reach::Guarded);
    // `__get_cpuid_count` asks for the leaf first.
    assert_eq!(features, ["avx2", "the highest leaf"]);
    // Alone nothing says what the function tells, until the user does.
    let alone = "pack/libuses.so";
    assert_eq!(state(&lab, &[alone]).0, Reach::Unknown);
    let named = state(&lab, &[alone, "--gate-function", "cpu_does_it=avx2"]);
    assert_eq!(named, (Reach::Guarded, vec!["avx2".into()]));
    let named = state(&lab, &[alone, "--gate-function", "cpu_does_it"]);
    assert_eq!(named.0, Reach::Guarded);
    // What is not enough is not enough.
    let named = state(&lab, &[alone, "--gate-function", "cpu_does_it=sse4.2"]);
    assert_eq!(named.0, Reach::Insufficient);
    let wrong = [
        "audit",
        alone,
        "--isa",
        "x86-64",
        "--gate-function",
        "f=avx3",
    ];
    lab.karat(&wrong)
        .exits(2)
        .says(&["--gate-function", "avx3"]);
}

#[test]
fn what_dies_on_the_baseline_is_proven() {
    if !have("qemu-x86_64") {
        return;
    }
    let lab = Lab::empty();
    lab.write("p.c", PROGRAM);
    if !gcc(&lab, "-O2 -g p.c -o p") {
        return;
    }
    let tried = ["audit", "p", "--isa", "x86-64-v2", "--try"];
    let out = lab.karat(&tried).exits(1);
    for word in ["KA016", "proven by running", "wide"] {
        assert!(out.stdout.contains(word), "{word}: {}", out.stdout);
    }
    let lives = [&tried[..], &["--format", "json", "--", "./p", "lives"]].concat();
    let out = lab.karat(&lives).exits(1);
    // The leak is claimed all the same; nothing is proven.
    let document: AuditDocument = serde_json::from_str(&out.stdout).expect("a document");
    assert!(document.tried.is_some_and(|tried| tried.died.is_none()));
    assert!(document.findings.iter().any(|f| f.code == "KA010"));
    assert!(document.findings.iter().all(|f| f.code != "KA016"));
    // What is claimed of code without a name is found by where it begins.
    assert!(gcc(&lab, "-O2 -s p.c -o p"));
    let out = lab.karat(&[&tried[..], &["--format", "json"]].concat());
    let document: AuditDocument = serde_json::from_str(&out.exits(1).stdout).expect("a document");
    let died = document.tried.and_then(|tried| tried.died);
    let claim = died.and_then(|died| died.claim);
    assert!(
        claim.as_ref().is_some_and(|it| it.starts_with("LEAK")),
        "{claim:?}"
    );
}

/// Of a wheel of programs alone nothing is imported, and it is no program itself.
#[test]
fn a_wheel_without_modules_wants_a_command() {
    if !have("python3") {
        return;
    }
    let lab = Lab::empty();
    lab.write("p.c", PROGRAM);
    if !gcc(&lab, "-O2 p.c -o p") {
        return;
    }
    let pack = "import zipfile; z = zipfile.ZipFile('p-1-py3-none-any.whl', 'w'); \
                z.write('p', 'p-1.data/scripts/p'); \
                z.writestr('p-1.dist-info/METADATA', 'Name: p'); \
                z.writestr('p-1.dist-info/WHEEL', 'Wheel-Version: 1.0'); z.close()";
    let packed = Command::new("python3")
        .args(["-c", pack])
        .current_dir(lab.path(""))
        .status();
    assert!(packed.is_ok_and(|status| status.success()));
    let wheel = "p-1-py3-none-any.whl";
    lab.karat(&["audit", wheel, "--isa", "x86-64-v2", "--try"])
        .exits(102)
        .says(&["no module of", wheel, "--try -- python3"]);
}
