//! The rules on trial, and karat's own among them.

use crate::blocks::{Comparison, Side};
use crate::rivals::{benchstat, criterion, hyperfine, tango, welch};
use karat_judge::{Arm, Judgement, Layout, Pair, judge_family, log_margin};

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
    /// Whether it can say [`Word::Same`].
    pub says_same: bool,
}

/// The rules. The project asks at a margin of 1 % whether two builds differ by 2 % or not at all,
/// and at 0.5 % whether they differ by 1 %.
pub const RULES: [Rule; 11] = [
    Rule::karat("karat (margin 0.5 %)", |c| karat(c, 0.005)),
    Rule::karat("karat (margin 1 %)", |c| karat(c, 0.01)),
    Rule::rival("hyperfine: names a winner", hyperfine::winner),
    Rule::rival("hyperfine: prints 1.01 or more", hyperfine::printed),
    Rule::rival("hyperfine: ratio - error > 1", hyperfine::beyond_error),
    Rule::rival("benchstat: p <= .05", benchstat::word),
    Rule::rival("criterion: p < .05", criterion::different),
    Rule::rival(
        "criterion: improved or regressed",
        criterion::beyond_threshold,
    ),
    Rule::rival("tango: default", tango::by_default),
    Rule::rival("tango: -o; threshold 0.5 %", tango::filtered),
    Rule::rival("Welch t: p < .05", welch::word),
];

impl Rule {
    const fn karat(name: &'static str, word: fn(&Comparison<'_>) -> Word) -> Self {
        Self {
            name,
            word,
            says_same: true,
        }
    }

    const fn rival(name: &'static str, word: fn(&Comparison<'_>) -> Word) -> Self {
        Self {
            name,
            word,
            says_same: false,
        }
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

/// Karat's judge on a study of one workload and three arms. A comparison it refuses (a run of no
/// CPU time) decides nothing.
fn karat(comparison: &Comparison<'_>, margin: f64) -> Word {
    fn arm<'a>(side: &Side<'a>) -> Arm<'a> {
        Arm {
            costs: side.costs,
            places: Some(side.places),
            quiet: None,
        }
    }
    let pair = Pair {
        layouts: vec![Layout {
            baseline: arm(&comparison.baseline),
            variant: arm(&comparison.variant),
            again: None,
            others: vec![arm(&comparison.other)],
        }],
        margin: log_margin(margin),
    };
    match judge_family(&[pair], 0, ALPHA).pop() {
        Some(Ok(outcome)) => match outcome.judgement {
            Judgement::Faster => Word::Faster,
            Judgement::Slower => Word::Slower,
            Judgement::Same => Word::Same,
            Judgement::Inconclusive => Word::Nothing,
        },
        _ => Word::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_judge::Rng;

    /// Steady times of 20 ms within 0.1 %, 20 of them, times `factor`.
    fn times(factor: f64, seed: u64) -> Vec<f64> {
        let mut rng = Rng::new(seed);
        let noise = (0..20).map(|_| 1.0 + rng.below(1000) as f64 * 1e-6);
        noise.map(|n| 0.02 * factor * n).collect()
    }

    fn words(variant: &[f64]) -> Vec<Word> {
        let (base, other) = (times(1.0, 1), times(1.0, 2));
        let mut rng = Rng::new(3);
        let mut places = vec![Vec::new(); 3];
        for _ in 0..base.len() {
            let mut order = [0, 1, 2];
            rng.shuffle(&mut order);
            for (places, place) in places.iter_mut().zip(order) {
                places.push(place);
            }
        }
        let side = |arm: usize, costs| Side {
            costs,
            places: &places[arm],
        };
        let comparison = Comparison {
            baseline: side(0, &base),
            variant: side(1, variant),
            other: side(2, &other),
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
        for (word, rule) in words(&times(1.0, 4)).iter().zip(&RULES) {
            assert_eq!(*word == Word::Same, rule.says_same, "{}", rule.name);
        }
    }
}
