//! `karat gates` with a command: what it executes.

use crate::lab::{Lab, Outcome, have};
use karat_model::gates::{Gate, GateState, GatesDocument, Hits, Via};
use std::process::Command;

/// A program with a gate that is asked, one behind a flag that is off, one that is only
/// inlined, and a dispatcher.
const SOURCE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int g_enable;
volatile int sink, g_level = 1;
__attribute__((noipa)) int asked(int x) { return x & 1; }
__attribute__((noipa)) int behind(int x) { return x & 2; }
static inline __attribute__((always_inline)) int inlined(void) { return g_level; }
static inline __attribute__((always_inline)) int removed(void) { return 0; }
__attribute__((noipa, target("avx2"), optimize("O3"))) void wide(int *a, int n) { for (int i = 0; i < n; i++) a[i] = a[i] * 3 + 1; }
__attribute__((noipa)) void plain(int *a, int n) { for (int i = 0; i < n; i++) a[i] = a[i] * 3 + 1; }
__attribute__((noipa)) int work(int n) {
    int sum = 0, a[64] = {0};
    for (int i = 0; i < n; i++) {
        if (asked(i)) sum++;
        if (removed()) sum += 100;
    }
    if (g_enable && behind(n)) sum += 1000; // behind
    if (inlined()) sum += 7; // inlined
    if (__builtin_cpu_supports("avx2") && !getenv("NO_AVX2")) wide(a, 64);
    else plain(a, 64);
    sink = a[3];
    return sum;
}
int main(int argc, char **argv) {
    printf("%d\n", work(argc > 1 ? atoi(argv[1]) : 10));
    return argc > 2 ? atoi(argv[2]) : 0;
}
"#;

fn built(flags: &[&str]) -> Option<Lab> {
    if !have("gcc") {
        return None;
    }
    let lab = Lab::empty();
    lab.write("prog.c", SOURCE);
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-o"])
        .arg(lab.path("prog"))
        .arg(lab.path("prog.c"))
        .args(flags);
    assert!(gcc.status().expect("gcc starts").success(), "{gcc:?}");
    Some(lab)
}

fn document(lab: &Lab) -> GatesDocument {
    serde_json::from_str(&lab.read("out.json")).expect("a document that can be read")
}

/// `karat gates prog ARGS -o out.json -- COMMAND`.
fn gates(lab: &Lab, args: &[&str], command: &[&str]) -> Outcome {
    let all = [&["gates", "prog", "-o", "out.json"], args, &["--"], command];
    lab.karat(&all.concat())
}

const GATES: [&str; 8] = [
    "--gate", "asked", "--gate", "behind", "--gate", "inlined", "--gate", "removed",
];

#[test]
fn gates_are_judged_by_what_the_command_executes() {
    let Some(lab) = built(&["-g"]) else { return };
    // One is absent.
    let out = gates(&lab, &GATES, &["./prog", "10"]).exits(1);
    assert_eq!(
        out.stdout, "12\n",
        "the program's own output and nothing else"
    );
    assert!(out.stderr.is_empty(), "{}", out.stderr);
    let found = document(&lab);
    let states: Vec<_> = found.gates.iter().map(|gate| gate.state).collect();
    let expected = [
        GateState::Executed,
        GateState::Dead,
        GateState::Executed,
        GateState::Absent,
    ];
    assert_eq!(states, expected.map(Some));
    let behind = &found.gates[1].calls[0];
    let guard = behind.guard.as_ref().expect("a guard");
    let branch = guard.hits.expect("a watched branch");
    assert!(branch.any() && !behind.hits.expect("a watched call").any());
    let run = found.run.expect("a run");
    assert_eq!((run.exit_code, run.loaded, run.processes), (Some(0), 1, 1));
}

/// GCC's `-Og` leaves such a gate a place in the debug information and no instruction of
/// its own.
#[test]
fn a_folded_gate_is_found_and_watched() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    lab.write(
        "prog.c",
        include_str!("../../../audit/tests/it/fixtures/folded.c"),
    );
    for flags in [&["-Og", "-g"][..], &["-Og", "-g", "-gsplit-dwarf"]] {
        let mut gcc = Command::new("gcc");
        gcc.args(flags).args(["-o", "prog", "prog.c"]);
        gcc.current_dir(lab.path(""));
        assert!(gcc.status().expect("gcc starts").success(), "{gcc:?}");
        let args = ["--gate", "flag", "--count"];
        gates(&lab, &args, &["./prog", "1", "2", "3"]).exits(0);
        let found = document(&lab);
        let gate = &found.gates[0];
        assert!(gate.addresses.is_empty(), "{gate:#?}");
        if gate.calls[0].via == Via::Inlined {
            println!("SKIPPED: this compiler leaves the gate an instruction of its own");
            return;
        }
        assert_eq!(gate.calls[0].via, Via::Folded, "{gate:#?}");
        let hits = gate.calls[0].hits.expect("a watched place");
        assert!(hits.any() && hits.exact, "{gate:#?}");
        assert_ne!(gate.state, Some(GateState::Absent));
    }
}

#[test]
fn reports_have_all_forms() {
    let Some(lab) = built(&["-g"]) else { return };
    let gate = ["--gate", "asked"];
    let plain = [&["gates", "prog"], &gate[..]].concat();
    for (format, sign) in [
        ("human", "asked\n"),
        ("markdown", "## asked"),
        ("html", "<!DOCTYPE html>"),
        ("json", "\"schema\": 3"),
    ] {
        let out = lab.karat(&[&plain[..], &["--format", format]].concat());
        assert!(out.stdout.contains(sign), "{format}: {}", out.stdout);
        out.exits(0);
    }
    let out = lab.karat(&[&plain[..], &["--format", "csv"]].concat());
    out.exits(2).says(&["no csv of this report"]);
    // Beside a command the report has stderr, or its files alone.
    let traced = [&plain[..], &["--", "./prog"]].concat();
    let out = lab.karat(&traced).exits(0);
    assert_eq!(out.stdout, "12\n");
    out.says(&["asked: executed"]);
    let files = [
        "gates", "prog", "--gate", "asked", "-o", "r.html", "-o", "r.md", "--", "./prog",
    ];
    let out = lab.karat(&files).exits(0);
    assert_eq!((out.stdout.as_str(), out.stderr.as_str()), ("12\n", ""));
    assert!(lab.read("r.html").contains("asked: executed"));
    assert!(lab.read("r.md").contains("asked: executed"));
    let out = lab.karat(&["gates", "prog", "--gate", "asked", "-o", "r.doc"]);
    out.exits(2).says(&["r.doc", ".html"]);
}

#[test]
fn counts_are_exact_up_to_the_limit() {
    let Some(lab) = built(&["-g"]) else { return };
    let script = "./prog 10; ./prog 20";
    gates(
        &lab,
        &[&GATES[..], &["--count"]].concat(),
        &["sh", "-c", script],
    )
    .exits(1);
    let found = document(&lab);
    let hits = |gate: &Gate| gate.hits.expect("a function");
    let exactly = |count| Hits { count, exact: true };
    assert_eq!(hits(&found.gates[0]), exactly(30));
    assert_eq!(found.gates[0].calls[0].hits, Some(exactly(30)));
    assert_eq!(hits(&found.gates[1]), exactly(0));
    assert_eq!(found.gates[2].calls[0].hits, Some(exactly(2)));
    let limited = [&GATES[..], &["--count=7"]].concat();
    let out = gates(&lab, &limited, &["./prog", "5000", "0"]).exits(1);
    assert_eq!(out.stdout, "2507\n");
    let found = document(&lab);
    let most = Hits {
        count: 7,
        exact: false,
    };
    assert_eq!(hits(&found.gates[0]), most);
    assert_eq!(found.gates[0].state, Some(GateState::Hot));
}

#[test]
fn a_line_is_a_gate_too() {
    let Some(lab) = built(&["-g"]) else { return };
    let line = |words: &str| {
        let at = SOURCE.lines().position(|line| line.contains(words));
        format!("prog.c:{}", at.expect("a line") + 1)
    };
    let (ran, empty) = (line("// inlined"), line("#include <stdio.h>"));
    gates(&lab, &["--gate", &ran, "--gate", &empty], &["./prog"]).exits(1);
    let found = document(&lab);
    assert_eq!(
        found.gates[0].state,
        Some(GateState::Executed),
        "{:#?}",
        found.gates
    );
    assert_eq!(found.gates[1].state, Some(GateState::Absent));
}

#[test]
fn kernels_that_this_cpu_has_and_nobody_calls_are_found() {
    let Some(lab) = built(&[]) else { return };
    if !std::arch::is_x86_feature_detected!("avx2") {
        println!("SKIPPED: this CPU has no AVX2");
        return;
    }
    let wide = |found: &GatesDocument| {
        let kernels = found.kernels.as_ref().expect("kernels");
        let wide = kernels.iter().find(|kernel| kernel.function == "wide");
        wide.expect("the kernel").clone()
    };
    gates(&lab, &["--kernels"], &["./prog"]).exits(0);
    let found = wide(&document(&lab));
    assert!(
        !found.is_idle() && found.hits.is_some_and(Hits::any),
        "{found:?}"
    );
    gates(&lab, &["--kernels"], &["env", "NO_AVX2=1", "./prog"]).exits(0);
    let found = wide(&document(&lab));
    assert!(
        found.is_idle() && found.supported == Some(true),
        "{found:?}"
    );
    let shown = lab.karat(&[
        "gates",
        "prog",
        "--kernels",
        "--",
        "env",
        "NO_AVX2=1",
        "./prog",
    ]);
    shown
        .exits(0)
        .says(&["1 never, nor anything of their kind", "wide"]);
}

#[test]
fn two_workloads_are_compared_by_what_they_run() {
    let Some(lab) = built(&["-g"]) else { return };
    gates(&lab, &["--all"], &["./prog"]).exits(0);
    let first = document(&lab).coverage.expect("functions");
    let ran = |name: &str| {
        let of_name = first.functions.iter().find(|f| f.name == name);
        of_name.unwrap_or_else(|| panic!("no {name}")).executed
    };
    assert_eq!(
        (ran("work"), ran("behind"), ran("plain")),
        (Some(true), Some(false), Some(false))
    );
    std::fs::rename(lab.path("out.json"), lab.path("first.json")).expect("a rename");
    let args = ["--all", "--against", "first.json"];
    gates(&lab, &args, &["env", "NO_AVX2=1", "./prog"]).exits(0);
    let difference = document(&lab)
        .coverage
        .expect("functions")
        .against
        .expect("a difference");
    assert_eq!(difference.only_here, ["plain"]);
    if std::arch::is_x86_feature_detected!("avx2") {
        assert_eq!(difference.only_there, ["wide"]);
    }
    // That there is none is an answer too.
    let plain = lab.path("plain");
    std::fs::write(lab.path("plain.c"), "int main(void) { return 0; }").expect("a source");
    let mut gcc = Command::new("gcc");
    gcc.arg("-o").arg(&plain).arg(lab.path("plain.c"));
    assert!(gcc.status().expect("gcc starts").success(), "{gcc:?}");
    let out = lab.karat(&["gates", "plain", "--kernels"]).exits(0);
    let none = "0 functions above x86-64";
    assert!(out.stdout.contains(none), "{}", out.stdout);
    lab.write("no.json", "{}");
    let args = ["--all", "--against", "no.json"];
    gates(&lab, &args, &["./prog"])
        .exits(2)
        .says(&["--against no.json", "--all"]);
}

#[test]
fn each_end_has_its_code() {
    let Some(lab) = built(&[]) else { return };
    let gate = ["--gate", "asked"];
    gates(&lab, &gate, &["./prog", "1", "3"]).exits(104);
    assert_eq!(document(&lab).run.expect("a run").exit_code, Some(3));
    gates(&lab, &gate, &["sh", "-c", "kill -9 $$"]).exits(104);
    assert_eq!(document(&lab).run.expect("a run").signal, Some(9));
    gates(&lab, &gate, &["true"]).exits(4);
    let found = document(&lab);
    assert_eq!(found.gates[0].state, Some(GateState::NotLoaded));
    assert!(found.notes.iter().any(|note| note.contains("never loaded")));
    for name in ["removed", "nope", "prog.c:9999"] {
        let args = ["gates", "prog", "--gate", "asked", "--gate", name];
        let out = lab.karat(&args).exits(1);
        assert!(out.stdout.contains("Not in the assembly"), "{}", out.stdout);
        let traced = [&args[..], &["--", "./prog"]].concat();
        lab.karat(&traced).exits(1);
    }
    lab.karat(&["gates", "prog", "--gate", "asked"]).exits(0);
    gates(&lab, &["--gate", "nope"], &["./prog", "1", "3"]).exits(104);
    gates(&lab, &["--gate", "nope"], &["true"]).exits(4);
    gates(&lab, &gate, &["./not-there"])
        .exits(2)
        .says(&["not-there"]);
    gates(&lab, &gate, &["./prog.c"])
        .exits(2)
        .says(&["chmod +x"]);
    lab.karat(&["gates", "nowhere", "--gate", "x"]).exits(2);
    lab.karat(&["gates", "prog"]).exits(2);
    lab.karat(&["gates", "prog", "--all"]).exits(2);
    lab.karat(&["gates", "prog.c", "--gate", "x"]).exits(102);
}
