//! Two samples that were not measured in the same rounds: the permutation test and its interval.
//!
//! One sample is a set of runs of a program, taken when it suited, as many as there are. If the
//! variant differs from the baseline only by a factor exp(`shift`), then its costs divided by
//! that factor and the baseline's are one set, from which any choice of labels was as likely as
//! the one found. Statistic: the difference T of the logs of both sides'
//! [faster-half means](crate::faster_half_mean); two-sided p: the share of labelings with |T| at
//! least the observed one.
//!
//! The label swaps inside rounds ([`p_value`](crate::p_value)) are exact whatever the machine does
//! between rounds. This test is not: runs of one side that were made one after the other share
//! what the machine did meanwhile, and the labels are then not exchangeable. Who reports its
//! result must say so.
//!
//! The interval holds all shifts that are not rejected.
//!
//! Sources: E. Pitman, "Significance Tests Which May be Applied to Samples From any
//! Populations", Supplement to the Journal of the Royal Statistical Society 4(1), 1937, pp.
//! 119-130; P. Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*, 3rd ed., Springer
//! 2005 (two samples, confidence intervals from tests).

use crate::faster_half::faster_half_len;
use crate::interval::Interval;
use crate::rng::Rng;

/// Slack under which two statistics are tied: sums are added in different orders.
const TIE: f64 = 1e-12;
/// Draws per unit of level: about so many labelings are expected beyond the critical value, which
/// fixes it to 1/sqrt(40) = 16 % in p.
const DRAWS_BEYOND: f64 = 40.0;
/// Never fewer, and up to here all labelings are looked at.
const LEAST_DRAWS: u64 = 9_999;
/// Never more.
const MOST_DRAWS: u64 = (1 << 18) - 1;
/// Where all costs of both sides are equal, shifts are told apart from here on.
const LEAST_APART: f64 = 1e-9;
/// Doublings of full separation after which a bound counts as infinite.
const MOST_DOUBLINGS: u32 = 6;
/// Halvings of a bracket, and the share of its distance to which a bound is found.
const HALVINGS: u32 = 30;
const TOLERANCE: f64 = 0.005;

/// Logs of the costs of both sides, the baseline's first.
pub(crate) struct TwoSample {
    logs: Vec<f64>,
    first: usize,
    plan: Plan,
    seed: u64,
}

#[derive(Clone, Copy)]
enum Plan {
    /// All labelings; at most 63 runs.
    All,
    /// So many, drawn.
    Drawn(u64),
}

impl TwoSample {
    /// Of costs that were checked, with labelings enough to test at `level`.
    pub(crate) fn new(baseline: &[f64], variant: &[f64], level: f64, seed: u64) -> Self {
        let all = baseline.iter().chain(variant);
        // `as` saturates and turns NaN into 0: any level gives a usable plan.
        let draws = ((DRAWS_BEYOND / level).ceil() as u64).clamp(LEAST_DRAWS, MOST_DRAWS);
        let runs = baseline.len() + variant.len();
        let plan = match choose(runs as u64, baseline.len() as u64) {
            Some(count) if count <= draws && runs < 64 => Plan::All,
            _ => Plan::Drawn(draws),
        };
        Self {
            logs: all.map(|c| c.ln()).collect(),
            first: baseline.len(),
            plan,
            seed,
        }
    }

    /// The log ratio of the faster-half means, variant over baseline.
    pub(crate) fn log_ratio(&self) -> f64 {
        let shifted = self.shifted(0.0);
        let first = self.first;
        shifted.statistic(|i| i < first)
    }

    /// Two-sided p of the hypothesis that the log ratio is `shift`.
    pub(crate) fn p(&self, shift: f64) -> f64 {
        let shifted = self.shifted(shift);
        let first = self.first;
        let observed = shifted.statistic(|i| i < first).abs() - TIE;
        let (mut hits, mut count) = (0u64, 0u64);
        let runs = self.logs.len();
        match self.plan {
            Plan::All => {
                let mut mask = (1u64 << first) - 1;
                while mask >> runs == 0 {
                    let t = shifted.statistic(|i| mask >> i & 1 == 1);
                    hits += u64::from(t.abs() >= observed);
                    count += 1;
                    mask = next_of_same_weight(mask);
                }
                // The observed labels are one of them, whatever rounding did to them.
                hits.max(1) as f64 / count as f64
            }
            Plan::Drawn(draws) => {
                let mut rng = Rng::new(self.seed);
                let mut order: Vec<usize> = (0..runs).collect();
                let mut mine = vec![false; runs];
                for _ in 0..draws {
                    mine.fill(false);
                    for i in 0..first {
                        let j = i + rng.below((runs - i) as u64) as usize;
                        order.swap(i, j);
                        mine[order[i]] = true;
                    }
                    hits += u64::from(shifted.statistic(|i| mine[i]).abs() >= observed);
                }
                // Valid for any number of draws: Phipson and Smyth 2010, as in `swaps.rs`.
                (1 + hits) as f64 / (1 + draws) as f64
            }
        }
    }

    /// The log ratios not rejected at `level`; `p_at_zero` is p at shift 0.
    pub(crate) fn interval(&self, level: f64, p_at_zero: f64) -> Interval {
        let centre = self.log_ratio();
        Interval {
            low: centre - self.reach(-1.0, centre, level, p_at_zero),
            high: centre + self.reach(1.0, centre, level, p_at_zero),
        }
    }

    /// How far the interval reaches from the centre in the direction of `sign`.
    fn reach(&self, sign: f64, centre: f64, level: f64, p_at_zero: f64) -> f64 {
        let (a, b) = self.logs.split_at(self.first);
        let least = |s: &[f64]| s.iter().copied().fold(f64::INFINITY, f64::min);
        let most = |s: &[f64]| s.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Where the shifted variant is wholly on one side of the baseline.
        let apart = if sign > 0.0 {
            most(b) - least(a) - centre
        } else {
            centre - (least(b) - most(a))
        };
        let rejects = |distance: f64| self.p(centre + sign * distance) <= level;
        let (mut inside, mut outside) = (0.0, apart.max(LEAST_APART) * 1.000_001);
        let mut doublings = 0;
        while !rejects(outside) {
            doublings += 1;
            if doublings > MOST_DOUBLINGS {
                return f64::INFINITY;
            }
            inside = outside;
            outside *= 2.0;
        }
        let zero = -centre * sign;
        if zero > inside && zero < outside {
            *(if p_at_zero > level {
                &mut inside
            } else {
                &mut outside
            }) = zero;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(inside, outside);
            if outside - inside <= TOLERANCE * outside || middle <= inside || middle >= outside {
                break;
            }
            *(if rejects(middle) {
                &mut outside
            } else {
                &mut inside
            }) = middle;
        }
        // The rejected end: an interval that is a little too wide errs on the right side, and
        // 0 stays outside when it is rejected, since it may only become this end.
        if outside == zero {
            f64::midpoint(inside, outside)
        } else {
            outside
        }
    }

    fn shifted(&self, shift: f64) -> Shifted {
        let mut logs: Vec<(f64, usize)> = self.logs.iter().copied().zip(0..).collect();
        for (log, index) in &mut logs {
            if *index >= self.first {
                *log -= shift;
            }
        }
        logs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let least = logs.first().map_or(0.0, |l| l.0);
        Shifted {
            sorted: logs
                .into_iter()
                .map(|(l, i)| ((l - least).exp(), i))
                .collect(),
            halves: [
                faster_half_len(self.first),
                faster_half_len(self.logs.len() - self.first),
            ],
        }
    }
}

/// All costs at one shift in rising order, each over the least, with their places.
struct Shifted {
    sorted: Vec<(f64, usize)>,
    halves: [usize; 2],
}

impl Shifted {
    /// T when the costs at the places that `is_baseline` says are the baseline's.
    fn statistic(&self, is_baseline: impl Fn(usize) -> bool) -> f64 {
        let mut sums = [0.0f64; 2];
        let mut taken = [0usize; 2];
        for &(cost, place) in &self.sorted {
            let side = usize::from(!is_baseline(place));
            if taken[side] < self.halves[side] {
                taken[side] += 1;
                sums[side] += cost;
                if taken == self.halves {
                    break;
                }
            }
        }
        let mean = |side: usize| sums[side] / self.halves[side] as f64;
        (mean(1) / mean(0)).ln()
    }
}

/// The smallest p that `runs` on each side can give: 2 over the number of labelings.
pub(crate) fn smallest_p(runs: u64) -> f64 {
    choose(2 * runs, runs).map_or(0.0, |count| 2.0 / count as f64)
}

/// n over k; `None` beyond u64.
fn choose(n: u64, k: u64) -> Option<u64> {
    let mut out = 1u128;
    for i in 0..k.min(n - k) {
        out = out * u128::from(n - i) / u128::from(i + 1);
        if out > u128::from(u64::MAX) {
            return None;
        }
    }
    u64::try_from(out).ok()
}

/// The next larger number with as many bits set: R. Gosper, item 175 of HAKMEM (MIT AI
/// Memo 239, 1972).
fn next_of_same_weight(x: u64) -> u64 {
    let lowest = x & x.wrapping_neg();
    let carried = x + lowest;
    carried | ((x ^ carried) / lowest) >> 2
}
