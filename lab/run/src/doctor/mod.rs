//! What this machine is, and how far its measurements can be trusted.

mod neighbours;
pub mod noise;
mod noise_words;
mod rates;
mod siblings;

pub use noise_words::noise_facts;
pub use rates::{Detectable, Extrapolated, Rate};

use karat_build::compilers;
use karat_host::design::not_by_model;
use karat_host::disturbance::stolen_ticks;
use karat_host::{clock, pin};
use karat_model::units;
use karat_process::Command;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How a fact bears on measuring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Health {
    /// As it should be.
    Good,
    /// Worth knowing; karat copes.
    Fair,
    /// Makes measurements worse than they need be.
    Poor,
}

/// One fact, what it means and what to do.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    /// What was looked at.
    pub name: String,
    /// What was seen.
    pub value: String,
    /// How it bears on measuring.
    pub health: Health,
    /// What it means.
    pub meaning: String,
    /// What to do about it; empty when nothing.
    pub advice: String,
}

/// How long the noise probe spins in all.
const SPINS: usize = 40;
/// One spin, about the length of a good measured run.
const SPIN: Duration = Duration::from_millis(30);

/// Examines the machine; takes some six seconds.
#[must_use]
pub fn examine() -> Vec<Fact> {
    let machine = compilers::probe();
    let mut facts = vec![
        fact(
            "CPU",
            format!("{} ({})", machine.cpu, machine.cpu_id),
            Health::Good,
            &not_by_model(&karat_cpu::identity(), karat_cpu::detect()).unwrap_or_default(),
            "",
        ),
        isas(&machine.isas),
        processors(machine.processors),
        match &machine.hypervisor {
            Some(name) => fact(
                "hypervisor",
                name.clone(),
                Health::Fair,
                "neighbours on the same host disturb measurements, in bursts and in drifts",
                "interleaving copes with it; expect to need more rounds",
            ),
            None => fact("hypervisor", "none".into(), Health::Good, "", ""),
        },
    ];
    if let Some(quota) = &machine.cpu_quota {
        facts.push(fact(
            "CPU quota",
            quota.clone(),
            Health::Fair,
            "such a run waits for the next period, and is marked as disturbed",
            "measure outside of the container, or give it whole processors by a cpuset",
        ));
    }
    facts.push(governor(machine.governor.as_deref()));
    facts.push(turbo(machine.turbo));
    facts.push(smt(machine.smt));
    facts.push(if machine.perf_counters {
        fact(
            "hardware counters",
            "available".into(),
            Health::Good,
            "cycles and instructions can be counted",
            "",
        )
    } else {
        fact(
            "hardware counters",
            "not available".into(),
            Health::Fair,
            "the kernel or the hypervisor gives none; karat reads the core clock by a chain of \
             additions instead",
            "on your own machine: sysctl kernel.perf_event_paranoid=2 or lower",
        )
    });
    facts.push(timer());
    facts.push(process_cost());
    facts.extend(neighbours::facts());
    let _pinned = pin::choose().map(pin::Pinned::to);
    facts.push(fact(
        "core clock",
        format!("{:.2} GHz", clock::ghz()),
        Health::Good,
        "measured with dependent additions, one a cycle",
        "",
    ));
    facts.push(spread());
    facts.push(tool(
        "rustc",
        machine.rustc,
        "cargo variants cannot be built",
        "install rustup",
    ));
    facts.push(tool(
        "C compiler",
        machine.cc,
        "crates with C or assembly parts cannot be built",
        "apt-get install gcc, or your system's package",
    ));
    facts
}

fn fact(name: &str, value: String, health: Health, meaning: &str, advice: &str) -> Fact {
    Fact {
        name: name.into(),
        value,
        health,
        meaning: meaning.into(),
        advice: advice.into(),
    }
}

fn isas(isas: &[String]) -> Fact {
    let wide = isas.iter().any(|i| i == "avx512f");
    fact(
        "ISAs",
        isas.join(" "),
        Health::Good,
        if wide {
            ""
        } else {
            "no AVX-512: variants that require it are left out of studies"
        },
        "",
    )
}

fn processors(count: u32) -> Fact {
    if count > 1 {
        let meaning =
            "measured runs are pinned to the quietest one, karat itself works on the others";
        fact("processors", count.to_string(), Health::Good, meaning, "")
    } else {
        fact(
            "processors",
            count.to_string(),
            Health::Poor,
            "karat's own work and everybody else's share the measured processor",
            "allow this process a second processor (taskset, container limits)",
        )
    }
}

fn governor(governor: Option<&str>) -> Fact {
    match governor {
        None => fact(
            "governor",
            "not visible".into(),
            Health::Fair,
            "the clock may change; karat measures it before, during and after",
            "",
        ),
        Some("performance") => fact("governor", "performance".into(), Health::Good, "", ""),
        Some(other) => fact(
            "governor",
            other.into(),
            Health::Poor,
            "the clock follows the load, so short runs see a slower core",
            "cpupower frequency-set -g performance",
        ),
    }
}

fn turbo(turbo: Option<bool>) -> Fact {
    match turbo {
        None => fact("turbo", "not visible".into(), Health::Fair, "", ""),
        Some(false) => fact("turbo", "off".into(), Health::Good, "", ""),
        Some(true) => fact(
            "turbo",
            "on".into(),
            Health::Fair,
            "the clock depends on temperature and on what the other cores do",
            "for the steadiest figures: echo 0 > /sys/devices/system/cpu/cpufreq/boost",
        ),
    }
}

fn smt(smt: Option<bool>) -> Fact {
    match smt {
        None => fact("SMT", "not visible".into(), Health::Fair, "", ""),
        Some(false) => fact(
            "SMT",
            "off, or not shown by the hypervisor".into(),
            Health::Good,
            "on a virtual machine only the lines on processors below tell whether a core is shared",
            "",
        ),
        Some(true) => fact(
            "SMT",
            "on".into(),
            Health::Fair,
            "work on the sibling thread slows the measured one",
            "keep the machine idle, or: echo off > /sys/devices/system/cpu/smt/control",
        ),
    }
}

fn timer() -> Fact {
    let reads = 10_000;
    let start = Instant::now();
    for _ in 0..reads {
        std::hint::black_box(Instant::now());
    }
    let cost = start.elapsed().as_secs_f64() / f64::from(reads);
    let slow = cost > 1e-6;
    fact(
        "timer",
        format!("{} a reading", units::seconds(cost)),
        if slow { Health::Poor } else { Health::Good },
        if slow {
            "reading the clock enters the kernel; programs that time themselves are disturbed"
        } else {
            ""
        },
        if slow {
            "see /sys/devices/system/clocksource/clocksource0/current_clocksource; tsc is fast"
        } else {
            ""
        },
    )
}

fn process_cost() -> Fact {
    let never = AtomicBool::new(false);
    let mut walls = Vec::new();
    for _ in 0..50 {
        if let Ok(run) = karat_process::run(&mut Command::new("true"), SPIN * 100, &never) {
            walls.push(run.wall);
        }
    }
    match karat_judge::median(&walls) {
        Some(wall) => fact(
            "process start",
            format!("{} for `true`", units::seconds(wall)),
            Health::Good,
            "part of every wall time; a workload should take at least fifty times this",
            "",
        ),
        None => fact(
            "process start",
            "unknown: `true` cannot be started".into(),
            Health::Poor,
            "",
            "",
        ),
    }
}

/// The same work again and again: what differs is noise.
fn spread() -> Fact {
    // Additions take a cycle each; aim at SPIN with the clock just measured.
    let additions = (clock::ghz() * SPIN.as_nanos() as f64) as u64;
    let stolen_before = stolen_ticks(None);
    let mut walls: Vec<f64> = (0..SPINS)
        .map(|_| {
            let start = Instant::now();
            clock::chain(additions);
            start.elapsed().as_secs_f64()
        })
        .collect();
    let stolen = match (stolen_before, stolen_ticks(None)) {
        (Ok(before), Ok(after)) => after.saturating_sub(before),
        _ => 0,
    };
    walls.sort_by(f64::total_cmp);
    let median = karat_judge::median(&walls).unwrap_or(f64::NAN);
    let spread = karat_judge::quantile(&walls, 0.95).unwrap_or(f64::NAN) / walls[0] - 1.0;
    let faster: f64 = walls[SPINS / 2 - 1] / walls[0] - 1.0;
    let health = if faster < 0.005 {
        Health::Good
    } else if faster < 0.02 {
        Health::Fair
    } else {
        Health::Poor
    };
    Fact {
        name: "noise".into(),
        value: format!(
            "{} spins of {}: faster half within {:.2} %, 95 % within {:.1} %{}",
            SPINS,
            units::seconds(median),
            faster * 100.0,
            spread * 100.0,
            match stolen {
                0 => String::new(),
                ticks => format!(", {ticks} ticks stolen by the host"),
            }
        ),
        health,
        meaning: match health {
            Health::Good => "small effects can be measured here",
            Health::Fair => "effects under 1 % will need many rounds",
            Health::Poor => "effects of a few percent may stay undecided",
        }
        .into(),
        advice: if health == Health::Good {
            String::new()
        } else {
            "close what else runs; try again later on a shared host".into()
        },
    }
}

fn tool(name: &str, version: Option<String>, meaning: &str, advice: &str) -> Fact {
    match version {
        Some(version) => fact(name, version, Health::Good, "", ""),
        None => fact(name, "not found".into(), Health::Poor, meaning, advice),
    }
}
