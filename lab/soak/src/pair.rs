//! Two soaks side by side, and which one to ship.

use crate::figures::{LEVEL, SEED, mean};
use karat_judge::{Blocks, median, middle, variation};
use karat_model::soak::{Bounded, Contrast, Difference, Epoch, PAIR_SCHEMA, Soak, SoakPair, Tails};
use std::collections::BTreeMap;

/// A need, the figures that speak for it, and what is then better.
const NEEDS: &[(&str, &[&str])] = &[
    ("throughput", &["throughput", "cpu per operation"]),
    ("memory", &["rss", "anonymous"]),
    ("stability", &["cv"]),
    ("tails", &["p95", "p99", "p99.9"]),
];

type Value = fn(&Epoch) -> Option<f64>;
type Statistic = fn(&[f64]) -> f64;

/// What is contrasted: name, unit, whether more is better, value of an epoch, statistic.
const CONTRASTS: &[(&str, &str, bool, Value, Statistic)] = &[
    ("throughput", "op/s", true, |e| e.throughput, mean),
    ("cpu per operation", "s", false, per_operation, mean),
    ("rss", "B", false, |e| e.rss, mean),
    ("anonymous", "B", false, |e| e.anonymous, mean),
    ("page faults", "/s", false, |e| e.minor_faults, mean),
    ("cv", "", false, |e| e.throughput, variation),
    ("p50", "s", false, |e| tail(e, |t| t.p50), typical),
    ("p95", "s", false, |e| tail(e, |t| t.p95), typical),
    ("p99", "s", false, |e| tail(e, |t| t.p99), typical),
    ("p99.9", "s", false, |e| tail(e, |t| t.p999), typical),
    ("max", "s", false, |e| tail(e, |t| t.max), typical),
];

fn per_operation(epoch: &Epoch) -> Option<f64> {
    let (cpu, throughput) = (epoch.cpu?, epoch.throughput?);
    (throughput > 0.0).then(|| cpu / throughput)
}

fn tail(epoch: &Epoch, get: fn(&Tails) -> Option<f64>) -> Option<f64> {
    epoch.tails.as_ref().and_then(get)
}

fn typical(values: &[f64]) -> f64 {
    median(values).unwrap_or(f64::NAN)
}

/// Holds two soaks against each other; differences below `margin` matter to nobody. `order`
/// is that in which they were watched.
#[must_use]
pub fn pair(a: Soak, b: Soak, margin: f64, order: &str) -> SoakPair {
    let contrasts: Vec<Contrast> = CONTRASTS
        .iter()
        .filter_map(|one| contrast(&a, &b, margin, *one))
        .collect();
    SoakPair {
        schema: PAIR_SCHEMA,
        margin,
        order: order.to_owned(),
        advice: advice(&contrasts),
        growth: ["rss", "anonymous"]
            .iter()
            .filter_map(|name| growth(&a, &b, name))
            .collect(),
        a,
        b,
        contrasts,
    }
}

/// How much more a figure of B grows than that of A. Where the two are independent, an
/// interval from the farthest ends is too wide, never too narrow.
fn growth(a: &Soak, b: &Soak, name: &str) -> Option<Difference> {
    let (of_a, of_b) = (a.figure(name)?, b.figure(name)?);
    let (a, b) = (of_a.slope?, of_b.slope?);
    let less = |x: Option<f64>, y: Option<f64>| Some(x? - y?);
    Some(Difference {
        name: name.to_owned(),
        unit: of_a.unit.clone(),
        difference: Bounded {
            estimate: b.estimate - a.estimate,
            low: less(b.low, a.high),
            high: less(b.high, a.low),
        },
        a,
        b,
    })
}

fn contrast(
    a: &Soak,
    b: &Soak,
    margin: f64,
    (name, unit, more, value, statistic): (&str, &str, bool, Value, Statistic),
) -> Option<Contrast> {
    let (of_a, of_b) = (starts(a, value), starts(b, value));
    let whole = |starts: &[Vec<f64>]| starts.concat();
    let (all_a, all_b) = (whole(&of_a), whole(&of_b));
    let (at_a, at_b) = (statistic(&all_a), statistic(&all_b));
    let ratio = at_b / at_a;
    if !(at_a.is_finite() && at_b.is_finite() && ratio.is_finite() && ratio > 0.0) {
        return None;
    }
    let draws = |values: &[f64], seed| Blocks::of(values).map(|b| b.draws(LEVEL, seed, statistic));
    // Two seeds: with one, equal series would be drawn in step.
    let (drawn_a, drawn_b) = (draws(&all_a, SEED), draws(&all_b, SEED + 1));
    let between = drawn_a.as_ref().zip(drawn_b.as_ref()).map(|(a, b)| {
        let logs: Vec<f64> = a.iter().zip(b).map(|(a, b)| (b / a).ln()).collect();
        let drawn = middle(logs, LEVEL);
        // What one start of a program differs from its next is no noise of epochs: the
        // interval holds each start of one over each of the other.
        let pairs = of_a.iter().flat_map(|a| of_b.iter().map(move |b| (a, b)));
        let logs = pairs.map(|(a, b)| (statistic(b) / statistic(a)).ln());
        logs.filter(|l| l.is_finite())
            .fold((drawn.low, drawn.high), |(low, high), l| {
                (low.min(l), high.max(l))
            })
    });
    let bounded = |estimate, drawn: Option<Vec<f64>>| {
        let interval = drawn.map(|d| middle(d, LEVEL));
        Bounded {
            estimate,
            low: interval.map(|i| i.low.max(0.0)),
            high: interval.map(|i| i.high),
        }
    };
    let found = Bounded {
        estimate: ratio,
        low: between.map(|i| i.0.exp()),
        high: between.map(|i| i.1.exp()),
    };
    Some(Contrast {
        name: name.to_owned(),
        unit: unit.to_owned(),
        a: bounded(at_a, drawn_a),
        b: bounded(at_b, drawn_b),
        ratio: found,
        better: better(found, margin, more).map(str::to_owned),
    })
}

/// The judged epochs' values, start by start.
fn starts(soak: &Soak, value: Value) -> Vec<Vec<f64>> {
    let mut out: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for epoch in soak.epochs.iter().filter(|e| !e.warm) {
        if let Some(v) = value(epoch).filter(|v| v.is_finite()) {
            out.entry(epoch.start).or_default().push(v);
        }
    }
    out.into_values().collect()
}

/// The better one: its interval excludes "no difference", and it differs by the margin.
fn better(ratio: Bounded, margin: f64, more: bool) -> Option<&'static str> {
    let (low, high) = (ratio.low?, ratio.high?);
    let (least, most) = (1.0 / (1.0 + margin), 1.0 + margin);
    if low > least && high < most {
        return Some("SAME");
    }
    let larger = low > 1.0 && ratio.estimate >= most;
    let smaller = high < 1.0 && ratio.estimate <= least;
    match (larger, smaller) {
        (true, _) => Some(if more { "B" } else { "A" }),
        (_, true) => Some(if more { "A" } else { "B" }),
        _ => None,
    }
}

/// One sentence on which to ship, then one for each need that is decided.
fn advice(contrasts: &[Contrast]) -> Vec<String> {
    let of = |need: &&(&str, &[&str])| -> Vec<&Contrast> {
        contrasts
            .iter()
            .filter(|c| need.1.contains(&c.name.as_str()))
            .collect()
    };
    let wins = |need: &&(&str, &[&str]), who: &str| {
        let all = of(need);
        let loses = |c: &Contrast| c.better.as_deref().is_some_and(|b| b != who && b != "SAME");
        all.iter().any(|c| c.better.as_deref() == Some(who)) && !all.iter().copied().any(loses)
    };
    let needs =
        |who: &str| -> Vec<&str> { NEEDS.iter().filter(|n| wins(n, who)).map(|n| n.0).collect() };
    let (a, b) = (needs("A"), needs("B"));
    let first = match (a.is_empty(), b.is_empty()) {
        (true, true) => "Nothing is decided for either: ship the simpler one.".to_owned(),
        (false, true) => format!(
            "Ship A: better in {}, and worse in nothing decided.",
            join(&a)
        ),
        (true, false) => format!(
            "Ship B: better in {}, and worse in nothing decided.",
            join(&b)
        ),
        (false, false) => format!(
            "Ship A where {} matters most, and B where {} does.",
            join(&a),
            join(&b)
        ),
    };
    let decided = contrasts
        .iter()
        .filter(|c| matches!(c.better.as_deref(), Some("A" | "B")));
    let each = decided.map(|c| {
        let who = c.better.as_deref().unwrap_or_default();
        let change = (c.ratio.estimate - 1.0) * 100.0;
        format!("{}: {who} is better; B has {change:+.1} % of A's.", c.name).replace('-', "−")
    });
    std::iter::once(first).chain(each).collect()
}

fn join(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}
