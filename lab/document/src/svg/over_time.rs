//! Figures over time: time on one axis, the figure on the other, from its lowest epoch to
//! its highest.

use crate::number::amount;
use karat_model::units;
use karat_page::Writer;
use karat_page::scale::{percent, round_step};

/// What one chart shows.
pub struct OverTime {
    /// What it is of, for those who do not see it.
    pub title: String,
    /// The figure's unit.
    pub unit: &'static str,
    /// The epochs, in order.
    pub points: Vec<Point>,
    /// Seconds at which the figure changes its level.
    pub changes: Vec<f64>,
}

/// An epoch and its figure.
pub struct Point {
    /// Seconds at which the epoch begins, and how long it is.
    pub at: [f64; 2],
    /// The figure.
    pub value: f64,
    /// Which start of the program it belongs to.
    pub start: u32,
    /// Whether it is not judged.
    pub warm: bool,
}

/// Height of the field in pixels, and what is above and below it.
const FIELD: f64 = 150.0;
const TOP: f64 = 20.0;
const AXIS: f64 = 24.0;
/// Lines across the field.
const LINES: f64 = 3.0;
/// Room for the labels of the lines, in percent of the width: at least, and for a character
/// where a chart is as narrow as on a telephone (6.2 of 340 pixels).
const LABEL: f64 = 12.0;
const CHARACTER: f64 = 100.0 * 6.2 / 340.0;
/// Places on the axis of time with a label.
const LABELS: u32 = 4;

struct Field {
    last: f64,
    low: f64,
    high: f64,
    /// Where it begins, in percent of the width: behind the labels.
    left: f64,
}

impl Field {
    fn x(&self, seconds: f64) -> String {
        percent(self.left + seconds / self.last * (99.0 - self.left))
    }

    /// Lines above the lowest one.
    fn lines(&self, step: f64) -> u32 {
        (((self.high - self.low) / step).round() as u32).min(12)
    }

    fn y(&self, value: f64) -> String {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        format!("{:.1}", TOP + FIELD * (1.0 - share))
    }
}

impl OverTime {
    /// Draws the chart.
    pub fn draw(&self, w: &mut Writer) {
        draw(w, &self.title, self.unit, &self.points, &self.changes);
    }
}

fn draw(w: &mut Writer, title: &str, unit: &str, points: &[Point], changes: &[f64]) {
    let values = || points.iter().map(|p| p.value);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    // A figure that hardly moves is not blown up to fill the plot.
    let room = (high - low).max(0.02 * high.abs()).max(1e-9);
    let step = round_step(room / LINES);
    let mut field = Field {
        left: LABEL,
        last: points.last().map_or(1.0, |p| p.at[0] + p.at[1]).max(1e-9),
        low: (low / step).floor() * step,
        high: ((high / step).floor() + 1.0) * step,
    };
    let labels: Vec<(f64, String)> = (0..=field.lines(step))
        .map(|i| field.low + f64::from(i) * step)
        .map(|at| (at, amount(at, unit)))
        .collect();
    let longest = labels.iter().map(|(_, label)| label.chars().count()).max();
    field.left = LABEL.max(CHARACTER * (longest.unwrap_or(0) + 1) as f64);
    let height = format!("{}", TOP + FIELD + AXIS);
    let frame = [
        ("class", "chart"),
        ("width", "100%"),
        ("height", height.as_str()),
        ("role", "img"),
    ];
    w.node("svg", &frame, |w| {
        w.element("title", &[], &format!("{title} over time"));
        let span = format!("From {} to {}.", amount(low, unit), amount(high, unit));
        w.element("desc", &[], &span);
        lines(w, &field, &labels);
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

fn lines(w: &mut Writer, field: &Field, labels: &[(f64, String)]) {
    for (i, (at, label)) in labels.iter().enumerate() {
        let y = field.y(*at);
        let class = if i == 0 { "axis" } else { "median" };
        let left = percent(field.left);
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
        w.element("text", &[("class", "end"), ("x", "0"), ("y", &y)], label);
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

fn curve(w: &mut Writer, field: &Field, points: &[Point]) {
    let middle = |p: &Point| field.x(p.at[0] + p.at[1] / 2.0);
    w.node("g", &[("class", "c1")], |w| {
        for two in points.windows(2) {
            let [from, to] = two else { continue };
            // Another start of the program is another line.
            if from.start != to.start {
                continue;
            }
            let class = if from.warm { "curve warm" } else { "curve" };
            let ends = [
                ("x1", middle(from)),
                ("x2", middle(to)),
                ("y1", field.y(from.value)),
                ("y2", field.y(to.value)),
            ];
            let ends: Vec<(&str, &str)> = ends.iter().map(|(n, v)| (*n, v.as_str())).collect();
            w.empty("line", &[&[("class", class)][..], &ends].concat());
        }
        for point in points {
            let class = if point.warm { "dot warm" } else { "dot" };
            let (x, y) = (middle(point), field.y(point.value));
            w.empty(
                "circle",
                &[("class", class), ("cx", &x), ("cy", &y), ("r", "1.8")],
            );
        }
    });
}
