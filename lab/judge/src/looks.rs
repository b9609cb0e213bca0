//! When to look at the data, and what each look may spend.
//!
//! Looking after every round and stopping at the first small p finds a "difference" between
//! identical programs 15-17 % of the time (measured, 7 looks at 0.05). Looks fixed in
//! advance, with levels that sum to 0.05, keep the total at 0.05 by Bonferroni's inequality,
//! whatever the dependence between looks.
//!
//! The first look is cheap and strict: it exists to stop early on plain cases, and 0.01 is
//! within reach of 10 rounds, whose smallest two-sided p is 2/2^10 = 0.00195. The last look
//! gets half of the total because that is where the hard cases are decided.

/// One planned look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Rounds measured in total when looking.
    pub rounds: usize,
    /// Family-wise level that this look may spend.
    pub alpha: f64,
}

/// Total family-wise error over all looks.
pub const ALPHA: f64 = 0.05;

/// The default schedule: 10, 20 and 40 rounds at 0.01, 0.015 and 0.025, in total [`ALPHA`].
pub const LOOKS: [Look; 3] = [
    Look {
        rounds: 10,
        alpha: 0.010,
    },
    Look {
        rounds: 20,
        alpha: 0.015,
    },
    Look {
        rounds: 40,
        alpha: 0.025,
    },
];

/// The schedule for at most `max_rounds` rounds (at least 2; fewer count as 2).
///
/// - 40 rounds: [`LOOKS`].
/// - More: the same levels, rounds stretched in proportion (80: 20, 40, 80).
/// - Fewer: the looks of [`LOOKS`] that come before three quarters of the maximum keep their
///   level, and one last look at the maximum gets all that is left of [`ALPHA`]
///   (20: 0.01 at 10 and 0.04 at 20; 10: 0.05 at 10).
///
/// Levels always sum to [`ALPHA`]. Choose the maximum before measuring: a schedule changed
/// after a look has no guaranteed level. Under 6 rounds no p reaches 0.05 and every
/// comparison stays inconclusive.
#[must_use]
pub fn schedule(max_rounds: usize) -> Vec<Look> {
    let max_rounds = max_rounds.max(2);
    let [.., last] = LOOKS;
    if max_rounds >= last.rounds {
        return LOOKS
            .iter()
            .map(|look| Look {
                rounds: (look.rounds * max_rounds).div_ceil(last.rounds),
                ..*look
            })
            .collect();
    }
    let mut looks: Vec<Look> = LOOKS
        .into_iter()
        .filter(|look| 4 * look.rounds <= 3 * max_rounds)
        .collect();
    let spent: f64 = looks.iter().map(|look| look.alpha).sum();
    looks.push(Look {
        rounds: max_rounds,
        alpha: ALPHA - spent,
    });
    looks
}
