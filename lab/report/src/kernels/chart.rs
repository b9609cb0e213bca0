//! Size against throughput: sizes on a logarithmic axis, throughput on a linear one.

use super::panels::{Panel, Series};
use super::{rate_unit, sized};
use crate::html::write::Writer;
use crate::svg::marker;
use crate::svg::scale::{Scale, percent, round_step};
use karat_model::units::significant;

/// Height of the field in pixels, and what is above and below it.
const FIELD: f64 = 190.0;
const TOP: f64 = 20.0;
const AXIS: f64 = 24.0;
/// Lines across the field.
const LINES: usize = 4;
/// Sizes with a label at most, so that labels do not touch at 360 pixels.
const LABELS: usize = 6;

/// Room for the labels of the lines, in percent of the width.
const LABEL: f64 = 6.0;

/// Where values lie.
struct Field {
    sizes: Scale,
    most: f64,
}

impl Field {
    /// The scale's places, moved to the right of the labels of the lines.
    fn x(&self, bytes: f64) -> String {
        percent(LABEL + self.sizes.at(bytes.log2()) / 100.0 * (100.0 - LABEL))
    }

    fn y(&self, throughput: f64) -> f64 {
        TOP + FIELD * (1.0 - (throughput / self.most).clamp(0.0, 1.0))
    }
}

/// Draws a panel's chart.
pub(super) fn draw(w: &mut Writer, panel: &Panel<'_>) {
    let points = || panel.series.iter().flat_map(|s| &s.points);
    let highest = points().map(|p| p.1).fold(0.0, f64::max);
    let step = round_step(highest / LINES as f64);
    let first = points().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let last = points().map(|p| p.0).fold(0.0, f64::max);
    let field = Field {
        sizes: Scale::new(first.log2(), last.log2()),
        most: (highest / step).ceil().max(1.0) * step,
    };
    let height = format!("{}", TOP + FIELD + AXIS);
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
            &format!("{}: throughput by size", panel.title),
        );
        w.element("desc", &[], &description(panel));
        lines(w, &field, step, rate_unit(panel.cases[0]));
        labels(w, &field, panel);
        // Peers first: karat's lines are drawn over them.
        for (index, series) in panel.series.iter().enumerate().rev() {
            curve(w, &field, index, series, rate_unit(panel.cases[0]));
        }
    });
}

fn description(panel: &Panel<'_>) -> String {
    let unit = rate_unit(panel.cases[0]);
    let one = |s: &Series| {
        let values: Vec<String> = s
            .points
            .iter()
            .map(|(bytes, rate)| {
                format!(
                    "{} at {}",
                    significant(*rate),
                    sized(*bytes as u64, panel.cases[0].unit)
                )
            })
            .collect();
        format!("{}, in {unit}: {}.", s.name, values.join(", "))
    };
    panel.series.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn lines(w: &mut Writer, field: &Field, step: f64, unit: &str) {
    let count = (field.most / step).round() as usize;
    for i in 0..=count {
        let value = i as f64 * step;
        let y = format!("{:.1}", field.y(value));
        let class = if i == 0 { "axis" } else { "median" };
        w.empty(
            "line",
            &[
                ("class", class),
                ("x1", "0"),
                ("x2", "100%"),
                ("y1", &y),
                ("y2", &y),
            ],
        );
        if i > 0 {
            let unit = if i == count {
                format!(" {unit}")
            } else {
                String::new()
            };
            let above = format!("{:.1}", field.y(value) - 4.0);
            let decimals = usize::from(step < 1.0) + usize::from(step < 0.1);
            w.element(
                "text",
                &[("class", "end"), ("x", "0"), ("y", &above)],
                &format!("{value:.decimals$}{unit}"),
            );
        }
    }
}

fn labels(w: &mut Writer, field: &Field, panel: &Panel<'_>) {
    let mut sizes: Vec<u64> = panel.cases.iter().map(|c| c.size).collect();
    sizes.dedup();
    let every = sizes.len().div_ceil(LABELS).max(1);
    let y = format!("{}", TOP + FIELD + 16.0);
    // Counted from the end: the largest size always has its label.
    for bytes in sizes.iter().rev().step_by(every) {
        let x = field.x(*bytes as f64);
        w.element(
            "text",
            &[("class", "tick"), ("x", &x), ("y", &y)],
            &sized(*bytes, panel.cases[0].unit),
        );
    }
}

fn curve(w: &mut Writer, field: &Field, index: usize, series: &Series, unit: &str) {
    let colour = marker::colour(index);
    let class = match (series.peer, series.chosen) {
        (true, _) => format!("{colour} peer"),
        (false, true) => format!("{colour} chosen"),
        (false, false) => colour,
    };
    w.node("g", &[("class", &class)], |w| {
        let last = series.points.last().map_or(0.0, |p| p.1);
        let title = format!(
            "{}: {} {unit} at the largest size",
            series.name,
            significant(last)
        );
        w.element("title", &[], &title);
        for pair in series.points.windows(2) {
            let [(from, low), (to, high)] = pair else {
                continue;
            };
            let (y1, y2) = (
                format!("{:.1}", field.y(*low)),
                format!("{:.1}", field.y(*high)),
            );
            w.empty(
                "line",
                &[
                    ("class", "curve"),
                    ("x1", &field.x(*from)),
                    ("x2", &field.x(*to)),
                    ("y1", &y1),
                    ("y2", &y2),
                ],
            );
        }
        for (bytes, rate) in &series.points {
            marker::put(
                w,
                &marker::shape(index),
                "",
                &field.x(*bytes),
                field.y(*rate),
            );
        }
    });
}
