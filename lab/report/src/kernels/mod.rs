//! Reports of kernel benchmarks: terminal, CSV, one HTML page with plots, JSON.
//!
//! They are made from [`KernelBench`] and from nothing else.

mod chart;
mod csv;
mod page;
mod panels;
mod terminal;

pub use csv::csv;
pub use page::html;
pub use terminal::terminal;

use karat_model::kernels::{Case, CaseArm, KernelBench, SizeUnit, WorkUnit};

/// All of it as JSON, indented.
///
/// # Errors
/// Those of `serde_json`, which a benchmark gives no cause for.
pub fn json(bench: &KernelBench) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(bench)
}

/// A size in the fewest characters: `64 B`, `16 KiB`.
fn size(bytes: u64) -> String {
    let mut amount = bytes;
    for unit in ["B", "KiB", "MiB"] {
        if amount < 1024 || !amount.is_multiple_of(1024) {
            return format!("{amount} {unit}");
        }
        amount /= 1024;
    }
    format!("{amount} GiB")
}

/// The size of an item in its unit.
fn item(case: &Case) -> String {
    sized(case.size, case.unit)
}

fn sized(amount: u64, unit: SizeUnit) -> String {
    match unit {
        SizeUnit::Bytes => size(amount),
        SizeUnit::Bits => format!("{amount} bits"),
        SizeUnit::Count => amount.to_string(),
    }
}

/// How many items of which size: `16 × 1 KiB`.
fn items(case: &Case) -> String {
    match case.items {
        1 => item(case),
        items => format!("{items} × {}", item(case)),
    }
}

/// Throughput in the unit of [`rate_unit`].
fn rate(case: &Case, arm: &CaseArm) -> f64 {
    match case.work_unit {
        WorkUnit::Bytes => arm.per_second / f64::from(1 << 30),
        WorkUnit::Operations => arm.per_second / 1e6,
    }
}

/// Unit of throughput.
const fn rate_unit(case: &Case) -> &'static str {
    match case.work_unit {
        WorkUnit::Bytes => "GiB/s",
        WorkUnit::Operations => "M op/s",
    }
}

/// Unit of cycles.
const fn cycles_unit(case: &Case) -> &'static str {
    match case.work_unit {
        WorkUnit::Bytes => "cycles/B",
        WorkUnit::Operations => "cycles/op",
    }
}

/// The same with the threads.
fn work(case: &Case) -> String {
    match case.threads {
        1 => items(case),
        threads => format!("{}, {threads} threads", items(case)),
    }
}

#[cfg(test)]
mod tests;
