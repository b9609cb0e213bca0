//! `karat audit` of AArch64 files: gates that a user names, and `--try`.

use crate::lab::{Lab, have};
use karat_model::audit_document::AuditDocument;
use std::process::Command;

/// Runs code above the baseline where another library says so, or where it is told to.
const PROGRAM: &str = r#"
#include <sys/auxv.h>
static __attribute__((noinline)) int count(int *p) {
    __asm__ volatile(".arch armv8.1-a\n ldadd w0, w1, [%0]" :: "r"(p) : "x0", "x1", "memory");
    return *p;
}
#ifdef LIBRARY
int cpu_does_it(void);
int work(int *p) { return cpu_does_it() ? count(p) + 1 : p[0]; }
#else
int main(int c, char **v) {
    int x = c;
    if (c == 1) return count(&x) == 0;
    return getauxval(16) >> 8 & 1 ? count(&x) == 0 : 0;
}
#endif
"#;

/// The lab with what a cross compiler makes of the program; none, and a line that says so,
/// without one.
fn built(line: &str) -> Option<Lab> {
    let lab = Lab::empty();
    lab.write("p.c", PROGRAM);
    let done = Command::new("aarch64-linux-gnu-gcc")
        .args(line.split(' '))
        .current_dir(lab.path(""))
        .status()
        .is_ok_and(|status| status.success());
    if !done {
        println!("SKIPPED: aarch64-linux-gnu-gcc fails on this machine");
    }
    done.then_some(lab)
}

#[test]
fn a_user_names_a_gate() {
    let Some(lab) = built("-O2 -shared -fPIC -DLIBRARY p.c -o p.so") else {
        return;
    };
    let audit = ["audit", "p.so", "--isa", "armv8-a"];
    let with = |more: &[&str]| lab.karat(&[&audit[..], more].concat());
    let says = |word: &str| with(&["--gate-function", word]);
    with(&[]).exits(0);
    let document = |word: &str| -> AuditDocument {
        let more = ["--gate-function", word, "--format", "json", "--exit-zero"];
        serde_json::from_str(&with(&more).exits(0).stdout).expect("a document")
    };
    for (word, guarded) in [("cpu_does_it=lse", 1), ("cpu_does_it=crc", 0)] {
        let document = document(word);
        let report = document.files[0].audit.leaks.as_ref().expect("an answer");
        assert_eq!(report.counts.guarded, guarded, "{word}: {report:?}");
    }
    // A feature of another architecture, a name that is not there.
    says("cpu_does_it=avx2").exits(2).says(&["avx2", "lse"]);
    says("cpu_did_it")
        .exits(2)
        .says(&["cpu_did_it", "cpu_does_it"]);
    with(&["--cpu-cell", "flags"]).exits(2).says(&["flags"]);
}

#[test]
fn what_dies_on_the_baseline_is_proven() {
    if !have("qemu-aarch64") {
        return;
    }
    let Some(lab) = built("-O2 -g p.c -o p") else {
        return;
    };
    let tried = ["audit", "p", "--isa", "armv8-a", "--try"];
    let out = lab.karat(&tried).exits(1);
    for word in ["KA016", "proven by running", "count", "ldadd", "p.c:4"] {
        assert!(out.stdout.contains(word), "{word}: {}", out.stdout);
    }
    // The CPU has more than the baseline, and that is said.
    assert!(out.stdout.contains("aes, crc, sha2"), "{}", out.stdout);
    let lives = [&tried[..], &["--format", "json", "--", "./p", "lives"]].concat();
    let out = lab.karat(&lives).exits(1);
    let document: AuditDocument = serde_json::from_str(&out.stdout).expect("a document");
    let run = document.tried.expect("a run");
    assert!(run.died.is_none() && run.cpu == "cortex-a53", "{run:?}");
    assert!(document.findings.iter().any(|f| f.code == "KA010"));
    assert!(document.findings.iter().all(|f| f.code != "KA016"));
    // The baseline has what it needs.
    let has = ["audit", "p", "--isa", "armv8.1-a", "--try"];
    lab.karat(&has).exits(0);
    // The wrong program for it.
    let here = ["audit", "p", "--isa", "armv8-a", "--try", "--", "/bin/true"];
    if cfg!(target_arch = "x86_64") {
        lab.karat(&here).exits(102).says(&["for x86-64", "AArch64"]);
    }
}
