//! From epochs to figures: means, spreads, slopes and changes.

use karat_judge::{Blocks, Interval, median, modes, shape, slope, variation};
use karat_model::soak::{Bounded, Change, Epoch, Figure, Levels, Tails};

/// Error level of all intervals.
pub(crate) const LEVEL: f64 = 0.05;
/// Error level of a change point and of two levels: there are many places to look at.
const RARE: f64 = 0.01;
/// Changes smaller than this share are not told: they may be real, and matter to nobody.
const NOTABLE: f64 = 0.01;
/// Fixed, so that the same samples give the same intervals.
pub(crate) const SEED: u64 = 1992;
/// Seconds of an hour.
const HOUR: f64 = 3600.0;

type Value = fn(&Epoch) -> Option<f64>;

/// All figures with their units, in the order of reports.
const ALL: &[(&str, &str, Value)] = &[
    ("throughput", "op/s", |e| e.throughput),
    ("rss", "B", |e| e.rss),
    ("pss", "B", |e| e.pss),
    ("anonymous", "B", |e| e.anonymous),
    ("huge pages", "B", |e| e.huge),
    ("swapped", "B", |e| e.swap),
    ("control group", "B", |e| e.group),
    ("cpu", "processors", |e| e.cpu),
    ("page faults", "/s", |e| e.minor_faults),
    ("page faults with input", "/s", |e| e.major_faults),
    ("waits", "/s", |e| e.waits),
    ("switches", "/s", |e| e.switches),
    ("reads and writes", "/s", |e| e.transfers),
    ("threads", "", |e| e.threads),
    ("files", "", |e| e.files),
];

/// The figures that the epochs hold, of those that are judged. One that is 0 throughout is
/// none.
pub(crate) fn figures(epochs: &[&Epoch]) -> Vec<Figure> {
    let one = |(name, unit, value): &(&str, &str, Value)| figure(name, unit, epochs, *value);
    ALL.iter().filter_map(one).collect()
}

fn figure(name: &str, unit: &str, epochs: &[&Epoch], value: Value) -> Option<Figure> {
    let told: Vec<(&Epoch, f64)> = epochs
        .iter()
        .filter_map(|e| Some((*e, value(e)?)))
        .collect();
    let values: Vec<f64> = told.iter().map(|t| t.1).collect();
    if values.iter().all(|v| *v == 0.0) {
        return None;
    }
    let mean = natural(estimate(&values, mean));
    let slope = steepness(&told);
    Some(Figure {
        name: name.to_owned(),
        unit: unit.to_owned(),
        cv: (values.len() > 1 && mean.estimate != 0.0)
            .then(|| natural(estimate(&values, variation))),
        low: values.iter().copied().fold(f64::INFINITY, f64::min),
        high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        drift: slope
            .filter(|_| mean.estimate != 0.0)
            .map(|s| scaled(s, 1.0 / mean.estimate.abs())),
        changes: changes(&told, slope),
        mean,
        slope,
    })
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A statistic of epochs with its interval.
pub(crate) fn estimate(values: &[f64], statistic: fn(&[f64]) -> f64) -> Bounded {
    let interval = Blocks::of(values).map(|b| b.interval(LEVEL, SEED, statistic));
    bounded(statistic(values), interval)
}

fn bounded(estimate: f64, interval: Option<Interval>) -> Bounded {
    let finite = |v: f64| v.is_finite().then_some(v);
    Bounded {
        estimate,
        low: interval.and_then(|i| finite(i.low)),
        high: interval.and_then(|i| finite(i.high)),
    }
}

/// No figure is below 0, though an interval that was stretched may be.
fn natural(b: Bounded) -> Bounded {
    Bounded {
        low: b.low.map(|low| low.max(0.0)),
        ..b
    }
}

fn scaled(b: Bounded, factor: f64) -> Bounded {
    Bounded {
        estimate: b.estimate * factor,
        low: b.low.map(|v| v * factor),
        high: b.high.map(|v| v * factor),
    }
}

/// The slope an hour; each start of the program is a piece.
fn steepness(told: &[(&Epoch, f64)]) -> Option<Bounded> {
    let starts = told.chunk_by(|a, b| a.0.start == b.0.start);
    let pieces: Vec<Vec<(f64, f64)>> = starts
        .map(|piece| piece.iter().map(|(e, v)| (middle(e) / HOUR, *v)).collect())
        .collect();
    let pieces: Vec<&[(f64, f64)]> = pieces.iter().map(Vec::as_slice).collect();
    let found = slope(&pieces, LEVEL)?;
    Some(bounded(found.estimate, Some(found.interval)))
}

fn middle(epoch: &Epoch) -> f64 {
    epoch.at + epoch.seconds / 2.0
}

/// Changes inside of each start.
fn changes(told: &[(&Epoch, f64)], slope: Option<Bounded>) -> Vec<Change> {
    let slope = slope.map_or(0.0, |s| s.estimate / HOUR);
    let mut out = Vec::new();
    for piece in told.chunk_by(|a, b| a.0.start == b.0.start) {
        let times: Vec<f64> = piece.iter().map(|(e, _)| middle(e)).collect();
        let values: Vec<f64> = piece.iter().map(|(_, v)| *v).collect();
        let found = shape(&times, &values, slope, RARE).changes;
        let notable = |c: &&karat_judge::ChangePoint| {
            (c.after - c.before).abs() >= NOTABLE * c.before.abs().max(f64::MIN_POSITIVE)
        };
        out.extend(found.iter().filter(notable).map(|c| Change {
            at: piece[c.at].0.at,
            before: c.before,
            after: c.after,
            p: c.p,
        }));
    }
    out
}

/// The two levels of a throughput that has two.
pub(crate) fn levels(values: &[f64]) -> Option<Levels> {
    // Of values, not of costs: its "fast" are then the low ones.
    let found = modes(values).filter(|m| m.p <= RARE && m.slow > (1.0 + NOTABLE) * m.fast)?;
    Some(Levels {
        p: found.p,
        low: found.fast,
        high: found.slow,
        low_share: 1.0 - found.slow_share,
    })
}

/// Latencies of the typical epoch, and of the worst.
pub(crate) fn tails(epochs: &[&Epoch]) -> (Option<Tails>, Option<Tails>) {
    let all: Vec<Tails> = epochs.iter().filter_map(|e| e.tails).collect();
    if all.is_empty() {
        return (None, None);
    }
    let over = |pick: fn(&[f64]) -> Option<f64>| {
        let of = |value: fn(&Tails) -> Option<f64>| {
            pick(&all.iter().filter_map(value).collect::<Vec<f64>>())
        };
        Tails {
            p50: of(|t| t.p50),
            p95: of(|t| t.p95),
            p99: of(|t| t.p99),
            p999: of(|t| t.p999),
            max: of(|t| t.max),
        }
    };
    let largest = |values: &[f64]| values.iter().copied().reduce(f64::max);
    (Some(over(median)), Some(over(largest)))
}
