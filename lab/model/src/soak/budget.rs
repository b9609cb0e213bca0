//! Limits that a soak is held against, as typed: `rss-drift=5%/h`, `cv=2%`, `p99=3 ms`.

use super::bounded::Bounded;
use crate::units::written;
use serde::{Deserialize, Serialize};

/// What a limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BudgetKind {
    /// Growth of the resident memory, as a share of its mean an hour.
    RssDrift,
    /// Growth of the anonymous memory, likewise.
    AnonymousDrift,
    /// Coefficient of variation of the throughput's epochs.
    Cv,
    /// Loss of throughput, as a share of its mean an hour.
    ThroughputLoss,
    /// Median latency in seconds, of the typical epoch.
    P50,
    /// 95th percentile.
    P95,
    /// 99th percentile.
    P99,
    /// 99.9th percentile.
    #[serde(rename = "p99.9")]
    P999,
    /// The largest latency of all epochs.
    Max,
    /// Change points of throughput and resident memory.
    Changes,
    /// System calls for each operation.
    SystemCalls,
}

/// A limit: the largest value that is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// What it is about.
    pub kind: BudgetKind,
    /// The value: a share, seconds, or a count.
    pub limit: f64,
}

/// How a limit was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// The whole interval is within it.
    Held,
    /// The whole interval is beyond it.
    Broken,
    /// The interval holds the limit, or there is none.
    Open,
}

/// A limit and what was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BudgetOutcome {
    /// What it is about.
    pub kind: BudgetKind,
    /// The limit.
    pub limit: f64,
    /// What was found; `None` when nothing told it.
    pub found: Option<Bounded>,
    /// How it was held.
    pub held: Held,
    /// Why it stays open, where that is so.
    pub why: Option<String>,
}

/// All kinds with their names, in the order of help texts, and an example of a value.
pub const KINDS: &[(BudgetKind, &str, &str)] = &[
    (BudgetKind::RssDrift, "rss-drift", "5%/h"),
    (BudgetKind::AnonymousDrift, "anonymous-drift", "5%/h"),
    (BudgetKind::Cv, "cv", "2%"),
    (BudgetKind::ThroughputLoss, "throughput-loss", "1%/h"),
    (BudgetKind::P50, "p50", "1 ms"),
    (BudgetKind::P95, "p95", "2 ms"),
    (BudgetKind::P99, "p99", "5 ms"),
    (BudgetKind::P999, "p99.9", "20 ms"),
    (BudgetKind::Max, "max", "1 s"),
    (BudgetKind::Changes, "changes", "0"),
    (BudgetKind::SystemCalls, "system-calls", "0.001"),
];

impl BudgetKind {
    /// Its name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        KINDS
            .iter()
            .find(|(kind, ..)| *kind == self)
            .map_or("", |k| k.1)
    }

    /// Its limits as people write them.
    fn limit(self, text: &str) -> Option<f64> {
        let text = text.trim();
        let value = match self {
            Self::RssDrift | Self::AnonymousDrift | Self::ThroughputLoss => {
                written::ratio(text.strip_suffix("/h")?)
            }
            Self::Cv => text.ends_with('%').then(|| written::ratio(text)).flatten(),
            Self::P50 | Self::P95 | Self::P99 | Self::P999 | Self::Max => latency(text),
            Self::Changes => text.parse::<u32>().ok().map(f64::from),
            Self::SystemCalls => text.parse().ok(),
        }?;
        (value.is_finite() && value >= 0.0).then_some(value)
    }
}

/// `"3 ms"`, `"250us"`, `"1 s"` in seconds.
fn latency(text: &str) -> Option<f64> {
    let split = text.find(|c: char| c.is_alphabetic())?;
    let amount: f64 = text[..split].trim().parse().ok()?;
    let unit = crate::units::nanoseconds(&text[split..])? * 1e-9;
    Some(amount * unit)
}

impl Budget {
    /// Reads `NAME=LIMIT`.
    ///
    /// # Errors
    /// One sentence that says what is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!(
                "`{text}` is no limit; write NAME=LIMIT, such as rss-drift=5%/h"
            ));
        };
        let Some((kind, _, example)) = KINDS.iter().find(|k| k.1 == name.trim()) else {
            let names: Vec<&str> = KINDS.iter().map(|k| k.1).collect();
            return Err(format!(
                "no limit is called `{}`; there are {}",
                name.trim(),
                names.join(", ")
            ));
        };
        match kind.limit(value) {
            Some(limit) => Ok(Self { kind: *kind, limit }),
            None => Err(format!(
                "`{}` is no limit of {}; write it as in {}={example}",
                value.trim(),
                kind.name(),
                kind.name()
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_read() {
        for (kind, name, example) in KINDS {
            let budget = Budget::parse(&format!("{name}={example}")).unwrap();
            assert_eq!(budget.kind, *kind);
            assert_eq!(kind.name(), *name);
        }
        let limit = |text: &str| Budget::parse(text).unwrap().limit;
        assert!((limit("rss-drift = 5 %/h") - 0.05).abs() < 1e-12);
        assert!((limit("p99.9=250us") - 250e-6).abs() < 1e-12);
        assert!((limit("max=1 s") - 1.0).abs() < 1e-12);
        assert!((limit("system-calls=1.25e-7") - 1.25e-7).abs() < 1e-20);
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, part) in [
            ("rss-drift", "NAME=LIMIT"),
            (
                "drift=5%/h",
                "no limit is called `drift`; there are rss-drift",
            ),
            ("rss-drift=5%", "rss-drift=5%/h"),
            ("rss-drift=-1%/h", "rss-drift=5%/h"),
            ("rss-drift=nan%/h", "rss-drift=5%/h"),
            ("cv=2", "cv=2%"),
            ("p99=3", "p99=5 ms"),
            ("p99=3 parsec", "p99=5 ms"),
            ("changes=1.5", "changes=0"),
            ("", "NAME=LIMIT"),
        ] {
            let error = Budget::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
