//! Point and interval of every variant on one workload.

use crate::number;
use crate::wording;
use karat_model::evidence::WorkloadEvidence;
use karat_model::verdict::{Comparison, Judgement, SpeedRatio};
use karat_page::Writer;
use karat_page::scale::{Scale, percent, tick_label};
use karat_page::{marker, pen};

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

/// The comparisons of a workload.
pub struct Forest {
    workload: String,
    /// The margin, in percent.
    margin: f64,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    speed: SpeedRatio,
    judgement: Judgement,
    /// The change in each layout, where there are several.
    layouts: Vec<f64>,
    noise: bool,
}

impl Row {
    fn new(name: String, c: &Comparison, noise: bool) -> Self {
        let layouts = c.layouts.iter().flat_map(|l| &l.speeds);
        Self {
            name,
            speed: c.speed,
            judgement: c.judgement,
            layouts: layouts.copied().collect(),
            noise,
        }
    }

    fn word(&self) -> &'static str {
        match self.noise {
            true => "noise",
            false => self.judgement.word(),
        }
    }
}

impl Forest {
    /// The baseline against itself, then every comparison of `compared`, in that order;
    /// `margin` is a share.
    pub fn new<'a>(
        workload: &WorkloadEvidence,
        compared: impl Iterator<Item = &'a Comparison>,
        margin: f64,
    ) -> Self {
        let again = workload.again.as_ref();
        let again = again.map(|c| Row::new(format!("{} again (A/A)", c.variant), c, true));
        let compared = compared.map(|c| Row::new(c.variant.clone(), c, false));
        Self {
            workload: workload.name.clone(),
            margin: margin * 100.0,
            rows: again.into_iter().chain(compared).collect(),
        }
    }

    /// Draws the chart.
    pub fn draw(&self, w: &mut Writer) {
        let scale = scale(&self.rows, self.margin);
        let bottom = self.rows.len() as f64 * ROW + 4.0;
        let title = format!("Change of speed on {}, by variant", self.workload);
        pen::chart(w, bottom + AXIS, &title, &description(&self.rows), |w| {
            for (nth, row) in self.rows.iter().enumerate() {
                let top = nth as f64 * ROW;
                track(w, &scale, self.margin, top);
                draw_row(w, &scale, row, top);
            }
            axis(w, &scale, bottom);
        });
    }
}

/// Holds every estimate and the margin; bounds as far as they are not several
/// times further out, for one wide interval must not flatten all others.
fn scale(rows: &[Row], margin: f64) -> Scale {
    let finite = |v: &f64| v.is_finite();
    let (mut low, mut high) = (-1.6 * margin, 1.6 * margin);
    for v in rows
        .iter()
        .flat_map(|r| r.layouts.iter().copied().chain([r.speed.estimate]))
        .map(effect)
        .filter(finite)
    {
        low = low.min(v);
        high = high.max(v);
    }
    let reach = high - low;
    let bounds = rows
        .iter()
        .flat_map(|r| [r.speed.low, r.speed.high])
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

fn description(rows: &[Row]) -> String {
    let all: Vec<String> = rows.iter().map(|r| format!("{}.", said(r))).collect();
    all.join(" ")
}

fn said(row: &Row) -> String {
    let change = number::change(row.speed.estimate);
    let interval = wording::interval(&row.speed);
    format!("{}: {change} ({interval}) {}", row.name, row.word())
}

/// The strip on which a row's interval lies: the margin as a band, no change as
/// a line.
fn track(w: &mut Writer, scale: &Scale, margin: f64, top: f64) {
    let y = top + STRIP;
    let from = scale.at(-margin);
    let width = percent(scale.at(margin) - from);
    pen::rect(w, "lane", ["0", "100%"], [y, STRIP_HEIGHT]);
    pen::rect(w, "band", [&percent(from), &width], [y, STRIP_HEIGHT]);
    let zero = scale.x(0.0);
    pen::line(w, "zero", [&zero, &zero], [y, y + STRIP_HEIGHT]);
}

fn draw_row(w: &mut Writer, scale: &Scale, row: &Row, top: f64) {
    let class = if row.noise {
        "noise"
    } else {
        wording::judgement_tone(row.judgement).class()
    };
    w.node("g", &[("class", class)], |w| {
        w.element("title", &[], &said(row));
        let name = wording::shortened(&row.name, NAME);
        pen::label(w, "name", "0", top + TEXT, &name);
        // The table has the figures; here they are places.
        pen::label(w, "value", "100%", top + TEXT, row.word());
        if row.speed.estimate.is_finite() {
            range(w, scale, &row.speed, top + MARK);
            for speed in &row.layouts {
                if speed.is_finite() {
                    marker::put(w, "speck", &scale.x(effect(*speed)), top + MARK);
                }
            }
            let symbol = match row.judgement {
                _ if row.noise => "ring",
                Judgement::Inconclusive => "ring",
                Judgement::Same => "square",
                Judgement::Faster | Judgement::Slower => "dot",
            };
            let at = scale.x(effect(row.speed.estimate));
            marker::put(w, symbol, &at, top + MARK);
        }
    });
}

/// The interval's bar; an end that is open or off the chart gets an arrow.
fn range(w: &mut Writer, scale: &Scale, speed: &SpeedRatio, y: f64) {
    let end = |bound: Option<f64>, open: &str| match bound.map(effect) {
        Some(v) if scale.holds(v) => (scale.x(v), true),
        _ => (open.to_owned(), false),
    };
    let (from, low_bound) = end(speed.low, "0.6%");
    let (to, high_bound) = end(speed.high, "99.4%");
    pen::line(w, "range", [&from, &to], [y, y]);
    for (x, bound, arrow) in [(&from, low_bound, "less"), (&to, high_bound, "more")] {
        match bound {
            true => pen::line(w, "range", [x, x], [y - 4.0, y + 4.0]),
            false => marker::put(w, arrow, x, y),
        }
    }
}

fn axis(w: &mut Writer, scale: &Scale, top: f64) {
    pen::line(w, "axis", ["0", "100%"], [top, top]);
    for tick in scale.ticks(4) {
        let x = scale.x(tick);
        pen::line(w, "axis", [&x, &x], [top, top + 5.0]);
        pen::label(w, "tick", &x, top + 18.0, &tick_label(tick));
    }
    pen::label(w, "end", "0", top + 36.0, "← slower");
    pen::label(w, "end right", "100%", top + 36.0, "faster →");
}
