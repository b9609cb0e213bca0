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

use karat_model::kernels::{Case, KernelBench};

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

/// How many messages of which size: `16 × 1 KiB`.
fn messages(case: &Case) -> String {
    let size = size(case.size);
    match case.messages {
        1 => size,
        messages => format!("{messages} × {size}"),
    }
}

/// The same with the threads.
fn work(case: &Case) -> String {
    match case.threads {
        1 => messages(case),
        threads => format!("{}, {threads} threads", messages(case)),
    }
}

#[cfg(test)]
mod tests;
