//! From data to places, and round numbers for axes.

/// Room at both ends of an axis, in percent of the width.
const PAD: f64 = 3.0;

/// A linear scale onto the width of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// A scale from `low` to `high`; widened when they are equal or no numbers.
    pub fn new(low: f64, high: f64) -> Self {
        if low.is_finite() && high.is_finite() && high - low > 1e-12 {
            Self { low, high }
        } else if low.is_finite() {
            Self {
                low: low - 1.0,
                high: low + 1.0,
            }
        } else {
            Self {
                low: -1.0,
                high: 1.0,
            }
        }
    }

    /// The place of a value in percent of the width, inside the chart.
    pub fn at(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        let share = if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.5
        };
        PAD + share * (100.0 - 2.0 * PAD)
    }

    /// The same as an attribute.
    pub fn x(&self, value: f64) -> String {
        percent(self.at(value))
    }

    /// Whether a value has a place.
    pub fn holds(&self, value: f64) -> bool {
        value >= self.low && value <= self.high
    }

    /// Round values on the scale, about `count` of them.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        let step = round_step((self.high - self.low) / count.max(1) as f64);
        let first = (self.low / step).ceil();
        let last = (self.high / step).floor();
        let many = ((last - first).max(0.0) as usize).min(50);
        (0..=many)
            .map(|i| (first + i as f64) * step)
            .filter(|v| self.holds(*v))
            .collect()
    }
}

/// The first of 1, 2, 5 times a power of ten that is not below `least`.
pub fn round_step(least: f64) -> f64 {
    if !least.is_finite() || least <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// A percentage as an attribute.
pub fn percent(value: f64) -> String {
    format!("{value:.2}%")
}

/// A signed number of percent for an axis: `−5 %`.
pub fn tick_label(value: f64) -> String {
    let text = format!("{value:+.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let text = if matches!(text, "+0" | "-0" | "+" | "-") {
        "0"
    } else {
        text
    };
    format!("{} %", text.replace('-', "−"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Scale::new(-12.0, 31.0).ticks(4), [0.0, 20.0]);
        assert_eq!(Scale::new(-1.1, 1.2).ticks(4), [-1.0, 0.0, 1.0]);
        assert_eq!(tick_label(-5.0), "−5 %");
        assert_eq!(tick_label(0.5), "+0.5 %");
        assert_eq!(tick_label(0.0), "0 %");
        assert_eq!(tick_label(-20.0), "−20 %");
    }

    #[test]
    fn no_scale_is_without_width() {
        for scale in [
            Scale::new(2.0, 2.0),
            Scale::new(f64::NAN, 1.0),
            Scale::new(f64::INFINITY, f64::NEG_INFINITY),
        ] {
            assert!(scale.at(2.0).is_finite());
            assert!(scale.at(f64::NAN).is_finite());
        }
    }
}
