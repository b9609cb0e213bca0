//! What the measured runs used, beside what they are judged by.

use crate::number::median;
use karat_model::evidence::Evidence;
use karat_model::measure::Sample;

/// For a peak memory that could not be told.
pub const NOT_TOLD: &str = "below karat's own";

/// What one variant's runs used, as medians over its runs.
pub struct Usage {
    /// The variant.
    pub variant: String,
    /// Seconds by the wall clock.
    pub wall: f64,
    /// Seconds of the processor.
    pub cpu: f64,
    /// Peak memory in bytes; `None` when it could not be told.
    pub rss: Option<u64>,
    /// Page faults.
    pub faults: f64,
    /// Voluntary context switches.
    pub waits: f64,
    /// Involuntary context switches.
    pub switches: f64,
}

/// What runs of a workload used, variant by variant.
pub fn usage(evidence: &Evidence, run: u32) -> Vec<Usage> {
    let mut out: Vec<Usage> = Vec::new();
    for arm in &evidence.arms {
        if out.iter().any(|u| u.variant == arm.variant) {
            continue;
        }
        let own = |s: &&Sample| {
            s.workload == run
                && evidence
                    .arms
                    .get(s.arm as usize)
                    .is_some_and(|a| a.variant == arm.variant)
        };
        let of = |f: &dyn Fn(&Sample) -> f64| {
            median(evidence.samples.iter().filter(own).map(f).collect())
        };
        let told: Vec<f64> = evidence
            .samples
            .iter()
            .filter(own)
            .filter_map(|s| s.rss.map(|b| b as f64))
            .collect();
        let wall = of(&|s| s.wall);
        if wall.is_nan() {
            continue;
        }
        out.push(Usage {
            variant: arm.variant.clone(),
            wall,
            cpu: of(&|s| s.cpu),
            rss: (!told.is_empty()).then(|| median(told) as u64),
            faults: of(&|s| s.faults as f64),
            waits: of(&|s| s.waits as f64),
            switches: of(&|s| s.switches as f64),
        });
    }
    out
}
