//! Kernels of well-known libraries that were recognised.

use crate::audit::facts;
use crate::document::{Block, Column, Part, Row, Table, Value};
use crate::number;
use crate::wording::{Tone, plural, survival_tone, survival_word};
use karat_model::audit::SurvivalState;
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::catalogue::{Confidence, KnownEvidence, KnownKernel};

/// Kernels in the short forms.
const BRIEF: usize = 12;

pub fn part(_: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let known = &file.audit.known;
    if known.is_empty() {
        return None;
    }
    let rows: Vec<Row> = known.iter().map(row).collect();
    let sum = |of: fn(&KnownKernel) -> u64| known.iter().map(of).sum::<u64>();
    let total = &file.audit.total;
    let beyond = sum(|k| k.zmm) > total.zmm || sum(|k| k.ymm) > total.ymm;
    let left_out = beyond.then(|| {
        let text = "Some of them lie in code that is told apart, and are in none of the counts.";
        Block::text(text)
    });
    let columns = vec![
        Column::new("kernel", "library and kernel"),
        Column::new("zmm", "512-bit instructions"),
        Column::new("ymm", "256-bit instructions"),
        Column::new("instructions", "padding left out"),
        Column::new("state", ""),
        Column::new("sure", "how sure the identification is"),
        Column::wide("library", "as `--expect` files call it"),
        Column::wide("ISA", "it is written for"),
        Column::wide("known by", ""),
        Column::wide("where", "function, or first address"),
    ];
    let table = Table::new("Known kernels", columns, rows).brief(BRIEF);
    let blocks = left_out.into_iter().chain([Block::Table(table)]).collect();
    let note = "Hand-written code of widely used libraries, by name or, without one, by its \
                instructions and constants. What is not in karat's catalogue is not listed.";
    Some(
        Part::new("known", "Known kernels", blocks)
            .note(note)
            .folded(),
    )
}

fn row(kernel: &KnownKernel) -> Row {
    let (sure, tone) = match kernel.confidence {
        Confidence::Certain => ("certain", Tone::Even),
        Confidence::Likely => ("likely", Tone::Even),
        Confidence::Possible => ("possible", Tone::Open),
    };
    let state = match kernel.state {
        SurvivalState::Present => Tone::Even,
        other => survival_tone(other),
    };
    Row::from(vec![
        Value::Code(format!(
            "{}: {}",
            facts::library(&kernel.library),
            kernel.kernel
        )),
        Value::Count(kernel.zmm),
        Value::Count(kernel.ymm),
        Value::Count(kernel.instructions),
        Value::Toned(state, survival_word(kernel.state).into()),
        Value::Toned(tone, sure.into()),
        Value::Text(kernel.library.clone()),
        Value::Text(kernel.isa.clone()),
        Value::Text(evidence(kernel)),
        Value::Code(place(kernel)),
    ])
}

fn place(kernel: &KnownKernel) -> String {
    let more = match kernel.functions {
        0 | 1 => String::new(),
        n => format!(" (of {n})"),
    };
    match &kernel.function {
        Some(name) => format!("{name}{more}"),
        None => format!("{:#x}", kernel.address),
    }
}

fn evidence(kernel: &KnownKernel) -> String {
    match &kernel.evidence {
        KnownEvidence::Name { similarity } => {
            let alike = similarity.map(|s| format!(", {} alike", number::similarity(s)));
            format!("name{}", alike.unwrap_or_default())
        }
        KnownEvidence::Mix {
            similarity,
            constants_found,
            constants,
        } => {
            let alike = number::similarity(*similarity);
            let found = match constants {
                0 => String::new(),
                n => format!("; {constants_found} of {}", plural(*n as usize, "constant")),
            };
            format!("instructions, {alike} alike{found}")
        }
        KnownEvidence::Constants { names } => format!("constants: {}", names.join(", ")),
    }
}
