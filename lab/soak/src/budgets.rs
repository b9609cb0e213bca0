//! Limits held against what was found.

use crate::figures::estimate;
use karat_judge::median;
use karat_model::soak::{
    Bounded, Budget, BudgetKind, BudgetOutcome, Epoch, Figure, Held, SystemCalls, Tails,
};
use karat_model::verdict::Verdict;

/// What the limits are held against.
pub(crate) struct Found<'a> {
    pub(crate) figures: &'a [Figure],
    pub(crate) epochs: &'a [&'a Epoch],
    pub(crate) system_calls: Option<&'a SystemCalls>,
}

/// A limit held against it.
pub(crate) fn hold(budget: Budget, found: &Found<'_>) -> BudgetOutcome {
    let figure = |name: &str| found.figures.iter().find(|f| f.name == name);
    let value = match budget.kind {
        BudgetKind::RssDrift => figure("rss").and_then(|f| f.drift),
        BudgetKind::AnonymousDrift => figure("anonymous").and_then(|f| f.drift),
        BudgetKind::Cv => figure("throughput").and_then(|f| f.cv),
        BudgetKind::ThroughputLoss => figure("throughput").and_then(|f| f.drift).map(turned),
        BudgetKind::P50 => quantile(found.epochs, |t| t.p50),
        BudgetKind::P95 => quantile(found.epochs, |t| t.p95),
        BudgetKind::P99 => quantile(found.epochs, |t| t.p99),
        BudgetKind::P999 => quantile(found.epochs, |t| t.p999),
        BudgetKind::Max => {
            let all = found.epochs.iter().filter_map(|e| e.tails?.max);
            all.reduce(f64::max).map(exact)
        }
        BudgetKind::Changes => {
            let counted: Vec<&Figure> = ["throughput", "rss"]
                .into_iter()
                .filter_map(figure)
                .collect();
            let enough = counted.iter().any(|f| f.slope.is_some());
            let changes: usize = counted.iter().map(|f| f.changes.len()).sum();
            enough.then(|| exact(changes as f64))
        }
        BudgetKind::SystemCalls => found.system_calls.and_then(|s| {
            let operations = s.operations.filter(|o| *o > 0.0)?;
            Some(exact(s.calls as f64 / operations))
        }),
    };
    let held = value.map_or(Held::Open, |v| held(budget.limit, v));
    BudgetOutcome {
        kind: budget.kind,
        limit: budget.limit,
        found: value,
        held,
        why: (held == Held::Open).then(|| why(budget.kind, value, found)),
    }
}

fn held(limit: f64, found: Bounded) -> Held {
    match (found.low, found.high) {
        (_, Some(high)) if high <= limit => Held::Held,
        (Some(low), _) if low > limit => Held::Broken,
        _ => Held::Open,
    }
}

fn exact(value: f64) -> Bounded {
    Bounded {
        estimate: value,
        low: Some(value),
        high: Some(value),
    }
}

/// A loss is a negative growth.
fn turned(b: Bounded) -> Bounded {
    Bounded {
        estimate: -b.estimate,
        low: b.high.map(|v| -v),
        high: b.low.map(|v| -v),
    }
}

/// The median of a latency over the epochs.
fn quantile(epochs: &[&Epoch], value: fn(&Tails) -> Option<f64>) -> Option<Bounded> {
    let all: Vec<f64> = epochs
        .iter()
        .filter_map(|e| e.tails.as_ref().and_then(value))
        .collect();
    let middle = |values: &[f64]| median(values).unwrap_or(f64::NAN);
    (!all.is_empty()).then(|| estimate(&all, middle))
}

/// Why a limit stays open.
fn why(kind: BudgetKind, value: Option<Bounded>, found: &Found<'_>) -> String {
    let epochs = found.epochs.len();
    if value.is_some_and(|v| v.low.is_some() || v.high.is_some()) {
        return format!("the interval of {epochs} epochs holds the limit: watch longer");
    }
    let throughput = found.figures.iter().any(|f| f.name == "throughput");
    match kind {
        BudgetKind::Cv | BudgetKind::ThroughputLoss if !throughput => {
            "nothing tells the throughput: give --line or --progress".into()
        }
        BudgetKind::P50
        | BudgetKind::P95
        | BudgetKind::P99
        | BudgetKind::P999
        | BudgetKind::Max
            if value.is_none() =>
        {
            "no line tells this latency, or too few do in an epoch: give --line with \
             (?<latency_ms>…), or longer epochs"
                .into()
        }
        BudgetKind::SystemCalls => {
            "they were not counted, or nothing tells how many operations there were".into()
        }
        _ if value.is_none() && found.figures.iter().any(|f| f.mean.low.is_some()) => {
            "too few epochs hold this figure: make them longer (--epoch), or watch longer".into()
        }
        _ if epochs >= 10 => "its steps are too few, or too unlike each other, for an interval of \
                              the slope: the epochs' file shows them; watch longer"
            .into(),
        _ => format!(
            "{epochs} epochs are too few for an interval, 10 are enough: watch longer, or make \
             them shorter (--epoch)"
        ),
    }
}

/// The word; `None` without limits.
pub(crate) fn verdict(outcomes: &[BudgetOutcome], complete: bool) -> Option<Verdict> {
    let any = |held| outcomes.iter().any(|o| o.held == held);
    if outcomes.is_empty() {
        None
    } else if any(Held::Broken) {
        Some(Verdict::NoGo)
    } else if any(Held::Open) || !complete {
        Some(Verdict::Inconclusive)
    } else {
        Some(Verdict::Go)
    }
}
