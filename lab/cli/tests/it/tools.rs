//! The small commands: doctor, init, completions.

use crate::lab::{Lab, Outcome};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn doctor_speaks_to_people_and_programs() {
    let lab = Lab::empty();
    let json = lab.karat(&["doctor", "--format", "json"]).exits(0).stdout;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema"], 1);
    let facts = json["facts"].as_array().unwrap();
    assert!(facts.len() > 5, "{facts:?}");
    let args = ["doctor", "--color", "always", "-o", "d.html", "-o", "d.md"];
    let human = lab.karat(&args).exits(0).stdout;
    let files = [lab.read("d.html"), lab.read("d.md")];
    assert!(human.contains('\x1b'), "{human}");
    for fact in facts {
        let name = fact["name"].as_str().unwrap();
        assert!(!name.is_empty());
        assert!(!fact["value"].as_str().unwrap().is_empty(), "{name}");
        assert!(human.contains(name), "no {name} in:\n{human}");
        assert!(files.iter().all(|text| text.contains(name)), "{name}");
    }
}

#[test]
fn completions_exist_for_shells() {
    let lab = Lab::empty();
    for shell in ["bash", "zsh", "fish"] {
        let script = lab.karat(&["completions", shell]).exits(0).stdout;
        assert!(
            script.contains("karat") && script.contains("dry-run"),
            "{shell}"
        );
        // Names too: readers, kernels, codes, keys of studies, and runs, which are asked for.
        for name in ["libtest", "blake3-block", "KA003", "study.measure.margin"] {
            assert!(script.contains(name), "no {name} for {shell}");
        }
        assert!(script.contains("karat history --format json"), "{shell}");
        assert!(!script.contains("__karat_runs__"), "{shell}");
    }
    lab.karat(&["completions", "abacus"]).exits(2);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = lab.command(&["completions", "bash"]);
    Outcome::of(command.stdout(writer)).exits(0);
}

#[test]
fn init_writes_a_study_that_can_be_planned() {
    let lab = Lab::empty();
    let out = lab.karat(&["init", "my-study"]).exits(0);
    out.says(&["wrote my-study/study.toml", "karat run my-study --smoke"]);
    let text = lab.read("my-study/study.toml");
    assert!(text.contains("name = \"my-study\""), "{text}");
    assert!(text.starts_with("#:schema ./study.schema.json\n"), "{text}");
    // There is nothing to build, and that is told before anything is tried.
    let plan = lab.karat(&["run", "my-study", "--dry-run"]).exits(2).stdout;
    assert!(plan.contains("there is no Makefile"), "{plan}");

    lab.write("my-study/study.toml", "# mine\n");
    let out = lab.karat(&["init", "my-study"]).exits(2);
    out.says(&["study.toml exists already"]);
    assert_eq!(lab.read("my-study/study.toml"), "# mine\n");
}

#[test]
fn init_in_the_current_folder() {
    for name in ["plain", "with space", ".hidden", "größe", "..."] {
        let lab = Lab::empty();
        let folder = lab.path(name);
        std::fs::create_dir_all(&folder).unwrap();
        let inside = |args: &[&str]| {
            let mut command = lab.command(args);
            Outcome::of(command.current_dir(&folder))
        };
        std::fs::write(
            folder.join("Makefile"),
            "prog: prog.c\n\tcc -o prog prog.c\n",
        )
        .unwrap();
        inside(&["init"]).exits(0);
        inside(&["run", ".", "--dry-run"]).exits(0);
        inside(&["init"]).exits(2);
    }
}

#[test]
fn init_in_a_cargo_package_builds_its_binary() {
    let lab = Lab::empty();
    lab.write(
        "Cargo.toml",
        "[package]\nname = \"my-tool\" # the tool\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    lab.write("src/main.rs", "fn main() {}\n");
    let out = lab.karat(&["init"]).exits(0);
    out.says(&["cargo generate-lockfile"]);
    let plan = lab.karat(&["run", ".", "--dry-run"]).exits(2).stdout;
    assert!(plan.contains("there is no Cargo.lock"), "{plan}");
    lab.write(
        "Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"my-tool\"\nversion = \"0.1.0\"\n",
    );
    let text = lab.read("study.toml");
    assert!(text.contains("bin = \"my-tool\""), "{text}");
    let plan = lab.karat(&["run", ".", "--dry-run"]).exits(0).stdout;
    assert!(plan.contains("-Ctarget-cpu=native"), "{plan}");
}

#[test]
fn a_written_makefile_study_runs() {
    if !crate::lab::have("gcc") || !crate::lab::have("make") {
        return;
    }
    let lab = Lab::empty();
    let program = "#include <stdio.h>\nint main(void) { puts(\"program 1\"); return 0; }\n";
    lab.write("c/program.c", program);
    lab.write(
        "c/Makefile",
        "program: program.c\n\t$(CC) $(CFLAGS) -o $@ $<\n",
    );
    lab.karat(&["init", "c"]).exits(0);
    lab.karat(&["run", "c", "--smoke", "--runs", "runs"])
        .exits(0);
}

#[test]
fn init_in_an_empty_folder_is_about_that_folder() {
    let lab = Lab::empty();
    lab.write(
        "Makefile",
        "program: program.c\n\tcc -o program program.c\n",
    );
    std::fs::create_dir_all(lab.path("empty")).unwrap();
    let mut command = lab.command(&["init"]);
    let out = Outcome::of(command.current_dir(lab.path("empty")));
    out.exits(0).says(&["nothing here that karat knows"]);
    // A new folder that is named is for a study of what is beside it.
    lab.karat(&["init", "new"])
        .exits(0)
        .says(&["in the folder above, a Makefile"]);
}

#[test]
fn noise_is_asked_for_in_ways_that_mean_something() {
    let lab = Lab::empty();
    for (args, said) in [
        (&["--noise", "--margin", "0 %"][..], "--margin: `0 %`"),
        (&["--noise", "--margin", "51%"], "at most 50 %"),
        (&["--noise", "--margin", "some"], "--margin: `some`"),
        (&["--noise", "--margin", "nan"], "--margin: `nan`"),
        (&["--noise", "--time", "60"], "--time: `60` is no duration"),
        (&["--noise", "--time", "0 s"], "--time: `0 s`"),
        (&["--noise", "--time", "25 h"], "at most 24 h"),
        (&["--margin", "1%"], "--noise"),
        (&["--time", "2 s"], "--noise"),
        (&["loudly"], "loudly"),
    ] {
        let out = lab.karat(&[&["doctor"], args].concat()).exits(2);
        assert!(out.stdout.is_empty(), "{args:?}");
        out.says(&[said]);
    }
    lab.karat(&["__spin", "1000"]).exits(0);
    let help = lab.karat(&["doctor", "--help"]).exits(0).stdout;
    assert!(help.contains("--noise") && !help.contains("spin"), "{help}");
}

/// A share between 0 and 1 in its interval, or none of nothing.
#[track_caller]
fn is_rate(rate: &Value, of: u64) {
    assert_eq!(rate["of"], of, "{rate}");
    let count = rate["count"].as_u64().unwrap();
    assert!(count <= of, "{rate}");
    if of == 0 {
        assert!(rate["rate"].is_null() && rate["low"].is_null(), "{rate}");
        return;
    }
    let [low, share, high] = ["low", "rate", "high"].map(|k| rate[k].as_f64().unwrap());
    assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
    assert!((share - count as f64 / of as f64).abs() < 1e-12, "{rate}");
}

#[test]
fn noise_is_measured_counted_and_told() {
    let lab = Lab::empty();
    let args = ["doctor", "--noise", "--time", "2 s", "--margin", "2%"];
    let json = lab.karat(&[&args[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json.exits(0).stdout).expect("JSON");
    assert_eq!(json["schema"], 1);
    let noise = &json["noise"];
    assert_eq!(noise["interrupted"], false);
    let rounds = noise["rounds"].as_u64().unwrap();
    assert!(rounds > 0);
    let comparisons = rounds / noise["rounds_per_comparison"].as_u64().unwrap();
    let metrics = noise["metrics"].as_array().unwrap();
    let names: Vec<&Value> = metrics.iter().map(|m| &m["name"]).collect();
    assert_eq!(names, ["CPU", "wall"]);
    for metric in metrics {
        let arms = metric["arms"].as_array().unwrap();
        let injected: Vec<&Value> = arms.iter().map(|a| &a["injected"]).collect();
        assert_eq!(injected, [0.0, 0.01, 0.02]);
        let margins: Vec<&Value> = arms.iter().map(|a| &a["margin"]).collect();
        assert_eq!(margins, [0.02, 0.005, 0.01]);
        for arm in arms {
            assert_eq!(arm["comparisons"], comparisons);
            assert!(arm["realised"].is_f64(), "{arm}");
            let words = ["faster", "slower", "inconclusive"].map(|k| arm[k].as_u64().unwrap());
            let same = arm["same"]["count"].as_u64().unwrap();
            assert_eq!(words.iter().sum::<u64>() + same, comparisons, "{arm}");
            is_rate(&arm["same"], comparisons);
            if arm["injected"] == 0.0 {
                is_rate(&arm["false_alarm"], comparisons);
                assert_eq!(arm["false_alarm"]["count"], words[0] + words[1]);
                assert!(arm["power"].is_null());
            } else {
                is_rate(&arm["power"], comparisons);
                assert_eq!(arm["power"]["count"], words[1]);
                assert!(arm["false_alarm"].is_null());
            }
        }
        let detectable = &metric["detectable"];
        assert_eq!(detectable["median"].is_f64(), comparisons > 0);
        if let Some(median) = detectable["median"].as_f64() {
            for (more, factor) in [(0, 0.5_f64), (1, 1.0 / 6.0)] {
                let effect = detectable["extrapolated"][more]["effect"].as_f64().unwrap();
                assert!((effect / median - factor.sqrt()).abs() < 1e-12);
            }
        }
    }

    let human = lab.karat(&args).exits(0);
    assert!(human.stderr.is_empty(), "no terminal, no progress");
    for fact in json["facts"].as_array().unwrap() {
        let name = fact["name"].as_str().unwrap();
        assert!(
            human.stdout.contains(name),
            "no {name} in:\n{}",
            human.stdout
        );
    }
    for part in [
        "CPU: A/A",
        "CPU: +1 %",
        "wall: +2 %",
        "wall: detectable",
        "Wilson",
    ] {
        assert!(
            human.stdout.contains(part),
            "no {part} in:\n{}",
            human.stdout
        );
    }
}

#[test]
fn noise_ends_at_ctrl_c_with_what_there_is() {
    let lab = Lab::empty();
    let args = ["doctor", "--noise", "--time", "10 min", "--format", "json"];
    let mut command = lab.command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("karat starts");
    let pid = Pid::from_raw(child.id().try_into().expect("a process number"));
    // It catches signals before it does anything else: wait until it does.
    let limit = Instant::now() + Duration::from_secs(60);
    while !catches_sigint(pid) && Instant::now() < limit {
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(pid, Signal::SIGINT).expect("karat is still running");
    let out = Outcome::from(child.wait_with_output().unwrap()).exits(130);
    let json: Value = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!(json["noise"]["interrupted"], true);
}

fn catches_sigint(pid: Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|c| u64::from_str_radix(c.trim(), 16).ok());
    caught.is_some_and(|c| c & 1 << (Signal::SIGINT as u64 - 1) != 0)
}
