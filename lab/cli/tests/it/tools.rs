//! The small commands: doctor, init, completions.

use crate::lab::{Lab, Outcome};
use serde_json::Value;

#[test]
fn doctor_speaks_to_people_and_programs() {
    let lab = Lab::empty();
    let json = lab.karat(&["doctor", "--format", "json"]).exits(0).stdout;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema"], 1);
    let facts = json["facts"].as_array().unwrap();
    assert!(facts.len() > 5, "{facts:?}");
    let human = lab.karat(&["doctor", "--color", "always"]).exits(0).stdout;
    assert!(human.contains('\x1b'), "{human}");
    for fact in facts {
        let name = fact["name"].as_str().unwrap();
        assert!(!name.is_empty());
        assert!(!fact["value"].as_str().unwrap().is_empty(), "{name}");
        assert!(human.contains(name), "no {name} in:\n{human}");
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
    let plan = lab.karat(&["run", "my-study", "--dry-run"]).exits(0).stdout;
    assert!(plan.contains("make"), "{plan}");

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
    lab.karat(&["init"]).exits(0);
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
