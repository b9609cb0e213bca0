//! Figures of soaks as text.

use crate::number::{self, MISSING};
use karat_model::soak::{Bounded, BudgetKind, BudgetOutcome, Floor, Held, Soak, SoakMode};
use karat_model::units;

pub use crate::number::amount as value;

/// An estimate and its interval in a unit.
pub(super) fn bounded(b: Bounded, unit: &str) -> String {
    format!(
        "{}{}",
        value(b.estimate, unit),
        interval(b, |v| value(v, unit))
    )
}

/// An estimate and its interval as a share in percent.
pub(super) fn share(b: Bounded) -> String {
    format!("{}{}", percent(b.estimate), interval(b, percent))
}

/// A signed share: `+4.3 %`.
pub(super) fn percent(share: f64) -> String {
    number::percent(share).replace('-', "−")
}

fn interval(b: Bounded, text: impl Fn(f64) -> String) -> String {
    match (b.low, b.high) {
        (Some(low), Some(high)) if low == high => String::new(),
        (Some(low), Some(high)) => {
            let (estimate, low, high) = (text(b.estimate), text(low), text(high));
            // A unit that all three have stands once.
            let unit = |t: &str| t.split_once(' ').map(|(_, unit)| format!(" {unit}"));
            let shared = unit(&estimate).filter(|u| low.ends_with(u) && high.ends_with(u));
            let shared = shared.unwrap_or_default();
            let bare = |t: &str| t.strip_suffix(&shared).unwrap_or(t).to_owned();
            format!(" [{}, {}]", bare(&low), bare(&high))
        }
        (Some(low), None) => format!(" [{} or more]", text(low)),
        (None, Some(high)) => format!(" [{} or less]", text(high)),
        (None, None) => " [no bounds yet]".to_owned(),
    }
}

/// A limit: `rss-drift at most 5 %/h`.
pub(super) fn limit(outcome: &BudgetOutcome) -> String {
    of_kind(outcome.kind, outcome.limit)
}

/// What was found of it, with its interval.
pub(super) fn found(outcome: &BudgetOutcome) -> String {
    let Some(b) = outcome.found else {
        return MISSING.to_owned();
    };
    let text = |v: f64| of_kind(outcome.kind, v);
    format!("{}{}", text(b.estimate), interval(b, text))
}

fn of_kind(kind: BudgetKind, amount: f64) -> String {
    match kind {
        BudgetKind::RssDrift | BudgetKind::AnonymousDrift | BudgetKind::ThroughputLoss => {
            format!("{}/h", percent(amount))
        }
        BudgetKind::Cv => percent(amount),
        BudgetKind::P50
        | BudgetKind::P95
        | BudgetKind::P99
        | BudgetKind::P999
        | BudgetKind::Max => value(amount, "s"),
        BudgetKind::Changes => value(amount, ""),
        BudgetKind::SystemCalls => format!("{amount:.3e}/op"),
    }
}

/// The word of how a limit was held.
pub(super) const fn word(held: Held) -> &'static str {
    match held {
        Held::Held => "HELD",
        Held::Broken => "BROKEN",
        Held::Open => "OPEN",
    }
}

/// What was watched and for how long.
pub(super) fn about(soak: &Soak) -> String {
    let plan = &soak.plan;
    let how = match plan.mode {
        SoakMode::Once if soak.starts > 1 => format!(", started {} times", soak.starts),
        SoakMode::Once => String::new(),
        SoakMode::Repeat => ", started again whenever it ended".to_owned(),
        SoakMode::Attach => ", which ran already".to_owned(),
    };
    let load = plan.load.as_ref().map(|l| format!(", worked by `{l}`"));
    format!(
        "{}{how}{}: watched for {} of {}; {} epochs of {} are judged, those in the {} after a start \
         are not; {}.",
        plan.program,
        load.unwrap_or_default(),
        units::seconds(soak.watched),
        units::seconds(plan.seconds),
        soak.judged,
        units::seconds(plan.epoch),
        units::seconds(plan.warm),
        soak.ending
    )
}

/// What else happened on the machine, and what karat itself took.
pub(super) fn surroundings(soak: &Soak) -> String {
    let s = &soak.surroundings;
    let mut text = format!(
        "Of looks at the processors {} saw nobody else on the core (the program's own threads \
         count as somebody); clock {} to {} GHz",
        number::percent_short(s.quiet),
        number::gigahertz(s.clock_low),
        number::gigahertz(s.clock_high),
    );
    for (seconds, what) in [
        (s.steal, "taken by the hypervisor"),
        (s.throttled, "stopped by a CPU quota"),
        (s.paused, "in which the machine or karat was stopped"),
    ] {
        if seconds > 0.0 {
            text += &format!("; {} {what}", units::seconds(seconds));
        }
    }
    text + &format!(
        ". karat itself used {} of one processor.",
        number::percent(soak.own_share)
    )
}

/// What the watching shows of an empty program, and what was done about it.
pub(super) fn floor(floor: &Floor) -> String {
    let rates = &floor.rates;
    let (each, what, every) = match floor.run {
        Some(run) => (
            format!("run {} times, {} each", floor.looks, units::seconds(run)),
            String::new(),
            " a run",
        ),
        None => (
            format!("watched as this program was, at {} looks", floor.looks),
            format!(
                "{} resident, growing by {}; ",
                value(floor.rss.unwrap_or(0) as f64, "B"),
                value(floor.growth.unwrap_or(0) as f64, "B")
            ),
            " a second",
        ),
    };
    format!(
        "The floor: an empty program (`{}`), {each}: {what}{} of processor time, {} page faults, \
         {} waits and {} switches{every}. That is taken off the rates above; memory is told whole.",
        floor.program,
        units::seconds(rates.cpu),
        value(rates.minor_faults + rates.major_faults, ""),
        value(rates.waits, ""),
        value(rates.switches, ""),
    )
}

/// A row of bars, one for each of at most `width` values: the lowest is the smallest bar.
#[must_use]
pub fn spark(values: &[f64], width: usize) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let finite: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    let stretch = finite.len().div_ceil(width.max(1)).max(1);
    let means: Vec<f64> = finite
        .chunks(stretch)
        .map(|part| part.iter().sum::<f64>() / part.len() as f64)
        .collect();
    let low = means.iter().copied().fold(f64::INFINITY, f64::min);
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar = |v: &f64| {
        // Differences of a hundredth are no picture.
        if high - low <= 1e-2 * high.abs() {
            return BARS[3];
        }
        let place = (v - low) / (high - low) * (BARS.len() - 1) as f64;
        BARS[(place.round() as usize).min(BARS.len() - 1)]
    };
    means.iter().map(bar).collect()
}
