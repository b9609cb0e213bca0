//! From samples to the document.

use crate::budgets::{Found, hold, verdict};
use crate::epochs::{epochs, fine_throughput};
use crate::figures::{figures, levels, tails};
use karat_model::machine::Machine;
use karat_model::soak::{
    Budget, Epoch, Floor, SCHEMA, Soak, SoakMode, SoakPlan, SoakSample, Surroundings, SystemCalls,
};

/// What the samples do not say.
#[derive(Clone, Debug)]
pub struct Facts {
    /// karat's version.
    pub karat: String,
    /// When the soak began, RFC 3339, UTC.
    pub started: String,
    /// Where.
    pub machine: Machine,
    /// How often it was taken up again.
    pub resumed: u32,
    /// How it ended.
    pub ending: String,
    /// Whether its time was over.
    pub complete: bool,
    /// System calls, if they were counted.
    pub system_calls: Option<SystemCalls>,
    /// What the watching shows of an empty program; it is taken off.
    pub floor: Option<Floor>,
    /// What else a reader should know.
    pub notes: Vec<String>,
}

/// Judges a soak. Pure: the same samples, plan and facts give the same document.
#[must_use]
pub fn judge(plan: &SoakPlan, budgets: &[Budget], samples: &[SoakSample], facts: Facts) -> Soak {
    let epochs = epochs(plan, samples, facts.floor.as_ref());
    let judged: Vec<&Epoch> = epochs.iter().filter(|e| !e.warm).collect();
    let figures = figures(&judged);
    let throughput = figures.iter().find(|f| f.name == "throughput");
    let usual = throughput.map(|f| f.mean.estimate).filter(|t| *t > 0.0);
    let mut facts = facts;
    if let Some(calls) = &mut facts.system_calls {
        let rate = calls.operations.map(|o| o / calls.seconds);
        calls.slowdown = rate.zip(usual).map(|(rate, usual)| rate / usual);
    }
    // A change makes two levels as well, and says more.
    let steady = throughput.is_some_and(|f| f.changes.is_empty());
    let levels = steady.then(|| {
        let fine = fine_throughput(samples, &epochs);
        let coarse = || {
            judged
                .iter()
                .filter_map(|e| e.throughput)
                .collect::<Vec<_>>()
        };
        levels(&fine).or_else(|| fine.is_empty().then(|| levels(&coarse())).flatten())
    });
    let (typical, worst) = tails(&judged);
    let found = Found {
        figures: &figures,
        epochs: &judged,
        system_calls: facts.system_calls.as_ref(),
    };
    let outcomes: Vec<_> = budgets.iter().map(|b| hold(*b, &found)).collect();
    let watched = samples.last().map_or(0.0, |s| s.at);
    let starts = samples.chunk_by(|a, b| a.start == b.start).count() as u32;
    let mut notes = notes(plan, &judged, samples, starts);
    notes.extend(facts.notes);
    Soak {
        schema: SCHEMA,
        karat: facts.karat,
        started: facts.started,
        machine: facts.machine,
        plan: plan.clone(),
        watched,
        complete: facts.complete,
        ending: facts.ending,
        starts,
        resumed: facts.resumed,
        own_share: samples.iter().map(|s| s.own).sum::<f64>() / watched.max(f64::MIN_POSITIVE),
        floor: facts.floor,
        judged: judged.len() as u32,
        levels: levels.flatten(),
        tails: typical,
        worst,
        system_calls: facts.system_calls,
        surroundings: surroundings(&epochs),
        verdict: verdict(&outcomes, facts.complete),
        budgets: outcomes,
        notes,
        figures,
        epochs,
    }
}

fn surroundings(epochs: &[Epoch]) -> Surroundings {
    let sum = |value: fn(&Epoch) -> f64| epochs.iter().map(value).sum::<f64>();
    let clocks = || epochs.iter().map(|e| e.clock).filter(|c| *c > 0.0);
    Surroundings {
        quiet: sum(|e| e.quiet) / epochs.len().max(1) as f64,
        clock_low: clocks().reduce(f64::min).unwrap_or(0.0),
        clock_high: clocks().reduce(f64::max).unwrap_or(0.0),
        steal: sum(|e| e.steal),
        throttled: sum(|e| e.throttled),
        paused: sum(|e| e.paused),
    }
}

fn notes(plan: &SoakPlan, judged: &[&Epoch], samples: &[SoakSample], starts: u32) -> Vec<String> {
    let mut out = Vec::new();
    if plan.line.is_some()
        && samples
            .iter()
            .all(|s| s.points.is_empty() && s.latencies.is_empty())
    {
        out.push(
            "No line matched --line. A program that prints into a pipe may hold its lines back: \
             let it flush each, or start it by `stdbuf -oL`."
                .to_owned(),
        );
    }
    let readings = || samples.iter().filter_map(|s| s.reading);
    let with_memory = readings().filter(|r| r.memory.is_some()).count();
    let all = readings().count();
    if all > 0 && with_memory == 0 {
        out.push("The kernel tells no memory of this program (smaps_rollup).".to_owned());
    } else if with_memory * 2 < all {
        out.push(format!(
            "Memory was added up in {with_memory} of {all} samples: to add it up in each would \
             have cost the program more than 0.5 % of the time."
        ));
    }
    if starts > 1 && plan.mode != SoakMode::Repeat {
        out.push(format!(
            "The program was started {starts} times; slopes are those inside of each start."
        ));
    }
    if judged.is_empty() {
        out.push(format!(
            "No epoch is judged: {} s of the time are warm-up, and an epoch takes {} s.",
            plan.warm, plan.epoch
        ));
    }
    out
}
