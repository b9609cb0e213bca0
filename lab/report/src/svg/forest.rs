//! Point and interval of every variant on one workload.

use super::marker;
use super::scale::{Scale, percent, tick_label};
use crate::html::write::{Writer, tone};
use crate::wording;
use crate::{number, tables::matrix};
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::verdict::{Comparison, Judgement};

/// Height of a variant's row: a line of text, then the interval.
const ROW: f64 = 44.0;
/// From the top of a row to its text's baseline, and to its strip.
const TEXT: f64 = 13.0;
const STRIP: f64 = 19.0;
const STRIP_HEIGHT: f64 = 16.0;
/// From the top of a row to its interval.
const MARK: f64 = STRIP + STRIP_HEIGHT / 2.0;
/// Height of the axis.
const AXIS: f64 = 42.0;
/// Longest name that fits beside the word on a narrow screen.
const NAME: usize = 32;

struct Row<'a> {
    name: String,
    comparison: &'a Comparison,
    noise: bool,
}

/// Draws the chart.
pub fn draw(w: &mut Writer, evidence: &Evidence, workload: &WorkloadEvidence) {
    let rows = rows(evidence, workload);
    let margin = evidence.study.margin * 100.0;
    let scale = scale(&rows, margin);
    let bottom = rows.len() as f64 * ROW + 4.0;
    let height = format!("{}", bottom + AXIS);
    let frame = [
        ("class", "chart"),
        ("width", "100%"),
        ("height", height.as_str()),
        ("role", "img"),
    ];
    w.node("svg", &frame, |w| {
        w.element(
            "title",
            &[],
            &format!("Change of speed on {}, by variant", workload.name),
        );
        w.element("desc", &[], &description(&rows));
        for (nth, row) in rows.iter().enumerate() {
            let top = nth as f64 * ROW;
            track(w, &scale, margin, top);
            draw_row(w, &scale, row, top);
        }
        axis(w, &scale, bottom);
    });
}

fn rows<'a>(evidence: &'a Evidence, workload: &'a WorkloadEvidence) -> Vec<Row<'a>> {
    let again = workload.again.as_ref().map(|comparison| Row {
        name: format!("{} again (A/A)", comparison.variant),
        comparison,
        noise: true,
    });
    let compared = matrix::rows(evidence)
        .into_iter()
        .filter_map(|r| matrix::comparison(workload, &r.variant.name))
        .map(|comparison| Row {
            name: comparison.variant.clone(),
            comparison,
            noise: false,
        });
    again.into_iter().chain(compared).collect()
}

/// Holds every estimate and the margin; bounds as far as they are not several
/// times further out, for one wide interval must not flatten all others.
fn scale(rows: &[Row<'_>], margin: f64) -> Scale {
    let finite = |v: &f64| v.is_finite();
    let (mut low, mut high) = (-1.6 * margin, 1.6 * margin);
    for v in rows
        .iter()
        .flat_map(|r| {
            let layouts = r.comparison.layouts.iter().flat_map(|l| &l.speeds);
            layouts.copied().chain([r.comparison.speed.estimate])
        })
        .map(effect)
        .filter(finite)
    {
        low = low.min(v);
        high = high.max(v);
    }
    let reach = high - low;
    let bounds = rows
        .iter()
        .flat_map(|r| [r.comparison.speed.low, r.comparison.speed.high])
        .flatten()
        .map(effect)
        .filter(finite);
    let (least, most) = (low - reach, high + reach);
    for v in bounds {
        low = low.min(v.max(least));
        high = high.max(v.min(most));
    }
    Scale::new(low, high)
}

fn effect(ratio: f64) -> f64 {
    (ratio - 1.0) * 100.0
}

fn description(rows: &[Row<'_>]) -> String {
    rows.iter()
        .map(|r| {
            format!(
                "{}: {} ({}) {}.",
                r.name,
                number::change(r.comparison.speed.estimate),
                wording::interval(&r.comparison.speed),
                if r.noise {
                    "noise"
                } else {
                    r.comparison.judgement.word()
                },
            )
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// The strip on which a row's interval lies: the margin as a band, no change as
/// a line.
fn track(w: &mut Writer, scale: &Scale, margin: f64, top: f64) {
    let (y, height) = (format!("{}", top + STRIP), format!("{STRIP_HEIGHT}"));
    let from = scale.at(-margin);
    let width = percent(scale.at(margin) - from);
    let rect = |w: &mut Writer, class: &str, x: &str, width: &str| {
        w.empty(
            "rect",
            &[
                ("class", class),
                ("x", x),
                ("y", &y),
                ("width", width),
                ("height", &height),
            ],
        );
    };
    rect(w, "lane", "0", "100%");
    rect(w, "band", &percent(from), &width);
    let zero = scale.x(0.0);
    let end = format!("{}", top + STRIP + STRIP_HEIGHT);
    w.empty(
        "line",
        &[
            ("class", "zero"),
            ("x1", &zero),
            ("x2", &zero),
            ("y1", &y),
            ("y2", &end),
        ],
    );
}

fn draw_row(w: &mut Writer, scale: &Scale, row: &Row<'_>, top: f64) {
    let c = row.comparison;
    let class = if row.noise {
        "noise"
    } else {
        tone(wording::judgement_tone(c.judgement))
    };
    w.node("g", &[("class", class)], |w| {
        let interval = wording::interval(&c.speed);
        let change = number::change(c.speed.estimate);
        let word = if row.noise {
            "noise"
        } else {
            c.judgement.word()
        };
        w.element(
            "title",
            &[],
            &format!("{}: {change} ({interval}) {word}", row.name),
        );
        let y = format!("{}", top + TEXT);
        w.element(
            "text",
            &[("class", "name"), ("x", "0"), ("y", &y)],
            &wording::shortened(&row.name, NAME),
        );
        // The table has the figures; here they are places.
        w.element(
            "text",
            &[("class", "value"), ("x", "100%"), ("y", &y)],
            word,
        );
        if c.speed.estimate.is_finite() {
            range(w, scale, c, top + MARK);
            for speed in c.layouts.iter().flat_map(|l| &l.speeds) {
                if speed.is_finite() {
                    marker::put(w, "speck", "", &scale.x(effect(*speed)), top + MARK);
                }
            }
            let symbol = match c.judgement {
                _ if row.noise => "ring",
                Judgement::Inconclusive => "ring",
                Judgement::Same => "square",
                Judgement::Faster | Judgement::Slower => "dot",
            };
            marker::put(
                w,
                symbol,
                "",
                &scale.x(effect(c.speed.estimate)),
                top + MARK,
            );
        }
    });
}

/// The interval's bar; an end that is open or off the chart gets an arrow.
fn range(w: &mut Writer, scale: &Scale, c: &Comparison, y: f64) {
    let end = |bound: Option<f64>, open: &str| match bound.map(effect) {
        Some(v) if scale.holds(v) => (scale.x(v), true),
        _ => (open.to_owned(), false),
    };
    let (from, low_bound) = end(c.speed.low, "0.6%");
    let (to, high_bound) = end(c.speed.high, "99.4%");
    let at = format!("{y}");
    w.empty(
        "line",
        &[
            ("class", "range"),
            ("x1", &from),
            ("x2", &to),
            ("y1", &at),
            ("y2", &at),
        ],
    );
    for (x, bound, arrow) in [(&from, low_bound, "less"), (&to, high_bound, "more")] {
        if bound {
            let (top, bottom) = (format!("{}", y - 4.0), format!("{}", y + 4.0));
            w.empty(
                "line",
                &[
                    ("class", "range"),
                    ("x1", x),
                    ("x2", x),
                    ("y1", &top),
                    ("y2", &bottom),
                ],
            );
        } else {
            marker::put(w, arrow, "", x, y);
        }
    }
}

fn axis(w: &mut Writer, scale: &Scale, top: f64) {
    let y = format!("{top}");
    w.empty(
        "line",
        &[
            ("class", "axis"),
            ("x1", "0"),
            ("x2", "100%"),
            ("y1", &y),
            ("y2", &y),
        ],
    );
    let (tick_end, label) = (format!("{}", top + 5.0), format!("{}", top + 18.0));
    for tick in scale.ticks(4) {
        let x = scale.x(tick);
        w.empty(
            "line",
            &[
                ("class", "axis"),
                ("x1", &x),
                ("x2", &x),
                ("y1", &y),
                ("y2", &tick_end),
            ],
        );
        w.element(
            "text",
            &[("class", "tick"), ("x", &x), ("y", &label)],
            &tick_label(tick),
        );
    }
    let ends = format!("{}", top + 36.0);
    w.element(
        "text",
        &[("class", "end"), ("x", "0"), ("y", &ends)],
        "← slower",
    );
    w.element(
        "text",
        &[("class", "end right"), ("x", "100%"), ("y", &ends)],
        "faster →",
    );
}
