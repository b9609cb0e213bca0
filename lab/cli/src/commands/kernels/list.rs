//! `karat kernels list`: which body runs here, and why.

use crate::args::Output;
use crate::commands::outputs;
use crate::exit;
use anyhow::Result;
use karat_cpu::{AnyKernel, Info, IsaSet, Microarchitecture};
use karat_host::design::not_by_model;
use karat_report::{
    Block, Chapter, Column, Detail, Document, Fact, Part, Report, Row, Table, Text, Tone, Value,
};

/// Lists all kernels with all implementations.
pub fn run(output: &Output) -> Result<u8> {
    outputs::check::<Listed>(output)?;
    outputs::write(output, &Listed(karat_all::kernels()), &[])?;
    Ok(exit::GOOD)
}

/// Version of the JSON.
const SCHEMA: u32 = 2;

/// All kernels.
struct Listed(Vec<&'static dyn AnyKernel>);

impl Report for Listed {
    fn document(&self, detail: Detail) -> Document {
        let cpu = not_by_model(&karat_cpu::identity(), karat_cpu::detect());
        let cpu = cpu.map(|told| Part::new("cpu", "The CPU", vec![Block::note(told)]));
        let kernels = self.0.iter().map(|kernel| part(*kernel, detail));
        Document {
            title: "karat kernels list".into(),
            origin: "karat kernels list".into(),
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => "Kernels on this machine".into(),
            },
            lead: "Which implementation of each runs here, and why.".into(),
            chapters: vec![Chapter {
                parts: cpu.into_iter().chain(kernels).collect(),
                ..Chapter::default()
            }],
            footer: format!("karat {}, schema {SCHEMA}", env!("CARGO_PKG_VERSION")).into(),
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        json(&self.0)
    }
}

/// A kernel: what its choice rests on, and its implementations.
fn part(kernel: &dyn AnyKernel, detail: Detail) -> Part {
    let list = standings(kernel);
    let told = match detail {
        // A screen has no room for a reason in a row.
        Detail::Brief => Block::Facts(list.iter().map(fact).collect()),
        _ => Block::Table(Table::new(
            kernel.name(),
            Column::all(["implementation", "here", "needs", "why"]),
            list.iter().map(row).collect(),
        )),
    };
    let blocks = vec![Block::note(basis(kernel, &list)), told];
    Part::new(kernel.name(), kernel.name(), blocks)
}

fn fact((info, standing): &(Info, Standing)) -> Fact {
    let name = Text::default()
        .toned(standing.tone(), standing.word())
        .plain(" ")
        .code(info.name)
        .plain(format!(", needs {}", info.isa));
    Fact::new(name, reason(info, *standing))
}

fn row((info, standing): &(Info, Standing)) -> Row {
    Row::from(vec![
        Value::Code(info.name.to_owned()),
        Value::Toned(standing.tone(), standing.word().to_owned()),
        Value::plain(info.isa.to_string()),
        Value::plain(reason(info, *standing)),
    ])
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

    const fn tone(self) -> Tone {
        match self {
            Self::Chosen | Self::ChosenForShort(_) => Tone::Good,
            Self::Forced => Tone::Open,
            Self::Spare | Self::Missing => Tone::Even,
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
fn basis(kernel: &dyn AnyKernel, list: &[(Info, Standing)]) -> String {
    let record = list.iter().find_map(|(info, _)| info.evidence);
    match record {
        Some(table) if by_model(table) => {
            format!("not measured on {}, by model: {table}", design())
        }
        Some(record) => format!("measured on {}: {record}", design()),
        None if kernel.is_measured() => {
            format!("not measured on {}: the first that can run", design())
        }
        None => "the same order on every CPU: the first that can run".to_owned(),
    }
}

/// Whether a choice rests on a model of the CPU.
fn by_model(evidence: &str) -> bool {
    evidence.starts_with("records/models/")
}

/// The CPU's design, by which implementations are chosen.
fn design() -> String {
    taken_for().map_or_else(cpu, |d| d.title().to_owned())
}

/// The CPU's design, if karat knows it.
fn taken_for() -> Option<Microarchitecture> {
    Microarchitecture::of(&karat_cpu::identity(), karat_cpu::detect())
}

/// The CPU's vendor and family, for people.
fn cpu() -> String {
    let id = karat_cpu::identity();
    let vendor = String::from_utf8_lossy(&id.vendor);
    format!("{} family {}", vendor.trim_matches('\0'), id.family)
}

fn json(kernels: &[&dyn AnyKernel]) -> String {
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
    let by_model = Microarchitecture::by_model(&karat_cpu::identity());
    let all = serde_json::json!({
        "schema": SCHEMA, "cpu": cpu(), "design": taken_for().map(Microarchitecture::name),
        "design_by_model": by_model.map(Microarchitecture::name), "kernels": kernels,
    });
    format!("{all:#}\n")
}
