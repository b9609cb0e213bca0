//! Is behaviour the same? Exit code, stdout and warnings of every variant
//! against the baseline's.

use crate::measure::Program;
use crate::process::{Failure, Finished};
use karat_model::evidence::ParityCheck;
use karat_model::study::{Parity, Surroundings};
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
    let unstable = differences(&first, &second);
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
    let differences = if expected.unstable.is_empty() {
        differences(&expected.run, &run(check, program, folder, interrupt)?)
    } else {
        let mut out = vec![
            "two runs of the baseline differ, so this check cannot tell; make its output \
             deterministic"
                .to_owned(),
        ];
        out.extend(expected.unstable.iter().cloned());
        out
    };
    Ok(ParityCheck {
        name: check.name.clone(),
        variant: variant.to_owned(),
        args: check.args.clone(),
        passed: differences.is_empty(),
        differences,
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

fn differences(expected: &Finished, found: &Finished) -> Vec<String> {
    let mut out = Vec::new();
    if expected.ending != found.ending {
        out.push(format!(
            "baseline: {}; here: {}\n{}",
            expected.ending,
            found.ending,
            found.last_lines(5)
        ));
    }
    if expected.stdout != found.stdout {
        out.push(diff("stdout", &expected.stdout, &found.stdout));
    }
    let (before, after) = (warnings(&expected.stderr), warnings(&found.stderr));
    if before != after {
        out.push(diff("warnings", before.as_bytes(), after.as_bytes()));
    }
    out
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

    #[test]
    fn the_same_is_the_same_and_timing_on_stderr_may_differ() {
        let a = finished("x\n", "took 1 s\n", 0);
        let b = finished("x\n", "took 2 s\n", 0);
        assert!(differences(&a, &b).is_empty());
    }

    #[test]
    fn each_kind_of_difference_is_shown() {
        let a = finished("x\ny\n", "", 0);
        let b = finished("x\nz\n", "WARNING: odd\n", 1);
        let found = differences(&a, &b);
        assert_eq!(found.len(), 3);
        assert!(found[0].contains("exit code 1"));
        assert!(found[1].contains("-y\n+z"));
        assert!(found[2].contains("+WARNING: odd"));
    }
}
