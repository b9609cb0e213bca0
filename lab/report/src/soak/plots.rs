//! Which figures of a soak are drawn over time, and in bars.

use super::words::{spark, value};
use crate::document::{Chart, Column, Figure, Row, Table, Value};
use crate::svg::over_time::{OverTime, Point};
use karat_model::soak::{Epoch, Soak};

/// Columns of a row of bars.
const SPARK: usize = 40;

type Get = fn(&Epoch) -> Option<f64>;

/// Title, name of the figure, unit.
const PLOTS: &[(&str, &str, &str, Get)] = &[
    ("Throughput", "throughput", "op/s", |e| e.throughput),
    ("Resident memory", "rss", "B", |e| e.rss),
    ("Anonymous memory", "anonymous", "B", |e| e.anonymous),
    ("Memory in huge pages", "huge pages", "B", |e| {
        e.huge.filter(|v| *v > 0.0)
    }),
    ("Processors used", "cpu", "", |e| e.cpu),
    ("Latency: 99th percentile", "p99", "s", |e| e.tails?.p99),
    ("Latency: the largest", "max", "s", |e| e.tails?.max),
    ("Page faults", "page faults", "/s", |e| e.minor_faults),
    ("Waits", "waits", "/s", |e| e.waits),
    ("Open files", "files", "", |e| e.files),
    ("Looks that saw nobody else", "quiet", "", |e| Some(e.quiet)),
];

/// A chart of each figure that the soak has something for.
pub(super) fn charts(soak: &Soak) -> Vec<Figure> {
    let plots = PLOTS.iter().filter_map(|(title, name, unit, get)| {
        let points: Vec<Point> = soak
            .epochs
            .iter()
            .filter_map(|e| {
                let value = get(e).filter(|v| v.is_finite())?;
                Some(Point {
                    at: [e.at, e.seconds],
                    value,
                    start: e.start,
                    warm: e.warm,
                })
            })
            .collect();
        // A figure that is 0 throughout is no picture.
        let drawn = points.len() > 1 && points.iter().any(|p| p.value != 0.0);
        let changes = soak.figure(name).map_or(&[][..], |f| &f.changes);
        drawn.then(|| Figure {
            title: (*title).to_owned(),
            chart: Chart::OverTime(OverTime {
                title: (*title).to_owned(),
                unit,
                points,
                changes: changes.iter().map(|c| c.at).collect(),
            }),
        })
    });
    plots.collect()
}

/// Rows of bars over all epochs, the warm ones too.
pub(super) fn bars(soak: &Soak) -> Option<Table> {
    let shown: [(&str, &str, Get); 4] = [
        ("throughput", "op/s", |e| e.throughput),
        ("rss", "B", |e| e.rss),
        ("cpu", "processors", |e| e.cpu),
        ("p99", "s", |e| e.tails?.p99),
    ];
    let rows: Vec<Row> = shown
        .into_iter()
        .filter_map(|(name, unit, get)| {
            let values: Vec<f64> = soak.epochs.iter().filter_map(get).collect();
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (values.len() > 1).then(|| {
                Row::from(vec![
                    Value::plain(name),
                    Value::plain(spark(&values, SPARK)),
                    Value::Number(value(low, unit)),
                    Value::Number(value(high, unit)),
                ])
            })
        })
        .collect();
    let columns = Column::all(["", "all epochs", "lowest", "highest"]);
    (!rows.is_empty()).then(|| Table::new("Over time", columns, rows))
}
