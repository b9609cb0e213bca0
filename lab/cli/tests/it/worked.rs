//! The studies of docs/worked-studies.md, as a reader types them: files and commands are
//! taken from the page.

use crate::lab::{Lab, Outcome, have};
use std::process::{Command, Stdio};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/worked-studies.md");

/// A section's files and its commands.
struct Worked {
    files: Vec<(String, String)>,
    commands: Vec<String>,
}

/// The section with this heading.
fn section(heading: &str) -> Worked {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let start = page.split("\n## ").find(|s| s.starts_with(heading));
    let section = start.unwrap_or_else(|| panic!("no section `{heading}`"));
    let mut worked = Worked {
        files: Vec::new(),
        commands: Vec::new(),
    };
    let mut parts = section.split("```");
    while let (Some(before), Some(block)) = (parts.next(), parts.next()) {
        let (language, text) = block.split_once('\n').expect("a block of lines");
        // `path`: stands right above a file.
        let name = before.trim_end().lines().last().unwrap_or_default();
        let name = name.strip_prefix('`').and_then(|n| n.strip_suffix("`:"));
        match (name, language) {
            (Some(name), _) => worked.files.push((name.to_owned(), text.to_owned())),
            (None, "sh") => worked.commands.extend(text.lines().map(str::to_owned)),
            (None, other) => panic!("a block of `{other}` that is neither a file nor commands"),
        }
    }
    worked
}

/// Writes and runs it; every command of karat ends well, and a whole report is there.
fn smoke(heading: &str) {
    let worked = section(heading);
    assert!(worked.files.iter().any(|(name, _)| name == "study.toml"));
    let lab = Lab::empty();
    for (name, text) in &worked.files {
        lab.write(name, text);
    }
    let mut smoked = false;
    for line in &worked.commands {
        let Some(words) = line.strip_prefix("karat ") else {
            let mut shell = Command::new("sh");
            shell.args(["-ec", line]).current_dir(lab.path("."));
            let out = Outcome::of(shell.stdin(Stdio::null()));
            out.exits(0);
            continue;
        };
        let mut words: Vec<&str> = words.split(' ').collect();
        smoked |= words.contains(&"--smoke");
        words.extend(["--runs", "runs"]);
        let out = lab.karat(&words).exits(0);
        let said = format!("{}{}", out.stdout, out.stderr);
        assert!(!said.contains("look at\n"), "{said}");
    }
    assert!(smoked, "`{heading}` is not smoked");
    let evidence = lab.evidence();
    assert!(evidence.parity.iter().all(|p| p.passed) && !evidence.parity.is_empty());
    assert!(evidence.workloads.iter().all(|w| w.rounds == 3));
    let baseline = evidence.findings.iter().find(|f| f.code == "KR003");
    assert_eq!(baseline, None, "the baseline itself ends well");
}

/// Whether a question to a program is answered well.
fn answers(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    let good = command.output().is_ok_and(|out| out.status.success());
    if !good {
        println!("SKIPPED: `{program} {}` does not work here", args.join(" "));
    }
    good
}

#[test]
fn a_c_program_by_cmake() {
    if have("cmake") && have("gcc") && have("make") {
        smoke("A C program by CMake");
    }
}

#[test]
fn a_rust_program() {
    smoke("A Rust program");
}

#[test]
fn a_go_program() {
    if answers("go", &["version"]) {
        smoke("A Go program");
    }
}

#[test]
fn a_python_extension() {
    let header = "import setuptools, sysconfig, os; \
                  open(os.path.join(sysconfig.get_paths()['include'], 'Python.h'))";
    if have("gcc") && answers("python3", &["-c", header]) {
        smoke("A Python extension");
    }
}

#[test]
fn two_prebuilt_binaries() {
    if have("gcc") {
        smoke("Two prebuilt binaries");
    }
}

#[test]
fn the_page_has_five_studies_and_tests_for_all() {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    assert_eq!(page.matches("\n## ").count(), 5);
}
