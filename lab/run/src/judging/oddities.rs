//! What an average over an arm's samples would hide: drift, and two levels.

use super::columns::Column;
use karat_judge::{drift, median, modes};
use karat_model::evidence::Oddity;
use karat_model::measure::Arm;
use karat_model::units::change;

/// Level of each test, over all arms of a workload together.
const ALPHA: f64 = 0.01;

/// A drift or a gap smaller than this is seen by tests and by nobody else.
const NOTABLE: f64 = 0.005;

/// The test of modes gives no smaller p than 1/1000.
const LEAST_P: f64 = 0.0011;

/// Drift and bimodality of a workload's arms. A drift of most arms is the
/// machine's and is told once.
pub(super) fn of(arms: &[Arm], columns: &[Column]) -> Vec<Oddity> {
    let level = ALPHA / arms.len() as f64;
    let mut out = Vec::new();
    let drifts: Vec<(usize, f64)> = columns
        .iter()
        .enumerate()
        .filter_map(|(i, c)| Some((i, drift(&c.measured())?)))
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
        let costs = column.measured();
        if few_values(&costs) {
            continue;
        }
        let Some(found) = modes(&costs) else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use karat_judge::Rng;
    use karat_model::measure::Role;

    /// Sixty rounds of `arms` variants; `cost` gives the cost by arm and round,
    /// to which 0.1 % of noise is added.
    fn found(arms: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<Oddity> {
        let mut rng = Rng::new(7);
        let columns: Vec<Column> = (0..arms)
            .map(|arm| Column {
                costs: (0..60)
                    .map(|round| cost(arm, round) * (1.0 + rng.below(1000) as f64 * 1e-6))
                    .collect(),
                places: vec![0; 60],
                quiet: vec![true; 60],
            })
            .collect();
        of(&names(arms), &columns)
    }

    fn names(arms: usize) -> Vec<Arm> {
        (0..arms)
            .map(|i| Arm {
                variant: format!("v{i}"),
                role: if i == 1 { Role::Again } else { Role::Variant },
                layout: i as u64 / 3,
            })
            .collect()
    }

    #[test]
    fn steady_arms_are_not_odd() {
        assert_eq!(found(4, |_, _| 1.0), []);
    }

    #[test]
    fn a_drift_of_all_is_the_machines_and_told_once() {
        let all = found(4, |_, round| 1.0 + round as f64 * 0.001);
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!((all[0].arm, all[0].kind.as_str()), (None, "drift"));
        assert!(all[0].text.contains("4 of 4 arms"), "{}", all[0].text);
    }

    #[test]
    fn a_drift_of_one_is_its_own() {
        let own = found(4, |arm, round| {
            1.0 + if arm == 3 { round as f64 * 0.001 } else { 0.0 }
        });
        assert_eq!(own.len(), 1, "{own:?}");
        assert_eq!((own[0].arm, own[0].kind.as_str()), (Some(3), "drift"));
        let text = &own[0].text;
        assert!(
            text.starts_with("v3 in layout 1 drifted by itself"),
            "{text}"
        );
    }

    #[test]
    fn two_levels_are_told_with_their_share() {
        let two = found(
            4,
            |arm, round| {
                if arm == 1 && round % 3 == 0 { 1.2 } else { 1.0 }
            },
        );
        assert_eq!(two.len(), 1, "{two:?}");
        assert_eq!((two[0].arm, two[0].kind.as_str()), (Some(1), "two-levels"));
        let text = &two[0].text;
        assert!(
            text.starts_with("v1 again (A/A) has two levels: 33 %"),
            "{text}"
        );
        assert!(text.contains("1.20 times"), "{text}");
    }

    #[test]
    fn counts_of_a_few_values_have_levels_by_nature() {
        let costs = |round: usize| if round.is_multiple_of(3) { 12.0 } else { 10.0 };
        let columns = [Column {
            costs: (0..60).map(costs).collect(),
            places: vec![0; 60],
            quiet: vec![true; 60],
        }];
        assert_eq!(of(&names(1), &columns), []);
    }
}
