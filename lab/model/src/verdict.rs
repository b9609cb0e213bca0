//! What the judge says, and the numbers it says it with.

use crate::layout::LayoutEffects;
use serde::{Deserialize, Serialize};

/// One variant on one workload, against the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Judgement {
    /// The interval excludes 1 and the estimate is a gain of the margin or more.
    Faster,
    /// The interval excludes 1 and the estimate is a loss of the margin or more.
    Slower,
    /// The whole interval lies inside the margin.
    Same,
    /// Neither: the measurement cannot tell yet.
    Inconclusive,
}

impl Judgement {
    /// The word as every report prints it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Faster => "FASTER",
            Self::Slower => "SLOWER",
            Self::Same => "SAME",
            Self::Inconclusive => "INCONCLUSIVE",
        }
    }
}

/// A variant as a whole, or the study as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Verdict {
    /// A gain somewhere, no loss beyond the margin anywhere, behaviour the same.
    #[serde(rename = "GO")]
    Go,
    /// A loss beyond the margin, or behaviour differs.
    #[serde(rename = "NO-GO")]
    NoGo,
    /// No difference beyond the margin on any workload.
    #[serde(rename = "SAME")]
    Same,
    /// Not enough evidence for any of the others.
    #[serde(rename = "INCONCLUSIVE")]
    Inconclusive,
}

impl Verdict {
    /// The word as every report prints it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Go => "GO",
            Self::NoGo => "NO-GO",
            Self::Same => "SAME",
            Self::Inconclusive => "INCONCLUSIVE",
        }
    }
}

/// Speed of a variant over speed of the baseline: 1.10 is 10 % faster,
/// whatever the metric's unit and direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpeedRatio {
    /// The judge's estimate: near the ratio of the two arms' faster halves, not that itself.
    pub estimate: f64,
    /// Lower bound; `None` when the rounds are too few to bound it.
    pub low: Option<f64>,
    /// Upper bound; `None` when the rounds are too few to bound it.
    pub high: Option<f64>,
}

impl SpeedRatio {
    /// Whether a loss beyond `margin` (0.01 is 1 %) is excluded: the lower bound is above
    /// 1 / (1 + margin).
    #[must_use]
    pub fn excludes_loss(&self, margin: f64) -> bool {
        self.low.is_some_and(|low| low > 1.0 / (1.0 + margin))
    }
}

/// Two effects of one comparison: a build may be faster at its best and slower as a
/// rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Speed ratio of the fastest runs.
    pub floor: f64,
    /// Speed ratio of the typical run.
    pub typical: f64,
}

/// One judged pair of arms on one workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The variant; in an A/A comparison the baseline's own name.
    pub variant: String,
    /// What it is compared with, where that is not the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Rounds that both arms have.
    pub rounds: u32,
    /// The effect and its interval at [`Comparison::level`].
    pub speed: SpeedRatio,
    /// Mean of the baseline's faster half, in the metric's unit.
    pub baseline_value: f64,
    /// Mean of the variant's faster half, in the metric's unit.
    pub variant_value: f64,
    /// Two-sided p of the label-swap permutation test.
    pub p: f64,
    /// The same, Holm-adjusted over the family.
    pub p_adjusted: f64,
    /// Error level of the interval (after Holm's step).
    pub level: f64,
    /// Smallest relative change that this many rounds would find with 80 %
    /// power; `None` when the rounds are too few to say.
    pub detectable: Option<f64>,
    /// The word.
    pub judgement: Judgement,
    /// Rounds that would decide it, if it is undecided and they would.
    pub rounds_needed: Option<u64>,
    /// The effect on the fastest runs and on the typical one, where these differ by more
    /// than noise and margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// The same by layout, when several were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layouts: Option<LayoutEffects>,
    /// What the evidence says about why.
    pub causes: Vec<Cause>,
}

/// How a possible cause stands after the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// The measurement rules it out, to the stated amount.
    Excluded,
    /// It is there and points the same way; that alone proves no cause.
    Consistent,
    /// Nothing measured speaks for or against it.
    Unknown,
}

/// One possible cause of a difference, as far as evidence goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// `clock`, `neighbours`, `code` or `layout`.
    pub kind: String,
    /// How it stands.
    pub stance: Stance,
    /// One sentence with the numbers.
    pub text: String,
}

/// The verdict on a variant over all workloads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VariantVerdict {
    /// The word; `None` when it is withheld (smoke run, failed A/A).
    pub verdict: Option<Verdict>,
    /// Geometric mean of the speed ratios over the workloads.
    pub mean_speed: f64,
    /// One sentence each, most important first.
    pub reasons: Vec<String>,
}

/// The verdict on the study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StudyVerdict {
    /// The word; `None` when it is withheld.
    pub verdict: Option<Verdict>,
    /// Why it is withheld, if it is.
    pub withheld: Option<String>,
    /// The variant the word is about: the study's candidate, or the one variant
    /// that is not the baseline, or the recommended one.
    pub about: Option<String>,
    /// The GO variant with the highest mean speed, if there is one.
    pub recommended: Option<String>,
    /// One sentence for the top of the report.
    pub summary: String,
}
