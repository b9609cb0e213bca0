//! `karat ab --soak`: two commands watched in turns, and which one to ship.

use super::asked::{Wanted, of_command, words};
use super::live::Live;
use super::{facts, failed_to_watch, keep_all, kept_text, study, target};
use crate::args;
use crate::commands::{catch_interrupts, failed, margin, outputs};
use crate::{exit, say};
use anyhow::{Context, Result};
use karat_model::soak::{Soak, SoakPair, SoakPlan, SoakSample};
use karat_model::verdict::Verdict;
use karat_soak::{Asked, Begun, Stopped, judge, pair, watch};
use karat_store::{SoakFolder, SoakState, Store};
use std::ffi::OsString;
use std::io;
use std::sync::atomic::AtomicBool;

/// The order of the two: what the machine does over the time falls on both alike.
const ORDER: &str = "ABBA";

/// One of the two.
struct Side {
    name: &'static str,
    state: SoakState,
    folder: SoakFolder,
    samples: Vec<SoakSample>,
    stopped: Option<Stopped>,
}

/// Watches both and writes what was found.
pub fn run(args: &args::Ab, quiet: bool) -> Result<u8> {
    outputs::check::<SoakPair>(&args.output)?;
    let margin = margin(&args.margin)?;
    let store = Store::at(&args.runs.dir);
    let interrupt = catch_interrupts()?;
    let ([a, b], repeat, watching) = match &args.study {
        Some(file) => study::pair(args, file, &interrupt)?,
        None => (typed(args)?, false, args.watching.clone()),
    };
    let mut sides = Vec::new();
    for (name, command) in [("A", a), ("B", b)] {
        let words = words(&command)?;
        if words.is_empty() {
            return Err(failed(exit::USAGE, format!("command {name} is empty")));
        }
        let state = of_command(&watching, words, repeat)?;
        if state.plan.warm * 2.0 + state.plan.epoch * 2.0 > state.plan.seconds {
            let message = format!(
                "--warm: each command is started twice, and {} s of each {} s are warm-up: that \
                 leaves no epoch to judge",
                state.plan.warm,
                state.plan.seconds / 2.0
            );
            return Err(failed(exit::USAGE, message));
        }
        sides.push((name, state));
    }
    let stamp = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string();
    let mut sides = sides
        .into_iter()
        .map(|(name, state)| {
            let folder = store.begin_soak(&stamp, &state)?;
            Ok(Side {
                name,
                state,
                folder,
                samples: Vec::new(),
                stopped: None,
            })
        })
        .collect::<Result<Vec<Side>>>()
        .context("cannot begin a soak; `--runs` chooses another folder for it")?;
    for name in ORDER.chars() {
        let place = usize::from(name == 'B');
        let watched = block(&mut sides[place], &interrupt, quiet);
        let stopped = match watched {
            Ok(stopped) => stopped,
            Err(error) => {
                let side = sides.swap_remove(place);
                let what = format!("command {}: ", side.name);
                return Err(failed_to_watch(
                    &what,
                    &error,
                    side.folder,
                    &side.samples,
                    &args.runs,
                ));
            }
        };
        if stopped.interrupted || !stopped.complete {
            let side = sides.swap_remove(place);
            let code = match stopped.interrupted {
                true => exit::INTERRUPTED,
                false => exit::MEASURE,
            };
            let kept = kept_text(side.folder, &side.samples, None);
            let message = format!("command {}: {}{kept}", side.name, stopped.ending);
            return Err(failed(code, message));
        }
        sides[place].stopped = Some(stopped);
    }
    let mut soaks = sides.into_iter().map(finish);
    let (Some(a), Some(b)) = (soaks.next(), soaks.next()) else {
        return Err(failed(exit::INTERNAL, "a soak is missing"));
    };
    let pair = pair(a?, b?, margin, ORDER);
    outputs::write(&args.output, &pair, &[])?;
    Ok(if args.exit_zero {
        exit::GOOD
    } else {
        code(&pair.a, &pair.b)
    })
}

/// The two commands that were typed.
fn typed(args: &args::Ab) -> Result<[Vec<OsString>; 2]> {
    let commands: Vec<&[OsString]> = args.commands.split(|word| *word == "--").collect();
    let [a, b] = commands[..] else {
        let message = "--soak: expected two commands: karat ab --soak -- COMMAND… -- COMMAND…";
        return Err(failed(exit::USAGE, message));
    };
    Ok([a.to_vec(), b.to_vec()])
}

/// The limits of both decide: a comparison by itself is no failure.
fn code(a: &Soak, b: &Soak) -> u8 {
    let any = |verdict| a.verdict == Some(verdict) || b.verdict == Some(verdict);
    if any(Verdict::NoGo) {
        exit::NO_GO
    } else if any(Verdict::Inconclusive) {
        exit::INCONCLUSIVE
    } else {
        exit::GOOD
    }
}

/// One block: half of a command's time, from a fresh start.
fn block(
    side: &mut Side,
    interrupt: &AtomicBool,
    quiet: bool,
) -> Result<Stopped, karat_soak::SoakError> {
    let at = side.samples.last().map_or(0.0, |s| s.at);
    let half = side.state.plan.seconds / 2.0;
    // The first block's last sample may lie a moment beyond its half.
    let plan = SoakPlan {
        seconds: at + half,
        ..side.state.plan.clone()
    };
    let wanted = Wanted::of(&plan).map_err(|e| io::Error::other(e.to_string()))?;
    let asked = Asked {
        target: target(&side.state),
        plan: &plan,
        pattern: wanted.pattern.as_ref(),
        begun: Begun {
            at,
            starts: side.samples.last().map_or(0, |s| s.start + 1),
        },
        interrupt,
    };
    let live = Live::new(&plan, quiet);
    let (folder, samples) = (&mut side.folder, &mut side.samples);
    let mut keep = |sample: &SoakSample| {
        folder.sample(sample).map_err(io::Error::other)?;
        samples.push(sample.clone());
        live.show(samples);
        Ok(())
    };
    let stopped = watch(&asked, &mut keep);
    live.end();
    stopped
}

fn finish(side: Side) -> Result<Soak> {
    let Some(stopped) = &side.stopped else {
        return Err(failed(exit::INTERNAL, "a soak was not watched"));
    };
    let budgets = Wanted::of(&side.state.plan)?.budgets;
    let facts = facts(&side.state, stopped);
    let soak = judge(&side.state.plan, &budgets, &side.samples, facts);
    let done = keep_all(side.folder, &soak)?;
    say::note(&format!("{}: all of it: {}", side.name, done.display()));
    Ok(soak)
}
