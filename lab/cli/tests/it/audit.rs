//! `karat audit` on binaries that the tests compile, and on one of the system's.

use crate::lab::{Lab, Outcome, have};
use karat_model::audit::SurvivalState;
use karat_model::audit_document::AuditDocument;
use karat_model::finding::Severity;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Sixty-four loops: each is vectorised as wide as the flags allow.
const LOOPS: &str = r#"
#include <stdlib.h>
#define F(n) __attribute__((noinline)) void loop##n(float *a, const float *b, long c) { \
    for (long i = 0; i < c; i++) { a[i] = a[i] * b[i] + n; a[i] += b[i] * b[i] * n; } \
    for (long i = 0; i < c; i++) { a[i] = a[i] * a[i] + b[i] * n; } }
#define G(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7)
G(1) G(2) G(3) G(4) G(5) G(6) G(7) G(8)
#define C(n) loop##n(a, b, c);
#define D(n) C(n##0) C(n##1) C(n##2) C(n##3) C(n##4) C(n##5) C(n##6) C(n##7)
int main(int c, char **v) {
    float *a = calloc(c * 8, 4), *b = calloc(c * 8, 4);
    D(1) D(2) D(3) D(4) D(5) D(6) D(7) D(8)
    return a[0] > 1e9f;
}
"#;

/// A lab with the program built for plain x86-64 (`plain`) and with 512-bit vectors
/// (`wide`). It is compiled once for all tests.
fn built() -> Option<Lab> {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    if !have("gcc") {
        return None;
    }
    let folder = BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-loops");
        fs::create_dir_all(&folder).expect("a folder for the programs");
        fs::write(folder.join("loops.c"), LOOPS).expect("the source");
        let gcc = |flags: &[&str], out: &str| {
            let mut command = Command::new("gcc");
            command.current_dir(&folder).args(flags);
            command.args(["-O3", "-g1", "loops.c", "-o", out]);
            assert!(
                command.status().expect("gcc starts").success(),
                "{command:?}"
            );
        };
        gcc(&["-march=x86-64"], "plain");
        let wide = [
            "-march=x86-64-v4",
            "-mprefer-vector-width=512",
            "-funroll-loops",
        ];
        gcc(&wide, "wide");
        folder
    });
    let lab = Lab::empty();
    for name in ["plain", "wide"] {
        fs::copy(folder.join(name), lab.path(name)).expect("a copy");
    }
    Some(lab)
}

fn document(out: &Outcome) -> AuditDocument {
    serde_json::from_str(&out.stdout).expect("a document that can be read")
}

#[test]
fn every_format_and_file_says_the_same() {
    let Some(lab) = built() else { return };
    let out = lab.karat(&["audit", "wide", "--format", "json"]).exits(0);
    let json = document(&out);
    assert_eq!(json.schema, 1);
    assert_eq!((json.files.len(), json.failed.len()), (1, 0));
    let total = &json.files[0].audit.total;
    assert!(total.zmm > 300, "{total:?}");
    let zmm = karat_model::units::grouped(total.zmm);
    for format in ["human", "markdown", "html"] {
        let text = lab
            .karat(&["audit", "wide", "--format", format])
            .exits(0)
            .stdout;
        assert!(text.contains(&zmm), "{format}: no {zmm}");
        assert!(text.contains("loop10"), "{format}");
    }
    let sarif = lab
        .karat(&["audit", "wide", "--format", "sarif"])
        .exits(0)
        .stdout;
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let list = [
        "audit", "wide", "-o", "a.md", "-o", "a.html", "-o", "a.json", "-o", "a.sarif",
    ];
    lab.karat(&list).exits(0);
    assert!(lab.read("a.html").starts_with("<!DOCTYPE html>"));
    assert!(lab.read("a.md").contains("| zmm (512 bits) |"));
    serde_json::from_str::<AuditDocument>(&lab.read("a.json")).expect("a document");
    serde_json::from_str::<Value>(&lab.read("a.sarif")).expect("JSON");
    let out = lab.karat(&["audit", "wide", "-o", "a.docx"]).exits(2);
    out.says(&["a.docx", ".sarif"]);
}

#[test]
fn a_baseline_shows_growth_and_red_flags() {
    let Some(lab) = built() else { return };
    let against = |file: &str, baseline: &str| {
        let args = ["audit", file, "--baseline", baseline, "--format", "json"];
        document(&lab.karat(&args).exits(0))
    };
    let codes =
        |d: &AuditDocument| -> Vec<String> { d.findings.iter().map(|f| f.code.clone()).collect() };
    let grown = against("wide", "plain");
    let bloat = grown.files[0].audit.bloat.as_ref().expect("growth");
    assert_eq!(bloat.total.before.zmm, 0);
    assert!(bloat.total.after.zmm > 300, "{:?}", bloat.total);
    assert_eq!(bloat.functions_new, 0, "{:?}", bloat.functions);
    assert!(bloat.functions_differ >= 64, "{}", bloat.functions_differ);
    assert!(bloat.functions.iter().any(|f| f.name.starts_with("loop")));
    let found = codes(&grown);
    for code in ["KA006", "KA007", "KA008", "KA009"] {
        assert!(found.iter().any(|f| f == code), "no {code} in {found:?}");
    }
    for finding in &grown.findings {
        let place = finding.location.as_ref().expect("a place");
        assert_eq!(place.file, "wide");
    }
    // Nothing is found of a file against itself; of one that lost its vectors they are.
    let same = against("wide", "wide");
    assert_eq!(codes(&same), [""; 0]);
    let bloat = same.files[0].audit.bloat.as_ref().expect("growth");
    assert_eq!(bloat.functions_differ, 0);
    assert_eq!(codes(&against("plain", "wide")), ["KA017"]);
    let text = lab
        .karat(&["audit", "wide", "--baseline", "wide"])
        .exits(0)
        .stdout;
    assert!(text.contains("no function has other counts"), "{text}");
    let text = lab
        .karat(&["audit", "wide", "--baseline", "plain"])
        .exits(0)
        .stdout;
    assert!(text.contains("against plain: zmm 0 → "), "{text}");
    assert!(text.contains("Growth against plain"), "{text}");
}

/// A kernel that is compiled for each kind of CPU, and one without vectors.
const VERSIONS: &str = r#"
#include <stdio.h>
#ifdef KEEP
#define FOR(l) __attribute__((noinline, target(l)))
#else
#define FOR(l) __attribute__((noinline))
#endif
FOR("avx2") void sum_wide(float *a, const float *b) {
    for (int i = 0; i < 4096; i++) { a[i] = a[i] * b[i] + 3; a[i] += b[i] * b[i] * 5; }
}
__attribute__((noinline, target("avx2"))) void always(float *a, const float *b) {
    for (int i = 0; i < 4096; i++) { a[i] = a[i] * b[i] + 4; a[i] += b[i] * b[i] * 7; }
}
int main(int c, char **v) {
    static float a[4096], b[4096];
    a[0] = c;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) sum_wide(a, b);
#ifdef ALWAYS
    if (__builtin_cpu_supports("avx2")) always(a, b);
#endif
    return printf("%f\n", a[7]) < 0;
}
"#;

#[test]
fn a_build_that_lost_its_vector_code_is_a_finding() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    lab.write("versions.c", VERSIONS);
    let gcc = |flags: &[&str], out: &str| {
        let mut command = Command::new("gcc");
        command.current_dir(lab.path("."));
        // Unrolled, so that each loop is a kernel of some size.
        command.args(["-O3", "-g1", "-funroll-loops", "-ffunction-sections"]);
        command.args(["-Wl,--gc-sections", "versions.c", "-o", out]);
        assert!(command.args(flags).status().expect("gcc starts").success());
    };
    gcc(&["-DKEEP"], "with");
    gcc(&[], "without");
    gcc(&["-DKEEP", "-DALWAYS"], "both");
    gcc(&["-DALWAYS"], "one");
    let found = |file: &str, baseline: &str| {
        let args = ["audit", file, "--baseline", baseline, "--format", "json"];
        let document = document(&lab.karat(&args).exits(0));
        let all = document.findings.into_iter();
        all.filter(|f| f.code == "KA017").collect::<Vec<_>>()
    };
    // All of it is gone.
    let [all] = &found("without", "with")[..] else {
        panic!("one finding");
    };
    assert_eq!(all.severity, Severity::Warning);
    assert_eq!(all.place, None);
    let message = &all.message;
    assert!(message.contains("256 bits or more"), "{message}");
    assert!(message.contains(" → 0"), "{message}");
    let host = message.contains("sum_wide (") && message.contains("which is still there");
    assert!(host, "{message}");
    // One function lost its own, another one has it still.
    let [part] = &found("one", "both")[..] else {
        panic!("one finding");
    };
    assert_eq!(part.place.as_deref(), Some("sum_wide"));
    // Nothing is lost where it is the same, or came.
    for (file, baseline) in [("with", "with"), ("with", "without"), ("both", "one")] {
        assert_eq!(found(file, baseline), [], "{file} beside {baseline}");
    }
    let against = ["audit", "without", "--baseline", "with"];
    for format in ["human", "markdown", "html", "sarif"] {
        let out = lab.karat(&[&against[..], &["--format", format]].concat());
        assert!(out.exits(0).stdout.contains("KA017"), "{format}");
    }
}

#[test]
fn an_expected_function_that_is_gone_is_an_error() {
    let Some(lab) = built() else { return };
    lab.write("expect.toml", "functions = [\"loop10\", \"loop99\"]\n");
    let args = ["audit", "plain", "--expect", "expect.toml"];
    let out = lab.karat(&args).exits(1);
    for word in ["loop10", "PRESENT", "loop99", "GONE", "KA001"] {
        assert!(out.stdout.contains(word), "no {word}: {}", out.stdout);
    }
    lab.karat(&[&args[..], &["--exit-zero"]].concat()).exits(0);
    let out = lab
        .karat(&[&args[..], &["--format", "sarif"]].concat())
        .exits(1);
    let sarif: Value = serde_json::from_str(&out.stdout).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"KA001".into(), &"error".into())
    );
    assert_eq!(
        sarif["runs"][0]["tool"]["driver"]["rules"][0]["id"],
        "KA001"
    );

    // Also where the baseline lacks it, and once only.
    let out = lab.karat(&[&args[..], &["--baseline", "plain"]].concat());
    assert_eq!(out.exits(1).stdout.matches("KA001").count(), 1);
    lab.write("expect.toml", "functions = [\"loop10\"]\n");
    lab.karat(&args).exits(0);
    lab.write("expect.toml", "function = [\"loop10\"]\n");
    lab.karat(&args)
        .exits(2)
        .says(&["expect.toml", "did you mean `functions`?"]);
    lab.write("expect.toml", "kernels = [\"no such library\"]\n");
    lab.karat(&args)
        .exits(2)
        .says(&["no catalogue has a kernel `no such library`"]);
    lab.karat(&["audit", "plain", "--expect", "no.toml"])
        .exits(2)
        .says(&["no.toml"]);
}

#[test]
fn a_baseline_for_another_machine_changes_nothing() {
    let Some(lab) = built() else { return };
    lab.write("loop.c", "int loop10(int x) { return x * 3 + 1; }\n");
    let mut clang = Command::new("clang");
    clang.args(["--target=aarch64-linux-gnu", "-O2", "-c"]);
    clang
        .arg(lab.path("loop.c"))
        .arg("-o")
        .arg(lab.path("arm.o"));
    if !clang.status().is_ok_and(|status| status.success()) {
        println!("SKIPPED: no clang for AArch64 on this machine");
        return;
    }
    lab.write("expect.toml", "functions = [\"loop10\"]\n");
    let args = ["audit", "arm.o", "--expect", "expect.toml"];
    let args = [&args[..], &["--baseline", "plain", "--format", "json"]].concat();
    let out = lab
        .karat(&args)
        .exits(0)
        .says(&["code for another machine"]);
    let audit = &document(&out).files[0].audit;
    assert_eq!(audit.bloat, None);
    let found = &audit.survival[0];
    assert_eq!(found.state, SurvivalState::Present, "{found:?}");
    assert_eq!(found.similarity, None);
}

#[test]
fn code_above_a_declared_baseline_is_shown() {
    let Some(lab) = built() else { return };
    let isa = |file: &str, isa: &str| {
        let out = lab.karat(&[
            "audit",
            file,
            "--isa",
            isa,
            "--format",
            "json",
            "--exit-zero",
        ]);
        let json = document(&out.exits(0));
        json.files[0].audit.leaks.clone().expect("an answer")
    };
    assert_eq!(isa("plain", "x86-64").counts.above, 0);
    assert_eq!(isa("wide", "x86-64-v4").counts.above, 0);
    let above = isa("wide", "x86-64-v3").counts.above;
    assert!(above >= 64, "{above}");
    let text = lab.karat(&["audit", "wide", "--isa", "x86-64-v3", "--exit-zero"]);
    let text = text.exits(0).stdout;
    assert!(text.contains("Code above x86-64-v3"), "{text}");
    let out = lab.karat(&["audit", "wide", "--isa", "x86-64"]).exits(1);
    assert!(out.stdout.contains("KA010"), "{}", out.stdout);
    let out = lab.karat(&["audit", "wide", "--isa", "pentium"]).exits(2);
    out.says(&["--isa", "pentium", "x86-64-v2"]);
}

#[test]
fn what_is_learned_is_recognised() {
    let Some(lab) = built() else { return };
    let entry = lab
        .karat(&["audit", "wide", "--learn", "loop10"])
        .exits(0)
        .stdout;
    lab.write("loops.toml", &entry);
    lab.write("expect.toml", "kernels = [\"loop10\"]\n");
    let args = ["--catalogue", "loops.toml", "--expect", "expect.toml"];
    let out = lab
        .karat(&[&["audit", "wide"][..], &args].concat())
        .exits(0);
    assert!(out.stdout.contains("Known kernels"), "{}", out.stdout);
    lab.karat(&["audit", "wide", "--learn", "no_such"])
        .exits(102)
        .says(&["no_such"]);
    lab.karat(&["audit", "wide", "plain", "--learn", "loop10"])
        .exits(2)
        .says(&["one file"]);
}

#[test]
fn files_that_cannot_be_audited_leave_the_others() {
    let Some(lab) = built() else { return };
    lab.write("text.txt", "words\n");
    lab.write("run.sh", "#!/bin/sh\nexit 0\n");
    lab.write("empty", "");
    let mut damaged = fs::read(lab.path("wide")).unwrap();
    damaged.truncate(damaged.len() / 2);
    fs::write(lab.path("damaged"), damaged).unwrap();
    for (file, words) in [
        ("text.txt", &["text.txt", "a text file"][..]),
        ("run.sh", &["run.sh", "a script"]),
        ("empty", &["an empty file"]),
        ("damaged", &["damaged", "the file is damaged in"]),
        ("missing", &["missing: no such file"]),
        ("-", &["stdin cannot be audited"]),
        ("/dev/null", &["this is a device"]),
    ] {
        let out = lab
            .karat(&["audit", "--format", "json", file, "wide"])
            .exits(102);
        let json = document(&out);
        assert_eq!(json.files.len(), 1, "{file}");
        assert_eq!(json.failed[0].path, file);
        out.says(words);
    }
    let out = lab.karat(&["audit", "text.txt"]).exits(102);
    assert_eq!(out.stdout, "", "nothing to show");
    fs::create_dir_all(lab.path("folder/empty")).unwrap();
    let out = lab.karat(&["audit", "folder"]).exits(102);
    out.says(&["folder: no binary is in this folder"]);
    // A baseline that cannot be read ends it.
    let out = lab
        .karat(&["audit", "wide", "--baseline", "text.txt"])
        .exits(102);
    assert_eq!(out.stdout, "");
    out.says(&["baseline text.txt"]);
    let out = lab
        .karat(&["audit", "wide", "text.txt", "plain"])
        .exits(102)
        .stdout;
    for text in ["✓ wide", "✓ plain", "✗ text.txt: not audited"] {
        assert!(out.contains(text), "no {text}: {out}");
    }
}

#[test]
fn a_binary_of_the_system() {
    let lab = Lab::empty();
    if !Path::new("/bin/ls").is_file() {
        println!("SKIPPED: no /bin/ls on this machine");
        return;
    }
    let out = lab.karat(&["audit", "/bin/ls"]).exits(0);
    assert!(out.stdout.starts_with("✓ ls: "), "{}", out.stdout);
    assert!(out.stdout.contains("ELF x86-64, "), "{}", out.stdout);
    assert!(out.stderr.is_empty(), "{}", out.stderr);
    let help = lab.karat(&["audit", "--help"]).exits(0).stdout;
    for line in ["--baseline", "102", "--exit-zero"] {
        assert!(help.contains(line), "{help}");
    }
    lab.karat(&["audit"]).exits(2);
}
