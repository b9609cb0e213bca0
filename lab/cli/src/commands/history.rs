//! `karat history`: the finished runs.

use super::outputs;
use crate::{args, exit, say};
use anyhow::Result;
use karat_model::units;
use karat_report::{
    Block, Chapter, Column, Detail, Document, Format, Part, Report, Row, Table, Text, Value,
};
use karat_store::{History, HistoryRow, Store};
use std::collections::BTreeSet;

/// Lists finished runs, newest first.
pub fn run(args: &args::History) -> Result<u8> {
    outputs::check::<Runs>(&args.output)?;
    let History { mut rows, damaged } = Store::at(&args.runs.dir).history()?;
    for error in damaged {
        say::note(&format!(
            "left out: {error}; its samples.jsonl and study.toml are not touched, delete the \
             folder when you do not need them"
        ));
    }
    let mut others = BTreeSet::new();
    if let Some(study) = &args.study {
        others.extend(rows.iter().map(|r| r.study.clone()));
        rows.retain(|r| r.study == *study);
    }
    // A program gets its list, and it is empty.
    if rows.is_empty() && args.output.format != Format::Json {
        let runs = args.runs.dir.display();
        say::note(&match &args.study {
            Some(study) if !others.is_empty() => format!(
                "no finished runs of `{study}` in {runs}; there are runs of {}",
                others.into_iter().collect::<Vec<_>>().join(", ")
            ),
            _ => format!("no finished runs in {runs}; `karat run STUDY` makes one"),
        });
        return Ok(exit::NOTHING);
    }
    outputs::write(&args.output, &Runs(rows), &[])?;
    Ok(exit::GOOD)
}

/// Version of the JSON.
const SCHEMA: u32 = 1;

/// Finished runs, newest first.
struct Runs(Vec<HistoryRow>);

impl Report for Runs {
    fn document(&self, detail: Detail) -> Document {
        let table = Block::Table(table(&self.0));
        Document {
            title: "karat history".into(),
            origin: "karat history".into(),
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => "Finished runs".into(),
            },
            chapters: vec![Chapter {
                parts: vec![Part::new("runs", "Runs, newest first", vec![table])],
                ..Chapter::default()
            }],
            footer: format!("karat {}, schema {SCHEMA}", env!("CARGO_PKG_VERSION")).into(),
            sortable: true,
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        json(&self.0)
    }
}

fn json(rows: &[HistoryRow]) -> String {
    let runs: Vec<serde_json::Value> = rows
        .iter()
        .map(|r| {
            let comparisons: Vec<serde_json::Value> = r
                .comparisons
                .iter()
                .map(|c| {
                    serde_json::json!({
                        "workload": c.workload, "variant": c.variant, "speed": c.speed,
                        "low": c.low, "high": c.high, "judgement": c.judgement,
                    })
                })
                .collect();
            serde_json::json!({
                "id": r.id, "study": r.study, "started": r.started, "verdict": r.verdict,
                "about": r.about, "recommended": r.recommended, "summary": r.summary,
                "seconds": r.seconds, "samples": r.samples, "cpu": r.cpu,
                "comparisons": comparisons,
            })
        })
        .collect();
    format!(
        "{:#}\n",
        serde_json::json!({ "schema": SCHEMA, "runs": runs })
    )
}

fn table(rows: &[HistoryRow]) -> Table {
    let text = |text: &Option<String>| text.clone().map_or(Value::Absent(""), Value::plain);
    let row = |run: &HistoryRow| {
        Row::from(vec![
            Value::Code(run.id.clone()),
            Value::plain(run.verdict.as_deref().unwrap_or("withheld")),
            text(&run.about),
            Value::Count(run.samples),
            Value::Number(units::seconds(run.seconds)),
            Value::plain(&*run.summary),
            text(&run.recommended),
            Value::plain(&*run.cpu),
        ])
    };
    let columns = vec![
        Column::new("run", ""),
        Column::new("verdict", ""),
        Column::new("about", "the variant that the verdict is about"),
        Column::new("samples", "measured processes"),
        Column::new("took", ""),
        Column::wide("in a sentence", ""),
        Column::wide("recommended", ""),
        Column::wide("CPU", ""),
    ];
    Table::new("Runs", columns, rows.iter().map(row).collect())
}
