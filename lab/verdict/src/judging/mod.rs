//! From samples to comparisons: costs in, the judge's words out.

mod claims;
mod columns;
mod describe;
mod layouts;
mod oddities;
mod quiet;
mod sequence;

pub use describe::comparison;
pub use layouts::pilots;
pub use quiet::{QuietRuns, quiet_runs};
pub use sequence::Sequence;

use karat_model::evidence::Oddity;
use karat_model::layout::LayoutTax;
use karat_model::study::Workload;
use karat_model::units::Metric;
use karat_model::verdict::Comparison;

/// What the judge says about one workload by one metric at one look.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Index of the workload.
    pub workload: usize,
    /// Index of the metric in its samples' values.
    pub value: usize,
    /// The workload's name; of several metrics with the metric's.
    pub name: String,
    /// The metric.
    pub metric: Metric,
    /// The baseline with itself, if it was judged.
    pub again: Option<Comparison>,
    /// Whether the baseline did not come out different from itself.
    pub again_passed: bool,
    /// The larger bound of the baseline with itself, as a ratio.
    pub noise_floor: Option<f64>,
    /// The variants with the baseline.
    pub comparisons: Vec<Comparison>,
    /// The pairs that the study compares besides.
    pub pairs: Vec<Comparison>,
    /// Rounds in which the workload was measured.
    pub rounds: u32,
    /// Whether every run gave the metric.
    pub told: bool,
    /// What layout alone does to each build.
    pub layout_tax: Vec<LayoutTax>,
    /// Drifts and levels in the samples.
    pub oddities: Vec<Oddity>,
}

impl Judged {
    fn new(workload: usize, value: usize, name: String, metric: Metric) -> Self {
        Self {
            workload,
            value,
            name,
            metric,
            again: None,
            again_passed: false,
            noise_floor: None,
            comparisons: Vec::new(),
            pairs: Vec::new(),
            rounds: 0,
            told: true,
            layout_tax: Vec::new(),
            oddities: Vec::new(),
        }
    }
}

/// Workloads of which nothing was measured, by the metrics that the study names.
pub fn unmeasured(workloads: &[Workload]) -> Vec<Judged> {
    let metrics = |w: &Workload| w.metrics.iter().map(|m| m.metric.clone()).collect();
    let all: Vec<Vec<Metric>> = workloads.iter().map(metrics).collect();
    views(workloads, &all)
}

/// One view of each workload by each of its metrics.
fn views(workloads: &[Workload], metrics: &[Vec<Metric>]) -> Vec<Judged> {
    let mut out = Vec::new();
    for (w, (workload, metrics)) in workloads.iter().zip(metrics).enumerate() {
        for (value, metric) in metrics.iter().enumerate() {
            let name = if metrics.len() > 1 {
                format!("{} · {}", workload.name, metric.name)
            } else {
                workload.name.clone()
            };
            out.push(Judged::new(w, value, name, metric.clone()));
        }
    }
    out
}

#[cfg(test)]
mod tests;
