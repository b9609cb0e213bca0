//! Steps in order, each with its name, its time and how it came out.

use anyhow::{Result, anyhow};
use std::time::{Duration, Instant};

/// One step.
pub struct Step {
    pub name: &'static str,
    /// What it makes sure of.
    pub help: &'static str,
    pub run: fn() -> Result<Outcome>,
    /// Minutes that it takes on a slow machine, if it may be left out for lack of time.
    pub spare: Option<u32>,
}

/// How a step came out that did not fail.
pub enum Outcome {
    Passed,
    /// Passed, with something worth telling.
    Noted(String),
    Skipped(Skip),
}

/// A step that cannot run here.
pub struct Skip {
    /// What is missing: a name that `--require` takes.
    pub missing: &'static str,
    /// What to do about it.
    pub remedy: String,
}

/// How steps are run.
#[derive(Default)]
pub struct Options {
    /// Go on after a failure.
    pub keep_going: bool,
    /// What must not be missing.
    pub required: Vec<String>,
    /// Minutes for all steps: a spare one that would not fit any more is left out.
    pub minutes: Option<u32>,
}

/// How all the steps came out.
#[derive(Default)]
pub struct Summary {
    lines: Vec<String>,
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// Runs the steps; stops at the first failure unless told otherwise.
pub fn run(steps: &[&Step], options: &Options) -> Summary {
    let mut summary = Summary::default();
    let start = Instant::now();
    for step in steps {
        if summary.failed > 0 && !options.keep_going {
            summary.lines.push(line(step, "not run", None, ""));
            continue;
        }
        println!("\n=== {}: {}", step.name, step.help);
        if let Some(late) = late(step, start.elapsed(), options.minutes) {
            summary.skipped += 1;
            println!("{}", line(step, "SKIPPED", None, &late));
            summary.lines.push(line(step, "SKIPPED", None, &late));
            continue;
        }
        let begin = Instant::now();
        let outcome = (step.run)();
        let seconds = begin.elapsed().as_secs_f64();
        let (word, note) = summary.count(outcome, &options.required);
        println!("{}", line(step, word, Some(seconds), &note));
        let short = note.lines().next().unwrap_or_default();
        summary.lines.push(line(step, word, Some(seconds), short));
    }
    summary
}

/// Why a step is left out for lack of time, if it is.
fn late(step: &Step, elapsed: Duration, minutes: Option<u32>) -> Option<String> {
    let (needs, minutes) = (step.spare?, minutes?);
    let over = elapsed.as_secs() / 60 + u64::from(needs) > u64::from(minutes);
    over.then(|| {
        format!(
            "no time: it can take {needs} of the {minutes} minutes; `cargo xtask ci {}` runs it",
            step.name
        )
    })
}

impl Summary {
    fn count(&mut self, outcome: Result<Outcome>, required: &[String]) -> (&'static str, String) {
        let outcome = match outcome {
            Ok(Outcome::Skipped(skip)) if required.iter().any(|r| r == skip.missing) => {
                Err(anyhow!("{} is required: {}", skip.missing, skip.remedy))
            }
            other => other,
        };
        match outcome {
            Ok(Outcome::Passed) => {
                self.passed += 1;
                ("ok", String::new())
            }
            Ok(Outcome::Noted(note)) => {
                self.passed += 1;
                ("ok", note)
            }
            Ok(Outcome::Skipped(skip)) => {
                self.skipped += 1;
                ("SKIPPED", format!("no {}: {}", skip.missing, skip.remedy))
            }
            Err(error) => {
                self.failed += 1;
                ("FAILED", format!("{error:#}"))
            }
        }
    }

    /// Whether nothing failed.
    pub fn good(&self) -> bool {
        self.failed == 0
    }

    /// All steps again, and a last line with the counts.
    pub fn text(&self) -> String {
        format!(
            "{}\n{} passed, {} failed, {} skipped",
            self.lines.join("\n"),
            self.passed,
            self.failed,
            self.skipped
        )
    }
}

fn line(step: &Step, word: &str, seconds: Option<f64>, note: &str) -> String {
    let time = seconds.map_or(String::new(), |s| format!("{s:.1} s"));
    let line = format!("{word:8} {:12} {time:>8}  {note}", step.name);
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Options, Outcome, Skip, Step, late, run};
    use std::time::Duration;

    const GOOD: Step = Step {
        name: "good",
        help: "",
        run: || Ok(Outcome::Passed),
        spare: None,
    };
    const BAD: Step = Step {
        name: "bad",
        help: "",
        run: || anyhow::bail!("broken"),
        spare: None,
    };
    const BARE: Step = Step {
        name: "bare",
        help: "",
        run: || {
            Ok(Outcome::Skipped(Skip {
                missing: "moon",
                remedy: "wait".to_owned(),
            }))
        },
        spare: None,
    };

    fn last_line(options: &Options) -> String {
        let text = run(&[&GOOD, &BARE, &BAD, &GOOD], options).text();
        text.lines().last().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_spare_step_is_left_out_when_it_would_end_too_late() {
        let spare = Step {
            spare: Some(4),
            ..BAD
        };
        let after = |step: &Step, minutes: u64| {
            late(step, Duration::from_secs(60 * minutes), Some(38)).is_some()
        };
        assert!(!after(&spare, 34) && after(&spare, 35) && !after(&BAD, 60));
        assert!(late(&spare, Duration::from_hours(9), None).is_none());
        let options = Options {
            minutes: Some(3),
            ..Options::default()
        };
        let text = run(&[&spare, &GOOD], &options).text();
        assert!(
            text.contains("no time: it can take 4 of the 3 minutes"),
            "{text}"
        );
        assert!(text.ends_with("1 passed, 0 failed, 1 skipped"), "{text}");
    }

    #[test]
    fn it_stops_at_the_first_failure() {
        let summary = run(&[&GOOD, &BAD, &GOOD], &Options::default());
        assert!(!summary.good());
        assert!(summary.text().contains("not run  good"));
        assert!(summary.text().ends_with("1 passed, 1 failed, 0 skipped"));
    }

    #[test]
    fn it_can_go_on() {
        let options = Options {
            keep_going: true,
            ..Options::default()
        };
        assert_eq!(last_line(&options), "2 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn what_is_required_must_not_be_missing() {
        let options = Options {
            keep_going: true,
            required: vec!["moon".to_owned()],
            ..Options::default()
        };
        assert_eq!(last_line(&options), "2 passed, 2 failed, 0 skipped");
    }
}
