//! `karat soak` with planted programs: leaks, endings and interrupts.

use crate::lab::{Lab, Outcome, have};
use karat_model::soak::{Held, Soak, SoakSample};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A turn takes some 10 ms and says how far it is; `leak` keeps so many bytes a second.
const PLANTED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
int main(int argc, char **argv) {
    const char *what = argv[1];
    double amount = argc > 2 ? atof(argv[2]) : 0, start = now();
    size_t held = 0;
    long total = 0;
    memset(malloc(8 << 20), 1, 8 << 20);
    if (!strcmp(what, "fail")) { fprintf(stderr, "cannot go on\n"); return 7; }
    for (long turn = 0; strcmp(what, "turns") || turn < amount; turn++) {
        usleep(10000);
        if (!strcmp(what, "leak"))
            for (; held + 4096 <= (now() - start) * amount; held += 4096)
                memset(malloc(4080), 1, 4080);
        if (!strcmp(what, "die") && now() - start > amount) abort();
        printf("total %ld took %ld us\n", total += 100, 100 + turn % 7);
        fflush(stdout);
    }
    return 0;
}
"#;

/// The soak's options that make it short.
const SHORT: [&str; 8] = [
    "--for", "1500ms", "--every", "50ms", "--epoch", "150ms", "--warm", "300ms",
];
/// The same with epochs enough for a slope, also where the machine is busy.
const LONGER: [&str; 8] = [
    "--for", "6s", "--every", "50ms", "--epoch", "150ms", "--warm", "300ms",
];
const LINE: [&str; 2] = ["--line", r"total (?<total>\d+) took (?<latency_us>\d+) us"];

/// A folder with the planted program; `None` without a compiler.
fn planted() -> Option<Lab> {
    if !have("gcc") {
        return None;
    }
    let lab = Lab::empty();
    lab.write("planted.c", PLANTED);
    let built = Command::new("gcc")
        .args(["-O1", "-o", "planted", "planted.c"])
        .current_dir(lab.path(""))
        .status()
        .unwrap();
    assert!(built.success());
    Some(lab)
}

pub fn soak(lab: &Lab, args: &[&str]) -> Outcome {
    let all = [&["soak", "--runs", "runs"][..], args].concat();
    Outcome::from(lab.command(&all).output().unwrap())
}

fn document(lab: &Lab, file: &str) -> Soak {
    serde_json::from_slice(&fs::read(lab.path(file)).unwrap()).unwrap()
}

pub fn partial(lab: &Lab) -> Option<PathBuf> {
    let entries = fs::read_dir(lab.path("runs")).ok()?;
    let mut all = entries.flatten().map(|e| e.path());
    all.find(|p| p.extension().is_some_and(|e| e == "partial"))
}

fn kept(lab: &Lab) -> Vec<SoakSample> {
    let text = partial(lab).and_then(|p| fs::read_to_string(p.join("samples.jsonl")).ok());
    let text = text.unwrap_or_default();
    text.lines()
        .filter_map(|l| serde_json::from_str(l).ok())
        .collect()
}

fn start(lab: &Lab, args: &[&str]) -> Child {
    let all = [&["soak", "--runs", "runs"][..], args].concat();
    let mut command = lab.command(&all);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until a few samples are kept.
fn wait_for_samples(lab: &Lab, count: usize) {
    let limit = Instant::now() + Duration::from_secs(60);
    while kept(lab).len() < count && Instant::now() < limit {
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_leak_breaks_its_limit_and_all_forms_tell_it() {
    let Some(lab) = planted() else { return };
    let files = [
        "-o",
        "soak.json",
        "-o",
        "soak.csv",
        "-o",
        "soak.html",
        "-o",
        "soak.txt",
    ];
    let limits = ["--budget", "rss-drift=5%/h", "--budget", "max=10 s"];
    let program = ["--", "./planted", "leak", "1000000"];
    let out = soak(
        &lab,
        &[&LONGER[..], &LINE, &files, &limits, &program].concat(),
    )
    .exits(1);
    out.says(&["all of it: runs/"]);
    let found = document(&lab, "soak.json");
    let slope = found.figure("rss").unwrap().slope.unwrap();
    // 1 MB a second; the machine may hold the program back, but not lend it memory.
    let (low, high) = (0.5 * 3600e6, 1.5 * 3600e6);
    assert!((low..high).contains(&slope.estimate), "{slope:?}");
    assert_eq!(found.budgets[0].held, Held::Broken);
    assert_eq!(found.budgets[1].held, Held::Held);
    assert!(found.figure("throughput").is_some() && found.complete);
    assert!(found.tails.unwrap().p50.unwrap() < 1.0);
    let csv = fs::read_to_string(lab.path("soak.csv")).unwrap();
    let rows = csv.lines().filter(|l| !l.starts_with('#')).count();
    assert_eq!(rows, found.epochs.len() + 1);
    let page = fs::read_to_string(lab.path("soak.html")).unwrap();
    assert!(page.contains("BROKEN") && page.contains("<svg") && !page.contains("NaN"));
    let text = fs::read_to_string(lab.path("soak.txt")).unwrap();
    assert!(
        text.contains("NO-GO") && text.contains("rss-drift"),
        "{text}"
    );
    assert!(text.lines().all(|l| l.chars().count() <= 130), "{text}");
}

#[test]
fn a_killed_soak_keeps_its_samples_and_is_taken_up_again() {
    let Some(lab) = planted() else { return };
    let program = ["--", "./planted", "steady"];
    let mut child = start(&lab, &[&SHORT[..], &LINE, &program].concat());
    wait_for_samples(&lab, 10);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = kept(&lab);
    assert!(before.len() >= 10, "{}", before.len());
    soak(&lab, &["--resume", "-o", "soak.json"]).exits(0);
    let found = document(&lab, "soak.json");
    assert_eq!((found.starts, found.resumed), (2, 1));
    assert!(found.complete && found.watched >= 1.4, "{}", found.watched);
    assert!(partial(&lab).is_none());
    soak(&lab, &["--resume"]).exits(2).says(&["interrupted"]);
}

#[test]
fn an_interrupted_soak_says_how_to_go_on() {
    let Some(lab) = planted() else { return };
    let child = start(
        &lab,
        &[
            "--for",
            "60s",
            "--every",
            "50ms",
            "--",
            "./planted",
            "steady",
        ],
    );
    wait_for_samples(&lab, 3);
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
    let out = Outcome::from(child.wait_with_output().unwrap()).exits(130);
    out.says(&[
        "interrupted",
        "samples kept in",
        "karat soak --resume --runs runs",
    ]);
    assert!(kept(&lab).len() >= 3);
}

#[test]
fn programs_that_end_are_told() {
    let Some(lab) = planted() else { return };
    let short = |program: &[&str]| soak(&lab, &[&SHORT[..], &["--"], program].concat());
    let at_once = ["--for", "60s", "--", "./planted", "fail"];
    soak(&lab, &at_once).exits(104).says(&[
        "before the first sample",
        "exit code 7",
        "cannot go on",
        "--repeat",
    ]);
    assert!(partial(&lab).is_none(), "nothing is kept of nothing");
    short(&["./planted", "die", "0.5"])
        .exits(104)
        .says(&["SIGABRT"]);
    // It ended well, but early: no limit can be called held.
    let early = [
        &SHORT[..],
        &["--budget", "max=10 s"],
        &LINE,
        &["--", "./planted", "turns", "40"],
    ]
    .concat();
    let out = soak(&lab, &early).exits(3);
    assert!(out.stdout.contains("ended by itself"), "{}", out.stdout);
    let repeat = [
        &LONGER[..],
        &[
            "--repeat",
            "-o",
            "soak.json",
            "--",
            "./planted",
            "turns",
            "3",
        ],
    ]
    .concat();
    soak(&lab, &repeat).exits(0);
    let found = document(&lab, "soak.json");
    let runs = found.figure("throughput").unwrap().mean.estimate;
    assert!(
        runs > 0.0 && runs < 40.0,
        "{runs} runs a second of 30 ms each"
    );
    // Each touches 8 MiB, and the start of an empty program is taken off.
    let faults = found.figure("page faults").unwrap().mean.estimate / runs;
    assert!((1900.0..2500.0).contains(&faults), "{faults}");
    let floor = found.floor.unwrap();
    assert!(floor.run.is_some() && floor.rates.minor_faults > 10.0);
    let failing = [&SHORT[..], &["--repeat", "--", "./planted", "fail"]].concat();
    soak(&lab, &failing)
        .exits(104)
        .says(&["failed: exit code 7"]);
}

#[test]
fn a_running_process_is_watched_and_left_alone() {
    let Some(lab) = planted() else { return };
    let mut other = Command::new(lab.path("planted"))
        .arg("steady")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = other.id().to_string();
    soak(
        &lab,
        &[&SHORT[..], &["--attach", &pid, "-o", "soak.json"]].concat(),
    )
    .exits(0);
    assert!(other.try_wait().unwrap().is_none(), "it still runs");
    other.kill().unwrap();
    other.wait().unwrap();
    let found = document(&lab, "soak.json");
    assert!(found.figure("rss").unwrap().mean.estimate > 8e6);
    assert!(
        found.plan.program.ends_with("planted steady"),
        "{}",
        found.plan.program
    );
}

#[test]
fn a_load_works_a_program_and_is_not_counted() {
    let Some(lab) = planted() else { return };
    let load = [
        "--load",
        "./planted turns 20",
        "-o",
        "soak.json",
        "--",
        "sleep",
        "60",
    ];
    soak(
        &lab,
        &[&SHORT[..], &["--line", r"(?<done>\d+) us"], &load].concat(),
    )
    .exits(0);
    let found = document(&lab, "soak.json");
    assert!(found.figure("throughput").is_some(), "{:?}", found.notes);
    let floor = found.floor.as_ref().unwrap();
    assert!(floor.growth == Some(0) && floor.run.is_none(), "{floor:?}");
    let rss = found.figure("rss").unwrap().mean.estimate;
    assert!(rss < 8e6, "the load's 8 MiB are not the program's: {rss}");
}

#[test]
fn two_commands_are_watched_in_turns() {
    let Some(lab) = planted() else { return };
    let begin = ["ab", "--soak", "--runs", "runs", "-o", "pair.json"];
    let commands = [
        "--",
        "./planted",
        "steady",
        "--",
        "./planted",
        "leak",
        "20000000",
    ];
    let all = [&begin[..], &LONGER, &LINE, &commands].concat();
    let out = lab.command(&all).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    Outcome::from(out).exits(0).says(&["A: all of it: runs/"]);
    assert!(
        text.contains("A: ./planted steady") && text.contains("B over A"),
        "{text}"
    );
    let text = fs::read(lab.path("pair.json")).unwrap();
    let pair: karat_model::soak::SoakPair = serde_json::from_slice(&text).unwrap();
    assert_eq!((pair.a.starts, pair.b.starts), (2, 2));
    let rss = pair.contrasts.iter().find(|c| c.name == "rss").unwrap();
    assert!(rss.ratio.estimate > 1.2, "{rss:?}");
}

/// A turn of the planted program sleeps, prints, and counts for 100 operations.
#[test]
fn system_calls_of_an_operation_are_counted_in_a_window() {
    let Some(lab) = planted() else { return };
    let short = [
        "--for", "500ms", "--every", "50ms", "--epoch", "100ms", "--warm", "100ms",
    ];
    let more = [
        "--system-calls",
        "1s",
        "--budget",
        "system-calls=1",
        "-o",
        "soak.json",
    ];
    let program = ["--", "./planted", "steady"];
    let all = [
        &["soak", "--runs", "runs"][..],
        &short,
        &LINE,
        &more,
        &program,
    ]
    .concat();
    // With what there is, and where there is strace and a shell only.
    fs::create_dir(lab.path("tools")).unwrap();
    for tool in ["strace", "sh", "sleep"] {
        let path = format!("/usr/bin/{tool}");
        std::os::unix::fs::symlink(path, lab.path("tools").join(tool)).unwrap();
    }
    for path in [None, Some(lab.path("tools"))] {
        let mut command = lab.command(&all);
        command.envs(path.as_ref().map(|path| ("PATH", path)));
        let out = Outcome::from(command.output().unwrap());
        let found = document(&lab, "soak.json");
        let Some(calls) = found.system_calls else {
            let notes = found.notes.join(" ");
            assert!(notes.contains("System calls were not counted"), "{notes}");
            println!("SKIPPED: {notes}");
            continue;
        };
        out.exits(0).says(&["all of it"]);
        if path.is_some() {
            assert!(calls.method.starts_with("strace"), "{calls:?}");
        }
        assert!(calls.seconds > 0.9 && calls.slowdown.is_some(), "{calls:?}");
        // A write and a sleep, of which one or the other may fall out of the window's end.
        let each = calls.calls as f64 / calls.operations.unwrap();
        assert!((0.015..0.03).contains(&each), "{each}: {calls:?}");
        let names: Vec<&str> = calls.most.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"write"), "{names:?}");
    }
}

/// A study of the planted program, whose baseline leaks.
const STUDY: &str = r#"
schema = 1
name = "planted"
baseline = "leaks"

[subject]
dir = "subject"
artifact = "planted"
command = ["gcc", "-O1", "-o", "planted", "planted.c"]

[[variant]]
name = "leaks"
args = ["leak", "10000000"]

[[variant]]
name = "sound"
args = ["run"]

[[workload]]
name = "first"
stdin = "study.toml"

[[workload]]
name = "second"
env = { SOME = "value" }

[soak]
workload = "second"
for = "1500 ms"
every = "50 ms"
epoch = "150 ms"
warm = "300 ms"
line = 'total (?<total>\d+) took (?<latency_us>\d+) us'
budgets = ["max=1 us"]
"#;

#[test]
fn a_study_declares_its_soak() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    fs::create_dir(lab.path("subject")).unwrap();
    lab.write("subject/planted.c", PLANTED);
    lab.write("study.toml", STUDY);
    let json = ["--study", "study.toml", "-o", "s.json"];
    // The baseline, and its limit: each turn says that it took a hundred times as long.
    soak(&lab, &json).exits(1);
    let found = document(&lab, "s.json");
    assert_eq!((found.plan.seconds, found.plan.every), (1.5, 0.05));
    assert_eq!(found.plan.budgets, ["max=1 us"]);
    assert_eq!(found.budgets[0].held, Held::Broken);
    let program = &found.plan.program;
    let end = "/planted leak 10000000";
    assert!(
        program.starts_with("env SOME=value ") && program.ends_with(end),
        "{program}"
    );
    // What is typed goes before what the study says.
    let typed = ["--variant", "sound", "--budget", "p50=1 s", "--for", "2 s"];
    soak(&lab, &[&json[..], &typed].concat()).exits(0);
    let found = document(&lab, "s.json");
    assert_eq!(found.plan.budgets, ["p50=1 s"]);
    assert!(found.plan.program.ends_with("/planted run") && found.plan.seconds > 1.5);

    for (args, said) in [
        (
            &["--study", "study.toml", "--variant", "x"][..],
            "there are leaks, sound",
        ),
        (&["--study", "nowhere"], "no study at nowhere"),
        (&["--variant", "sound"], "--study"),
    ] {
        soak(&lab, args).exits(2).says(&[said]);
    }
    lab.write("study.toml", &STUDY.replace("workload = \"second\"", ""));
    soak(&lab, &json)
        .exits(2)
        .says(&["the workload says `stdin`"]);
    // Both variants in turns.
    lab.write("study.toml", STUDY);
    let both = [
        "--study",
        "study.toml",
        "--variant",
        "sound",
        "--variant",
        "leaks",
    ];
    let ab = |args: &[&str]| {
        let begin = [
            "ab",
            "--soak",
            "--runs",
            "runs",
            "--exit-zero",
            "-o",
            "pair.json",
        ];
        Outcome::from(lab.command(&[&begin[..], args].concat()).output().unwrap())
    };
    ab(&both).exits(0).says(&["A: all of it: runs/"]);
    let text = fs::read(lab.path("pair.json")).unwrap();
    let pair: karat_model::soak::SoakPair = serde_json::from_slice(&text).unwrap();
    assert!(pair.a.plan.program.ends_with("/planted run"));
    assert!(pair.b.plan.program.ends_with("/planted leak 10000000"));
    assert_eq!((pair.a.plan.seconds, pair.a.starts), (1.5, 2));
    ab(&both[..2])
        .exits(2)
        .says(&["names no candidate", "--variant A"]);
    ab(&both[..4]).exits(2).says(&["two variants", "not 1"]);

    let end = STUDY.find("[soak]").unwrap();
    lab.write("study.toml", &STUDY[..end]);
    soak(&lab, &json).exits(2).says(&["has no [soak]"]);
}
