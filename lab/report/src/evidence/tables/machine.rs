//! The machine and the run, as pairs of a name and a text.

use crate::number;
use karat_model::evidence::{Cost, Evidence};
use karat_model::units;

/// What a reader needs to know of the machine. The list of ISAs is not in it:
/// it is long, and formats fold it.
pub fn machine(evidence: &Evidence) -> Vec<(&'static str, String)> {
    let m = &evidence.machine;
    let shown = |text: &Option<String>| {
        text.clone()
            .unwrap_or_else(|| "the kernel does not say".to_owned())
    };
    let on = |flag: Option<bool>| {
        match flag {
            Some(true) => "on",
            Some(false) => "off",
            None => "the kernel does not say",
        }
        .to_owned()
    };
    let tool = |text: &Option<String>| text.clone().unwrap_or_else(|| "none found".to_owned());
    let mut rows = vec![
        ("CPU", m.cpu.clone()),
        ("CPU id", m.cpu_id.clone()),
        ("Processors", m.processors.to_string()),
        ("Memory", units::bytes(m.memory_bytes)),
        ("Kernel", m.kernel.clone()),
        (
            "Hypervisor",
            m.hypervisor.clone().unwrap_or_else(|| "none".to_owned()),
        ),
        ("Governor", shown(&m.governor)),
        ("Turbo", on(m.turbo)),
        ("SMT", on(m.smt)),
        (
            "Hardware counters",
            if m.perf_counters { "yes" } else { "no" }.to_owned(),
        ),
        ("Rust compiler", tool(&m.rustc)),
        ("C compiler", tool(&m.cc)),
    ];
    if let Some(quota) = &m.cpu_quota {
        rows.insert(3, ("CPU quota", quota.clone()));
    }
    rows
}

/// When, how and by what the run was made.
pub fn run(evidence: &Evidence) -> Vec<(&'static str, String)> {
    let r = &evidence.run;
    let time = &r.time;
    let mut rows = vec![
        ("Run", r.id.clone()),
        ("Started", r.started.clone()),
        ("Took", number::value(r.seconds, "s")),
        ("Seed", r.seed.to_string()),
        (
            "Pinned to",
            r.pinned
                .map_or_else(|| "no processor".to_owned(), |p| format!("processor {p}")),
        ),
        ("Resumed", format!("{} times", r.resumed)),
        ("Smoke run", if r.smoke { "yes" } else { "no" }.to_owned()),
        ("karat", r.karat.clone()),
    ];
    if time.promised > 0.0 {
        let (used, promised) = (number::duration(time.used), number::duration(time.promised));
        let text = format!("{used} of {promised} promised for all after the builds");
        rows.insert(3, ("Time", text));
    }
    if let Some(before) = &r.continues {
        rows.insert(1, ("Goes on from", before.clone()));
    }
    rows
}

/// What a cost is held against, and whether it holds: `at most 8 min: met`.
pub fn bound(cost: &Cost) -> String {
    match cost.met {
        Some(true) => format!("{}: met", cost.bound),
        Some(false) => format!("{}: NOT met", cost.bound),
        None => cost.bound.clone(),
    }
}
