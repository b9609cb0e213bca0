//! Size against throughput: sizes on a logarithmic axis, throughput on a linear one.

use karat_model::units::significant;
use karat_page::Writer;
use karat_page::scale::{Scale, percent, round_step};
use karat_page::{marker, pen};

/// What one chart shows.
pub struct Curves {
    /// What it is about, for those who do not see it.
    pub title: String,
    /// What stands below it.
    pub about: String,
    /// Unit of throughput.
    pub unit: &'static str,
    /// The sizes, the smallest first, each with its label.
    pub sizes: Vec<(u64, String)>,
    /// The lines.
    pub series: Vec<Series>,
}

/// One arm over sizes.
pub struct Series {
    /// Its name.
    pub name: String,
    /// Whether it is a peer's.
    pub peer: bool,
    /// Whether calls go to it.
    pub chosen: bool,
    /// What is to be known of it, or empty.
    pub note: String,
    /// Size of an item, and throughput.
    pub points: Vec<(u64, f64)>,
}

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

impl Curves {
    /// Draws the chart and its legend.
    pub fn draw(&self, w: &mut Writer) {
        let rates = self.series.iter().flat_map(|s| &s.points).map(|p| p.1);
        let highest = rates.fold(0.0, f64::max);
        let step = round_step(highest / LINES as f64);
        let end = |size: Option<&(u64, String)>| size.map_or(1.0, |(size, _)| *size as f64);
        let (first, last) = (end(self.sizes.first()), end(self.sizes.last()));
        let field = Field {
            sizes: Scale::new(first.log2(), last.log2()),
            most: (highest / step).ceil().max(1.0) * step,
        };
        let title = format!("{}: throughput by size", self.title);
        let height = TOP + FIELD + AXIS;
        pen::chart(w, height, &title, &self.description(), |w| {
            lines(w, &field, step, self.unit);
            self.labels(w, &field);
            // Peers first: karat's lines are drawn over them.
            for (index, series) in self.series.iter().enumerate().rev() {
                curve(w, &field, index, series, self.unit);
            }
        });
        w.node("ul", &[("class", "legend")], |w| {
            for (index, series) in self.series.iter().enumerate() {
                w.node("li", &[], |w| entry(w, index, series));
            }
        });
        w.element("p", &[("class", "fine")], &self.about);
    }

    fn description(&self) -> String {
        let label = |size: u64| {
            let known = self.sizes.iter().find(|(s, _)| *s == size);
            known.map_or("", |(_, label)| label.as_str())
        };
        let one = |s: &Series| {
            let point =
                |(size, rate): &(u64, f64)| format!("{} at {}", significant(*rate), label(*size));
            let values: Vec<String> = s.points.iter().map(point).collect();
            format!("{}, in {}: {}.", s.name, self.unit, values.join(", "))
        };
        self.series.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    fn labels(&self, w: &mut Writer, field: &Field) {
        let every = self.sizes.len().div_ceil(LABELS).max(1);
        // Counted from the end: the largest size always has its label.
        for (size, label) in self.sizes.iter().rev().step_by(every) {
            pen::label(w, "tick", &field.x(*size as f64), TOP + FIELD + 16.0, label);
        }
    }
}

/// A mark, and whose line it is.
fn entry(w: &mut Writer, index: usize, series: &Series) {
    let frame = [
        ("class", "chart key-mark"),
        ("width", "12"),
        ("height", "12"),
        ("aria-hidden", "true"),
    ];
    w.node("svg", &frame, |w| {
        w.node("g", &[("class", &marker::colour(index))], |w| {
            marker::put(w, &marker::shape(index), "6", 6.0);
        });
    });
    match series.chosen {
        true => w.element("strong", &[], &series.name),
        false => w.text(&series.name),
    }
    if !series.note.is_empty() {
        w.text(&format!(" ({})", series.note));
    }
}

fn lines(w: &mut Writer, field: &Field, step: f64, unit: &str) {
    let count = (field.most / step).round() as usize;
    for i in 0..=count {
        let value = i as f64 * step;
        let y = field.y(value);
        let class = if i == 0 { "axis" } else { "median" };
        pen::line(w, class, ["0", "100%"], [y, y]);
        if i > 0 {
            let unit = if i == count { unit } else { "" };
            let decimals = usize::from(step < 1.0) + usize::from(step < 0.1);
            let text = format!("{value:.decimals$} {unit}");
            pen::label(w, "end", "0", y - 4.0, text.trim_end());
        }
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
            let ends = [&*field.x(*from as f64), &*field.x(*to as f64)];
            pen::line(w, "curve", ends, [field.y(*low), field.y(*high)]);
        }
        for (size, rate) in &series.points {
            let at = field.x(*size as f64);
            marker::put(w, &marker::shape(index), &at, field.y(*rate));
        }
    });
}
