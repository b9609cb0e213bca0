//! Arms, questions, and what was measured of one workload.

use karat_judge::median;
use std::ops::Range;

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

/// One question: an arm, the third arm of its study, and the margin that karat is asked with. A
/// study has three arms, baseline, baseline again and a variant; the fourth is not shown to the
/// judge.
pub struct Question {
    pub effect: &'static str,
    pub arm: usize,
    pub other: usize,
    /// Relative.
    pub margin: f64,
}

/// The project asks at a margin of 1 % whether two builds differ by 2 % or not at all, and at
/// 0.5 % whether they differ by 1 %.
pub const QUESTIONS: [Question; 4] = [
    Question::new("A/A", 1, 2, 0.01),
    Question::new("A/A", 1, 2, 0.005),
    Question::new("+1 %", 2, 1, 0.005),
    Question::new("+2 %", 3, 1, 0.01),
];

impl Question {
    const fn new(effect: &'static str, arm: usize, other: usize, margin: f64) -> Self {
        Self {
            effect,
            arm,
            other,
            margin,
        }
    }

    /// Whether the arms are the same.
    pub fn is_control(&self) -> bool {
        ARMS[self.arm].percent == 0
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

    /// Seconds of measuring that a comparison may take.
    pub const fn limit(self) -> f64 {
        match self {
            Self::Wall => 40.0,
            Self::Cpu => 20.0,
        }
    }
}

/// What one arm cost, by round.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// Seconds of the run that counts, which is the last attempt.
    pub wall: Vec<f64>,
    pub cpu: Vec<f64>,
    /// Its place in the order of the round.
    pub places: Vec<u32>,
    /// Whether the core was quiet at both ends of it.
    pub quiet: Vec<bool>,
    /// Seconds that all attempts took, waiting and karat's own time included.
    pub took: Vec<f64>,
}

impl Column {
    pub fn costs(&self, metric: Metric) -> &[f64] {
        match metric {
            Metric::Wall => &self.wall,
            Metric::Cpu => &self.cpu,
        }
    }
}

/// One round of Duet: an arm against the baseline at the same moment, twice, with the processors
/// swapped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duet {
    /// By metric: ln(arm/baseline), the mean of both runs.
    pub logs: [f64; METRICS.len()],
    /// Seconds that both took.
    pub took: f64,
}

/// The whole rounds of one workload.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub workload: String,
    /// By arm.
    pub columns: [Column; ARMS.len()],
    /// By arm; none of the baseline.
    pub duets: [Vec<Duet>; ARMS.len()],
    /// Clock after each run, in GHz.
    pub clock: Vec<f64>,
    /// Involuntary switches of all runs.
    pub switches: u64,
    /// Runs that were made again, and seconds of all waits.
    pub repeated: usize,
    pub waited: f64,
}

/// The samples of one arm in one comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Seconds by round.
    pub costs: &'a [f64],
}

/// What the rivals see of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    pub baseline: Side<'a>,
    pub variant: Side<'a>,
    /// For rules that draw at random.
    pub seed: u64,
}

impl Series {
    pub fn rounds(&self) -> usize {
        self.columns[0].wall.len()
    }

    pub fn comparison(
        &self,
        metric: Metric,
        question: &Question,
        rounds: &Range<usize>,
    ) -> Comparison<'_> {
        let side = |arm: usize| Side {
            costs: &self.columns[arm].costs(metric)[rounds.clone()],
        };
        Comparison {
            baseline: side(0),
            variant: side(question.arm),
            seed: rounds.start as u64,
        }
    }

    /// What an effect came to: the median of the rounds' ratios, less 1.
    pub fn realised(&self, metric: Metric, arm: usize) -> Option<f64> {
        let costs = |arm: usize| self.columns[arm].costs(metric);
        let pairs = costs(arm).iter().zip(costs(0));
        let ratios: Vec<f64> = pairs.map(|(variant, base)| variant / base).collect();
        median(&ratios).map(|r| r - 1.0)
    }

    /// The same of what ran at the same moment.
    pub fn realised_by_duets(&self, metric: usize, arm: usize) -> Option<f64> {
        let logs: Vec<f64> = self.duets[arm].iter().map(|d| d.logs[metric]).collect();
        median(&logs).map(f64::exp_m1)
    }
}

#[cfg(test)]
pub mod synthetic {
    //! Samples of which the truth is known.

    use super::*;
    use karat_judge::Rng;

    /// Runs of 20 ms, noise up to `noise` of them, all quiet, each taking 21 ms.
    pub fn series(rounds: usize, noise: f64, seed: u64) -> Series {
        let mut rng = Rng::new(seed);
        let mut series = Series {
            workload: "w".into(),
            ..Series::default()
        };
        for _ in 0..rounds {
            let mut order: [u32; ARMS.len()] = [0, 1, 2, 3];
            rng.shuffle(&mut order);
            for (arm, place) in order.into_iter().enumerate() {
                let level = 0.02 * (1.0 + ARMS[arm].percent as f64 / 100.0);
                let mut cost = || level * (1.0 + noise * rng.below(10_000) as f64 * 1e-4);
                let column = &mut series.columns[arm];
                column.wall.push(cost());
                column.cpu.push(cost());
                column.places.push(place);
                column.quiet.push(true);
                column.took.push(0.021);
                series.clock.push(4.0);
                let logs = [(); METRICS.len()].map(|()| (cost() / 0.02).ln() - noise / 2.0);
                if arm > 0 {
                    series.duets[arm].push(Duet { logs, took: 0.042 });
                }
            }
        }
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_has_its_own_rounds_and_arms() {
        let mut series = Series::default();
        for (arm, column) in series.columns.iter_mut().enumerate() {
            column.wall = (0..50).map(|r| f64::from(10 * r) + arm as f64).collect();
            column.cpu = column.wall.iter().map(|t| -t).collect();
        }
        let c = series.comparison(Metric::Cpu, &QUESTIONS[3], &(20..40));
        assert_eq!(c.baseline.costs[0], -200.0);
        assert_eq!(c.variant.costs[19], -393.0);
        assert_eq!(c.variant.costs.len(), 20);
    }

    #[test]
    fn what_was_realised_is_the_median_ratio() {
        let mut series = Series::default();
        series.columns[0].wall = vec![1.0, 2.0, 4.0];
        series.columns[2].wall = vec![1.01, 2.04, 4.0];
        let realised = series.realised(Metric::Wall, 2).unwrap();
        assert!((realised - 0.01).abs() < 1e-12);
        assert_eq!(series.realised(Metric::Cpu, 2), None);
    }
}
