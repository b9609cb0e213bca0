//! Arms, and the comparisons that a series of rounds is cut into.

use std::ops::Range;

/// Rounds of one comparison.
pub const ROUNDS: usize = 20;

/// An arm: its name in the samples, and its operations more than the baseline's, in percent.
pub struct Arm {
    pub name: &'static str,
    pub percent: u64,
}

/// The baseline, the baseline again, and two with a known effect.
pub const ARMS: [Arm; 4] = [
    Arm::new("base", 0),
    Arm::new("again", 0),
    Arm::new("plus1", 1),
    Arm::new("plus2", 2),
];

impl Arm {
    const fn new(name: &'static str, percent: u64) -> Self {
        Self { name, percent }
    }
}

/// One question: an arm, the third arm of its study, and the name of its effect. A study has
/// three arms, baseline, baseline again and a variant; the fourth is not shown to the judge.
pub struct Effect {
    pub name: &'static str,
    pub arm: usize,
    pub other: usize,
}

pub const EFFECTS: [Effect; 3] = [
    Effect::new("A/A", 1, 2),
    Effect::new("+1 %", 2, 1),
    Effect::new("+2 %", 3, 1),
];

impl Effect {
    const fn new(name: &'static str, arm: usize, other: usize) -> Self {
        Self { name, arm, other }
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    Wall,
    Cpu,
}

pub const METRICS: [Metric; 2] = [Metric::Wall, Metric::Cpu];

impl Metric {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
        }
    }
}

/// The whole rounds of one workload: times in seconds, by arm and round.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub workload: String,
    pub wall: [Vec<f64>; ARMS.len()],
    pub cpu: [Vec<f64>; ARMS.len()],
    /// Places in the order of the round.
    pub places: [Vec<u32>; ARMS.len()],
    /// Clock after each run, in GHz.
    pub clock: Vec<f64>,
    /// Involuntary switches of all runs.
    pub switches: u64,
}

/// The samples of one arm in one comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Seconds by round.
    pub costs: &'a [f64],
    /// Places by round.
    pub places: &'a [u32],
}

/// One comparison of [`ROUNDS`] rounds.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    pub baseline: Side<'a>,
    pub variant: Side<'a>,
    /// The third arm of the same rounds.
    pub other: Side<'a>,
    /// For rules that draw at random.
    pub seed: u64,
}

impl Series {
    /// How many comparisons there are; rounds left over at the end are in none.
    pub fn blocks(&self) -> usize {
        self.wall[0].len() / ROUNDS
    }

    pub fn times(&self, metric: Metric) -> &[Vec<f64>; ARMS.len()] {
        match metric {
            Metric::Wall => &self.wall,
            Metric::Cpu => &self.cpu,
        }
    }

    pub fn comparison(&self, metric: Metric, effect: &Effect, block: usize) -> Comparison<'_> {
        let rounds: Range<usize> = block * ROUNDS..(block + 1) * ROUNDS;
        let side = |arm: usize| Side {
            costs: &self.times(metric)[arm][rounds.clone()],
            places: &self.places[arm][rounds.clone()],
        };
        Comparison {
            baseline: side(0),
            variant: side(effect.arm),
            other: side(effect.other),
            seed: block as u64,
        }
    }

    /// What an effect came to: the median of the rounds' ratios, less 1.
    pub fn realised(&self, metric: Metric, effect: &Effect) -> Option<f64> {
        let times = self.times(metric);
        let pairs = times[effect.arm].iter().zip(&times[0]);
        let ratios: Vec<f64> = pairs.map(|(variant, base)| variant / base).collect();
        karat_judge::median(&ratios).map(|r| r - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_consecutive_whole_rounds() {
        let column = |arm: usize| (0..2 * ROUNDS + 5).map(move |r| (10 * r + arm) as f64);
        let mut series = Series::default();
        for arm in 0..ARMS.len() {
            series.wall[arm] = column(arm).collect();
            series.cpu[arm] = column(arm).map(|t| -t).collect();
            series.places[arm] = vec![arm as u32; 2 * ROUNDS + 5];
        }
        assert_eq!(series.blocks(), 2);
        let c = series.comparison(Metric::Cpu, &EFFECTS[2], 1);
        assert_eq!(c.baseline.costs[0], -200.0);
        assert_eq!(c.variant.costs[ROUNDS - 1], -393.0);
        assert_eq!(c.other.costs.len(), ROUNDS);
        assert_eq!(c.other.costs[0], -201.0);
        assert_eq!((c.variant.places[0], c.other.places[0]), (3, 1));
    }

    #[test]
    fn what_was_realised_is_the_median_ratio() {
        let mut series = Series::default();
        series.wall[0] = vec![1.0, 2.0, 4.0];
        series.wall[2] = vec![1.01, 2.04, 4.0];
        let realised = series.realised(Metric::Wall, &EFFECTS[1]).unwrap();
        assert!((realised - 0.01).abs() < 1e-12);
        assert_eq!(series.realised(Metric::Cpu, &EFFECTS[1]), None);
    }
}
