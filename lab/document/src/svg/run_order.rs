//! Every sample of a workload at its time, one lane for each variant.

use crate::number::median;
use crate::{number, wording};
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::measure::Role;
use karat_page::Writer;
use karat_page::scale::{Scale, round_step};
use karat_page::{marker, pen, points};

/// Height of a lane, of its text, and half the height of its points' field.
const LANE: f64 = 44.0;
const TEXT: f64 = 12.0;
const MIDDLE: f64 = 29.0;
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
    /// Not quiet, or switched out much more often than is usual for this workload.
    disturbed: bool,
}

/// The samples of one arm.
struct Run {
    median: f64,
    points: Vec<Point>,
}

/// The arms of one variant, the baseline's second ones apart.
struct Lane {
    name: String,
    /// Odd arms: `two levels in 5 of 8 layouts`.
    odd: String,
    runs: Vec<Run>,
}

impl Lane {
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.runs.iter().flat_map(|r| &r.points)
    }
}

/// The samples of one workload, ready to be drawn.
pub struct RunOrder {
    workload: String,
    unit: String,
    lanes: Vec<Lane>,
    time: Scale,
    /// What half a lane stands for, in percent.
    span: f64,
}

impl RunOrder {
    /// Collects the samples of a workload; `None` when there are none.
    pub fn new(evidence: &Evidence, index: usize) -> Option<Self> {
        let workload = evidence.workloads.get(index)?;
        let lanes = lanes(evidence, workload);
        let times = || lanes.iter().flat_map(Lane::points).map(|p| p.at);
        let first = times().fold(f64::INFINITY, f64::min);
        let last = times().fold(f64::NEG_INFINITY, f64::max);
        let mut reach: Vec<f64> = lanes
            .iter()
            .flat_map(Lane::points)
            .map(|p| p.effect.abs())
            .collect();
        reach.sort_by(f64::total_cmp);
        // Outliers go to the edge, so that they do not flatten a drift.
        let usual = *reach.get(reach.len() * 9 / 10)?;
        Some(Self {
            workload: workload.name.clone(),
            unit: workload.metric.unit.clone(),
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
            .flat_map(|l| &l.runs)
            .filter(|r| r.points.len() >= ENOUGH)
            .map(|r| {
                let third = r.points.len() / 3;
                let of = |points: &[Point]| median(points.iter().map(|p| p.effect).collect());
                of(&r.points[r.points.len() - third..]) - of(&r.points[..third])
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
        let title = format!("Samples of {} by time", self.workload);
        let description = format!("One lane for each variant; {}.", self.drift());
        pen::chart(w, bottom + AXIS, &title, &description, |w| {
            for (nth, lane) in self.lanes.iter().enumerate() {
                self.draw_lane(w, lane, nth);
            }
            self.axis(w, bottom);
        });
    }

    fn draw_lane(&self, w: &mut Writer, lane: &Lane, nth: usize) {
        let top = nth as f64 * LANE;
        let middle = top + MIDDLE;
        pen::rect(w, "lane", ["0", "100%"], [middle - HALF, 2.0 * HALF]);
        pen::line(w, "median", ["0", "100%"], [middle, middle]);
        let name = wording::shortened(&lane.name, NAME);
        pen::label(w, "name", "0", top + TEXT, &name);
        let text = pen::px(top + TEXT);
        let place = [("class", "value"), ("x", "100%"), ("y", &*text)];
        w.node("text", &place, |w| {
            if !lane.odd.is_empty() {
                w.element("tspan", &[("class", "wide")], &format!("{} · ", lane.odd));
            }
            w.text(&self.label(lane, nth == 0));
        });
        w.node("g", &[("class", &marker::colour(nth))], |w| {
            let place = |p: &Point| {
                // A point off the lane sits at its edge.
                let y = HALF - (p.effect / self.span).clamp(-1.0, 1.0) * HALF;
                (self.time.at(p.at), y)
            };
            let of = |disturbed: bool| -> Vec<(f64, f64)> {
                let own = lane.points().filter(|p| p.disturbed == disturbed);
                own.map(place).collect()
            };
            points::draw(w, (middle - HALF, 2.0 * HALF), &of(false), &of(true));
        });
    }

    /// What a run of the lane took; in the first lane also what half a lane stands for.
    fn label(&self, lane: &Lane, first: bool) -> String {
        let middle = median(lane.runs.iter().map(|r| r.median).collect());
        let value = number::value(middle, &self.unit);
        match first {
            true => format!("{value} ± {}", number::chosen(self.span / 100.0)),
            false => value,
        }
    }

    fn axis(&self, w: &mut Writer, top: f64) {
        for tick in self.time.ticks(7) {
            let text = format!("{} s", (tick * 100.0).round() / 100.0);
            pen::label(w, "tick", &self.time.x(tick), top + 14.0, &text);
        }
    }
}

fn lanes(evidence: &Evidence, workload: &WorkloadEvidence) -> Vec<Lane> {
    let mut keys: Vec<(&str, bool)> = Vec::new();
    for arm in &evidence.arms {
        let key = (arm.variant.as_str(), arm.role == Role::Again);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let lane = |(variant, again): (&str, bool)| {
        let arms: Vec<usize> = (0..evidence.arms.len())
            .filter(|i| {
                let arm = &evidence.arms[*i];
                arm.variant == variant && (arm.role == Role::Again) == again
            })
            .collect();
        let runs: Vec<Run> = arms
            .iter()
            .filter_map(|arm| run(evidence, workload, *arm))
            .collect();
        (!runs.is_empty()).then(|| Lane {
            name: match again {
                true => format!("{variant} again (A/A)"),
                false => variant.to_owned(),
            },
            odd: odd(workload, &arms),
            runs,
        })
    };
    keys.into_iter().filter_map(lane).collect()
}

/// What is odd of these arms.
fn odd(workload: &WorkloadEvidence, arms: &[usize]) -> String {
    let words = |kind: &str| match kind {
        "two-levels" => "two levels",
        _ => "drift",
    };
    let parts: Vec<String> = workload
        .oddities
        .iter()
        .filter_map(|o| {
            let count = arms
                .iter()
                .filter(|a| o.arms.contains(&(**a as u32)))
                .count();
            match (count, arms.len()) {
                (0, _) => None,
                (_, 1) => Some(words(&o.kind).to_owned()),
                (n, all) => Some(format!("{} in {n} of {all} layouts", words(&o.kind))),
            }
        })
        .collect();
    parts.join(", ")
}

fn run(evidence: &Evidence, workload: &WorkloadEvidence, arm: usize) -> Option<Run> {
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
            disturbed: s.disturbed || (s.width.is_some() && !s.quiet),
        })
        .filter(|p| p.effect.is_finite())
        .collect();
    (!points.is_empty()).then_some(Run {
        median: middle,
        points,
    })
}
