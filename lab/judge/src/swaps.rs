//! Which label swaps a permutation test looks at: all of them, or a seeded sample.

use crate::rng::Rng;

/// Draws per unit of level: about this many permutations are expected beyond the critical
/// value, which fixes it to 1/sqrt(40) = 16 % in p, or about 1 % of the interval's width.
const DRAWS_BEYOND: f64 = 40.0;
/// Never fewer, so that a p near 0.05 is known to 0.2 points.
const LEAST_DRAWS: u64 = 9_999;
/// Never more: about 0.1 s per evaluation. Levels under 1e-6 cannot be resolved by sampling.
const MOST_DRAWS: u64 = (1 << 20) - 1;
/// Up to here all swaps are looked at, whatever the level.
const ALWAYS_EXACT: usize = 12;

/// A plan of label swaps for a number of rounds.
///
/// Swapping every round at once only changes the sign of the statistic, so the two-sided
/// test needs half of the 2^n swaps: those that leave the last round alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swaps {
    rounds: usize,
    count: u64,
    seed: u64,
    exact: bool,
}

impl Swaps {
    /// The swaps for testing at significance `level`: all when 12 rounds or fewer, or when
    /// that is no dearer than sampling; else 40/`level` drawn with `seed`, at least
    /// 9 999 and at most 1 048 575.
    #[must_use]
    pub fn plan(rounds: usize, level: f64, seed: u64) -> Self {
        // `as` saturates and turns NaN into 0: any level gives a usable plan.
        let draws = ((DRAWS_BEYOND / level).ceil() as u64).clamp(LEAST_DRAWS, MOST_DRAWS);
        let all = (1..64).contains(&rounds).then(|| 1u64 << (rounds - 1));
        match all {
            Some(count) if rounds <= ALWAYS_EXACT || count <= draws => Self {
                rounds,
                count,
                seed,
                exact: true,
            },
            _ => Self {
                rounds,
                count: draws,
                seed,
                exact: false,
            },
        }
    }

    /// Whether every swap is looked at, so that p has no sampling error.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The smallest p this plan can give: 2/2^n when exact, 1/(1+B) when B are sampled.
    #[must_use]
    pub fn smallest_p(&self) -> f64 {
        if self.exact {
            1.0 / self.count as f64
        } else {
            1.0 / (self.count as f64 + 1.0)
        }
    }

    /// The two-sided p when `hits` swaps are at least as extreme as the observed labels.
    ///
    /// Sampled: (1+hits)/(1+B), valid for every B: B. Phipson and G. Smyth, "Permutation
    /// P-values Should Never Be Zero", Statistical Applications in Genetics and Molecular
    /// Biology 9(1), article 39, 2010, section 4.
    pub(crate) fn p(&self, hits: u64) -> f64 {
        if self.exact {
            // The observed labels are one of the swaps, whatever rounding did to them.
            hits.max(1) as f64 / self.count as f64
        } else {
            (1 + hits) as f64 / (1 + self.count) as f64
        }
    }

    /// Calls `visit` with each swap: bit `r % 64` of word `r / 64` says whether the labels of
    /// round `r` are exchanged. Bits past the last round are arbitrary.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&[u64])) {
        if self.exact {
            for swap in 0..self.count {
                visit(&[swap]);
            }
            return;
        }
        let mut rng = Rng::new(self.seed);
        let mut swap = vec![0u64; self.rounds.div_ceil(64)];
        for _ in 0..self.count {
            for word in &mut swap {
                *word = rng.next_u64();
            }
            visit(&swap);
        }
    }
}
