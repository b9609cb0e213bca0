//! Holm's step-down procedure for several comparisons.
//!
//! Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian
//! Journal of Statistics 6(2), 1979, pp. 65-70.

/// What Holm's procedure says about one comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HolmStep {
    /// Whether the hypothesis is rejected with family-wise error at most alpha.
    pub rejected: bool,
    /// Adjusted p: the smallest alpha at which it would be rejected; at most 1.
    pub adjusted: f64,
    /// The level at which its raw p was tested: alpha/(m-k+1) at step k of m. All comparisons
    /// from the first one not rejected share the level of that step.
    pub level: f64,
}

/// Tests raw p-values together at family-wise level `alpha`; results in the order given.
///
/// `kept` more hypotheses belong to the family, which were not rejected and are not tested any
/// more: every step divides by them too.
///
/// A p that is not a number counts as 1, so that a comparison without data keeps its place
/// in the family.
///
/// Intervals computed at [`HolmStep::level`] exclude 0 exactly where the hypothesis is
/// rejected.
#[must_use]
pub fn holm(p_values: &[f64], kept: usize, alpha: f64) -> Vec<HolmStep> {
    let p = |i: usize| {
        if p_values[i].is_nan() {
            1.0
        } else {
            p_values[i]
        }
    };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p(a).total_cmp(&p(b)));

    let nothing = HolmStep {
        rejected: false,
        adjusted: 1.0,
        level: alpha,
    };
    let mut steps = vec![nothing; p_values.len()];
    let mut adjusted = 0.0f64;
    let mut stopped_at = None;
    for (k, &i) in order.iter().enumerate() {
        let left = (order.len() - k + kept) as f64;
        adjusted = adjusted.max((left * p(i)).min(1.0));
        let level = stopped_at.unwrap_or(alpha / left);
        let rejected = stopped_at.is_none() && p(i) <= level;
        if !rejected {
            stopped_at = Some(level);
        }
        steps[i] = HolmStep {
            rejected,
            adjusted,
            level,
        };
    }
    steps
}
