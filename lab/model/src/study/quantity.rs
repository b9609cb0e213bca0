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

/// `"10 s"`, `"500ms"`, `"2 min"` in seconds; `None` for anything else and for
/// what is not positive.
#[must_use]
pub fn duration(text: &str) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic())?;
    let amount: f64 = text[..split].trim().parse().ok()?;
    let unit = match &text[split..] {
        "ms" => 1e-3,
        "s" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = amount * unit;
    (seconds.is_finite() && seconds > 0.0).then_some(seconds)
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
    fn durations() {
        assert_eq!(duration("10 s"), Some(10.0));
        assert_eq!(duration("500ms"), Some(0.5));
        assert_eq!(duration("2 min"), Some(120.0));
        assert_eq!(duration("10"), None);
        assert_eq!(duration("0 s"), None);
        assert_eq!(duration("5 parsecs"), None);
    }
}
