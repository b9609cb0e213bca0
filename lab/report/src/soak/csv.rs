//! The epochs of a soak: a heading that names machine, date and command, then a line each.

use karat_model::soak::{Epoch, Soak};
use std::fmt::Write as _;

type Value = fn(&Epoch) -> Option<f64>;

const COLUMNS: &[(&str, Value)] = &[
    ("at_s", |e| Some(e.at)),
    ("seconds", |e| Some(e.seconds)),
    ("start", |e| Some(f64::from(e.start))),
    ("warm", |e| Some(f64::from(u8::from(e.warm)))),
    ("samples", |e| Some(f64::from(e.samples))),
    ("throughput_per_s", |e| e.throughput),
    ("rss_bytes", |e| e.rss),
    ("pss_bytes", |e| e.pss),
    ("anonymous_bytes", |e| e.anonymous),
    ("huge_bytes", |e| e.huge),
    ("swapped_bytes", |e| e.swap),
    ("group_bytes", |e| e.group),
    ("cpu_processors", |e| e.cpu),
    ("minor_faults_per_s", |e| e.minor_faults),
    ("major_faults_per_s", |e| e.major_faults),
    ("waits_per_s", |e| e.waits),
    ("switches_per_s", |e| e.switches),
    ("transfers_per_s", |e| e.transfers),
    ("threads", |e| e.threads),
    ("files", |e| e.files),
    ("p50_s", |e| e.tails?.p50),
    ("p95_s", |e| e.tails?.p95),
    ("p99_s", |e| e.tails?.p99),
    ("p999_s", |e| e.tails?.p999),
    ("max_s", |e| e.tails?.max),
    ("quiet_share", |e| Some(e.quiet)),
    ("clock_ghz", |e| Some(e.clock)),
    ("steal_s", |e| Some(e.steal)),
    ("throttled_s", |e| Some(e.throttled)),
    ("paused_s", |e| Some(e.paused)),
];

/// The epochs as CSV with `#` lines in front, as the files in `records/`.
#[must_use]
pub fn csv(soak: &Soak) -> String {
    let m = &soak.machine;
    let plan = &soak.plan;
    let plain = |text: &str| karat_page::printable(text).replace('\n', " ");
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "# program: {}\n# load: {}\n# run: {}, karat {}, {:.0} s, a sample every {} s\n\
         # machine: {} ({}), {} processors, {}, hypervisor {}\n",
        plain(&plan.program),
        plain(plan.load.as_deref().unwrap_or("none")),
        soak.started,
        soak.karat,
        soak.watched,
        plan.every,
        m.cpu,
        m.cpu_id,
        m.processors,
        m.kernel,
        m.hypervisor.as_deref().unwrap_or("none"),
    );
    let names: Vec<&str> = COLUMNS.iter().map(|c| c.0).collect();
    let _ = writeln!(out, "{}", names.join(","));
    for epoch in &soak.epochs {
        let cells: Vec<String> = COLUMNS
            .iter()
            .map(|(_, get)| {
                get(epoch)
                    .filter(|v| v.is_finite())
                    .map_or(String::new(), number)
            })
            .collect();
        let _ = writeln!(out, "{}", cells.join(","));
    }
    out
}

/// Six significant digits at least, and no more zeros than needed.
fn number(value: f64) -> String {
    if value == value.round() {
        return format!("{value:.0}");
    }
    let decimals = (5 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
