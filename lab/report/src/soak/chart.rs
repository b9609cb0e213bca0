//! Figures over time: time on one axis, the figure on the other, from its lowest epoch to
//! its highest.

use super::words::value;
use crate::html::write::Writer;
use crate::svg::scale::{percent, round_step};
use karat_model::soak::{Epoch, Soak};
use karat_model::units;

/// Height of the field in pixels, and what is above and below it.
const FIELD: f64 = 150.0;
const TOP: f64 = 20.0;
const AXIS: f64 = 24.0;
/// Lines across the field.
const LINES: f64 = 3.0;
/// Room for the labels of the lines, in percent of the width.
const LABEL: f64 = 12.0;
/// Places on the axis of time with a label.
const LABELS: u32 = 4;

type Value = fn(&Epoch) -> Option<f64>;

/// Title, name of the figure, unit.
const PLOTS: &[(&str, &str, &str, Value)] = &[
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

/// All plots that the soak has something for.
pub(super) fn all(w: &mut Writer, soak: &Soak) {
    for (title, name, unit, get) in PLOTS {
        let points: Vec<(&Epoch, f64)> = soak
            .epochs
            .iter()
            .filter_map(|e| Some((e, get(e).filter(|v| v.is_finite())?)))
            .collect();
        if points.len() > 1 {
            w.node("figure", &[], |w| {
                w.element("h3", &[], title);
                let changes = soak.figure(name).map_or(&[][..], |f| &f.changes);
                let at: Vec<f64> = changes.iter().map(|c| c.at).collect();
                draw(w, title, unit, &points, &at);
            });
        }
    }
}

struct Field {
    last: f64,
    low: f64,
    high: f64,
}

impl Field {
    fn x(&self, seconds: f64) -> String {
        percent(LABEL + seconds / self.last * (99.0 - LABEL))
    }

    fn y(&self, value: f64) -> String {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        format!("{:.1}", TOP + FIELD * (1.0 - share))
    }
}

fn draw(w: &mut Writer, title: &str, unit: &str, points: &[(&Epoch, f64)], changes: &[f64]) {
    let values = || points.iter().map(|p| p.1);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    // A figure that hardly moves is not blown up to fill the plot.
    let room = (high - low).max(0.02 * high.abs()).max(1e-9);
    let step = round_step(room / LINES);
    let field = Field {
        last: points
            .last()
            .map_or(1.0, |p| p.0.at + p.0.seconds)
            .max(1e-9),
        low: (low / step).floor() * step,
        high: ((high / step).floor() + 1.0) * step,
    };
    let height = format!("{}", TOP + FIELD + AXIS);
    let frame = [
        ("class", "chart"),
        ("width", "100%"),
        ("height", height.as_str()),
        ("role", "img"),
    ];
    w.node("svg", &frame, |w| {
        w.element("title", &[], &format!("{title} over time"));
        let span = format!("From {} to {}.", value(low, unit), value(high, unit));
        w.element("desc", &[], &span);
        lines(w, &field, step, unit);
        times(w, &field);
        for at in changes {
            let x = field.x(*at);
            let (top, bottom) = (format!("{TOP}"), format!("{}", TOP + FIELD));
            let ends = [("x1", &*x), ("x2", &*x), ("y1", &*top), ("y2", &*bottom)];
            w.empty("line", &[&[("class", "change")][..], &ends].concat());
        }
        curve(w, &field, points);
    });
}

fn lines(w: &mut Writer, field: &Field, step: f64, unit: &str) {
    let count = ((field.high - field.low) / step).round() as u32;
    for i in 0..=count.min(12) {
        let at = field.low + f64::from(i) * step;
        let y = field.y(at);
        let class = if i == 0 { "axis" } else { "median" };
        let left = percent(LABEL);
        w.empty(
            "line",
            &[
                ("class", class),
                ("x1", &left),
                ("x2", "100%"),
                ("y1", &y),
                ("y2", &y),
            ],
        );
        w.element(
            "text",
            &[("class", "end"), ("x", "0"), ("y", &y)],
            &value(at, unit),
        );
    }
}

fn times(w: &mut Writer, field: &Field) {
    let y = format!("{}", TOP + FIELD + 16.0);
    for i in 0..LABELS {
        // Not at the very end, where a label would be cut.
        let at = field.last * f64::from(i) / f64::from(LABELS);
        let x = field.x(at);
        let time = match i {
            0 => "0 s".to_owned(),
            _ => units::seconds(at),
        };
        w.element("text", &[("class", "tick"), ("x", &x), ("y", &y)], &time);
    }
}

fn curve(w: &mut Writer, field: &Field, points: &[(&Epoch, f64)]) {
    let middle = |e: &Epoch| field.x(e.at + e.seconds / 2.0);
    w.node("g", &[("class", "c1")], |w| {
        for two in points.windows(2) {
            let ((from, low), (to, high)) = (two[0], two[1]);
            // Another start of the program is another line.
            if from.start != to.start {
                continue;
            }
            let class = if from.warm { "curve warm" } else { "curve" };
            let ends = [
                ("x1", middle(from)),
                ("x2", middle(to)),
                ("y1", field.y(low)),
                ("y2", field.y(high)),
            ];
            let ends: Vec<(&str, &str)> = ends.iter().map(|(n, v)| (*n, v.as_str())).collect();
            w.empty("line", &[&[("class", class)][..], &ends].concat());
        }
        for (epoch, at) in points {
            let class = if epoch.warm { "dot warm" } else { "dot" };
            let (x, y) = (middle(epoch), field.y(*at));
            w.empty(
                "circle",
                &[("class", class), ("cx", &x), ("cy", &y), ("r", "1.8")],
            );
        }
    });
}
