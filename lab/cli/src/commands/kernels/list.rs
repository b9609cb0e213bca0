//! `karat kernels list`: which body runs here, and why.

use crate::args::ListFormat;
use crate::{exit, say};
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use karat_cpu::{AnyKernel, Info, IsaSet};
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
    /// Calls go to it: the first in the table that this CPU should use.
    Chosen,
    /// Calls go to it because the environment says so.
    Forced,
    /// It can run, and one before it in the table is chosen.
    Spare,
    /// It can run and is known to be slower here than one after it.
    Avoided,
    /// The CPU cannot run it.
    Missing,
}

impl Standing {
    const fn word(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Forced => "forced",
            Self::Spare => "can run",
            Self::Avoided => "avoided",
            Self::Missing => "missing",
        }
    }
}

/// The implementations of a kernel with their standings.
fn standings(kernel: &dyn AnyKernel) -> Vec<(Info, Standing)> {
    let infos: Vec<Info> = (0..kernel.len()).map(|i| kernel.info(i)).collect();
    let able = |i: &Info| i.missing == IsaSet::EMPTY;
    let best = infos.iter().position(|i| able(i) && !i.avoided);
    let standing = |(at, info): (usize, &Info)| match info {
        i if i.chosen && best == Some(at) => Standing::Chosen,
        i if i.chosen => Standing::Forced,
        i if !able(i) => Standing::Missing,
        i if i.avoided => Standing::Avoided,
        _ => Standing::Spare,
    };
    let all = infos.iter().enumerate().map(standing).collect::<Vec<_>>();
    infos.into_iter().zip(all).collect()
}

/// Why it stands so, with what it does where that is the reason.
fn reason(info: &Info, standing: Standing) -> String {
    match standing {
        Standing::Chosen => info.why.to_owned(),
        Standing::Forced => format!("KARAT_FORCE says so; {}", info.why),
        Standing::Spare => info.why.to_owned(),
        Standing::Avoided => format!(
            "measured slower than a later one on {}; {}",
            cpu(),
            info.why
        ),
        Standing::Missing => format!("lacks {}; {}", info.missing, info.why),
    }
}

/// The CPU's vendor and family, by which implementations are avoided.
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
        for (info, standing) in list {
            let style = Style::new().fg_color(match standing {
                Standing::Chosen => Some(AnsiColor::Green.into()),
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
                    "avoided": info.avoided, "chosen": info.chosen,
                    "forced": *standing == Standing::Forced, "why": info.why,
                })
            })
            .collect();
        serde_json::json!({ "name": kernel.name(), "implementations": list })
    };
    let kernels: Vec<serde_json::Value> = kernels.iter().map(one).collect();
    Ok(serde_json::to_string_pretty(
        &serde_json::json!({ "schema": 1, "cpu": cpu(), "kernels": kernels }),
    )?)
}
