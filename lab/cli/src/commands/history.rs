//! `karat history`: the finished runs.

use crate::args::{self, ListFormat};
use crate::{exit, say};
use anyhow::Result;
use karat_model::units;
use karat_store::{History, HistoryRow, Store};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Lists finished runs, newest first.
pub fn run(args: &args::History) -> Result<u8> {
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
    match args.format {
        ListFormat::Json => say::result(&json(&rows)?)?,
        ListFormat::Human if rows.is_empty() => {
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
        ListFormat::Human => say::result(&table(&rows))?,
    }
    Ok(exit::GOOD)
}

fn json(rows: &[HistoryRow]) -> Result<String> {
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
    Ok(serde_json::to_string_pretty(
        &serde_json::json!({ "schema": 1, "runs": runs }),
    )?)
}

fn table(rows: &[HistoryRow]) -> String {
    let width = rows.iter().map(|r| r.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for r in rows {
        let verdict = r.verdict.as_deref().unwrap_or("withheld");
        let about = r.about.as_deref().unwrap_or("");
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{:width$}  {verdict:12}  {about:24}  {:>6} samples  {}",
            r.id,
            r.samples,
            units::seconds(r.seconds)
        );
    }
    out
}
