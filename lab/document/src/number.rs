//! Numbers as text, with a dash wherever there is no number to print.
//!
//! Formatting is [`karat_model::units`]'; this module adds the guarantee that
//! no report ever prints `NaN` or `inf`.

use karat_model::units;

/// What stands where there is no number.
pub const MISSING: &str = "–";

/// The largest share that is told.
const MOST: f64 = 100.0;

/// A speed ratio as a signed change: `+4.3 %`.
pub fn change(ratio: f64) -> String {
    if !ratio.is_finite() || ratio <= 0.0 {
        return MISSING.to_owned();
    }
    units::change(ratio)
}

/// An unsigned share in percent: 0.0043 is `0.43 %`, 0.0123 is `1.2 %`.
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return MISSING.to_owned();
    }
    // A bound from three rounds may have a hundred digits.
    if share > MOST {
        return "over 10 000 %".to_owned();
    }
    let percent = share * 100.0;
    let decimals = if percent.abs() < 0.995 { 2 } else { 1 };
    format!("{percent:.decimals$} %")
}

/// Shares as the least and the largest: `0.12 % to 1.2 %`, or one figure.
pub fn range(shares: impl Iterator<Item = f64>) -> String {
    let mut bounds: Option<(f64, f64)> = None;
    for v in shares.filter(|v| v.is_finite()) {
        bounds = Some(bounds.map_or((v, v), |(low, high)| (low.min(v), high.max(v))));
    }
    match bounds {
        None => "no bound yet".to_owned(),
        Some((low, high)) if percent(low) == percent(high) => percent(high),
        Some((low, high)) => format!("{} to {}", percent(low), percent(high)),
    }
}

/// Seconds for a sentence: `12 s`, `3 min 7 s`.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return MISSING.to_owned();
    }
    let whole = seconds.round() as u64;
    match (whole / 60, whole % 60) {
        (0, 0) if seconds > 0.0 => "under 1 s".to_owned(),
        (0, s) => format!("{s} s"),
        (m, 0) => format!("{m} min"),
        (m, s) => format!("{m} min {s} s"),
    }
}

/// A share in whole percent, for sentences; only all of it reads `100 %`.
pub fn percent_short(share: f64) -> String {
    if !share.is_finite() {
        return MISSING.to_owned();
    }
    let percent = share * 100.0;
    if percent > 0.0 && percent < 1.0 {
        return "under 1 %".to_owned();
    }
    format!("{} %", (percent + 1e-9).floor())
}

/// A share that was chosen, not measured, without needless zeros: `1 %`.
pub fn chosen(share: f64) -> String {
    if !share.is_finite() {
        return MISSING.to_owned();
    }
    let text = format!("{:.3}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A similarity, rounded down so that only equal mixes read `100 %`.
pub fn similarity(share: f64) -> String {
    if !share.is_finite() {
        return MISSING.to_owned();
    }
    format!("{} %", (share * 100.0 + 1e-9).floor())
}

/// A measured value with its unit.
pub fn value(value: f64, unit: &str) -> String {
    if !value.is_finite() {
        return MISSING.to_owned();
    }
    if unit == "s" && value >= 0.0 {
        return units::seconds(value);
    }
    format!("{} {unit}", units::significant(value))
        .trim_end()
        .to_owned()
}

/// A clock reading in GHz; zero means that there was none.
pub fn gigahertz(value: f64) -> String {
    if value.is_finite() && value > 0.0 {
        format!("{value:.2}")
    } else {
        MISSING.to_owned()
    }
}

/// A p value; the smallest ones are bounded, not rounded to nothing.
pub fn p(value: f64) -> String {
    if !value.is_finite() {
        MISSING.to_owned()
    } else if value < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{value:.3}")
    }
}

/// A count against the baseline's: `+4.3 %`, `×12`, `new`, `none left`, or
/// nothing when equal.
pub fn count_change(now: u64, baseline: u64) -> String {
    match (now, baseline) {
        (now, baseline) if now == baseline => String::new(),
        (_, 0) => "new".to_owned(),
        (0, _) => "none left".to_owned(),
        (now, baseline) => {
            let ratio = now as f64 / baseline as f64;
            if ratio >= 3.0 {
                format!("×{}", units::significant(ratio))
            } else {
                change(ratio)
            }
        }
    }
}

/// The middle of the values; `NaN` of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

/// A value of any size in its unit, such as `12.3 MiB` or `48 120 op/s`.
#[must_use]
pub fn amount(value: f64, unit: &str) -> String {
    if !value.is_finite() {
        return MISSING.to_owned();
    }
    let sign = if value < 0.0 { "−" } else { "" };
    let amount = value.abs();
    let text = match unit {
        "B" => units::bytes(amount.round() as u64),
        "s" => units::seconds(amount),
        _ => {
            let number = if amount >= 1000.0 {
                units::grouped(amount.round() as u64)
            } else if amount == amount.round() {
                format!("{amount}")
            } else {
                units::significant(amount)
            };
            format!("{number} {unit}").trim_end().to_owned()
        }
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_figure_is_wider_than_a_table() {
        assert_eq!(percent(99.0), "9900.0 %");
        let shares = [29_448.571, 8.2e70];
        assert_eq!(range(shares.into_iter()), "over 10 000 %");
        assert_eq!(
            range([0.012].into_iter().chain(shares)),
            "1.2 % to over 10 000 %"
        );
    }

    #[test]
    fn what_is_no_number_is_a_dash() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(change(bad), MISSING);
            assert_eq!(percent(bad), MISSING);
            assert_eq!(chosen(bad), MISSING);
            assert_eq!(similarity(bad), MISSING);
            assert_eq!(value(bad, "s"), MISSING);
            assert_eq!(gigahertz(bad), MISSING);
            assert_eq!(p(bad), MISSING);
        }
        assert_eq!(change(0.0), MISSING);
        assert_eq!(gigahertz(0.0), MISSING);
    }

    #[test]
    fn numbers_say_no_more_than_they_know() {
        assert_eq!(change(0.999_99), "0.00 %");
        assert_eq!(change(0.9), "−10.0 %");
        assert_eq!(chosen(0.01), "1 %");
        assert_eq!(chosen(0.005), "0.5 %");
        assert_eq!(similarity(0.9999), "99 %");
        assert_eq!(similarity(1.0), "100 %");
        assert_eq!(p(0.0002), "< 0.001");
        assert_eq!(count_change(12, 0), "new");
        assert_eq!(count_change(0, 3), "none left");
        assert_eq!(count_change(36, 3), "×12.0");
        assert_eq!(count_change(3, 3), "");
    }

    #[test]
    fn median_of_few() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
        assert!(median(Vec::new()).is_nan());
    }
}
