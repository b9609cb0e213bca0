//! What makes a comparison impossible to judge.

use std::fmt;

/// Which side of a comparison a bad cost was found on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The arm compared against.
    Baseline,
    /// The arm under judgement.
    Variant,
    /// Runs that only say how large noise is.
    Reference,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Baseline => "baseline",
            Side::Variant => "variant",
            Side::Reference => "reference",
        })
    }
}

/// Why a comparison cannot be judged. The data are at fault, never the effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JudgeError {
    /// The arms have different numbers of rounds, so costs cannot be paired.
    UnequalRounds {
        /// Rounds in the baseline.
        baseline: usize,
        /// Rounds in the variant.
        variant: usize,
    },
    /// Fewer than two rounds: nothing can be said about noise.
    TooFewRounds {
        /// Rounds given.
        rounds: usize,
    },
    /// A side with fewer than two runs, and no reference runs to take the noise from.
    TooFewRuns {
        /// Runs of the baseline.
        baseline: usize,
        /// Runs of the variant.
        variant: usize,
    },
    /// Reference runs that all cost the same: their noise is below what their figures resolve.
    NoSpread,
    /// A comparison without any layout.
    NoLayout,
    /// The samples of a round do not have places of their own: fewer places than costs, or one
    /// place twice.
    BadPlaces,
    /// As many flags of quiet runs as costs are needed, or none.
    BadQuiet,
    /// A cost that is zero, negative, infinite or not a number.
    BadCost {
        /// The arm it belongs to.
        side: Side,
        /// Its round, counted from 0.
        round: usize,
        /// The offending cost.
        cost: f64,
    },
    /// A margin that is negative, infinite or not a number.
    BadMargin {
        /// The offending margin, in log units.
        margin: f64,
    },
    /// A significance level outside the open interval (0, 1).
    BadLevel {
        /// The offending level.
        level: f64,
    },
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnequalRounds { baseline, variant } => write!(
                f,
                "arms differ in rounds: baseline has {baseline}, variant has {variant}"
            ),
            Self::TooFewRounds { rounds } => {
                write!(f, "a comparison needs at least 2 rounds, got {rounds}")
            }
            Self::TooFewRuns { baseline, variant } => write!(
                f,
                "noise is not known: baseline has {baseline} run(s), variant has {variant}; give two \
                 or more of each, or two or more reference runs"
            ),
            Self::NoSpread => f.write_str(
                "the reference runs do not differ at all, so their noise is hidden by rounding",
            ),
            Self::NoLayout => f.write_str("a comparison needs at least one layout, got none"),
            Self::BadPlaces => f.write_str(
                "places do not order the samples; give every cost of a round its own place, or no places",
            ),
            Self::BadQuiet => f.write_str(
                "flags of quiet runs do not fit the costs; give every cost its flag, or no flags",
            ),
            Self::BadCost { side, round, cost } => write!(
                f,
                "{side} cost of round {round} is {cost}; a cost must be positive and finite"
            ),
            Self::BadMargin { margin } => write!(
                f,
                "margin is {margin}; a margin must be finite and not negative"
            ),
            Self::BadLevel { level } => write!(
                f,
                "significance level is {level}; it must lie between 0 and 1"
            ),
        }
    }
}

impl std::error::Error for JudgeError {}
