//! Percentages and durations as people write them.

/// `"1%"`, `"0.5 %"` or `"0.01"` as a ratio; `None` for anything else.
#[must_use]
pub fn ratio(text: &str) -> Option<f64> {
    let text = text.trim();
    let value = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
        None => text.parse().ok()?,
    };
    value.is_finite().then_some(value)
}

/// The smallest change that matters: a ratio of more than 0 and at most a half;
/// `None` for anything else.
#[must_use]
pub fn margin(text: &str) -> Option<f64> {
    ratio(text).filter(|value| *value > 0.0 && *value <= MOST)
}

/// What was meant by a margin such as `"1"`, which is one percent to most people and a
/// hundred percent to arithmetic: `"1%"`.
#[must_use]
pub fn percent_meant(text: &str) -> Option<String> {
    let value: f64 = text.trim().parse().ok()?;
    (value > MOST && value <= 100.0 * MOST).then(|| format!("{value}%"))
}

/// Largest margin.
const MOST: f64 = 0.5;

/// Longest duration, in seconds: some thirty years.
const LONGEST: f64 = 1e9;

/// `"10 s"`, `"500ms"`, `"2 min"` in seconds; `None` for anything else and for
/// what is not positive, or longer than 1e9 s.
#[must_use]
pub fn duration(text: &str) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic())?;
    let amount: f64 = text[..split].trim().parse().ok()?;
    let unit = match &text[split..] {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = amount * unit;
    (seconds > 0.0 && seconds <= LONGEST).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios() {
        assert_eq!(ratio("1%"), Some(0.01));
        assert_eq!(ratio("0.5 %"), Some(0.005));
        assert_eq!(ratio("0.02"), Some(0.02));
        assert_eq!(ratio("one"), None);
        assert_eq!(ratio("nan"), None);
    }

    #[test]
    fn a_margin_without_its_unit_is_recognised() {
        assert_eq!(margin("1%"), Some(0.01));
        assert_eq!(margin("0.5"), Some(0.5));
        for (text, meant) in [
            ("1", Some("1%")),
            (" 2.5", Some("2.5%")),
            ("50", Some("50%")),
            ("0", None),
            ("-1", None),
            ("60", None),
            ("100%", None),
            ("small", None),
            ("nan", None),
        ] {
            assert_eq!(margin(text), None, "{text}");
            assert_eq!(percent_meant(text).as_deref(), meant, "{text}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(duration("10 s"), Some(10.0));
        assert_eq!(duration("500ms"), Some(0.5));
        assert_eq!(duration("2 min"), Some(120.0));
        assert_eq!(duration("15m"), Some(900.0));
        assert_eq!(duration("10"), None);
        assert_eq!(duration("0 s"), None);
        assert_eq!(duration("5 parsecs"), None);
        // Past what a timer can be set to.
        assert_eq!(duration("99999999999999999999 h"), None);
    }
}
