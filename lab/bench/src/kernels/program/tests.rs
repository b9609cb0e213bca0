//! Programs that behave and programs that do not.

use super::*;

/// A shell script in a file that is removed at the end.
struct Script(std::path::PathBuf);

impl Script {
    fn new(name: &str, text: &str) -> Self {
        let file = format!("karat-peer-{}-{name}.sh", std::process::id());
        let path = std::env::temp_dir().join(file);
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn start(&self) -> Result<Program, ProgramError> {
        let command = format!("sh {}", self.0.display());
        Program::start_with(&command, Duration::from_millis(300))
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Answers these lines, whatever it is asked.
fn answers(name: &str, lines: &[&str]) -> Script {
    let mut text = String::new();
    for line in lines {
        let _ = writeln!(text, "read request; echo '{line}'");
    }
    Script::new(name, &text)
}

#[test]
fn what_a_program_says_is_understood() {
    let script = answers(
        "good",
        &["hello 1 a peer", "yes", "ok", "12.5", "0aff", "no"],
    );
    let mut program = script.start().unwrap();
    let size = Size { items: 2, size: 1 };
    assert_eq!(program.name(), "a peer");
    assert!(program.takes("sum", size).unwrap());
    // One line of answer to several lines of request: the script reads the first only, so
    // the set is empty here.
    program.inputs(Set::Timed, &[]).unwrap();
    assert_eq!(program.run(Set::Timed, 3, false).unwrap(), 12.5);
    assert_eq!(program.result(0).unwrap(), [10, 255]);
    assert!(!program.takes("product", size).unwrap());
    let ended = program.takes("quotient", size).unwrap_err();
    assert!(
        ended
            .to_string()
            .contains("ended when it was asked `task quotient 2 1`"),
        "{ended}"
    );
}

#[test]
fn inputs_are_lines_of_items_bytes_and_numbers() {
    let script = Script::new(
        "echo",
        "read r; echo hello 1 echo; read r; read a; read b; echo \"$r/$a/$b\"",
    );
    let mut program = script.start().unwrap();
    let inputs = [
        Input::of_items(vec![0x0a, 0xff], 2),
        Input {
            numbers: vec![3, 4],
            ..Input::default()
        },
    ];
    let answer = program
        .inputs(Set::WarmUp, &inputs)
        .unwrap_err()
        .to_string();
    assert!(
        answer.contains("`inputs warm-up 2/2 0aff -/0 - 3,4`"),
        "{answer}"
    );
}

#[test]
fn a_program_that_does_not_behave_is_an_error_that_names_it() {
    for (name, script, part) in [
        (
            "old",
            answers("old", &["hello 2 new"]),
            "answered `hello 2 new` to `hello 1`",
        ),
        (
            "nameless",
            answers("nameless", &["hello 1 "]),
            "to `hello 1`",
        ),
        (
            "gone",
            answers("gone", &[]),
            "ended when it was asked `hello 1`",
        ),
        (
            "mute",
            Script::new("mute", "sleep 5"),
            "did not answer `hello 1` within 0.3 s",
        ),
    ] {
        let error = script.start().unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(name), "{error}");
    }
    let error = Program::start("/no/such/program").unwrap_err().to_string();
    assert!(
        error.contains("`/no/such/program` cannot be started"),
        "{error}"
    );
    for bad in ["fast", "-1", "inf", "NaN"] {
        let script = answers("bad", &["hello 1 a", bad, bad]);
        let mut program = script.start().unwrap();
        assert!(program.run(Set::Timed, 1, true).is_err(), "{bad}");
        assert!(program.result(0).is_err(), "{bad}");
    }
}

#[test]
fn hexadecimal_comes_back() {
    for bytes in [&[][..], &[0], &[0, 1, 0x7f, 0x80, 0xff]] {
        assert_eq!(unhex(&hex(bytes)).unwrap(), bytes);
    }
    for bad in ["0", "0g", "é0", ""] {
        assert!(unhex(bad).is_none_or(|b| b.is_empty()), "{bad}");
    }
}
