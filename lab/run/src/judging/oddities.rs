//! What an average over an arm's samples would hide: drift, and two levels.

use super::Column;
use karat_judge::{drift, median, modes};
use karat_model::evidence::Oddity;
use karat_model::measure::Arm;
use karat_model::units::change;

/// Level of each test, over all arms of a workload together.
const ALPHA: f64 = 0.01;

/// A drift or a gap smaller than this is seen by tests and by nobody else.
const NOTABLE: f64 = 0.005;

/// Drift and bimodality of a workload's arms. A drift of most arms is the
/// machine's and is told once.
pub(super) fn of(arms: &[Arm], columns: &[Column]) -> Vec<Oddity> {
    let level = ALPHA / arms.len() as f64;
    let mut out = Vec::new();
    let drifts: Vec<(usize, f64)> = columns
        .iter()
        .enumerate()
        .filter_map(|(i, c)| Some((i, drift(&c.costs)?)))
        .filter(|(_, d)| d.p < level && d.change.abs() > NOTABLE)
        .map(|(i, d)| (i, d.change))
        .collect();
    if drifts.len() * 2 > arms.len() {
        let changes: Vec<f64> = drifts.iter().map(|(_, c)| *c).collect();
        let shared = median(&changes).unwrap_or(0.0);
        out.push(Oddity {
            arm: None,
            kind: "drift".into(),
            text: format!(
                "the machine drifted: {} of {} arms changed their cost by {} (median) from the \
                 first round to the last; comparisons are made within rounds",
                drifts.len(),
                arms.len(),
                change(1.0 + shared)
            ),
        });
    } else {
        out.extend(drifts.into_iter().map(|(i, c)| Oddity {
            arm: Some(i as u32),
            kind: "drift".into(),
            text: format!(
                "{} drifted by itself: its cost changed by {} from the first round to the last, \
                 most other arms' did not",
                word(&arms[i]),
                change(1.0 + c)
            ),
        }));
    }
    for (i, column) in columns.iter().enumerate() {
        if few_values(&column.costs) {
            continue;
        }
        let Some(found) = modes(&column.costs) else {
            continue;
        };
        if found.p < level.max(LEAST_P) && found.slow / found.fast > 1.0 + NOTABLE {
            out.push(Oddity {
                arm: Some(i as u32),
                kind: "two-levels".into(),
                text: format!(
                    "{} has two levels: {:.0} % of its runs cost {:.2} times as much as the \
                     others; its estimate is that of the faster half",
                    word(&arms[i]),
                    found.slow_share * 100.0,
                    found.slow / found.fast
                ),
            });
        }
    }
    out
}

/// The test of modes gives no smaller p than 1/1000.
const LEAST_P: f64 = 0.0011;

/// Whether a metric counts rather than measures: counts of a few values have
/// levels by nature.
fn few_values(costs: &[f64]) -> bool {
    let mut values = costs.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    values.len() * 2 < costs.len()
}

fn word(arm: &Arm) -> String {
    use karat_model::measure::Role;
    let again = if arm.role == Role::Again {
        " again (A/A)"
    } else {
        ""
    };
    let layout = match arm.layout {
        0 => String::new(),
        n => format!(" in layout {n}"),
    };
    format!("{}{again}{layout}", arm.variant)
}
