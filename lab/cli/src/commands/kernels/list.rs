//! `karat kernels list`: which body runs here, and why.

use crate::args::ListFormat;
use crate::{exit, say};
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use karat_cpu::{AnyKernel, Info, IsaSet, Microarchitecture};
use std::fmt::Write as _;

/// Lists all kernels with all implementations.
pub fn run(format: ListFormat) -> Result<u8> {
    let kernels = &karat_all::kernels();
    match format {
        ListFormat::Json => say::result(&json(kernels)?)?,
        ListFormat::Human => say::result(&human(kernels))?,
    }
    Ok(exit::GOOD)
}

/// How an implementation stands on this machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Calls go to it.
    Chosen,
    /// Calls with short inputs go to it.
    ChosenForShort(u16),
    /// Calls go to it because the environment says so.
    Forced,
    /// It can run.
    Spare,
    /// The CPU cannot run it.
    Missing,
}

impl Standing {
    const fn word(self) -> &'static str {
        match self {
            Self::Chosen | Self::ChosenForShort(_) => "chosen",
            Self::Forced => "forced",
            Self::Spare => "can run",
            Self::Missing => "missing",
        }
    }

    fn of(info: &Info, forced: bool) -> Self {
        match (info.chosen_up_to, info.chosen) {
            _ if info.missing != IsaSet::EMPTY => Self::Missing,
            (_, true) if forced => Self::Forced,
            (_, true) => Self::Chosen,
            (Some(limit), _) => Self::ChosenForShort(limit),
            _ => Self::Spare,
        }
    }
}

/// The implementations of a kernel with their standings.
fn standings(kernel: &dyn AnyKernel) -> Vec<(Info, Standing)> {
    let forced = karat_cpu::forced(kernel.name()).is_some();
    let infos = (0..kernel.len()).map(|i| kernel.info(i));
    let standing = |info: Info| {
        let standing = Standing::of(&info, forced);
        (info, standing)
    };
    infos.map(standing).collect()
}

/// Why it stands so, and what it does.
fn reason(info: &Info, standing: Standing) -> String {
    let why = info.why;
    match standing {
        Standing::Forced => format!("KARAT_FORCE or KARAT_TUNED says so; {why}"),
        Standing::Missing => format!("lacks {}; {why}", info.missing),
        Standing::ChosenForShort(limit) => {
            format!("for inputs of at most {limit} bytes; {why}")
        }
        Standing::Chosen | Standing::Spare => why.to_owned(),
    }
}

/// What the choice of a kernel rests on.
fn basis(list: &[(Info, Standing)]) -> String {
    let record = list.iter().find_map(|(info, _)| info.evidence);
    match record {
        Some(table) if by_model(table) => {
            format!("not measured on {}, by model: {table}", design())
        }
        Some(record) => format!("measured on {}: {record}", design()),
        None => format!("not measured on {}: the first that can run", design()),
    }
}

/// Whether a choice rests on a model of the CPU.
fn by_model(evidence: &str) -> bool {
    evidence.starts_with("records/models/")
}

/// The CPU's design, by which implementations are chosen.
fn design() -> String {
    let design = Microarchitecture::of(&karat_cpu::identity());
    design.map_or_else(cpu, |d| d.title().to_owned())
}

/// The CPU's vendor and family, for people.
fn cpu() -> String {
    let id = karat_cpu::identity();
    let vendor = String::from_utf8_lossy(&id.vendor);
    format!("{} family {}", vendor.trim_matches('\0'), id.family)
}

fn human(kernels: &[&dyn AnyKernel]) -> String {
    let all: Vec<_> = kernels.iter().map(|k| (k.name(), standings(*k))).collect();
    let infos = || all.iter().flat_map(|(_, list)| list);
    let names = infos().map(|(i, _)| i.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (kernel, list) in &all {
        let bold = Style::new().bold();
        let _ = writeln!(out, "{bold}{kernel}{bold:#}");
        for line in lines(&basis(list), say::width().clamp(60, 100) - 2) {
            let _ = writeln!(out, "  {line}");
        }
        for (info, standing) in list {
            let style = Style::new().fg_color(match standing {
                Standing::Chosen | Standing::ChosenForShort(_) => Some(AnsiColor::Green.into()),
                Standing::Forced => Some(AnsiColor::Yellow.into()),
                _ => None,
            });
            let _ = writeln!(
                out,
                "  {style}{:7}{style:#}  {:names$}  needs {}",
                standing.word(),
                info.name,
                info.isa,
            );
            let indent = 2 + 7 + 2 + names + 2;
            let room = say::width().clamp(60, 100) - indent;
            for line in lines(&reason(info, *standing), room) {
                let _ = writeln!(out, "{:indent$}{line}", "");
            }
        }
    }
    out
}

/// `text` in lines of at most `room` characters, longer words apart.
fn lines(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is one at least");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= room {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn json(kernels: &[&dyn AnyKernel]) -> Result<String> {
    let isas = |set: IsaSet| -> Vec<&str> { set.iter().map(|i| i.name()).collect() };
    let one = |kernel: &&dyn AnyKernel| {
        let list: Vec<serde_json::Value> = standings(*kernel)
            .iter()
            .map(|(info, standing)| {
                serde_json::json!({
                    "name": info.name, "needs": isas(info.isa), "missing": isas(info.missing),
                    "chosen": info.chosen, "chosen_up_to": info.chosen_up_to,
                    "forced": *standing == Standing::Forced, "why": info.why,
                    "record": info.evidence.filter(|e| !by_model(e)),
                    "model": info.evidence.filter(|e| by_model(e)),
                })
            })
            .collect();
        serde_json::json!({ "name": kernel.name(), "implementations": list })
    };
    let kernels: Vec<serde_json::Value> = kernels.iter().map(one).collect();
    Ok(serde_json::to_string_pretty(
        &serde_json::json!({ "schema": 2, "cpu": cpu(),
            "design": Microarchitecture::of(&karat_cpu::identity()).map(Microarchitecture::name), "kernels": kernels }),
    )?)
}
