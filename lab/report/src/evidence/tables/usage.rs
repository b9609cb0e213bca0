//! What the measured runs used, beside what they are judged by.

use crate::document::{Column, Row, Table, Value};
use crate::number::{self, median};
use karat_model::evidence::Evidence;
use karat_model::measure::Sample;
use karat_model::units::bytes;

/// For a peak memory that could not be told.
const NOT_TOLD: &str = "below karat's own";

/// What one variant's runs used, as medians over its runs.
struct Usage {
    /// The variant.
    variant: String,
    /// Seconds by the wall clock.
    wall: f64,
    /// Seconds of the processor.
    cpu: f64,
    /// Peak memory in bytes; `None` when it could not be told.
    rss: Option<u64>,
    /// Page faults.
    faults: f64,
    /// Voluntary context switches.
    waits: f64,
    /// Involuntary context switches.
    switches: f64,
}

/// What runs of a workload used, variant by variant.
fn usage(evidence: &Evidence, run: u32) -> Vec<Usage> {
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

/// The same as a table.
pub fn table(evidence: &Evidence, run: u32) -> Table {
    let columns = Column::all([
        "variant",
        "wall",
        "cpu",
        "peak memory",
        "page faults",
        "waits",
        "switched out",
    ]);
    let row = |u: Usage| {
        let mut cells = vec![
            Value::Code(u.variant),
            Value::Number(number::value(u.wall, "s")),
            Value::Number(number::value(u.cpu, "s")),
            Value::Number(u.rss.map_or_else(|| NOT_TOLD.to_owned(), bytes)),
        ];
        let counts = [u.faults, u.waits, u.switches];
        cells.extend(counts.map(|count| Value::Number(count.to_string())));
        Row::from(cells)
    };
    let rows = usage(evidence, run).into_iter().map(row).collect();
    Table::new("What a run used, by variant", columns, rows)
}
