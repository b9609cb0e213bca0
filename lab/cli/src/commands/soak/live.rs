//! The view of a soak while it goes on: a few lines with rows of bars on a terminal,
//! nothing elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_model::soak::{SoakPlan, SoakSample};
use karat_model::units;
use karat_report::soak::{spark, value};
use std::io::{self, IsTerminal};

/// Columns of a row of bars.
const SPARK: usize = 32;
/// Samples that a row shows: the last minutes tell more than all of a long soak.
const SHOWN: usize = 256;

/// The view.
pub(super) struct Live {
    bar: ProgressBar,
    seconds: f64,
}

impl Live {
    /// A silent one if `quiet`, or where stderr is no terminal.
    pub(super) fn new(plan: &SoakPlan, quiet: bool) -> Self {
        let bar = ProgressBar::new(plan.seconds.ceil() as u64);
        bar.set_draw_target(if io::stderr().is_terminal() && !quiet {
            ProgressDrawTarget::stderr_with_hz(4)
        } else {
            ProgressDrawTarget::hidden()
        });
        let style = "     soak {wide_bar:.cyan/dim} {prefix}\n{msg}";
        // The template is fixed, so it parses or the first run shows that it does not.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("━━─"));
        }
        Self {
            bar,
            seconds: plan.seconds,
        }
    }

    /// Shows the samples so far.
    pub(super) fn show(&self, samples: &[SoakSample]) {
        if self.bar.is_hidden() {
            return;
        }
        let recent = &samples[samples.len().saturating_sub(SHOWN)..];
        let Some(last) = recent.last() else { return };
        let rss = recent
            .iter()
            .filter_map(|s| Some(s.reading?.memory?.rss as f64));
        let cpu = recent.windows(2).filter_map(|two| {
            let (before, after) = (two[0].reading?, two[1].reading?);
            let seconds = two[1].at - two[0].at;
            (two[0].start == two[1].start && seconds > 0.0)
                .then(|| (after.cpu - before.cpu).max(0.0) / seconds)
        });
        let rows = [
            row("throughput", "op/s", &rates(recent)),
            row("rss", "B", &rss.collect::<Vec<_>>()),
            row("cpu", "processors", &cpu.collect::<Vec<_>>()),
        ];
        let text: Vec<String> = rows.into_iter().flatten().collect();
        self.bar.set_position(last.at as u64);
        self.bar.set_prefix(format!(
            "{} of {}",
            units::seconds(last.at),
            units::seconds(self.seconds)
        ));
        self.bar.set_message(text.join("\n"));
    }

    /// Takes the view away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn row(name: &str, unit: &str, values: &[f64]) -> Option<String> {
    let last = values.last()?;
    Some(format!(
        "{name:>10} {:SPARK$} {}",
        spark(values, SPARK),
        value(*last, unit)
    ))
}

/// Throughput from line to line, or from count to count.
fn rates(samples: &[SoakSample]) -> Vec<f64> {
    let points: Vec<_> = samples.iter().flat_map(|s| &s.points).collect();
    let told: Vec<f64> = points.iter().filter_map(|p| p.rate).collect();
    if !told.is_empty() {
        return told;
    }
    let mut counts: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|p| Some((p.at, p.total?)))
        .collect();
    counts.extend(samples.iter().filter_map(|s| Some((s.at, s.progress?))));
    let rate = |two: &[(f64, f64)]| {
        let seconds = two[1].0 - two[0].0;
        (seconds > 0.0 && two[1].1 >= two[0].1).then(|| (two[1].1 - two[0].1) / seconds)
    };
    counts.windows(2).filter_map(rate).collect()
}
