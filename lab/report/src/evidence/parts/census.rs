//! What is in the binaries.

use crate::audit;
use crate::document::{Block, Column, Detail, Part, Row, Span, Table, Text, Value};
use crate::evidence::tables::census::{self, COLUMNS, CrateRow};
use crate::wording::{self, heading};
use karat_model::audit::{BinaryAudit, FunctionCensus};
use karat_model::evidence::{Evidence, VariantEvidence};
use karat_model::units;

/// Crates in Markdown and on a page.
const CRATES: [usize; 2] = [8, 12];
/// Functions of each variant.
const FUNCTIONS: usize = 10;

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    let audited = census::audited(evidence);
    if detail == Detail::Brief {
        return None;
    }
    if audited.is_empty() {
        return super::nothing("census", heading::CENSUS, "No binary was audited.", detail);
    }
    let mut blocks = vec![Block::Table(widths(evidence, &audited))];
    let apart = census::apart(evidence);
    if !apart.is_empty() {
        blocks.push(Block::text("Told apart from these counts:"));
        blocks.push(Block::list(apart));
    }
    blocks.extend(crates(evidence, &audited, detail));
    if detail == Detail::Full {
        blocks.extend(growth(&audited));
        let functions = audited.iter().flat_map(|(v, audit)| functions(v, audit));
        let summary = "Functions with most wide vector instructions, and extensions";
        blocks.push(Block::details(summary, functions.collect()));
    }
    let part = Part::new("census", heading::CENSUS, blocks);
    Some(part.note(wording::CENSUS_NOTE))
}

fn widths(evidence: &Evidence, audited: &[(&VariantEvidence, &BinaryAudit)]) -> Table {
    let mut columns = vec![Column::new("variant", "")];
    columns.extend(COLUMNS.iter().map(|c| Column::new(c.name, c.meaning)));
    let row = |(variant, audit): &(&VariantEvidence, &BinaryAudit)| {
        let cell = |column: &census::Column| {
            let most = audited.iter().map(|(_, a)| (column.of)(a)).max();
            let (count, change) = census::cell(evidence, column, audit);
            let change = if change.is_empty() { "=" } else { &change };
            Value::Stack(vec![
                Value::Number(count),
                Value::Meter((column.of)(audit), most.unwrap_or(0)),
                Value::plain(change),
            ])
        };
        let mut cells = vec![Value::Code(variant.name.clone())];
        cells.extend(COLUMNS.iter().map(cell));
        Row::from(cells)
    };
    let rows = audited.iter().map(row).collect();
    Table::new("Instructions by register width", columns, rows)
}

fn crates(
    evidence: &Evidence,
    audited: &[(&VariantEvidence, &BinaryAudit)],
    detail: Detail,
) -> Vec<Block> {
    let owner = wording::owner(audited.iter().map(|(_, audit)| *audit));
    let limit = CRATES[usize::from(detail == Detail::Full)];
    let (rows, more) = census::crates(evidence, limit);
    if rows.is_empty() {
        let none = format!("No {owner} has 256-bit or 512-bit instructions in any variant.");
        return vec![Block::text(none)];
    }
    let wide = |row: &CrateRow<'_>| row.cells.iter().map(|(zmm, ymm)| zmm + ymm).max();
    let most = rows.iter().filter_map(wide).max().unwrap_or(0);
    let row = |row: &CrateRow<'_>| {
        let cell = |(zmm, ymm): &(u64, u64)| {
            let text = format!("{} / {}", units::grouped(*zmm), units::grouped(*ymm));
            Value::Stack(vec![Value::Number(text), Value::Bar(*zmm, *ymm, most)])
        };
        let mut cells = vec![Value::Code(row.name.to_owned())];
        cells.extend(row.cells.iter().map(cell));
        Row::from(cells)
    };
    let mut columns = vec![Column::new(format!("{owner} (zmm / ymm)"), "")];
    columns.extend(audited.iter().map(|(v, _)| Column::new(&v.name, "")));
    let title = format!("Wide vector instructions by {owner}");
    let table = Block::Table(Table {
        more: more as u64,
        ..Table::new(title.as_str(), columns, rows.iter().map(row).collect())
    });
    if detail != Detail::Full {
        return vec![Block::details(title, vec![table])];
    }
    let key = Text(vec![
        Span::Plain(format!(
            "Counted in the {owner} whose source they come from, wherever they "
        )),
        Span::Plain("were inlined: ".into()),
        Span::Key(1, "zmm (512 bits)".into()),
        Span::Plain(" / ".into()),
        Span::Key(2, "ymm (256 bits)".into()),
    ]);
    vec![
        Block::Heading(title.as_str().into()),
        Block::note(key),
        table,
    ]
}

/// Which functions grew against the baseline, variant by variant.
fn growth(audited: &[(&VariantEvidence, &BinaryAudit)]) -> Option<Block> {
    let mut blocks = Vec::new();
    for (variant, facts) in audited {
        let Some(bloat) = &facts.bloat else { continue };
        let Some(mut table) = audit::by_function(facts, bloat) else {
            continue;
        };
        table.more += table.rows.len().saturating_sub(FUNCTIONS) as u64;
        table.rows.truncate(FUNCTIONS);
        blocks.push(Block::Heading(Text::default().code(&variant.name)));
        blocks.push(Block::text(audit::differing(bloat)));
        blocks.push(Block::Table(table));
    }
    (!blocks.is_empty()).then(|| Block::details("Growth by function, by variant", blocks))
}

fn functions(variant: &VariantEvidence, audit: &BinaryAudit) -> Vec<Block> {
    let extensions = census::extensions(audit);
    let mut blocks = vec![
        Block::Heading(Text::default().code(&variant.name)),
        Block::fine(format!("{}; extensions: {extensions}", audit.format)),
    ];
    if audit.total.undecodable > 0 {
        let count = units::grouped(audit.total.undecodable);
        let text = format!("{count} positions do not decode as instructions.");
        blocks.push(Block::caveat(text));
    }
    if audit.functions.is_empty() {
        return blocks;
    }
    let row = |f: &FunctionCensus| {
        let c = &f.census;
        let counts = [c.instructions, c.xmm, c.ymm, c.zmm, c.mask];
        let mut cells = vec![Value::Code(f.name.clone())];
        cells.extend(counts.map(Value::Count));
        Row::from(cells)
    };
    let rows: Vec<Row> = audit.functions.iter().take(FUNCTIONS).map(row).collect();
    let names = ["function", "instructions", "xmm", "ymm", "zmm", "mask"];
    blocks.push(Block::Table(Table {
        more: audit.functions_total.saturating_sub(rows.len() as u64),
        ..Table::new("Functions", Column::all(names), rows)
    }));
    blocks
}
