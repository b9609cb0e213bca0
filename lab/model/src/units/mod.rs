//! Metrics, and numbers as people read them.

mod quantity;
pub mod written;

pub use quantity::{Quantity, convert, quantity};

use serde::{Deserialize, Serialize};

/// Which way a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// Throughput: more is better.
    Higher,
    /// Time: less is better.
    Lower,
}

/// What a workload is judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// Its name, such as `throughput` or `cpu`.
    pub name: String,
    /// Its unit, such as `GiB/s` or `s`.
    pub unit: String,
    /// Which way is better.
    pub better: Better,
}

impl Metric {
    /// `value` as a cost: lower is better, and ratios of costs are ratios of
    /// times. The judge works on costs only.
    #[must_use]
    pub fn cost(&self, value: f64) -> f64 {
        match self.better {
            Better::Lower => value,
            Better::Higher => 1.0 / value,
        }
    }

    /// The inverse of [`Metric::cost`].
    #[must_use]
    pub fn from_cost(&self, cost: f64) -> f64 {
        self.cost(cost)
    }
}

/// Units of time and their length in nanoseconds. Both signs for micro are in
/// use: U+00B5 and U+03BC.
const TIMES: &[(&str, f64)] = &[
    ("ps", 1e-3),
    ("ns", 1.0),
    ("us", 1e3),
    ("\u{b5}s", 1e3),
    ("\u{3bc}s", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
    ("sec", 1e9),
    ("min", 60e9),
    ("h", 3600e9),
];

/// The length of a unit of time in nanoseconds; `None` when it is none.
#[must_use]
pub fn nanoseconds(unit: &str) -> Option<f64> {
    let found = TIMES.iter().find(|(name, _)| *name == unit)?;
    Some(found.1)
}

/// Which way a unit is better; `None` when the unit does not say.
///
/// Anything per unit of time (`MB/s`, `ops/us`, `Gbps`) and a frequency: higher. A
/// time or a resource, also per something (`ns/op`, `B/op`, `allocs/op`): lower.
#[must_use]
pub fn better(unit: &str) -> Option<Better> {
    quantity(unit).better
}

/// Three significant digits at least, never more than the integer part needs:
/// `0.0123`, `1.23`, `12.3`, `1234`.
#[must_use]
pub fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (2 - magnitude).clamp(0, 12) as usize;
    format!("{value:.decimals$}")
}

/// A duration in the unit a reader would choose: `12.3 ms`, `4.5 s`, `2 min 5 s`.
#[must_use]
pub fn seconds(value: f64) -> String {
    match value {
        v if v.is_nan() || v < 0.0 => format!("{} s", significant(v)),
        v if v < 1e-6 => format!("{} ns", significant(v * 1e9)),
        v if v < 1e-3 => format!("{} µs", significant(v * 1e6)),
        v if v < 1.0 => format!("{} ms", significant(v * 1e3)),
        v if v < 100.0 => format!("{} s", significant(v)),
        v => {
            let whole = v.round() as u64;
            format!("{} min {} s", whole / 60, whole % 60)
        }
    }
}

/// A ratio as a signed change in percent: 1.0432 is `+4.3 %`.
#[must_use]
pub fn change(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    let decimals = if percent.abs() < 0.995 { 2 } else { 1 };
    let text = format!("{percent:+.decimals$} %").replace('-', "−");
    // A sign before nothing would read as a direction.
    match text.as_str() {
        "+0.00 %" | "−0.00 %" => "0.00 %".to_owned(),
        _ => text,
    }
}

/// A whole number with thin groups of three: `12 345`.
#[must_use]
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

/// Bytes in binary units: `1.23 MiB`.
#[must_use]
pub fn bytes(value: u64) -> String {
    let mut amount = value as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if amount < 1024.0 {
            return if unit == "B" {
                format!("{value} B")
            } else {
                format!("{} {unit}", significant(amount))
            };
        }
        amount /= 1024.0;
    }
    format!("{} TiB", significant(amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_naturally() {
        assert_eq!(significant(0.012_345), "0.0123");
        assert_eq!(significant(1234.5), "1234");
        assert_eq!(seconds(0.0123), "12.3 ms");
        assert_eq!(seconds(125.0), "2 min 5 s");
        assert_eq!(change(1.0432), "+4.3 %");
        assert_eq!(change(0.9987), "−0.13 %");
        assert_eq!(change(0.999_99), "0.00 %");
        assert_eq!(seconds(-2.0), "-2.00 s");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(12), "12");
        assert_eq!(bytes(1536), "1.50 KiB");
    }

    #[test]
    fn units_say_which_way_is_better() {
        for unit in [
            "MB/s", "ops/us", "ops/s", "B/sec", "items/s", "MHz", "/s", "Gbps", "K ips",
        ] {
            assert_eq!(better(unit), Some(Better::Higher), "{unit}");
        }
        for unit in [
            "ns",
            "\u{b5}s",
            "s",
            "s/op",
            "ns/op",
            "B/op",
            "allocs/op",
            "MiB",
        ] {
            assert_eq!(better(unit), Some(Better::Lower), "{unit}");
        }
        for unit in ["", "#", "hits/op", "counts", "/", "ops"] {
            assert_eq!(better(unit), None, "{unit}");
        }
        assert_eq!(nanoseconds("us"), Some(1e3));
        assert_eq!(nanoseconds("ns/op"), None);
    }

    #[test]
    fn throughput_becomes_a_cost_and_back() {
        let metric = Metric {
            name: "throughput".into(),
            unit: "GiB/s".into(),
            better: Better::Higher,
        };
        assert!((metric.from_cost(metric.cost(1.25)) - 1.25).abs() < 1e-12);
        assert!(metric.cost(2.0) < metric.cost(1.0));
    }
}
