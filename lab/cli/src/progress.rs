//! The sink that shows progress: a bar on a terminal, sparse lines elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_model::units;
use karat_run::{Event, Sink, Stage};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// A stage that took less leaves no line.
const NOTABLE: Duration = Duration::from_millis(50);

/// Shows progress on stderr.
pub struct Progress {
    bar: ProgressBar,
    stage: Option<(Stage, Instant)>,
    terminal: bool,
    quiet: bool,
}

impl Progress {
    /// A silent one if `quiet`.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        let terminal = io::stderr().is_terminal();
        let bar = ProgressBar::new(0);
        bar.set_draw_target(if terminal && !quiet {
            ProgressDrawTarget::stderr_with_hz(8)
        } else {
            ProgressDrawTarget::hidden()
        });
        let style = "{prefix:>9} {wide_bar:.cyan/dim} {pos}/{len} {msg} {elapsed} (left {eta})";
        // The template is fixed, so it parses or the first run shows that it does not.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("━━─"));
        }
        Self {
            bar,
            stage: None,
            terminal,
            quiet,
        }
    }

    fn line(&self, text: &str) {
        if self.quiet {
        } else if self.terminal {
            self.bar.println(text);
        } else {
            crate::say::note(text);
        }
    }

    /// Ends the current stage's bar, leaving one line; `how` is `done in` or
    /// `stopped after`.
    pub fn end_stage(&mut self, how: &str) {
        if let Some((stage, since)) = self.stage.take() {
            self.bar.disable_steady_tick();
            let took = since.elapsed();
            if took >= NOTABLE {
                let took = units::seconds(took.as_secs_f64());
                self.line(&format!("{:>9} {how} {took}", stage.word()));
            }
            self.bar.finish_and_clear();
        }
    }
}

impl Sink for Progress {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::StageStarted { stage, steps } => {
                self.end_stage("done in");
                self.stage = Some((*stage, Instant::now()));
                self.bar.reset();
                self.bar.set_length(*steps);
                self.bar.set_prefix(stage.word());
                self.bar.set_message("");
                // Measuring redraws between samples only: a ticking thread
                // would run beside what is measured.
                if !matches!(stage, Stage::Measure | Stage::Clock | Stage::Layout) {
                    self.bar.enable_steady_tick(Duration::from_millis(250));
                }
            }
            Event::StepStarted { name } => self.bar.set_message(name.clone()),
            Event::StepDone { message, notable } => {
                if *notable {
                    self.line(&format!("{:>9} {message}", ""));
                }
                self.bar.inc(1);
            }
            Event::Sample(_) => self.bar.inc(1),
            Event::Time { seconds, of } => {
                if of.is_finite() {
                    self.bar.set_length(*of as u64);
                    self.bar.set_position(*seconds as u64);
                }
            }
            Event::Looked {
                rounds,
                undecided,
                comparisons,
                ..
            } => self.line(&format!(
                "{:>9} {rounds} rounds: {} of {comparisons} comparisons decided",
                "",
                comparisons - undecided
            )),
            // How it ended is told by the report or the error.
            Event::Log { .. }
            | Event::Fingerprint { .. }
            | Event::Finished { .. }
            | Event::Failed { .. } => {}
        }
        Ok(())
    }
}
