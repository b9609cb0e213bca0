//! Code above the declared baseline, and whether the CPU is asked before it runs.

use crate::audit::facts;
use crate::document::{Block, Column, Part, Row, Table, Value};
use crate::wording::Tone;
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::leaks::{AboveBaseline, Certainty, GateKind, LeakReport, Reach};
use karat_model::names::folded;
use karat_model::units::grouped;

/// Functions in the short forms.
const BRIEF: usize = 12;
/// Obstacles in the short forms.
const OBSTACLES: usize = 6;
/// Extensions that a row names.
const EXTENSIONS: usize = 3;

pub fn part(_: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let report = file.audit.leaks.as_ref()?;
    let mut blocks = vec![Block::text(facts::above_baseline(report))];
    if let Some(built) = &report.built_for {
        blocks.push(Block::text(format!(
            "The file as a whole is built for {}: {} functions above {} have no gate, so single \
             leaks say nothing.",
            built.level,
            grouped(built.functions),
            report.baseline
        )));
    }
    if let Some(picked) = &report.picked {
        blocks.push(Block::text(format!(
            "{}.",
            picked.describe(&report.baseline)
        )));
    }
    let limits = report.limits.iter();
    blocks.extend(limits.map(|limit| Block::text(format!("A limit: {limit}."))));
    if !report.obstacles.is_empty() {
        blocks.push(Block::Table(obstacles(report)));
    }
    if !report.functions.is_empty() {
        blocks.push(Block::Table(table(report)));
    }
    let note = "A leak is reached from an entry of the program without the CPU being asked first: \
               on a CPU of the baseline it ends the program by SIGILL. Behind an INSUFFICIENT \
               GATE it does so on a CPU that has what the gate asks for and no more. UNKNOWN is neither shown \
               to be guarded nor shown to be a leak. EXPORTED is for callers outside to guard. \
               A state of less than high confidence says so behind it.";
    let part = Part::new("leaks", format!("Code above {}", report.baseline), blocks);
    Some(part.note(note).folded())
}

/// What stands in the way of the functions of unknown state.
fn obstacles(report: &LeakReport) -> Table {
    let rows = report.obstacles.iter().map(|known| {
        Row::from(vec![
            Value::Text(folded(&known.what).into_owned()),
            Value::Count(known.functions),
            Value::Text(known.decide.clone()),
        ])
    });
    let columns = vec![
        Column::new("unknown because of", "what could not be followed"),
        Column::new("functions", "those of unknown state that go by it"),
        Column::new(
            "decided by",
            "what would tell: a run on a CPU of the baseline, real or emulated, or what you say of a \
             function (--gate-function) or a variable (--cpu-cell)",
        ),
    ];
    Table::new("What stands in the way", columns, rows.collect()).brief(OBSTACLES)
}

fn table(report: &LeakReport) -> Table {
    let counts = &report.counts;
    let table = Table::new(
        format!("Functions above {}", report.baseline),
        vec![
            Column::new("function", ""),
            Column::new("state", ""),
            Column::new("above", "instructions above the baseline"),
            Column::new("needs", "extensions"),
            Column::wide("first", "the first instruction above the baseline"),
            Column::wide("why", "the call path, the gate, or what is not known"),
        ],
        report.functions.iter().map(row).collect(),
    );
    Table {
        more: counts.above.saturating_sub(report.functions.len() as u64),
        ..table.brief(BRIEF)
    }
}

fn row(f: &AboveBaseline) -> Row {
    let (tone, word) = match f.reach {
        Reach::Leak => (Tone::Bad, "LEAK"),
        Reach::Insufficient => (Tone::Bad, "INSUFFICIENT GATE"),
        Reach::Exported => (Tone::Even, "EXPORTED"),
        Reach::Unknown => (Tone::Open, "UNKNOWN"),
        Reach::Guarded => (Tone::Good, "GUARDED"),
        Reach::Unreferenced => (Tone::Even, "UNREFERENCED"),
    };
    let sure = match (f.reach, f.confidence) {
        // Nothing is claimed of these.
        (Reach::Unknown | Reach::Exported, _) | (_, Certainty::High) => "",
        (_, Certainty::Medium) => ", medium",
        (_, Certainty::Low) => ", low",
    };
    let mut needs = f.extensions[..f.extensions.len().min(EXTENSIONS)].join(" ");
    if f.extensions.len() > EXTENSIONS {
        needs.push_str(" …");
    }
    Row::from(vec![
        Value::Code(folded(&f.function).into_owned()),
        Value::Toned(tone, format!("{word}{sure}")),
        Value::Count(f.instructions),
        Value::Text(needs),
        Value::Text(format!("{} at {:#x}", f.first.mnemonic, f.first.address)),
        Value::Text(why(f)),
    ])
}

fn why(f: &AboveBaseline) -> String {
    if f.reach == Reach::Insufficient {
        return format!("{}; {}", folded(&f.reason), gates(f).join("; "));
    }
    if !f.path.is_empty() {
        let path: Vec<_> = f.path.iter().map(|s| folded(&s.function)).collect();
        return path.join(" → ");
    }
    let gates = gates(f);
    match gates.is_empty() {
        true => folded(&f.reason).into_owned(),
        false => gates.join("; "),
    }
}

/// Each gate with what it implies.
fn gates(f: &AboveBaseline) -> Vec<String> {
    f.gates
        .iter()
        .map(|g| {
            let what = match g.kind {
                GateKind::Branch => "branch",
                GateKind::Pointer => "pointer",
                GateKind::Ifunc => "ifunc",
            };
            let asked = match g.features.is_empty() {
                true => String::new(),
                false => format!(", which implies {}", g.features.join(" and ")),
            };
            let function = folded(&g.function);
            format!("{what} in {function} on {}{asked}", g.asks)
        })
        .collect()
}
