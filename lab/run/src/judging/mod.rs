//! From samples to comparisons: costs in, the judge's words out.

mod layouts;
mod oddities;

pub(crate) use layouts::pilots;

use crate::measure::Bench;
use crate::metric::NOT_TOLD;
use karat_judge::{AaStatus, JudgeError, Outcome, Pair, judge_aa, judge_family, log_margin};
use karat_model::evidence::Oddity;
use karat_model::layout::LayoutTax;
use karat_model::measure::{Arm, Role, Sample};
use karat_model::study::Workload;
use karat_model::units::Metric;
use karat_model::verdict::{Comparison, Judgement, SpeedRatio};

/// What the judge says about one workload by one metric at one look.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// Index of the workload.
    pub(crate) workload: usize,
    /// Index of the metric in its samples' values.
    pub(crate) value: usize,
    /// The workload's name; of several metrics with the metric's.
    pub(crate) name: String,
    pub(crate) metric: Metric,
    pub(crate) again: Option<Comparison>,
    pub(crate) again_passed: bool,
    pub(crate) noise_floor: Option<f64>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) layout_tax: Vec<LayoutTax>,
    pub(crate) oddities: Vec<Oddity>,
}

impl Judged {
    fn new(workload: usize, value: usize, name: String, metric: Metric) -> Self {
        Self {
            workload,
            value,
            name,
            metric,
            again: None,
            again_passed: false,
            noise_floor: None,
            comparisons: Vec::new(),
            layout_tax: Vec::new(),
            oddities: Vec::new(),
        }
    }
}

/// Workloads of which nothing was measured, by the metrics that the study names.
pub(crate) fn unmeasured(workloads: &[Workload]) -> Vec<Judged> {
    let metrics = |w: &Workload| w.metrics.iter().map(|m| m.metric.clone()).collect();
    let all: Vec<Vec<Metric>> = workloads.iter().map(metrics).collect();
    views(workloads, &all)
}

/// One view of each workload by each of its metrics.
fn views(workloads: &[Workload], metrics: &[Vec<Metric>]) -> Vec<Judged> {
    let mut out = Vec::new();
    for (w, (workload, metrics)) in workloads.iter().zip(metrics).enumerate() {
        for (value, metric) in metrics.iter().enumerate() {
            let name = if metrics.len() > 1 {
                format!("{} · {}", workload.name, metric.name)
            } else {
                workload.name.clone()
            };
            out.push(Judged::new(w, value, name, metric.clone()));
        }
    }
    out
}

/// The views whose metric every run gave. Peak memory that one run could not tell
/// is not judged at all: karat's own size, not the program, decides which runs tell
/// it.
fn told(mut views: Vec<Judged>, samples: &[Sample]) -> Vec<Judged> {
    views.retain(|view| {
        let own = |s: &&Sample| s.workload as usize == view.workload;
        let value = |s: &Sample| s.values.get(view.value).copied();
        !samples
            .iter()
            .filter(own)
            .any(|s| value(s) == Some(NOT_TOLD))
    });
    views
}

/// What one arm cost, round by round, and where in the round's order it ran.
struct Column {
    costs: Vec<f64>,
    places: Vec<u32>,
}

/// The columns of all arms, from the last attempts of the first `rounds` rounds.
fn columns(view: &Judged, arms: usize, samples: &[Sample], rounds: u32) -> Vec<Column> {
    let rounds = rounds as usize;
    let mut last: Vec<Vec<Option<&Sample>>> = vec![vec![None; rounds]; arms];
    for s in samples
        .iter()
        .filter(|s| s.workload as usize == view.workload)
    {
        let slot = last[s.arm as usize].get_mut(s.round as usize);
        if let Some(slot) = slot
            && slot.is_none_or(|known| s.attempt >= known.attempt)
        {
            *slot = Some(s);
        }
    }
    let cost = |s: &Option<&Sample>| s.map_or(f64::NAN, |s| view.metric.cost(s.values[view.value]));
    last.iter()
        .map(|column| Column {
            costs: column.iter().map(cost).collect(),
            places: column.iter().map(|s| s.map_or(0, |s| s.position)).collect(),
        })
        .collect()
}

/// A variant against the baseline, in all layouts: indices of the two arms.
struct Claim<'a> {
    view: usize,
    variant: &'a str,
    /// Seed, baseline's arm, variant's arm.
    layouts: Vec<(u64, usize, usize)>,
}

/// All claims of a role, for each view.
fn claims<'a>(views: &[Judged], arms: &'a [Arm], role: Role) -> Vec<Claim<'a>> {
    let baseline = |layout: u64| {
        arms.iter()
            .position(|a| a.role == Role::Baseline && a.layout == layout)
    };
    let mut names: Vec<&str> = Vec::new();
    for arm in arms.iter().filter(|a| a.role == role) {
        if !names.contains(&arm.variant.as_str()) {
            names.push(&arm.variant);
        }
    }
    let mut out = Vec::new();
    for view in 0..views.len() {
        for variant in &names {
            let own = |a: &&(usize, &Arm)| a.1.role == role && a.1.variant == *variant;
            let pairs = arms.iter().enumerate().collect::<Vec<_>>();
            let layouts = pairs
                .iter()
                .filter(own)
                .filter_map(|(i, a)| Some((a.layout, baseline(a.layout)?, *i)))
                .collect();
            out.push(Claim {
                view,
                variant,
                layouts,
            });
        }
    }
    out
}

/// The costs of a claim, as the judge takes them.
fn pair<'c>(claim: &Claim<'_>, columns: &'c [Column], arms: &[Arm], margin: f64) -> Pair<'c> {
    let arm = |i: usize| karat_judge::Arm {
        costs: &columns[i].costs,
        places: Some(&columns[i].places),
    };
    let layouts = claim
        .layouts
        .iter()
        .map(|&(layout, baseline, variant)| karat_judge::Layout {
            baseline: arm(baseline),
            variant: arm(variant),
            others: (0..arms.len())
                .filter(|i| arms[*i].layout == layout && *i != baseline && *i != variant)
                .map(arm)
                .collect(),
        })
        .collect();
    Pair {
        layouts,
        margin: log_margin(margin),
    }
}

/// Judges all workloads, metrics and variants as one family: a study makes all its
/// claims together, so they share one error rate.
pub(crate) fn judge(
    bench: &Bench<'_>,
    samples: &[Sample],
    rounds: u32,
    alpha: f64,
    seed: u64,
) -> Vec<Judged> {
    judge_views(
        told(views(bench.workloads, &bench.known_metrics()), samples),
        bench.workloads,
        bench.arms,
        samples,
        Look {
            rounds,
            alpha,
            seed,
        },
    )
}

/// At what to look.
#[derive(Clone, Copy)]
struct Look {
    rounds: u32,
    alpha: f64,
    seed: u64,
}

fn judge_views(
    mut judged: Vec<Judged>,
    workloads: &[Workload],
    arms: &[Arm],
    samples: &[Sample],
    look: Look,
) -> Vec<Judged> {
    let Look {
        rounds,
        alpha,
        seed,
    } = look;
    let columns: Vec<Vec<Column>> = judged
        .iter()
        .map(|view| columns(view, arms.len(), samples, rounds))
        .collect();
    let pairs = |claims: &[Claim<'_>]| -> Vec<Pair<'_>> {
        let margin = |c: &Claim<'_>| workloads[judged[c.view].workload].margin;
        claims
            .iter()
            .map(|c| pair(c, &columns[c.view], arms, margin(c)))
            .collect()
    };
    let tested = claims(&judged, arms, Role::Variant);
    let controls = claims(&judged, arms, Role::Again);
    let outcomes = judge_family(&pairs(&tested), alpha, seed);
    let gate = judge_aa(&pairs(&controls), alpha, seed);

    for (claim, outcome) in controls.iter().zip(&gate.outcomes) {
        let different = |o: &Outcome| {
            matches!(
                o.judgement,
                karat_judge::Judgement::Faster | karat_judge::Judgement::Slower
            )
        };
        let comparison = describe(&judged[claim.view], claim, &columns[claim.view], outcome);
        let view = &mut judged[claim.view];
        view.again_passed =
            gate.status != AaStatus::NotJudged && outcome.as_ref().is_ok_and(|o| !different(o));
        view.noise_floor = outcome
            .as_ref()
            .ok()
            .map(|o| o.low.abs().max(o.high.abs()).exp_m1())
            .filter(|f| f.is_finite());
        view.again = comparison;
    }
    for (claim, outcome) in tested.iter().zip(&outcomes) {
        let comparison = describe(&judged[claim.view], claim, &columns[claim.view], outcome);
        let view = &mut judged[claim.view];
        view.comparisons.extend(comparison);
        if let Ok(outcome) = outcome {
            let baseline = &arms[claim.layouts[0].1].variant;
            let columns = &columns[claim.view];
            layouts::note_tax(
                view,
                baseline,
                claim.variant,
                outcome,
                &claim.layouts,
                columns,
            );
        }
    }
    judged
}

/// Notes what the judge's averages hide. Apart from [`judge`], since it draws a
/// thousand times for each arm and nothing is decided by it: it is asked once.
pub(crate) fn note_oddities(
    judged: &mut [Judged],
    bench: &Bench<'_>,
    samples: &[Sample],
    rounds: u32,
) {
    for view in judged {
        let columns = columns(view, bench.arms.len(), samples, rounds);
        view.oddities = oddities::of(bench.arms, &columns);
    }
}

/// The judge refuses no complete rounds of positive values.
fn describe(
    view: &Judged,
    claim: &Claim<'_>,
    columns: &[Column],
    outcome: &Result<Outcome, JudgeError>,
) -> Option<Comparison> {
    let outcome = outcome.as_ref().ok()?;
    let level = |arm: fn(&(u64, usize, usize)) -> usize| {
        let logs: f64 = claim
            .layouts
            .iter()
            .map(|l| karat_judge::faster_half_mean(&columns[arm(l)].costs).ln())
            .sum();
        view.metric
            .from_cost((logs / claim.layouts.len() as f64).exp())
    };
    let seeds = claim.layouts.iter().map(|l| l.0).collect();
    Some(comparison(
        claim.variant,
        outcome,
        [level(|l| l.1), level(|l| l.2)],
        seeds,
    ))
}

/// The judge's outcome in the evidence's terms: costs become speeds.
pub(crate) fn comparison(
    variant: &str,
    o: &Outcome,
    [baseline_value, variant_value]: [f64; 2],
    seeds: Vec<u64>,
) -> Comparison {
    // The sign turns, and with it the bounds change places.
    let speed = |log: f64| Some((-log).exp()).filter(|s| log.is_finite() && s.is_finite());
    let judgement = word(o.judgement);
    // The judge counts the rounds of all layouts; a round here is one pass over all
    // arms, whatever their layout.
    let layouts = seeds.len().max(1) as u64;
    Comparison {
        variant: variant.to_owned(),
        rounds: (o.rounds as u64).div_ceil(layouts) as u32,
        speed: SpeedRatio {
            estimate: (-o.log_ratio).exp(),
            low: speed(o.high),
            high: speed(o.low),
        },
        baseline_value,
        variant_value,
        p: o.p,
        p_adjusted: o.p_adjusted,
        level: o.level,
        detectable: Some(o.mde).filter(|m| m.is_finite()),
        judgement,
        rounds_needed: o
            .rounds_needed
            .filter(|_| judgement == Judgement::Inconclusive)
            .map(|rounds| rounds.div_ceil(layouts)),
        layouts: layouts::effects(o, seeds),
        causes: Vec::new(),
    }
}

const fn word(judgement: karat_judge::Judgement) -> Judgement {
    match judgement {
        karat_judge::Judgement::Faster => Judgement::Faster,
        karat_judge::Judgement::Slower => Judgement::Slower,
        karat_judge::Judgement::Same => Judgement::Same,
        karat_judge::Judgement::Inconclusive => Judgement::Inconclusive,
    }
}

/// Comparisons that are still undecided.
pub(crate) fn undecided(judged: &[Judged]) -> u32 {
    judged
        .iter()
        .flat_map(|j| &j.comparisons)
        .filter(|c| c.judgement == Judgement::Inconclusive)
        .count() as u32
}

#[cfg(test)]
mod tests;
