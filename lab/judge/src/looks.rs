//! When to look at the data, and what each look may spend.
//!
//! Looking after every round and stopping at the first small p finds a "difference" between
//! identical programs 15-17 % of the time (measured, 7 looks at 0.05). Looks fixed in
//! advance, with levels that sum to 0.05, keep the total at 0.05 by Bonferroni's inequality,
//! whatever the dependence between looks.
//!
//! **In time** ([`looks`]): measuring goes on until all is decided or the promised time is up, so
//! looks are planned as shares of the time. A look must not be moved by what the labels say: its
//! time is fixed before, and how many rounds there are by then is up to the machine. What is
//! decided stops being measured, so later rounds are shorter, and that does depend on what
//! the decided comparisons showed; they share the baseline with the open ones, and nothing else
//! (tests/it/sequential.rs counts the false alarms).
//!
//! A finished run can be taken up again. Each stretch of time spends a fifth of what the ones
//! before it left: 0.04, 0.008, 0.0016 and so on, so that all together spend 0.05 however often
//! the run goes on.
//!
//! **In rounds** ([`schedule`]): for runs of a known number of rounds.

/// Total family-wise error over all looks.
pub const ALPHA: f64 = 0.05;

/// Share of what is left of [`ALPHA`] that a stretch spends.
const SPENT: f64 = 0.8;

/// One look of a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Share of the stretch's time that is over when looking.
    pub share: f64,
    /// Family-wise level that this look may spend.
    pub alpha: f64,
}

/// Shares of the time at which to look. Each look spends in proportion to its share: early looks
/// are for plain cases, which need little; compared with other plans in docs/notes/judge-rules.md.
const SHARES: [f64; 6] = [0.05, 0.10, 0.20, 0.35, 0.60, 1.00];

/// The looks of a stretch of time; 0 is the first, and each time that a finished run is taken up
/// again begins the next. All rounds measured so far are judged at every look.
///
/// The levels of all stretches together sum to [`ALPHA`]. Choose the stretch's time before
/// measuring: one that is changed after a look has no guaranteed level.
#[must_use]
pub fn looks(stretch: u32) -> [Look; 6] {
    let alpha = ALPHA * SPENT * (1.0 - SPENT).powi(stretch.min(1_000) as i32);
    let total: f64 = SHARES.iter().sum();
    SHARES.map(|share| Look {
        share,
        alpha: alpha * share / total,
    })
}

/// One look of a run whose rounds are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAtRound {
    /// Rounds measured in total when looking.
    pub rounds: usize,
    /// Family-wise level that this look may spend.
    pub alpha: f64,
}

/// The schedule of 40 rounds. The first look is cheap and strict: it exists to stop early on
/// plain cases, and 0.01 is within reach of 10 rounds, whose smallest two-sided p is
/// 2/2^10 = 0.00195. The last look gets half of the total, since that is where the hard cases are
/// decided.
const IN_ROUNDS: [LookAtRound; 3] = [
    LookAtRound {
        rounds: 10,
        alpha: 0.010,
    },
    LookAtRound {
        rounds: 20,
        alpha: 0.015,
    },
    LookAtRound {
        rounds: 40,
        alpha: 0.025,
    },
];

/// The schedule for at most `max_rounds` rounds (at least 2; fewer count as 2).
///
/// - 40 rounds: 10, 20 and 40 rounds at 0.01, 0.015 and 0.025.
/// - More: the same levels, rounds stretched in proportion (80: 20, 40, 80).
/// - Fewer: the looks that come before three quarters of the maximum keep their
///   level, and one last look at the maximum gets all that is left of [`ALPHA`]
///   (20: 0.01 at 10 and 0.04 at 20; 10: 0.05 at 10).
///
/// Levels always sum to [`ALPHA`]. Choose the maximum before measuring: a schedule changed
/// after a look has no guaranteed level. Under 6 rounds no p reaches 0.05 and every
/// comparison stays inconclusive.
#[must_use]
pub fn schedule(max_rounds: usize) -> Vec<LookAtRound> {
    let max_rounds = max_rounds.max(2);
    let [.., last] = IN_ROUNDS;
    if max_rounds >= last.rounds {
        return IN_ROUNDS
            .iter()
            .map(|look| LookAtRound {
                rounds: (look.rounds * max_rounds).div_ceil(last.rounds),
                ..*look
            })
            .collect();
    }
    let mut looks: Vec<LookAtRound> = IN_ROUNDS
        .into_iter()
        .filter(|look| 4 * look.rounds <= 3 * max_rounds)
        .collect();
    let spent: f64 = looks.iter().map(|look| look.alpha).sum();
    looks.push(LookAtRound {
        rounds: max_rounds,
        alpha: ALPHA - spent,
    });
    looks
}
