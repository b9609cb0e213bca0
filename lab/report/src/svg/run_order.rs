//! Every sample of a workload at its time, one lane for each arm.

use super::marker;
use super::scale::{Scale, round_step};
use crate::html::write::Writer;
use crate::number::median;
use crate::{number, wording};
use karat_model::evidence::{Evidence, WorkloadEvidence};

/// Height of a lane, of its text, and half the height of its points' field.
const LANE: f64 = 48.0;
const TEXT: f64 = 12.0;
const MIDDLE: f64 = 31.0;
const HALF: f64 = 12.0;
/// Height of the axis.
const AXIS: f64 = 26.0;
/// Points of an arm below which nothing is said about drift.
const ENOUGH: usize = 6;
/// Longest name that fits beside the value on a narrow screen.
const NAME: usize = 25;

struct Point {
    at: f64,
    /// Speed against the arm's median, in percent.
    effect: f64,
    round: u32,
    value: f64,
    switches: u64,
    /// Switched out much more often than is usual for this workload.
    disturbed: bool,
}

struct Lane {
    arm: usize,
    name: String,
    median: f64,
    points: Vec<Point>,
}

/// The samples of one workload, ready to be drawn.
pub struct Chart<'a> {
    workload: &'a WorkloadEvidence,
    lanes: Vec<Lane>,
    time: Scale,
    /// What half a lane stands for, in percent.
    span: f64,
}

impl<'a> Chart<'a> {
    /// Collects the samples of a workload; `None` when there are none.
    pub fn new(evidence: &'a Evidence, index: usize) -> Option<Self> {
        let workload = evidence.workloads.get(index)?;
        let lanes: Vec<Lane> = evidence
            .arms
            .iter()
            .enumerate()
            .filter_map(|(arm, described)| lane(evidence, workload, arm, wording::arm(described)))
            .collect();
        let times = || lanes.iter().flat_map(|l| &l.points).map(|p| p.at);
        let first = times().fold(f64::INFINITY, f64::min);
        let last = times().fold(f64::NEG_INFINITY, f64::max);
        let mut reach: Vec<f64> = lanes
            .iter()
            .flat_map(|l| &l.points)
            .map(|p| p.effect.abs())
            .collect();
        reach.sort_by(f64::total_cmp);
        // Outliers go to the edge, so that they do not flatten a drift.
        let usual = *reach.get(reach.len() * 9 / 10)?;
        Some(Self {
            workload,
            lanes,
            time: Scale::new(first, last),
            span: round_step((usual * 1.5).clamp(0.5, 100.0)),
        })
    }

    /// How much faster the last third of the rounds was than the first, in the
    /// median over the arms.
    pub fn drift(&self) -> String {
        let drifts: Vec<f64> = self
            .lanes
            .iter()
            .filter(|l| l.points.len() >= ENOUGH)
            .map(|l| {
                let third = l.points.len() / 3;
                let of = |points: &[Point]| median(points.iter().map(|p| p.effect).collect());
                of(&l.points[l.points.len() - third..]) - of(&l.points[..third])
            })
            .collect();
        if drifts.is_empty() {
            return "too few rounds to tell a drift".to_owned();
        }
        let change = number::change(1.0 + median(drifts) / 100.0);
        format!("drift from the first to the last third {change}")
    }

    /// Draws the chart.
    pub fn draw(&self, w: &mut Writer) {
        let bottom = self.lanes.len() as f64 * LANE + 2.0;
        let height = format!("{}", bottom + AXIS);
        let frame = [
            ("class", "chart"),
            ("width", "100%"),
            ("height", height.as_str()),
            ("role", "img"),
        ];
        w.node("svg", &frame, |w| {
            let name = &self.workload.name;
            w.element("title", &[], &format!("Samples of {name} by time"));
            w.element(
                "desc",
                &[],
                &format!("One lane for each arm; {}.", self.drift()),
            );
            for (nth, lane) in self.lanes.iter().enumerate() {
                self.draw_lane(w, lane, nth as f64 * LANE, nth == 0);
            }
            self.axis(w, bottom);
        });
    }

    fn draw_lane(&self, w: &mut Writer, lane: &Lane, top: f64, first: bool) {
        let middle = top + MIDDLE;
        let field = format!("{}", middle - HALF);
        w.empty(
            "rect",
            &[
                ("class", "lane"),
                ("x", "0"),
                ("y", &field),
                ("width", "100%"),
                ("height", &format!("{}", 2.0 * HALF)),
            ],
        );
        let y = format!("{middle}");
        w.empty(
            "line",
            &[
                ("class", "median"),
                ("x1", "0"),
                ("x2", "100%"),
                ("y1", &y),
                ("y2", &y),
            ],
        );
        let text = format!("{}", top + TEXT);
        let median = number::value(lane.median, &self.workload.metric.unit);
        let label = if first {
            format!("{median} ± {}", number::chosen(self.span / 100.0))
        } else {
            median
        };
        w.element(
            "text",
            &[("class", "value"), ("x", "100%"), ("y", &text)],
            &label,
        );
        w.node("g", &[("class", &marker::colour(lane.arm))], |w| {
            let shape = marker::shape(lane.arm);
            marker::put(w, &shape, "", "5", top + TEXT - 4.0);
            w.element(
                "text",
                &[("class", "name"), ("x", "14"), ("y", &text)],
                &wording::shortened(&lane.name, NAME),
            );
            for point in &lane.points {
                self.draw_point(w, point, &shape, middle);
            }
        });
    }

    fn draw_point(&self, w: &mut Writer, point: &Point, shape: &str, middle: f64) {
        let x = self.time.x(point.at);
        let share = point.effect / self.span;
        let y = middle - share.clamp(-1.0, 1.0) * HALF;
        if point.disturbed {
            let (from, to) = (
                format!("{}", middle - HALF - 2.0),
                format!("{}", middle - HALF + 5.0),
            );
            w.empty(
                "line",
                &[
                    ("class", "switched"),
                    ("x1", &x),
                    ("x2", &x),
                    ("y1", &from),
                    ("y2", &to),
                ],
            );
        }
        // A point off the lane sits at its edge and is drawn hollow.
        let symbol = if share.abs() > 1.0 { "ring" } else { shape };
        let (href, y) = (format!("#{symbol}"), format!("{y:.1}"));
        w.node("use", &[("href", &href), ("x", &x), ("y", &y)], |w| {
            let mut title = format!(
                "round {}: {}, {}",
                point.round + 1,
                number::value(point.value, &self.workload.metric.unit),
                number::change(1.0 + point.effect / 100.0),
            );
            if point.switches > 0 {
                title += &format!(", switched out {}×", point.switches);
            }
            w.element("title", &[], &title);
        });
    }

    fn axis(&self, w: &mut Writer, top: f64) {
        let y = format!("{}", top + 14.0);
        for tick in self.time.ticks(7) {
            let label = format!("{} s", (tick * 100.0).round() / 100.0);
            w.element(
                "text",
                &[("class", "tick"), ("x", &self.time.x(tick)), ("y", &y)],
                &label,
            );
        }
    }
}

fn lane(
    evidence: &Evidence,
    workload: &WorkloadEvidence,
    arm: usize,
    name: String,
) -> Option<Lane> {
    let samples = || {
        evidence
            .samples_of(workload, arm)
            .filter(|(s, value)| value.is_finite() && *value > 0.0 && s.at.is_finite())
    };
    let middle = median(samples().map(|(_, value)| value).collect());
    let points: Vec<Point> = samples()
        .map(|(s, value)| Point {
            at: s.at,
            effect: (workload.metric.cost(middle) / workload.metric.cost(value) - 1.0) * 100.0,
            round: s.round,
            value,
            switches: s.switches,
            disturbed: s.disturbed,
        })
        .filter(|p| p.effect.is_finite())
        .collect();
    (!points.is_empty()).then_some(Lane {
        arm,
        name,
        median: middle,
        points,
    })
}
