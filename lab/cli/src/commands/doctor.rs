//! `karat doctor`.

use super::{catch_interrupts, failed, margin, outputs};
use crate::{args, exit};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_model::study::quantity;
use karat_report::{self as report, Block, Chapter, Detail, Document, Part, Report, Text, Tone};
use karat_run::doctor::noise::{self, Noise, Request};
use karat_run::doctor::{Fact, Health, examine, noise_facts};
use std::io::IsTerminal;
use std::time::Duration;

/// Version of the JSON.
const SCHEMA: u32 = 1;
/// Longest time for measuring noise, in seconds: a day.
const LONGEST: f64 = 86_400.0;

/// Examines the machine.
pub fn run(args: &args::Doctor, quiet: bool) -> Result<u8> {
    outputs::check::<Examined>(&args.output)?;
    let (facts, noise) = if args.noise {
        let (facts, noise) = with_noise(args, quiet)?;
        (facts, Some(noise))
    } else {
        (examine(), None)
    };
    let found = Examined { facts, noise };
    outputs::write(&args.output, &found, &[])?;
    Ok(match found.noise {
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

/// What was seen.
struct Examined {
    facts: Vec<Fact>,
    noise: Option<Noise>,
}

impl Report for Examined {
    fn document(&self, detail: Detail) -> Document {
        let heading = "What this machine is, and how far its measurements can be trusted";
        let facts = self.facts.iter().map(told).collect();
        Document {
            title: "karat doctor".into(),
            origin: "karat doctor".into(),
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => heading.into(),
            },
            chapters: vec![Chapter {
                parts: vec![Part::new(
                    "machine",
                    "This machine",
                    vec![Block::Facts(facts)],
                )],
                ..Chapter::default()
            }],
            footer: format!("karat {}, schema {SCHEMA}", env!("CARGO_PKG_VERSION")).into(),
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        let mut json = serde_json::json!({ "schema": SCHEMA, "facts": self.facts });
        if let Some(noise) = &self.noise {
            json["noise"] = serde_json::json!(noise);
        }
        format!("{json:#}\n")
    }
}

/// A fact with its sign, what it means and what to do.
fn told(fact: &Fact) -> report::Fact {
    let (word, tone) = match fact.health {
        Health::Good => ("good", Tone::Good),
        Health::Fair => ("fair", Tone::Open),
        Health::Poor => ("poor", Tone::Bad),
    };
    let name = Text::default()
        .toned(tone, word)
        .plain(" ")
        .strong(&fact.name);
    let mut told = report::Fact::new(name, &*fact.value);
    if !fact.meaning.is_empty() {
        told.said.push((&*fact.meaning).into());
    }
    if !fact.advice.is_empty() {
        told.said.push(format!("→ {}", fact.advice).into());
    }
    told
}
