//! What a measurement of noise says to people.

use super::noise::{self, Noise, Tally};
use super::{Detectable, Fact, Health, Rate, fact};
use karat_model::units;

/// What a measurement of noise says, for [`noise::measure`].
#[must_use]
pub fn noise_facts(noise: &Noise) -> Vec<Fact> {
    let comparisons = noise.rounds / noise.rounds_per_comparison;
    let few = comparisons < noise::FEW;
    let run = noise.metrics.iter().find(|m| m.name == "wall");
    let mut facts = vec![fact(
        "noise, measured",
        format!(
            "{comparisons} comparisons of {} rounds: {} rounds of 4 runs{} in {}{}",
            noise.rounds_per_comparison,
            noise.rounds,
            run.and_then(|m| m.run)
                .map(|s| format!(", {} each,", units::seconds(s)))
                .unwrap_or_default(),
            units::seconds(noise.seconds),
            if noise.interrupted {
                ", interrupted"
            } else {
                ""
            },
        ),
        if few { Health::Fair } else { Health::Good },
        "karat itself is the program: as it is, again (A/A), with 1 % and 2 % more operations; \
         in brackets: 95 %, of rates by Wilson, of medians by order statistics",
        if few {
            "too few comparisons to call anything good: a longer --time"
        } else {
            ""
        },
    )];
    for metric in &noise.metrics {
        for tally in &metric.arms {
            facts.push(rates(metric.name, tally, noise.alpha));
        }
        facts.push(smallest(metric.name, &metric.detectable, noise.alpha, few));
    }
    facts
}

/// One arm's words.
fn rates(metric: &str, tally: &Tally, alpha: f64) -> Fact {
    let (name, word, rate, words) = match (tally.false_alarm, tally.power) {
        (Some(alarm), _) => {
            let words = of_control(&alarm, &tally.same, alpha);
            ("A/A", "different", alarm, words)
        }
        (None, Some(power)) => (tally.arm, "found SLOWER", power, of_power(&power)),
        (None, None) => (tally.arm, "SAME", tally.same, UNKNOWN),
    };
    let (health, meaning, advice) = words;
    let realised = match tally.realised {
        Some(change) => units::change(1.0 + change),
        None => "not known".into(),
    };
    let also = match () {
        () if tally.false_alarm.is_some() => format!("; SAME {}", share(&tally.same)),
        () if tally.faster > 0 => format!("; FASTER, which is wrong, {}", tally.faster),
        () => String::new(),
    };
    let value = format!(
        "{word} {}{also}; margin {} %, realised {realised} over all rounds",
        share(&rate),
        // 0.07 times 100 is not 7.
        (tally.margin * 1e6).round() / 1e4
    );
    fact(&format!("{metric}: {name}"), value, health, meaning, advice)
}

type Words = (Health, &'static str, &'static str);

const UNKNOWN: Words = (
    Health::Fair,
    "not known: not one comparison was completed",
    "a longer --time",
);

const TOO_FEW: Words = (
    Health::Fair,
    "so few comparisons allow good and bad alike",
    "a longer --time",
);

/// What false alarms and the share of SAME mean.
fn of_control(alarm: &Rate, same: &Rate, alpha: f64) -> Words {
    let (Some(rate), Some(low), Some(same)) = (alarm.rate, alarm.low, same.rate) else {
        return UNKNOWN;
    };
    if low > alpha {
        (
            Health::Poor,
            "more false alarms than the 5 % promised: something treats equal arms unequally",
            "trust no verdict from here before this is quiet: close what else runs, or move",
        )
    } else if alarm.of < noise::FEW {
        TOO_FEW
    } else if rate > alpha {
        (
            Health::Fair,
            "more than the 5 % promised, but chance can do that in as many comparisons",
            "a longer --time tells",
        )
    } else if same < 0.8 {
        (
            Health::Fair,
            "no false alarms beyond the 5 % promised, but \"no change\" often stays undecided",
            "more rounds or a wider margin for studies whose answer may be SAME",
        )
    } else {
        (
            Health::Good,
            "equal arms are called different no more often than the 5 % promised",
            "",
        )
    }
}

/// What the power to find an injected effect means.
fn of_power(power: &Rate) -> Words {
    match power.rate {
        None => UNKNOWN,
        Some(_) if power.of < noise::FEW && power.high >= Some(0.8) => TOO_FEW,
        Some(rate) if rate >= 0.95 => (
            Health::Good,
            "an effect of this size is hardly ever missed in 20 rounds",
            "",
        ),
        Some(rate) if rate >= 0.8 => (
            Health::Fair,
            "an effect of this size is mostly found in 20 rounds",
            "allow 40 rounds where such effects matter",
        ),
        Some(_) => (
            Health::Poor,
            "an effect of this size often stays undecided after 20 rounds",
            "allow more rounds; close what else runs",
        ),
    }
}

/// The detectable effect, measured and extrapolated.
fn smallest(metric: &str, effect: &Detectable, alpha: f64, few: bool) -> Fact {
    let name = format!("{metric}: detectable");
    let Some(median) = effect.median else {
        let (health, meaning, advice) = UNKNOWN;
        return fact(&name, "not known".into(), health, meaning, advice);
    };
    let bounds = match (effect.low, effect.high) {
        (Some(low), Some(high)) => format!(" [{:.2}, {:.2}]", low * 100.0, high * 100.0),
        _ => String::new(),
    };
    let more: Vec<String> = effect
        .extrapolated
        .iter()
        .filter_map(|e| Some(format!("{:.2} % at {}", e.effect? * 100.0, e.rounds)))
        .collect();
    let value = format!(
        "{:.2} %{bounds} at {} rounds, median; by 1/√rounds, not measured: {}",
        median * 100.0,
        effect.rounds,
        more.join(", ")
    );
    let health = match median {
        m if m < 0.005 && !few => Health::Good,
        m if m < 0.02 => Health::Fair,
        _ => Health::Poor,
    };
    let meaning = format!(
        "smallest change found four times in five by one comparison at the {} % level; looks and \
         comparisons of a study share that level, so a study needs somewhat more",
        alpha * 100.0
    );
    let advice = if health == Health::Poor {
        "close what else runs; longer runs and more rounds help"
    } else {
        ""
    };
    fact(&name, value, health, &meaning, advice)
}

/// `3 of 55, 5.5 % [1.9, 14.9]`.
fn share(rate: &Rate) -> String {
    let counts = format!("{} of {}", rate.count, rate.of);
    match (rate.rate, rate.low, rate.high) {
        (Some(rate), Some(low), Some(high)) => format!(
            "{counts}, {:.1} % [{:.1}, {:.1}]",
            rate * 100.0,
            low * 100.0,
            high * 100.0
        ),
        _ => counts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_called_what_they_show() {
        let control =
            |alarms, same, of| of_control(&Rate::new(alarms, of), &Rate::new(same, of), 0.05).0;
        assert_eq!(control(0, 50, 50), Health::Good);
        assert_eq!(control(2, 48, 50), Health::Good);
        assert_eq!(control(0, 30, 50), Health::Fair, "often undecided");
        assert_eq!(control(4, 46, 50), Health::Fair, "8 %, 5 % possible");
        assert_eq!(control(20, 30, 50), Health::Poor);
        assert_eq!(control(0, 3, 3), Health::Fair, "too few");
        assert_eq!(control(3, 0, 3), Health::Poor, "few, yet enough");
        assert_eq!(control(0, 0, 0), Health::Fair);

        let power = |found, of| of_power(&Rate::new(found, of)).0;
        assert_eq!(power(50, 50), Health::Good);
        assert_eq!(power(45, 50), Health::Fair);
        assert_eq!(power(30, 50), Health::Poor);
        assert_eq!(power(3, 3), Health::Fair, "too few");
        assert_eq!(power(0, 3), Health::Poor, "few, yet enough");
        assert_eq!(power(0, 0), Health::Fair);
    }

    #[test]
    fn shares_are_shown_with_counts_and_bounds() {
        // Wilson by bisection in Python: 0.9039, 0.9968.
        assert_eq!(share(&Rate::new(54, 55)), "54 of 55, 98.2 % [90.4, 99.7]");
        assert_eq!(share(&Rate::new(0, 0)), "0 of 0");
    }
}
