//! A report for a terminal.

use super::{ArmReport, Histogram, Report};
use karat_model::units::{change, grouped, significant};
use std::fmt;

/// Lines of a histogram; what is rarer is summed up.
const LINES: usize = 6;

/// Characters of a bar of 100 %.
const BAR: f64 = 40.0;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let b = &self.batch;
        writeln!(
            f,
            "{}: {} rounds{}, batches of {} calls on {} fresh inputs{}",
            self.name,
            self.rounds,
            if self.out_of_time {
                " (time is over)"
            } else {
                ""
            },
            grouped(b.calls),
            grouped(b.inputs),
            match b.passes {
                1 => String::new(),
                passes => format!(", each {passes} times"),
            },
        )?;
        let processor = match self.processor {
            Some(p) => format!("processor {p}"),
            None => "not pinned".to_owned(),
        };
        let quiet = self.quiet_share.map_or_else(String::new, |share| {
            format!(", {:.0} % of the batches without neighbours", share * 100.0)
        });
        writeln!(
            f,
            "{processor} at {:.2} GHz ({:.2} to {:.2}){quiet}; an empty call takes {} ns and is in all times",
            self.clock.median,
            self.clock.low,
            self.clock.high,
            significant(b.empty_ns),
        )?;
        let floor = self.noise_floor.map_or_else(
            || "not bounded by so few rounds".to_owned(),
            |n| format!("{} %", significant(n * 100.0)),
        );
        let margin = significant(self.margin * 100.0);
        if self.again_passed {
            writeln!(f, "A/A passed; noise floor {floor}, margin {margin} %\n")?;
        } else {
            writeln!(
                f,
                "A/A FAILED: the baseline differs from itself ({}); judgements are withheld\n",
                change(self.again.speed.estimate),
            )?;
        }
        self.table(f)?;
        for arm in &self.arms {
            if let Some(drop) = arm.clock_drop {
                writeln!(
                    f,
                    "{} alone lowers the clock by {} %: the others paid for it in the rounds",
                    arm.name,
                    significant(drop * 100.0),
                )?;
            }
        }
        for arm in &self.arms {
            writeln!(f)?;
            histogram(f, &arm.name, &arm.histogram)?;
        }
        Ok(())
    }
}

impl Report {
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.arms.iter().map(|a| a.name.chars().count());
        let width = width.max().unwrap_or(0).max(3);
        let bytes = self.arms.iter().any(|a| a.bytes_per_second.is_some());
        let gb = |text: &str| match bytes {
            true => format!("{text:>9}"),
            false => String::new(),
        };
        writeln!(
            f,
            "{:width$} {:>9} {:>9}{} {:>12}  speed",
            "arm",
            "ns/call",
            "median",
            gb("GB/s"),
            "cycles/call"
        )?;
        for arm in &self.arms {
            let rate = arm
                .bytes_per_second
                .map_or(String::new(), |r| significant(r / 1e9));
            writeln!(
                f,
                "{:width$} {:>9} {:>9}{} {:>12}  {}",
                arm.name,
                significant(arm.ns.faster_half),
                significant(arm.ns.median),
                gb(&rate),
                significant(arm.cycles.faster_half),
                self.speed(arm),
            )?;
        }
        Ok(())
    }

    /// What is said of an arm's speed.
    fn speed(&self, arm: &ArmReport) -> String {
        let Some(c) = &arm.comparison else {
            return "baseline".to_owned();
        };
        let word = match self.again_passed {
            true => c.judgement.word(),
            false => "withheld",
        };
        let mut text = format!("{word} {}", ratio(c.speed.estimate));
        if let (Some(low), Some(high)) = (c.speed.low, c.speed.high) {
            text += &format!(" ({} to {})", ratio(low), ratio(high));
        }
        if let Some(detectable) = c.detectable {
            text += &format!(", detectable {} %", significant(detectable * 100.0));
        }
        if let Some(rounds) = c.rounds_needed {
            text += &format!(", about {rounds} rounds would decide");
        }
        text
    }
}

fn histogram(f: &mut fmt::Formatter<'_>, arm: &str, of: &Histogram) -> fmt::Result {
    // As many decimals as show the width, whose first digit is its only one.
    let digits = |n: u64| n.checked_ilog10().unwrap_or(0) as usize;
    let decimals = digits(of.calls).saturating_sub(digits(of.width));
    let value = |cycles: u64| format!("{:.decimals$}", cycles as f64 / of.calls as f64);
    writeln!(
        f,
        "{arm}: core cycles per call in steps of {}, {} batches",
        value(of.width),
        of.batches
    )?;
    for share in of.shares.iter().take(LINES) {
        let bar = "█".repeat((share.percent / 100.0 * BAR).round() as usize);
        let line = format!("{:5.1} %: {:>9}  {bar}", share.percent, value(share.cycles));
        writeln!(f, "{}", line.trim_end())?;
    }
    let rest = of.shares.get(LINES..).unwrap_or_default();
    if let Some(low) = rest.iter().map(|s| s.cycles).min() {
        let high = rest.iter().map(|s| s.cycles).max().unwrap_or(low);
        let percent: f64 = rest.iter().map(|s| s.percent).sum();
        let span = if low == high {
            value(low)
        } else {
            format!("{} to {}", value(low), value(high))
        };
        writeln!(f, "{percent:5.1} %: {:>9}  {span}", "others")?;
    }
    Ok(())
}

/// A speed ratio as a change, or as a factor where percents are hard to read.
fn ratio(speed: f64) -> String {
    if speed >= 3.0 {
        format!("×{}", significant(speed))
    } else {
        change(speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shown(Histogram);

    impl fmt::Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            histogram(f, "x", &self.0)
        }
    }

    fn shown(cycles: &[f64]) -> String {
        Shown(Histogram::new(cycles)).to_string()
    }

    #[test]
    fn histograms_read_in_cycles_per_call() {
        let text = shown(&[11.719, 11.722, 11.72, 22.699]);
        assert!(text.contains("in steps of 0.1, 4 batches"), "{text}");
        assert!(text.contains(" 75.0 %:      11.7  ██"), "{text}");
        assert!(text.contains(" 25.0 %:      22.7  ██"), "{text}");
        assert!(shown(&[92.1]).contains("steps of 0.5, 1"));
        assert!(shown(&[0.25]).contains("steps of 0.002, 1"));
        assert!(shown(&[0.012]).contains("steps of 0.001, 1"));
        assert!(shown(&[2064.0]).contains("100.0 %:      2060  ██"));
    }

    #[test]
    fn what_is_rare_is_summed_up() {
        let cycles: Vec<f64> = (0..10).map(|i| 100.0 + f64::from(i)).collect();
        assert!(shown(&cycles).contains(" 40.0 %:    others  106 to 109"));
    }

    #[test]
    fn large_ratios_are_factors() {
        assert_eq!(ratio(22.58), "×22.6");
        assert_eq!(ratio(1.05), "+5.0 %");
    }
}
