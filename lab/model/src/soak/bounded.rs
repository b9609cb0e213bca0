//! An estimate and how well it is known.

use serde::{Deserialize, Serialize};

/// An estimate with its interval at 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bounded {
    /// The estimate.
    pub estimate: f64,
    /// Lower bound; `None` when the epochs are too few to bound it.
    pub low: Option<f64>,
    /// Upper bound; likewise.
    pub high: Option<f64>,
}
