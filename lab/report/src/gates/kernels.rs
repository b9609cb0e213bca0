//! Code that a dispatcher may choose.

use super::ROWS;
use super::words::{counted, times};
use crate::document::{Block, Column, Detail, Part, Row, Table, Value};
use crate::wording::Tone;
use karat_model::gates::{Hits, WatchedKernel};

/// What there is, and which of it never runs although this CPU could.
pub(super) fn part(kernels: &[WatchedKernel], has_run: bool, detail: Detail) -> Part {
    let count = |keep: fn(&WatchedKernel) -> bool| kernels.iter().filter(|k| keep(k)).count();
    let has = count(|kernel| kernel.supported == Some(true));
    let all = counted(kernels.len() as u64, "function", "functions");
    let mut blocks = vec![Block::text(format!(
        "{all} above x86-64; this CPU has what {has} of them need."
    ))];
    let mut shown: Vec<&WatchedKernel> = kernels.iter().collect();
    if has_run {
        blocks.push(Block::text(format!(
            "{} executed; {} never, where others of their kind were; {} could not be watched.",
            count(|kernel| kernel.hits.is_some_and(Hits::any)),
            count(|kernel| kernel.supported == Some(true) && kernel.instead.is_some()),
            count(|kernel| kernel.hits.is_none()),
        )));
        let idle = count(WatchedKernel::is_idle);
        if idle > 0 {
            blocks.push(Block::caveat(format!(
                "{idle} never, nor anything of their kind, although this CPU has what they need: \
                 a dispatcher that does not choose them, or a workload that does not need them."
            )));
        }
        if detail == Detail::Brief {
            shown.retain(|kernel| kernel.is_idle());
        }
        // What is idle is what is asked.
        shown.sort_by_key(|kernel| !kernel.is_idle());
    }
    if !shown.is_empty() {
        let rows = shown.into_iter().map(|kernel| row(kernel, detail));
        let columns = vec![
            Column::new("function", ""),
            Column::new("at", ""),
            Column::new("known as", "by the catalogue"),
            Column::new("needs", "of the CPU, beyond x86-64"),
            Column::new("this CPU", "whether it has that"),
            Column::new("run", "what the run executed"),
            Column::wide(
                "instead",
                "of its kind, executed, and needing no less of the CPU",
            ),
        ];
        let table = Table::new("Kernels", columns, rows.collect());
        blocks.push(Block::Table(table.brief(ROWS)));
    }
    Part::new("kernels", "Kernels", blocks)
}

fn row(kernel: &WatchedKernel, detail: Detail) -> Row {
    let run = match kernel.hits {
        // A screen has idle ones only, which all are neither.
        _ if detail == Detail::Brief => Value::Absent(""),
        None => Value::Absent(""),
        Some(_) if kernel.is_idle() => Value::Toned(Tone::Bad, "idle".into()),
        Some(hits) => Value::plain(times(hits)),
    };
    let has = match kernel.supported {
        _ if detail == Detail::Brief => Value::Absent(""),
        Some(true) => Value::plain("has it"),
        Some(false) => Value::plain("lacks it"),
        None => Value::plain("not known"),
    };
    let text = |text: &Option<String>| text.clone().map_or(Value::Absent(""), Value::plain);
    Row::from(vec![
        Value::Code(kernel.function.clone()),
        Value::Code(format!("{:#x}", kernel.address)),
        text(&kernel.known_as),
        Value::plain(kernel.needs.join(", ")),
        has,
        run,
        text(&kernel.instead),
    ])
}
