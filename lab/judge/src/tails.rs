//! The upper tail of a set of times.
//!
//! A quantile q is told only where values lie beyond it: of fewer than 1 / (1 - q) it would be
//! the largest one under another name. Quantiles are those of [`quantile`].

use crate::describe::quantile;

/// Quantiles of a set of times, in its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tail {
    /// Median; `None` of none.
    pub p50: Option<f64>,
    /// 95th percentile; `None` of fewer than 20.
    pub p95: Option<f64>,
    /// 99th percentile; `None` of fewer than 100.
    pub p99: Option<f64>,
    /// 99.9th percentile; `None` of fewer than 1000.
    pub p999: Option<f64>,
    /// The largest; `None` of none.
    pub max: Option<f64>,
}

/// The tail of `times`, in any order; those that are not finite are left out.
#[must_use]
pub fn tail(times: &[f64]) -> Tail {
    let mut sorted: Vec<f64> = times.iter().copied().filter(|t| t.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |q: f64, least: usize| {
        let enough = sorted.len() >= least;
        enough.then(|| quantile(&sorted, q)).flatten()
    };
    Tail {
        p50: at(0.5, 1),
        p95: at(0.95, 20),
        p99: at(0.99, 100),
        p999: at(0.999, 1000),
        max: sorted.last().copied(),
    }
}
