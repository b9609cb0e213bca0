//! The rules of the other tools, as karat's rivals.

use crate::rivals::{benchstat, criterion, hyperfine, tango, welch};
use crate::series::Comparison;

/// Level of every rule that has one.
pub const ALPHA: f64 = 0.05;

/// What a rule says of the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Faster,
    Slower,
    /// A claim that there is no difference that matters; only karat makes it.
    Same,
    /// No claim.
    Nothing,
}

/// A rule under its name in the summary.
pub struct Rule {
    pub name: &'static str,
    pub word: fn(&Comparison<'_>) -> Word,
}

pub const RULES: [Rule; 9] = [
    Rule::new("hyperfine: names a winner", hyperfine::winner),
    Rule::new("hyperfine: prints 1.01 or more", hyperfine::printed),
    Rule::new("hyperfine: ratio - error > 1", hyperfine::beyond_error),
    Rule::new("benchstat: p <= .05", benchstat::word),
    Rule::new("criterion: p < .05", criterion::different),
    Rule::new(
        "criterion: improved or regressed",
        criterion::beyond_threshold,
    ),
    Rule::new("tango: default", tango::by_default),
    Rule::new("tango: -o; threshold 0.5 %", tango::filtered),
    Rule::new("Welch t: p < .05", welch::word),
];

impl Rule {
    const fn new(name: &'static str, word: fn(&Comparison<'_>) -> Word) -> Self {
        Self { name, word }
    }
}

impl Word {
    /// Of a positive difference (the variant takes longer), a negative one, or none.
    pub fn of(difference: f64) -> Self {
        match () {
            () if difference > 0.0 => Self::Slower,
            () if difference < 0.0 => Self::Faster,
            () => Self::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Side;
    use karat_judge::Rng;

    /// Steady times of 20 ms within 0.1 %, 20 of them, times `factor`.
    fn times(factor: f64, seed: u64) -> Vec<f64> {
        let mut rng = Rng::new(seed);
        let noise = (0..20).map(|_| 1.0 + rng.below(1000) as f64 * 1e-6);
        noise.map(|n| 0.02 * factor * n).collect()
    }

    fn words(variant: &[f64]) -> Vec<Word> {
        let base = times(1.0, 1);
        let comparison = Comparison {
            baseline: Side { costs: &base },
            variant: Side { costs: variant },
            seed: 1,
        };
        RULES.iter().map(|r| (r.word)(&comparison)).collect()
    }

    #[test]
    fn every_rule_sees_what_is_plain() {
        assert_eq!(words(&times(1.05, 4)), [Word::Slower; RULES.len()]);
        assert_eq!(words(&times(0.95, 4)), [Word::Faster; RULES.len()]);
    }

    #[test]
    fn rules_without_a_threshold_see_what_does_not_matter() {
        let slower: Vec<&str> = words(&times(1.004, 4))
            .iter()
            .zip(&RULES)
            .filter_map(|(word, rule)| (*word == Word::Slower).then_some(rule.name))
            .collect();
        let expected = [
            "hyperfine: names a winner",
            "hyperfine: ratio - error > 1",
            "benchstat: p <= .05",
            "criterion: p < .05",
            "Welch t: p < .05",
        ];
        assert_eq!(slower, expected);
    }
}
