//! Figures matched and judged.

use super::collect::Side;
use super::partners::Partners;
use super::seen::{FigureSeen, RunSeen, figure_key};
use super::test_times::TEST_TIMES;
use super::within::{self, spread};
use super::{ALPHA, How, SEED};
use karat_judge::{NoiseSource, Runs, RunsOutcome, faster_half_mean, judge_runs, log_margin};
use karat_model::compare::{FigureRow, JudgedFigure, NoiseFrom, SectionRow};
use karat_model::log::Statistic;
use karat_model::units::{Better, better, convert, quantity};
use karat_model::verdict::Verdict;
use karat_verdict::roll_up::roll_up;
use karat_verdict::words;
use std::collections::HashMap;

/// Tests that take less on both sides are not judged by their time, in seconds:
/// tools print hundredths, and starting a process takes milliseconds.
const SHORTEST: f64 = 0.1;

/// What is said of those.
const TOO_SHORT: &str = "too short to time";

/// A row for each figure of either side, judged together.
pub(super) fn rows(before: &Side, after: &Side, noise: &Side, how: How) -> Vec<FigureRow> {
    let key = |f: &FigureSeen| {
        let class = quantity(&f.unit).class;
        figure_key(&f.section, &f.name, &f.parameters, &class, f.statistic)
    };
    let partners = Partners::of([before, after]);
    let mut out = Vec::new();
    let mut inner = Vec::new();
    for seen in before.figures.iter() {
        let (after, noise) = (partners.find(0, seen), noise.figures.get(&key(seen)));
        out.push(row(seen, Some(seen), after, noise));
        inner.push([Some(seen), after].map(|seen| within::samples(seen, &out[inner.len()].unit)));
    }
    for seen in after.figures.iter() {
        if partners.find(1, seen).is_none() {
            out.push(row(seen, None, Some(seen), noise.figures.get(&key(seen))));
        }
    }
    inner.resize(out.len(), [Vec::new(), Vec::new()]);
    judge(&mut out, &inner, how);
    out
}

fn row(
    any: &FigureSeen,
    before: Option<&FigureSeen>,
    after: Option<&FigureSeen>,
    noise: Option<&FigureSeen>,
) -> FigureRow {
    let better = any.better.or_else(|| better(&any.unit));
    let values = |seen: Option<&FigureSeen>| -> Vec<f64> {
        let Some(seen) = seen else { return Vec::new() };
        let unit = |v: f64| convert(v, &seen.unit, &any.unit).unwrap_or(v);
        let runs = seen.runs.iter().filter(|(_, run)| !run.values.is_empty());
        runs.map(|(_, run)| unit(headline(run, any.statistic, better)))
            .collect()
    };
    let [spread_before, spread_after] = [before, after].map(spread);
    let (before, after) = (values(before), values(after));
    let one = |values: &[f64]| (!values.is_empty()).then(|| better_half(values, better));
    let (before_value, after_value) = (one(&before), one(&after));
    let speed = match (better, before_value, after_value) {
        (Some(Better::Higher), Some(b), Some(a)) if b > 0.0 && a > 0.0 => Some(a / b),
        (Some(Better::Lower), Some(b), Some(a)) if b > 0.0 && a > 0.0 => Some(b / a),
        _ => None,
    };
    FigureRow {
        section: any.section.clone(),
        name: any.name.clone(),
        parameters: any.parameters.clone(),
        unit: any.unit.clone(),
        better,
        statistic: any.statistic,
        before,
        after,
        reference: values(noise),
        before_value,
        after_value,
        speed,
        judged: None,
        unjudged: String::new(),
        spread_before,
        spread_after,
    }
}

/// The value of a run: the statistic that its tool reports, of what it printed.
fn headline(run: &RunSeen, statistic: Option<Statistic>, better: Option<Better>) -> f64 {
    let values = &run.values;
    match statistic {
        _ if values.len() == 1 => values[0],
        Some(Statistic::Mean | Statistic::Slope) => {
            values.iter().sum::<f64>() / values.len() as f64
        }
        Some(Statistic::Median) => within::quantile(values, 0.5),
        Some(Statistic::Least) => values.iter().copied().fold(f64::INFINITY, f64::min),
        None => better_half(values, better),
    }
}

/// The mean of the better half of some values: the faster half of their costs.
fn better_half(values: &[f64], better: Option<Better>) -> f64 {
    match better {
        Some(Better::Lower) => faster_half_mean(values),
        Some(Better::Higher) => {
            let negated: Vec<f64> = values.iter().map(|v| -v).collect();
            -faster_half_mean(&negated)
        }
        None => values.iter().sum::<f64>() / values.len() as f64,
    }
}

fn judge(rows: &mut [FigureRow], inner: &[[Vec<f64>; 2]], how: How) {
    let mut chosen = Vec::new();
    for (index, row) in rows.iter_mut().enumerate() {
        match left_out(row) {
            Some(why) => {
                // A ratio of times that the clock hardly resolves is none.
                if why == TOO_SHORT {
                    row.speed = None;
                }
                row.unjudged = why;
            }
            None if how.within && inner[index].iter().all(|samples| samples.len() > 1) => {
                let [before, after] = &inner[index];
                chosen.push((index, true, costs(row, [before, after, &[]])));
            }
            None => {
                let values = [&row.before[..], &row.after, &row.reference];
                chosen.push((index, false, costs(row, values)));
            }
        }
    }
    let comparisons: Vec<Runs<'_>> = chosen
        .iter()
        .map(|(_, _, [before, after, reference])| Runs {
            baseline: before,
            variant: after,
            reference,
            margin: log_margin(how.margin),
        })
        .collect();
    let outcomes = judge_runs(&comparisons, ALPHA, SEED);
    for ((index, within, _), outcome) in chosen.iter().zip(outcomes) {
        let row = &mut rows[*index];
        match outcome {
            Ok(outcome) => row.judged = Some(judged(&outcome, *within)),
            Err(error) => row.unjudged = why(row, &error),
        }
    }
}

/// Why a figure cannot be judged whatever its noise.
fn left_out(row: &FigureRow) -> Option<String> {
    let short = |v: Option<f64>| v.is_some_and(|v| v < SHORTEST);
    match (row.before_value, row.after_value) {
        (None, _) => Some("only after".into()),
        (_, None) => Some("only before".into()),
        _ if row.better.is_none() => Some("which way is better is not known".into()),
        (b, a) if row.section == TEST_TIMES && short(b) && short(a) => Some(TOO_SHORT.into()),
        _ => None,
    }
}

fn why(row: &FigureRow, error: &karat_judge::JudgeError) -> String {
    use karat_judge::JudgeError;
    match error {
        JudgeError::TooFewRuns { .. } if row.before.len() == 1 && row.after.len() == 1 => {
            "one run a side".into()
        }
        JudgeError::TooFewRuns { .. } => format!(
            "runs: {} before, {} after",
            row.before.len(),
            row.after.len()
        ),
        JudgeError::NoSpread => "all reference runs print the same".into(),
        JudgeError::BadCost { cost: _, .. } => "a value is zero or negative".into(),
        other => other.to_string(),
    }
}

/// Costs before, after and of reference runs: lower is better.
fn costs(row: &FigureRow, values: [&[f64]; 3]) -> [Vec<f64>; 3] {
    let cost = |v: &f64| match row.better {
        Some(Better::Higher) => 1.0 / v,
        _ => *v,
    };
    values.map(|values| values.iter().map(cost).collect())
}

fn judged(outcome: &RunsOutcome, within: bool) -> JudgedFigure {
    JudgedFigure {
        noise: match outcome.noise {
            _ if within => NoiseFrom::Within,
            NoiseSource::Runs => NoiseFrom::Runs,
            NoiseSource::Reference => NoiseFrom::Reference,
        },
        speed: words::speed(
            outcome.log_ratio,
            outcome.interval.low,
            outcome.interval.high,
        ),
        p: outcome.p,
        p_adjusted: outcome.p_adjusted,
        level: outcome.level,
        judgement: words::judgement(outcome.judgement),
        runs_needed: outcome.runs_needed,
    }
}

/// What the judged figures say together, by the rule for a variant's
/// workloads ([`roll_up`]); `None` when none is judged.
pub(super) fn verdict(rows: &[FigureRow], margin: f64) -> Option<Verdict> {
    let judged = rows.iter().filter_map(|r| r.judged.as_ref());
    let parts: Vec<_> = judged.map(|j| (j.judgement, j.speed, margin)).collect();
    (!parts.is_empty()).then(|| roll_up(&parts))
}

/// The sections in the order of the logs, each rolled up.
pub(super) fn sections(rows: &[FigureRow]) -> Vec<SectionRow> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut out: Vec<SectionRow> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let place = *places.entry(&row.section).or_insert_with(|| {
            out.push(SectionRow {
                name: row.section.clone(),
                figures: Vec::new(),
                mean_speed: None,
                worst: None,
                best: None,
            });
            out.len() - 1
        });
        out[place].figures.push(index as u32);
    }
    for section in &mut out {
        let speed = |index: &u32| rows[*index as usize].speed.map(|s| (*index, s));
        let speeds: Vec<(u32, f64)> = section.figures.iter().filter_map(speed).collect();
        let logs: f64 = speeds.iter().map(|s| s.1.ln()).sum();
        section.mean_speed = (!speeds.is_empty()).then(|| (logs / speeds.len() as f64).exp());
        let by_speed = |a: &&(u32, f64), b: &&(u32, f64)| a.1.total_cmp(&b.1);
        section.worst = speeds.iter().min_by(by_speed).map(|s| s.0);
        section.best = speeds.iter().max_by(by_speed).map(|s| s.0);
    }
    out
}
