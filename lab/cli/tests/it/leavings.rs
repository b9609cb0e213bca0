//! What programs leave, print and use: processes, output, little memory; and
//! compilers that never answer.

use crate::lab::Lab;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// `karat ab`, a few rounds, whatever the verdict.
fn ab<'a>(options: &[&'a str], commands: &[&'a str]) -> Vec<&'a str> {
    let always = ["ab", "--runs", "runs", "--rounds", "6", "--exit-zero"];
    [&always, options, &["--"], commands].concat()
}

/// Whether a process runs whose arguments end in `word`.
fn runs(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let last = |p: fs::DirEntry| {
        let words = fs::read(p.path().join("cmdline")).ok()?;
        let words = words.strip_suffix(b"\0")?;
        Some(words.rsplit(|b| *b == 0).next()? == word.as_bytes())
    };
    processes.filter_map(last).any(|is| is)
}

#[test]
fn processes_in_sessions_of_their_own_are_killed_and_told() {
    let lab = Lab::empty();
    // No other sleep is that long.
    let time = format!("6{:07}", std::process::id());
    let leaves = format!("setsid --fork sleep {time}; setsid --fork sleep {time}; sleep 0.01");
    let commands = ["sh", "-c", &leaves, "--", "sleep", "0.01"];
    let out = lab
        .karat(&ab(&["--metric", "wall"], &commands))
        .exits(0)
        .stdout;
    assert!(!runs(&time), "a sleep of {time} s is still there");
    let told: Vec<&str> = out.lines().filter(|l| l.contains("killed")).collect();
    assert_eq!(told.len(), 1, "{out}");
    assert!(
        told[0].contains("KR007 A: ") && told[0].contains("up to 2 processes"),
        "{out}"
    );
    let evidence = lab.evidence();
    for sample in &evidence.samples {
        let arm = &evidence.arms[sample.arm as usize].variant;
        assert_eq!(sample.left_running, if arm == "A" { 2 } else { 0 });
    }
}

#[test]
fn stdout_goes_to_dev_null_when_asked_to() {
    let lab = Lab::empty();
    let look = r#"[ "$(readlink /proc/$$/fd/1)" = /dev/null ] || { echo it is read; exit 9; }"#;
    let commands = ["sh", "-c", look, "--", "sh", "-c", look];
    lab.karat(&ab(&["--null-stdout"], &commands)).exits(0);
    lab.karat(&ab(&[], &commands))
        .exits(104)
        .says(&["exit code 9", "it is read"]);
    lab.karat(&ab(&["--null-stdout", "--metric", "json:x"], &commands))
        .exits(2)
        .says(&["`x` is read from stdout"]);
}

#[test]
fn memory_that_cannot_be_told_is_left_out_and_said() {
    let lab = Lab::empty();
    let both = ["--metric", "rss", "--metric", "wall"];
    let commands = ["sleep", "0.01", "--", "sleep", "0.01"];
    let out = lab.karat(&ab(&both, &commands)).exits(0).stdout;
    assert!(out.contains("`rss` is not judged"), "{out}");
    let evidence = lab.evidence();
    let judged: Vec<&str> = evidence
        .workloads
        .iter()
        .map(|w| w.metric.name.as_str())
        .collect();
    assert_eq!(judged, ["wall"]);
    assert!(!evidence.workloads[0].comparisons.is_empty());
    assert!(evidence.findings.iter().any(|f| f.code == "KR009"));
    lab.karat(&ab(&both[..2], &commands))
        .exits(104)
        .says(&["cannot be told from karat's own", "page-faults"]);
}

#[test]
fn no_compiler_is_asked_when_nothing_is_built() {
    let lab = Lab::empty();
    for name in ["rustc", "cc"] {
        lab.write(name, "#!/bin/sh\necho asked >\"${0}.asked\"\nsleep 1000\n");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(lab.path(name), mode).unwrap();
    }
    let mut path = lab.path("").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut command = lab.command(&ab(&[], &["sleep", "0.01", "--", "sleep", "0.01"]));
    crate::lab::Outcome::of(command.env("PATH", path)).exits(0);
    for name in ["rustc.asked", "cc.asked"] {
        assert!(!lab.path(name).exists(), "{name}");
    }
}
