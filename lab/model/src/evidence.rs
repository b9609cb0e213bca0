//! The evidence: everything a run found, as one JSON document.
//!
//! Reports are rendered from it and from nothing else, so a report can be made
//! again at any time, on any machine.

use crate::audit::BinaryAudit;
use crate::compare::LogComparison;
use crate::finding::Finding;
use crate::layout::{LayoutEvidence, LayoutTax};
use crate::machine::Machine;
use crate::measure::{Arm, ClockReading, Neighbours, Sample};
use crate::units::Metric;
use crate::verdict::{Comparison, StudyVerdict, VariantVerdict};
use serde::{Deserialize, Serialize};

/// Version of the evidence format; raised when a field is added, removed or
/// changes its meaning.
pub const SCHEMA: u32 = 2;

/// All that a run of a study found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Always [`SCHEMA`].
    pub schema: u32,
    /// The study as it was run.
    pub study: StudyInfo,
    /// When, by what and how far.
    pub run: RunInfo,
    /// Where.
    pub machine: Machine,
    /// The variants, in the study's order.
    pub variants: Vec<VariantEvidence>,
    /// Behaviour of each variant against the baseline's.
    pub parity: Vec<ParityCheck>,
    /// How layouts were drawn.
    pub layouts: LayoutEvidence,
    /// What a round ran.
    pub arms: Vec<Arm>,
    /// The workloads, in the study's order.
    pub workloads: Vec<WorkloadEvidence>,
    /// Every measured run, in the order of measuring.
    pub samples: Vec<Sample>,
    /// Facts worth attention, most severe first.
    pub findings: Vec<Finding>,
    /// Who else used the measured core; `None` when nothing was measured or the core
    /// cannot be probed.
    pub neighbours: Option<Neighbours>,
    /// The verdict on the study.
    pub verdict: StudyVerdict,
    /// What the run cost, stage by stage.
    pub costs: Vec<Cost>,
}

/// The study's own words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StudyInfo {
    /// Short name, also the folder's.
    pub name: String,
    /// The question it answers, as a heading.
    pub title: String,
    /// A paragraph for readers of the report; may be empty.
    pub description: String,
    /// Smallest relative change that matters.
    pub margin: f64,
    /// The study file, so that a report carries what it was made from.
    pub source: String,
}

/// When, by what and how far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunInfo {
    /// Name of the run folder.
    pub id: String,
    /// Version of karat.
    pub karat: String,
    /// Start, RFC 3339 in UTC.
    pub started: String,
    /// Whole run in seconds; of a resumed run with the measuring before the
    /// interruption.
    pub seconds: f64,
    /// Seed of every random choice.
    pub seed: u64,
    /// A smoke run proves that the study works; its verdict is withheld.
    pub smoke: bool,
    /// Times the run was interrupted and taken up again.
    pub resumed: u32,
    /// The finished run whose samples this one went on from, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// What was promised and kept of time.
    pub time: Time,
    /// The processor the measured runs were pinned to, if they were.
    pub pinned: Option<u32>,
}

/// The time that was promised: for all that comes after the builds and their audit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// Seconds promised; 0 for a smoke run, which promises nothing.
    pub promised: f64,
    /// Seconds used of it.
    pub used: f64,
    /// How often a finished run was gone on with. Each stretch of measuring spends a
    /// part of the error level that is left.
    pub stretch: u32,
    /// Seconds more that are expected to decide what is open; `None` when all is
    /// decided or no time would do.
    pub more: Option<f64>,
    /// The command that goes on, without its time: `karat run studies/x --resume`.
    pub resume: String,
}

/// One variant: what it is, how it was built, what is in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VariantEvidence {
    /// Its name.
    pub name: String,
    /// Whether the others are compared with it.
    pub baseline: bool,
    /// Why it is in the study; may be empty.
    pub why: String,
    /// What differs from the study's defaults, in words: `rustflags
    /// -Ctarget-cpu=native`.
    pub settings: Vec<String>,
    /// Commands that build it by hand.
    pub reproduce: Vec<String>,
    /// Why it was left out, if it was (an ISA that this CPU lacks).
    pub left_out: Option<String>,
    /// Its build; `None` when left out.
    pub build: Option<BuildEvidence>,
    /// Its audit; `None` when left out.
    pub audit: Option<BinaryAudit>,
    /// Its verdict; `None` for the baseline and what was left out.
    pub verdict: Option<VariantVerdict>,
}

/// One build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BuildEvidence {
    /// Hash of everything that decides the result.
    pub key: String,
    /// Whether it came from the cache.
    pub cached: bool,
    /// Seconds the build took, when it was made.
    pub seconds: f64,
    /// SHA-256 of the artifact.
    pub sha256: String,
    /// Size of the artifact in bytes.
    pub bytes: u64,
    /// Warnings in the compiler's output.
    pub warnings: u32,
}

/// One parity check of one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ParityCheck {
    /// The check's name.
    pub name: String,
    /// The variant.
    pub variant: String,
    /// Arguments of the subject.
    pub args: Vec<String>,
    /// Whether exit code, output and warnings are the baseline's.
    pub passed: bool,
    /// What differs, as text and unified diffs; empty when passed.
    pub differences: Vec<String>,
    /// The outputs compared as logs; `None` when their bytes were compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logs: Option<LogComparison>,
}

/// One workload by one metric: how it was run, what it showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WorkloadEvidence {
    /// Its name; of several metrics of one workload, with the metric's.
    pub name: String,
    /// Index of the workload that its samples name.
    pub run: u32,
    /// Index of its metric in those samples' values.
    pub value: u32,
    /// What it stands for; may be empty.
    pub why: String,
    /// Arguments of the subject.
    pub args: Vec<String>,
    /// What it is judged by.
    pub metric: Metric,
    /// Rounds measured.
    pub rounds: u32,
    /// The looks taken at the data.
    pub looks: Vec<Look>,
    /// The baseline against itself; `None` before the first look.
    pub again: Option<Comparison>,
    /// Whether the A/A arm came out as it should; false blocks the verdict. True
    /// when nothing was measured.
    pub again_passed: bool,
    /// Largest relative difference that the A/A interval allows; `None` when
    /// the rounds are too few to bound it.
    pub noise_floor: Option<f64>,
    /// Each variant against the baseline.
    pub comparisons: Vec<Comparison>,
    /// Variants against each other, where the study asks for it. They decide nothing
    /// about a variant's verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<Comparison>,
    /// What layout alone does to each variant; empty when one layout was measured.
    pub layout_tax: Vec<LayoutTax>,
    /// Drift and bimodality, one of each kind at most; only what was found.
    pub oddities: Vec<Oddity>,
    /// Core clock, variant by variant.
    pub clock: Vec<ClockReading>,
}

/// Something about arms' samples that an average would hide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Oddity {
    /// Indices into the evidence's arms: those that it concerns.
    pub arms: Vec<u32>,
    /// `drift` or `two-levels`.
    pub kind: String,
    /// What was seen, in words.
    pub text: String,
}

/// One look at the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Rounds at this look.
    pub rounds: u32,
    /// Seconds of measuring at this look, earlier stretches included.
    pub seconds: f64,
    /// Error level this look spends.
    pub alpha: f64,
    /// Comparisons of the study still undecided after it.
    pub undecided: u32,
}

/// What a stage cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The stage, or what was measured.
    pub name: String,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// What it should stay under (or over, for a rate), in words; empty when
    /// nothing bounds it.
    pub bound: String,
    /// Whether it did; `None` when nothing bounds it.
    pub met: Option<bool>,
}

impl Evidence {
    /// The variant that the others are compared with.
    #[must_use]
    pub fn baseline(&self) -> Option<&VariantEvidence> {
        self.variants.iter().find(|v| v.baseline)
    }

    /// Runs of one arm on one workload, in the order of measuring, with the value
    /// of the metric. Attempts that were made again are among them.
    pub fn samples_of(
        &self,
        workload: &WorkloadEvidence,
        arm: usize,
    ) -> impl Iterator<Item = (&Sample, f64)> {
        let (run, value) = (workload.run, workload.value as usize);
        self.samples
            .iter()
            .filter(move |s| s.workload == run && s.arm as usize == arm)
            .filter_map(move |s| Some((s, *s.values.get(value)?)))
    }
}
