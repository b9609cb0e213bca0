//! Checked input: two arms measured in the same rounds.

use crate::error::{JudgeError, Side};
use crate::faster_half::faster_half_mean;

/// The costs of a baseline and a variant, paired by round.
///
/// Each arm is kept divided by its own faster-half mean, with the log ratio apart.
/// Everything the test does then depends on a shift only through its distance from the
/// estimate, so rescaling an arm moves the results by exactly the logarithm of the scale.
#[derive(Clone, Debug)]
pub struct Paired {
    baseline: Vec<f64>,
    variant: Vec<f64>,
    log_ratio: f64,
}

impl Paired {
    /// Checks and takes the costs; index is the round in both slices.
    ///
    /// # Errors
    /// [`JudgeError::UnequalRounds`], [`JudgeError::TooFewRounds`] (fewer than 2), or
    /// [`JudgeError::BadCost`] for a cost that is not positive and finite
    /// (one below the smallest normal f64, 2.2e-308, counts as zero).
    pub fn new(baseline: &[f64], variant: &[f64]) -> Result<Self, JudgeError> {
        if baseline.len() != variant.len() {
            return Err(JudgeError::UnequalRounds {
                baseline: baseline.len(),
                variant: variant.len(),
            });
        }
        if baseline.len() < 2 {
            return Err(JudgeError::TooFewRounds {
                rounds: baseline.len(),
            });
        }
        for (side, costs) in [(Side::Baseline, baseline), (Side::Variant, variant)] {
            for (round, &cost) in costs.iter().enumerate() {
                if !cost.is_normal() || cost < 0.0 {
                    return Err(JudgeError::BadCost { side, round, cost });
                }
            }
        }
        let (b, v) = (faster_half_mean(baseline), faster_half_mean(variant));
        Ok(Self {
            baseline: baseline.iter().map(|c| c / b).collect(),
            variant: variant.iter().map(|c| c / v).collect(),
            log_ratio: v.ln() - b.ln(),
        })
    }

    /// Number of rounds.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.baseline.len()
    }

    /// The estimate: ln(faster-half mean of the variant / that of the baseline).
    /// Negative means that the variant is faster.
    #[must_use]
    pub fn log_ratio(&self) -> f64 {
        self.log_ratio
    }

    /// Baseline costs over their faster-half mean.
    pub(crate) fn baseline(&self) -> &[f64] {
        &self.baseline
    }

    /// Variant costs over their faster-half mean.
    pub(crate) fn variant(&self) -> &[f64] {
        &self.variant
    }
}
