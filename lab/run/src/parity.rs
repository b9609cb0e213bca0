//! Is behaviour the same? Exit code, stdout and warnings of every variant
//! against the baseline's; or, where a study names a reader of logs, the tests,
//! messages and crashes that both outputs tell of ([`crate::compare`]).

use crate::compare::normalise::Normaliser;
use crate::compare::{Readers, Side, compare, read_one};
use crate::measure::Program;
use crate::process::{Failure, Finished};
use karat_model::compare::{Behaviour, LogComparison, LogFile};
use karat_model::evidence::ParityCheck;
use karat_model::study::{Parity, ParityOutput, Surroundings};
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// No parity check takes longer.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Lines of a difference that are kept.
const DIFF_LINES: usize = 60;

/// What the baseline did in one check.
pub(crate) struct Expected {
    run: Finished,
    /// What differed between two runs of the baseline itself.
    unstable: Vec<String>,
}

impl Expected {
    /// Exit code other than 0, which deserves a finding.
    pub(crate) fn failure(&self) -> Option<String> {
        (!self.run.success()).then(|| format!("{}: {}", self.run.ending, self.run.last_lines(3)))
    }
}

/// Runs the baseline twice: what differs then says nothing about a variant.
pub(crate) fn expect(
    check: &Parity,
    baseline: &Program,
    folder: &Path,
    interrupt: &AtomicBool,
) -> Result<Expected, Failure> {
    let first = run(check, baseline, folder, interrupt)?;
    let second = run(check, baseline, folder, interrupt)?;
    let (unstable, _) = differences(check, &first, &second);
    Ok(Expected {
        run: first,
        unstable,
    })
}

/// Runs one variant and compares.
pub(crate) fn check(
    check: &Parity,
    variant: &str,
    program: &Program,
    expected: &Expected,
    folder: &Path,
    interrupt: &AtomicBool,
) -> Result<ParityCheck, Failure> {
    let (differences, logs) = if expected.unstable.is_empty() {
        let found = run(check, program, folder, interrupt)?;
        differences(check, &expected.run, &found)
    } else {
        let mut out = vec![
            "two runs of the baseline differ, so this check cannot tell; make its output \
             deterministic"
                .to_owned(),
        ];
        out.extend(expected.unstable.iter().cloned());
        (out, None)
    };
    Ok(ParityCheck {
        name: check.name.clone(),
        variant: variant.to_owned(),
        args: check.args.clone(),
        passed: differences.is_empty(),
        differences,
        logs,
    })
}

/// Runs the variant as it is measured: with its own environment, directory, input
/// and commands round it.
fn run(
    check: &Parity,
    program: &Program,
    folder: &Path,
    interrupt: &AtomicBool,
) -> Result<Finished, Failure> {
    let setup = program.setup(&Surroundings::default(), folder);
    setup.run(program.command().args(&check.args), TIMEOUT, interrupt)
}

fn differences(
    check: &Parity,
    expected: &Finished,
    found: &Finished,
) -> (Vec<String>, Option<LogComparison>) {
    let mut out = ending(expected, found);
    let logs = match &check.output {
        ParityOutput::Bytes => {
            out.extend(bytes(expected, found));
            None
        }
        ParityOutput::Events { reader } => {
            let names: Option<Vec<&str>> = reader.as_ref().map(|r| vec![r.value.as_str()]);
            let (differs, logs) = events(names.as_deref(), expected, found);
            out.extend(differs);
            logs
        }
    };
    (out, logs)
}

fn ending(expected: &Finished, found: &Finished) -> Vec<String> {
    let mut out = Vec::new();
    if expected.ending != found.ending {
        out.push(format!(
            "baseline: {}; here: {}\n{}",
            expected.ending,
            found.ending,
            found.last_lines(5)
        ));
    }
    out
}

fn bytes(expected: &Finished, found: &Finished) -> Vec<String> {
    let mut out = Vec::new();
    if expected.stdout != found.stdout {
        out.push(diff("stdout", &expected.stdout, &found.stdout));
    }
    let (before, after) = (warnings(&expected.stderr), warnings(&found.stderr));
    if before != after {
        out.push(diff("warnings", before.as_bytes(), after.as_bytes()));
    }
    out
}

/// Compares what readers find in both outputs; what differs, in sentences.
fn events(
    names: Option<&[&str]>,
    expected: &Finished,
    found: &Finished,
) -> (Vec<String>, Option<LogComparison>) {
    let readers = match names {
        Some(names) => match Readers::named(names) {
            Ok(readers) => readers,
            Err(error) => return (vec![error.to_string()], None),
        },
        None => Readers::all(),
    };
    let normaliser = Normaliser::default();
    let sides = [expected, found].map(|run| side(run, &readers, &normaliser));
    let [Ok(before), Ok(after)] = sides else {
        // Reading from memory does not fail.
        return (vec!["the outputs cannot be read".to_owned()], None);
    };
    let found = compare(before, after, Side::default(), &normaliser, 0.0);
    let out = match found.verdict.behaviour {
        Behaviour::Same => Vec::new(),
        Behaviour::Differs => found.verdict.reasons.clone(),
        Behaviour::Unknown => vec![format!(
            "{}; name another reader, or compare bytes by leaving `reader` away",
            found.verdict.summary.trim_end_matches('.')
        )],
    };
    (out, Some(found))
}

/// What a run printed, stdout and stderr each as a log.
fn side(run: &Finished, readers: &Readers, normaliser: &Normaliser) -> io::Result<Side> {
    let mut side = Side::default();
    for (name, text) in [("stdout", &run.stdout), ("stderr", &run.stderr)] {
        side.begin(LogFile {
            path: name.to_owned(),
            bytes: 0,
            lines: 0,
            readers: Vec::new(),
            events: 0,
        });
        read_one(&mut side, text.as_slice(), readers, normaliser, &mut |_| ())?;
    }
    Ok(side)
}

/// Lines of stderr that warn; the rest (progress, timing) may differ.
fn warnings(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    text.lines()
        .filter(|l| {
            let l = l.to_ascii_lowercase();
            l.contains("warn") || l.contains("error")
        })
        .map(|l| format!("{l}\n"))
        .collect()
}

fn diff(what: &str, expected: &[u8], found: &[u8]) -> String {
    let (expected, found) = (
        String::from_utf8_lossy(expected),
        String::from_utf8_lossy(found),
    );
    let mut options = diffy::DiffOptions::new();
    options
        .set_original_filename(format!("baseline {what}"))
        .set_modified_filename(format!("variant {what}"));
    let text = options.create_patch(&expected, &found).to_string();
    let mut lines: Vec<&str> = text.lines().take(DIFF_LINES + 1).collect();
    if lines.len() > DIFF_LINES {
        lines[DIFF_LINES] = "…";
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Ending;

    fn finished(stdout: &str, stderr: &str, code: i32) -> Finished {
        Finished {
            ending: Ending::Exit(code),
            stdout: stdout.into(),
            stderr: stderr.into(),
            wall: 0.0,
            cpu: 0.0,
            switches: 0,
            waits: 0,
            minor_faults: 0,
            major_faults: 0,
            peak_rss: None,
            rss_floor: 0,
            left_running: 0,
            counts: Vec::new(),
        }
    }

    fn compared(output: ParityOutput, a: &Finished, b: &Finished) -> Vec<String> {
        let check = Parity {
            name: "check".into(),
            args: Vec::new(),
            output,
        };
        differences(&check, a, b).0
    }

    const EVENTS: ParityOutput = ParityOutput::Events { reader: None };

    #[test]
    fn the_same_is_the_same_and_timing_on_stderr_may_differ() {
        let a = finished("x\n", "took 1 s\n", 0);
        let b = finished("x\n", "took 2 s\n", 0);
        assert!(compared(ParityOutput::Bytes, &a, &b).is_empty());
    }

    #[test]
    fn each_kind_of_difference_is_shown() {
        let a = finished("x\ny\n", "", 0);
        let b = finished("x\nz\n", "WARNING: odd\n", 1);
        let found = compared(ParityOutput::Bytes, &a, &b);
        assert_eq!(found.len(), 3);
        assert!(found[0].contains("exit code 1"));
        assert!(found[1].contains("-y\n+z"));
        assert!(found[2].contains("+WARNING: odd"));
    }

    #[test]
    fn with_a_reader_order_and_times_may_differ() {
        let a = finished(
            "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; \
             0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
            "",
            0,
        );
        let b = finished(
            "running 2 tests\ntest b ... ok\ntest a ... ok\n\ntest result: ok. 2 passed; 0 failed; \
             0 ignored; 0 measured; 0 filtered out; finished in 0.07s\n",
            "",
            0,
        );
        assert_eq!(compared(EVENTS, &a, &b), [""; 0]);
        assert!(!compared(ParityOutput::Bytes, &a, &b).is_empty());
        let c = finished("running 1 test\ntest a ... ok\n", "", 0);
        assert_eq!(compared(EVENTS, &a, &c), ["missing: b."]);
        let d = finished(
            "running 2 tests\ntest a ... ok\ntest b ... FAILED\n",
            "",
            101,
        );
        let found = compared(EVENTS, &a, &d);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1], "newly failing: b.");
    }

    #[test]
    fn a_reader_that_finds_nothing_proves_nothing() {
        let a = finished("fine\n", "", 0);
        let found = compared(EVENTS, &a, &a);
        assert!(found[0].contains("name another reader"), "{found:?}");
    }
}
