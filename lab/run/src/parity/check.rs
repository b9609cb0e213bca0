//! Runs the checks.

use super::{bytes, logs};
use crate::measure::Program;
use crate::modified::Stamps;
use karat_compare::normalise::Normaliser;
use karat_model::compare::LogComparison;
use karat_model::evidence::ParityCheck;
use karat_model::study::{Parity, ParityOutput, Surroundings};
use karat_process::{Ending, Failure, Finished};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// No parity check takes longer.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Why a check cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ParityError {
    /// The run failed round the program.
    #[error(transparent)]
    Run(#[from] Failure),
    /// A log of the run cannot be used.
    #[error("{what}\n  the program: {ending}{said}")]
    Log {
        /// Which, and why.
        what: String,
        /// How the program ended.
        ending: Ending,
        /// Its last lines; may be empty.
        said: String,
    },
}

/// A run with its logs, if they are what is compared.
struct Ran {
    finished: Finished,
    logs: Option<logs::Logs>,
}

/// What the baseline did in one check.
pub(crate) struct Expected {
    run: Ran,
    /// What differed between two runs of the baseline itself.
    unstable: Vec<String>,
}

impl Expected {
    /// Exit code other than 0, which deserves a finding.
    pub(crate) fn failure(&self) -> Option<String> {
        let run = &self.run.finished;
        (!run.success()).then(|| format!("{}: {}", run.ending, run.last_lines(3)))
    }
}

/// Runs the baseline twice: what differs then says nothing about a variant.
pub(crate) fn expect(
    check: &Parity,
    baseline: &Program,
    folder: &Path,
    interrupt: &AtomicBool,
) -> Result<Expected, ParityError> {
    let first = run(check, baseline, folder, &Normaliser::default(), interrupt)?;
    let second = run(check, baseline, folder, &Normaliser::default(), interrupt)?;
    let (unstable, _) = differences(&first, &second);
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
) -> Result<ParityCheck, ParityError> {
    let (differences, logs) = if expected.unstable.is_empty() {
        let of_expected = expected.run.logs.as_ref();
        let normaliser = of_expected.map_or_else(Normaliser::default, |l| l.normaliser().clone());
        match run(check, program, folder, &normaliser, interrupt) {
            Ok(found) => differences(&expected.run, &found),
            // The baseline's logs were there: that these are not is a difference.
            Err(error @ ParityError::Log { .. }) => (vec![error.to_string()], None),
            Err(error) => return Err(error),
        }
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
    normaliser: &Normaliser,
    interrupt: &AtomicBool,
) -> Result<Ran, ParityError> {
    let setup = program.setup(&Surroundings::default(), folder);
    let dir = setup.dir.clone().unwrap_or_else(|| PathBuf::from("."));
    let stamps = match &check.output {
        ParityOutput::Bytes => Stamps::default(),
        ParityOutput::Events { logs, .. } => logs::stamps(logs, &dir),
    };
    let finished = setup.run(program.command().args(&check.args), TIMEOUT, interrupt)?;
    if interrupt.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted.into());
    }
    let logs = match &check.output {
        ParityOutput::Bytes => None,
        ParityOutput::Events { reader, logs } => {
            let reader = reader.as_ref().map(|r| r.value.as_str());
            let read = logs::read(logs, reader, &finished, &dir, &stamps, normaliser);
            Some(read.map_err(|what| {
                let said = finished.last_lines(5);
                ParityError::Log {
                    what,
                    ending: finished.ending,
                    said: said.lines().map(|l| format!("\n    {l}")).collect(),
                }
            })?)
        }
    };
    Ok(Ran { finished, logs })
}

fn differences(expected: &Ran, found: &Ran) -> (Vec<String>, Option<LogComparison>) {
    let mut out = ending(&expected.finished, &found.finished);
    if let (Some(before), Some(after)) = (&expected.logs, &found.logs) {
        let (differs, logs) = logs::differences(before, after);
        out.extend(differs);
        return (out, Some(logs));
    }
    out.extend(bytes::differences(&expected.finished, &found.finished));
    (out, None)
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

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::study::LogSource;

    /// What shows that a log is whole.
    const RESULT: &str = "\ntest result: ok. 2 passed; 0 failed; 0 ignored\n";

    fn finished(stdout: &str, stderr: &str, code: i32) -> Finished {
        Finished {
            ending: Ending::Exit(code),
            stdout: stdout.into(),
            stderr: stderr.into(),
            wall: 0.0,
            overslept: 0.0,
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

    fn ran(output: &ParityOutput, finished: Finished) -> Ran {
        let logs = match output {
            ParityOutput::Bytes => None,
            ParityOutput::Events { logs, .. } => {
                let (here, none) = (Path::new("."), Normaliser::default());
                let stamps = logs::stamps(logs, here);
                Some(logs::read(logs, None, &finished, here, &stamps, &none).unwrap())
            }
        };
        Ran { finished, logs }
    }

    fn compared(output: ParityOutput, a: &Finished, b: &Finished) -> Vec<String> {
        let [a, b] = [a, b].map(|f| ran(&output, f.clone()));
        differences(&a, &b).0
    }

    fn events() -> ParityOutput {
        ParityOutput::Events {
            reader: None,
            logs: vec![LogSource::Stdout, LogSource::Stderr],
        }
    }

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
        assert_eq!(compared(events(), &a, &b), [""; 0]);
        assert!(!compared(ParityOutput::Bytes, &a, &b).is_empty());
        let c = finished(&format!("running 1 test\ntest a ... ok\n{RESULT}"), "", 0);
        assert_eq!(compared(events(), &a, &c), ["missing: b."]);
        let d = finished(
            &format!("running 2 tests\ntest a ... ok\ntest b ... FAILED\n{RESULT}"),
            "",
            101,
        );
        let found = compared(events(), &a, &d);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1], "newly failing: b.");
    }

    #[test]
    fn a_reader_that_finds_nothing_proves_nothing() {
        let a = finished("fine\n", "", 0);
        let found = compared(events(), &a, &a);
        assert!(found[0].contains("name another reader"), "{found:?}");
    }

    #[test]
    fn a_log_that_is_a_file_is_read_and_is_of_this_run() {
        let dir = tempfile::tempdir().unwrap();
        let log = |text: &str| std::fs::write(dir.path().join("out/t.log"), text).unwrap();
        let logs = [LogSource::File("out/t.log".into())];
        let read = |stamps: &Stamps| {
            let (run, none) = (finished("", "", 0), Normaliser::default());
            logs::read(&logs, Some("libtest"), &run, dir.path(), stamps, &none)
        };
        let said = read(&logs::stamps(&logs, dir.path())).err().unwrap();
        assert!(said.contains("did not write out/t.log"), "{said}");

        std::fs::create_dir(dir.path().join("out")).unwrap();
        log(&format!(
            "running 2 tests\ntest a ... ok\ntest b ... ok\n{RESULT}"
        ));
        let before = read(&Stamps::default()).unwrap();
        let stamps = logs::stamps(&logs, dir.path());
        let said = read(&stamps).err().unwrap();
        assert!(said.contains("left from an earlier one"), "{said}");

        log(&format!("running 1 test\ntest a ... ok\n{RESULT}"));
        let after = read(&stamps).unwrap();
        let (differs, found) = logs::differences(&before, &after);
        assert_eq!(differs, ["missing: b."]);
        assert_eq!(found.before.files[0].path, "out/t.log");
    }

    #[test]
    fn only_the_logs_that_are_named_are_read() {
        let tests = format!("running 1 test\ntest a ... ok\n{RESULT}");
        let a = finished(&tests, "error: one\n", 0);
        let b = finished(&tests, "error: two\n", 0);
        assert!(!compared(events(), &a, &b).is_empty());
        let stdout = ParityOutput::Events {
            reader: None,
            logs: vec![LogSource::Stdout],
        };
        assert_eq!(compared(stdout, &a, &b), [""; 0]);
    }
}
