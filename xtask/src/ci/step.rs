//! Steps in order, each with its name, its time and how it came out.

use anyhow::{Result, anyhow};
use std::time::Instant;

/// One step.
pub struct Step {
    pub name: &'static str,
    /// What it makes sure of.
    pub help: &'static str,
    pub run: fn() -> Result<Outcome>,
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
    for step in steps {
        if summary.failed > 0 && !options.keep_going {
            summary.lines.push(line(step, "not run", None, ""));
            continue;
        }
        println!("\n=== {}: {}", step.name, step.help);
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
    use super::{Options, Outcome, Skip, Step, run};

    const GOOD: Step = Step {
        name: "good",
        help: "",
        run: || Ok(Outcome::Passed),
    };
    const BAD: Step = Step {
        name: "bad",
        help: "",
        run: || anyhow::bail!("broken"),
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
    };

    fn last_line(options: &Options) -> String {
        let text = run(&[&GOOD, &BARE, &BAD, &GOOD], options).text();
        text.lines().last().unwrap_or_default().to_owned()
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
        };
        assert_eq!(last_line(&options), "2 passed, 2 failed, 0 skipped");
    }
}
