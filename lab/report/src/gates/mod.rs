//! Reports of `karat gates`.
//!
//! They are made from [`GatesDocument`] and from nothing else.

mod coverage;
mod kernels;
mod words;

use crate::document::{
    Block, Chapter, Column, Detail, Document, Part, Row, Table, Text, Value, Weight,
};
use crate::format::{Report, json};
use karat_model::gates::{Gate, GateCall, GatesDocument, TracedRun};
use words::{counted, end, place, state, times, via};

/// Rows of a list that the short forms show.
const ROWS: usize = 20;

impl Report for GatesDocument {
    fn document(&self, detail: Detail) -> Document {
        let mut parts = Vec::new();
        parts.extend(self.run.as_ref().map(of_run));
        let gates = self.gates.iter().enumerate();
        parts.extend(gates.map(|(at, gate)| of_gate(at, gate, detail)));
        if let Some(kernels) = &self.kernels {
            parts.push(kernels::part(kernels, self.run.is_some(), detail));
        }
        if let Some(coverage) = &self.coverage {
            parts.extend(coverage::parts(coverage, detail));
        }
        parts.extend(limits(self));
        Document {
            title: format!("karat gates: {}", self.binary),
            origin: "karat gates".into(),
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => Text::default().code(&self.binary),
            },
            chapters: vec![Chapter {
                parts,
                ..Chapter::default()
            }],
            footer: format!("karat {}, schema {}", self.karat, self.schema).into(),
            sortable: detail == Detail::Full,
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        json(self)
    }
}

fn of_run(run: &TracedRun) -> Part {
    let first = Text::default().code(run.command.join(" ")).plain(format!(
        " {} after {:.2} s ({:.2} s user, {:.2} s system), {} and {}.",
        end(run),
        run.wall,
        run.user,
        run.system,
        counted(run.processes, "process", "processes"),
        counted(run.threads, "further thread", "further threads"),
    ));
    let second = format!(
        "{} planted, {}, {:.3} s of standing still for them.",
        counted(run.planted, "breakpoint", "breakpoints"),
        counted(run.traps, "trap", "traps"),
        run.stopped,
    );
    let blocks = vec![Block::text(first), Block::text(second)];
    Part::new("run", "The run", blocks)
}

/// A gate: what the assembly has of it, what the run executed, what to do.
fn of_gate(at: usize, gate: &Gate, detail: Detail) -> Part {
    let answer = gate.summary.strip_prefix(&format!("{}: ", gate.name));
    let mut blocks = vec![Block::text(sentence(answer.unwrap_or(&gate.summary)))];
    if !gate.calls.is_empty() {
        blocks.push(match detail {
            Detail::Brief => Block::list(gate.calls.iter().map(line)),
            _ => Block::Table(places(gate)),
        });
    }
    if gate.pointers > 0 {
        let text = format!(
            "Its address is taken at {}.",
            counted(gate.pointers, "place", "places")
        );
        blocks.push(Block::text(text));
    }
    if let Some(hits) = gate.hits {
        blocks.push(Block::text(format!("Its function was {}.", times(hits))));
    }
    if let Some(advice) = &gate.advice {
        blocks.push(Block::Prose(Weight::Strong, sentence(advice).into()));
    }
    if let Some(caveat) = &gate.caveat {
        blocks.push(Block::caveat(sentence(caveat)));
    }
    let title = match gate.state {
        Some(found) => format!("{}: {}", gate.name, state(found)),
        None => gate.name.clone(),
    };
    Part::new(&format!("gate-{}", at + 1), title, blocks)
}

/// The places of a gate, for forms that have room for a table.
fn places(gate: &Gate) -> Table {
    let rows = gate.calls.iter().map(|call| {
        let guard = call.guard.as_ref();
        let text = |text: Option<String>| text.map_or(Value::Absent(""), Value::plain);
        let reached = guard.and_then(|guard| guard.hits);
        Row::from(vec![
            Value::plain(via(call.via)),
            Value::Code(call.caller.clone()),
            Value::Code(place(call.address, call.location.as_ref())),
            text(call.hits.map(times)),
            text(call.dead.clone()),
            guard.map_or(Value::Absent("no branch"), |guard| {
                Value::Code(guard.condition.clone())
            }),
            text(reached.map(times)),
            text(guard.and_then(|guard| guard.variable.clone())),
            text(guard.and_then(|guard| guard.constant.clone())),
        ])
    });
    let columns = vec![
        Column::new("how", ""),
        Column::new("in", "the function whose code it is in"),
        Column::new("at", ""),
        Column::new("run", "what the run executed"),
        Column::new("never reached", ""),
        Column::new("behind", "the branch that decides whether this is reached"),
        Column::new("branch", "what the run executed of the branch"),
        Column::new("asks", "the variable that the branch asks"),
        Column::new("can go one way only", ""),
    ];
    Table::new("Places", columns, rows.collect())
}

/// One place with its guard.
fn line(call: &GateCall) -> Text {
    let at = place(call.address, call.location.as_ref());
    let mut text = Text::default()
        .plain(format!("{} ", via(call.via)))
        .code(&call.caller)
        .plain(format!(" at {at}"));
    match &call.guard {
        Some(guard) => {
            let branch = place(guard.address, guard.location.as_ref());
            text = text
                .plain(", behind ")
                .code(&guard.condition)
                .plain(format!(" at {branch}"));
            if let Some(variable) = &guard.variable {
                text = text.plain(" (asks ").code(variable).plain(")");
            }
            if let Some(constant) = &guard.constant {
                text = text.plain(format!(": {constant}"));
            }
            if let Some(hits) = guard.hits {
                text = text.plain(format!(" [branch {}]", times(hits)));
            }
        }
        None => text = text.plain(", behind no branch"),
    }
    if let Some(hits) = call.hits {
        text = text.plain(format!("; {}", times(hits)));
    }
    if let Some(dead) = &call.dead {
        text = text.plain(format!("; never reached: {dead}"));
    }
    text
}

/// What limits the answer.
fn limits(document: &GatesDocument) -> Option<Part> {
    let of_run = document.run.iter().flat_map(|run| &run.notes);
    let notes: Vec<String> = document
        .notes
        .iter()
        .chain(of_run)
        .map(|note| sentence(note))
        .collect();
    (!notes.is_empty())
        .then(|| Part::new("limits", "What limits the answer", vec![Block::list(notes)]))
}

/// A sentence of what the model has without its beginning and its end.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    // Names keep their case.
    let first = letters
        .next()
        .filter(|_| text.starts_with(char::is_lowercase) && !text.contains("::"));
    let stop = if text.ends_with('.') { "" } else { "." };
    match first {
        Some(first) => format!("{}{}{stop}", first.to_uppercase(), letters.as_str()),
        None => format!("{text}{stop}"),
    }
}
