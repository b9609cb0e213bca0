//! `karat doctor`.

use super::{catch_interrupts, failed, margin};
use crate::args::{self, ListFormat};
use crate::{exit, say};
use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_model::study::quantity;
use karat_run::doctor::noise::{self, Noise, Request};
use karat_run::doctor::{Fact, Health, examine, noise_facts};
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

/// Longest time for measuring noise, in seconds: a day.
const LONGEST: f64 = 86_400.0;

/// Examines the machine.
pub fn run(args: &args::Doctor, quiet: bool) -> Result<u8> {
    let (facts, noise) = if args.noise {
        let (facts, noise) = with_noise(args, quiet)?;
        (facts, Some(noise))
    } else {
        (examine(), None)
    };
    match args.format {
        ListFormat::Json => {
            let mut json = serde_json::json!({ "schema": 1, "facts": facts });
            if let Some(noise) = &noise {
                json["noise"] = serde_json::to_value(noise)?;
            }
            say::result(&serde_json::to_string_pretty(&json)?)?;
        }
        ListFormat::Human => say::result(&human(&facts))?,
    }
    Ok(match noise {
        Some(noise) if noise.interrupted => exit::INTERRUPTED,
        _ => exit::GOOD,
    })
}

/// Examines the machine and measures its noise.
fn with_noise(args: &args::Doctor, quiet: bool) -> Result<(Vec<Fact>, Noise)> {
    let usage = |message: String| failed(exit::USAGE, message);
    let margin = margin(&args.margin)?;
    let time = quantity::duration(&args.time)
        .filter(|t| *t <= LONGEST)
        .ok_or_else(|| {
            usage(format!(
                "--time: `{}` is no duration such as \"60 s\", at most 24 h",
                args.time
            ))
        })?;
    let interrupt = catch_interrupts()?;
    let mut facts = examine();
    let program = std::env::current_exe().context("cannot find karat's own program file")?;
    let request = Request {
        program: &program,
        time: Duration::from_secs_f64(time),
        margin,
        seed: jiff::Timestamp::now().as_nanosecond() as u64,
        interrupt: &interrupt,
    };
    let bar = bar(time, quiet);
    let noise = noise::measure(&request, &mut |rounds, since| {
        bar.set_position(since.as_millis() as u64);
        bar.set_message(format!("{rounds} rounds"));
    });
    bar.finish_and_clear();
    let noise = noise.map_err(|e| failed(exit::of_error(&e), e.to_string()))?;
    facts.extend(noise_facts(&noise));
    Ok((facts, noise))
}

/// Fills with time; drawn between rounds only, as a ticking thread would run
/// beside what is measured.
fn bar(seconds: f64, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new((seconds * 1e3) as u64);
    bar.set_draw_target(if std::io::stderr().is_terminal() && !quiet {
        ProgressDrawTarget::stderr_with_hz(4)
    } else {
        ProgressDrawTarget::hidden()
    });
    if let Ok(style) =
        ProgressStyle::with_template("    noise {wide_bar:.cyan/dim} {msg} {elapsed}")
    {
        bar.set_style(style.progress_chars("━━─"));
    }
    bar
}

fn human(facts: &[Fact]) -> String {
    let mut out = String::new();
    for f in facts {
        let (word, color) = match f.health {
            Health::Good => ("good", AnsiColor::Green),
            Health::Fair => ("fair", AnsiColor::Yellow),
            Health::Poor => ("poor", AnsiColor::Red),
        };
        let style = Style::new().fg_color(Some(color.into()));
        let _ = writeln!(out, "{style}{word}{style:#}  {:18} {}", f.name, f.value);
        for (mark, text) in [("  ", &f.meaning), ("→ ", &f.advice)] {
            if !text.is_empty() {
                let _ = writeln!(out, "{:24} {mark}{text}", "");
            }
        }
    }
    out
}
