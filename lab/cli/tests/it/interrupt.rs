//! Ctrl-C, and what goes on after it.

use crate::lab::{Lab, Outcome, firsts, have, study, workload};
use karat_model::measure::Sample;
use karat_model::verdict::Judgement;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Two workloads of about 25 ms and more, ten rounds of four arms at most: what is decided
/// stops being measured.
const SAMPLES: usize = 80;

fn slow() -> Lab {
    let naps = workload("one", r#"["nap"]"#) + &workload("two", r#"["nap"]"#);
    // So small a margin keeps it at work.
    Lab::with(&study(&naps).replace("margin = \"50%\"", "margin = \"0.5%\"\nlayouts = 1"))
}

/// A run that came to its end: "heavy" is SLOWER, or nothing is told where the baseline differed
/// from itself, as it may by so small a margin beside other tests.
#[track_caller]
fn judged(out: Outcome) -> Outcome {
    if out.code == Some(3) && out.stdout.contains("too disturbed to judge") {
        return out;
    }
    out.exits(1)
}

/// Starts `karat run study --runs runs ARGS`.
fn start(lab: &Lab, args: &[&str]) -> Child {
    let mut command = lab.command(&[&["run", "study", "--runs", "runs"], args].concat());
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("karat starts")
}

/// Waits until `ready`, sends Ctrl-C and waits for the end.
fn interrupt(child: Child, ready: impl Fn() -> bool) -> Outcome {
    end_by(Signal::SIGINT, child, ready)
}

/// Waits until `ready`, sends the signal and waits for the end.
fn end_by(signal: Signal, mut child: Child, ready: impl Fn() -> bool) -> Outcome {
    let limit = Instant::now() + Duration::from_secs(60);
    while !ready() && Instant::now() < limit && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_raw(child.id().try_into().expect("a process number"));
    kill(pid, signal).expect("karat is still running");
    Outcome::from(child.wait_with_output().unwrap())
}

fn kept(lab: &Lab) -> Vec<Sample> {
    let Some(folder) = lab.partial().pop() else {
        return Vec::new();
    };
    let text = fs::read_to_string(folder.join("samples.jsonl")).unwrap_or_default();
    text.lines()
        .filter_map(|l| serde_json::from_str(l).ok())
        .collect()
}

/// A lab in which a run was interrupted while it measured.
fn interrupted() -> Lab {
    let lab = slow();
    let child = start(&lab, &["--seed", "7"]);
    let out = interrupt(child, || kept(&lab).len() >= 6).exits(130);
    out.says(&["interrupted", "karat run study --resume"]);
    assert!(lab.finished().is_empty());
    let samples = kept(&lab).len();
    assert!((6..SAMPLES).contains(&samples), "{samples} samples");
    lab
}

#[test]
fn an_interrupted_run_is_taken_up_where_it_stopped() {
    if !have("gcc") {
        return;
    }
    let lab = interrupted();
    let before = kept(&lab);
    let partial = lab.partial();
    judged(lab.run(&["--resume"]));
    assert!(lab.partial().is_empty());
    let finished = lab.finished();
    assert_eq!(finished.len(), 1);
    assert_eq!(finished[0], partial[0].with_extension(""), "its name stays");

    let evidence = lab.evidence();
    assert_eq!(evidence.run.resumed, 1);
    assert_eq!(evidence.run.seed, 7);
    assert!((before.len() + 1..=SAMPLES).contains(&firsts(&evidence)));
    let keys: BTreeSet<_> = evidence
        .samples
        .iter()
        .map(|s| (s.round, s.workload, s.arm, s.attempt))
        .collect();
    assert_eq!(keys.len(), evidence.samples.len(), "no run twice");
    assert_eq!(
        evidence.samples[..before.len()],
        before,
        "what was measured counts"
    );
    let times: Vec<f64> = evidence.samples.iter().map(|s| s.at).collect();
    assert!(times.is_sorted(), "time goes on where it stopped");
    let lines = fs::read_to_string(finished[0].join("samples.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), evidence.samples.len());
    for workload in &evidence.workloads {
        assert!((6..=10).contains(&workload.rounds));
        let heavy = workload.comparisons.iter().find(|c| c.variant == "heavy");
        assert_eq!(heavy.unwrap().judgement, Judgement::Slower);
    }
    // A finished run is gone on with in a folder of its own.
    let begun = evidence.samples.len();
    judged(lab.run(&["--resume", "--max-time", "2 s"]));
    assert_eq!(lab.finished().len(), 2);
    let more = lab.evidence();
    assert_eq!(more.run.continues.as_deref(), Some(&*evidence.run.id));
    assert_eq!((more.run.time.stretch, more.run.resumed), (1, 0));
    assert_eq!(more.samples[..begun], evidence.samples[..]);
    assert!(more.samples.len() > begun, "it measured on");
    let spent: f64 = more.workloads[0].looks.iter().map(|l| l.alpha).sum();
    assert!(spent < 0.05, "{spent}");
}

#[test]
fn the_end_of_the_terminal_is_an_interrupt_unless_it_is_ignored() {
    if !have("gcc") {
        return;
    }
    let lab = slow();
    let child = start(&lab, &["--seed", "7"]);
    let out = end_by(Signal::SIGHUP, child, || kept(&lab).len() >= 6).exits(130);
    out.says(&["interrupted", "karat run study --resume"]);
    assert!(kept(&lab).len() < SAMPLES);

    let lab = slow();
    let mut command = Command::new("nohup");
    let karat = lab.command(&["run", "study", "--runs", "runs"]);
    command.arg(karat.get_program()).args(karat.get_args());
    for (name, value) in karat.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let child = command
        .current_dir(lab.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("nohup starts");
    judged(end_by(Signal::SIGHUP, child, || kept(&lab).len() >= 6));
    assert_eq!(lab.finished().len(), 1);
}

#[test]
fn samples_outlive_every_failed_attempt_to_resume() {
    if !have("gcc") {
        return;
    }
    let lab = interrupted();
    let before = kept(&lab);
    let source = lab.read("study/src/prog.c");
    // It cannot be built.
    lab.write("study/src/prog.c", "#error \"half an edit\"\n");
    let out = lab.run(&["--resume"]).exits(101);
    out.says(&["half an edit", "samples kept in"]);
    assert_eq!(kept(&lab), before);
    // It is another program.
    lab.write("study/src/prog.c", &source.replace("600000", "600001"));
    let out = lab.run(&["--resume"]).exits(2);
    out.says(&["cannot be resumed", "samples kept in"]);
    assert_eq!(kept(&lab), before);
    // It is the old one again.
    lab.write("study/src/prog.c", &source);
    judged(lab.run(&["--resume"]));
    let evidence = lab.evidence();
    assert!(firsts(&evidence) <= SAMPLES);
    assert_eq!(evidence.samples[..before.len()], before);
}

#[test]
fn an_interrupted_build_ends_at_once_and_keeps_the_seed() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    let mark = lab.path("mark");
    let study = study("").replace(
        r#"command = ["gcc", "-O2", "-g1", "-DWORK=9", "-o", "prog", "prog.c"]"#,
        r#"command = ["sh", "build.sh"]"#,
    );
    lab.write("study/study.toml", &study);
    lab.write("study/src/prog.c", crate::lab::PROGRAM);
    lab.write(
        "study/src/build.sh",
        &format!("echo > '{}'; sleep 120\n", mark.display()),
    );
    let child = start(&lab, &["--seed", "4711"]);
    // Had karat waited for it, the build would have ended without a result: 101.
    interrupt(child, || mark.exists()).exits(130);
    assert_eq!(lab.builds(), 2, "what was built stays");

    lab.write("study/src/build.sh", "gcc -O2 -o prog prog.c\n");
    // Without a workload there is no verdict.
    lab.run(&["--resume"]).exits(3);
    assert_eq!(lab.evidence().run.seed, 4711);
    assert!(lab.partial().is_empty());
}

#[test]
fn an_interrupted_comparison_of_commands_goes_on_as_a_study() {
    let lab = Lab::empty();
    let start = |name: &str| {
        let args = ["ab", "--runs", "runs", "--rounds", "10", "--metric", "wall"];
        let commands = ["--exit-zero", "--", "sleep", "0.03", "--", "sleep"];
        let mut command = lab.command(&[&args[..], &commands, &[name]].concat());
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        child.expect("karat starts")
    };
    let out = interrupt(start("0.09"), || kept(&lab).len() >= 6).exits(130);
    let partial = lab.partial().pop().expect("it is kept");
    let study = partial.join("study.toml").display().to_string();
    let study = study.split_once("runs/").unwrap().1;
    let before = kept(&lab);
    let advice = format!("karat run runs/{study} --resume --runs runs");
    let out = out.says(&["interrupted", "samples kept in", &advice]);
    assert!(!out.stderr.contains("panicked"));
    // A later one, of other commands, is not mistaken for it.
    interrupt(start("0.08"), || {
        let lines = |folder: &PathBuf| {
            fs::read_to_string(folder.join("samples.jsonl")).map_or(0, |text| text.lines().count())
        };
        let partial = lab.partial();
        partial.len() == 2 && partial.iter().all(|folder| lines(folder) >= 3)
    })
    .exits(130);
    let words: Vec<&str> = advice.split(' ').skip(1).collect();
    lab.karat(&[&words[..], &["--exit-zero"]].concat()).exits(0);
    let evidence = lab.evidence();
    assert_eq!(evidence.run.resumed, 1);
    assert_eq!(
        evidence.samples[..before.len()],
        before,
        "what was measured counts"
    );
    let partial = lab.partial();
    assert_eq!(partial.len(), 1);
    assert!(!partial[0].ends_with(study), "the other one waits still");
}

#[test]
fn a_damaged_run_hides_no_other() {
    if !have("gcc") {
        return;
    }
    let lab = interrupted();
    // A newer one, of which a crash left nothing that can be read.
    let damaged = lab.path("runs/29991231-235959-tiny.partial");
    fs::create_dir(&damaged).unwrap();
    fs::copy(lab.path("study/study.toml"), damaged.join("study.toml")).unwrap();
    fs::write(damaged.join("state.json"), b"{\xff").unwrap();
    let out = judged(lab.run(&["--resume"]));
    out.says(&[
        "29991231-235959-tiny.partial",
        "state.json",
        "delete the folder when",
    ]);
    assert!(damaged.join("state.json").exists(), "nothing is deleted");
    // Nor does evidence that cannot be read hide the rest of history.
    lab.write("runs/29991231-235959-tiny/evidence.json", "{");
    let out = lab.karat(&["history", "--runs", "runs"]).exits(0);
    let runs = out.stdout.lines().filter(|l| l.contains("-tiny"));
    assert_eq!(runs.count(), 1, "{}", out.stdout);
    out.says(&["29991231-235959-tiny/evidence.json", "left out"]);
    lab.karat(&["report", "--runs", "runs"])
        .exits(2)
        .says(&["29991231-235959-tiny/evidence.json", "karat history"]);
    // Without the run that is whole only damaged ones are left.
    let whole = lab
        .finished()
        .into_iter()
        .find(|f| !f.ends_with("29991231-235959-tiny"));
    fs::remove_dir_all(whole.unwrap()).unwrap();
    let out = lab.run(&["--resume"]).exits(2);
    out.says(&["no run of `tiny`", "29991231-235959-tiny.partial"]);
}
