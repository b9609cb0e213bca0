//! Reports of kernel benchmarks.
//!
//! They are made from [`KernelBench`] and from nothing else.

mod clock;
mod csv;
mod panels;
mod parts;

use crate::document::{Block, Chapter, Detail, Document, Text};
use crate::format::{Format, Report, json};
use karat_model::kernels::{Case, CaseArm, KernelBench, SizeUnit, WorkUnit};
use karat_model::units::seconds;

impl Report for KernelBench {
    const FORMATS: &'static [Format] = &[
        Format::Human,
        Format::Markdown,
        Format::Json,
        Format::Html,
        Format::Csv,
    ];

    fn document(&self, detail: Detail) -> Document {
        let m = &self.machine;
        let hypervisor = m.hypervisor.as_ref().map(|h| format!(", {h}"));
        Document {
            title: "karat's kernels: throughput by size".into(),
            origin: "karat kernels bench".into(),
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => "Throughput of karat's kernels by size".into(),
            },
            lead: format!(
                "{} ({}), {} processors{}; {}; {}; {}.",
                m.cpu,
                m.cpu_id,
                m.processors,
                hypervisor.unwrap_or_default(),
                m.rustc.as_deref().unwrap_or("no rustc"),
                self.started,
                seconds(self.seconds),
            ),
            chapters: vec![Chapter {
                parts: parts::parts(self, detail),
                ..Chapter::default()
            }],
            footer: Text::from("Made by ")
                .code(&self.command)
                .plain(format!(", karat {}, seed {}.", self.karat, self.seed)),
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        json(self)
    }

    fn csv(&self) -> String {
        csv::csv(self)
    }
}

/// What makes all figures weaker, if anything does.
fn quick(bench: &KernelBench) -> Option<Block> {
    let text = "--quick: too few rounds to conclude from; it shows that all of it works.";
    bench.quick.then(|| Block::caveat(text))
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
    match case.unit {
        SizeUnit::Bytes => size(case.size),
        SizeUnit::Bits => format!("{} bits", case.size),
        SizeUnit::Count => case.size.to_string(),
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
mod tests {
    use super::size;

    #[test]
    fn sizes_are_short_and_exact() {
        let told = [64, 1000, 1024, 1536, 16 << 20, 1 << 30].map(size);
        assert_eq!(
            told,
            ["64 B", "1000 B", "1 KiB", "1536 B", "16 MiB", "1 GiB"]
        );
    }
}
