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

/// Drift and bimodality of a workload's arms, one of each kind at most: many arms that
/// are odd in the same way are one fact about the machine.
pub(super) fn of(arms: &[Arm], columns: &[Column]) -> Vec<Oddity> {
    let level = ALPHA / arms.len() as f64;
    let drifts: Vec<(usize, f64)> = columns
        .iter()
        .enumerate()
        .filter_map(|(i, c)| Some((i, drift(&c.measured())?)))
        .filter(|(_, d)| d.p < level && d.change.abs() > NOTABLE)
        .map(|(i, d)| (i, d.change))
        .collect();
    let levels: Vec<(usize, Levels)> = columns
        .iter()
        .enumerate()
        .map(|(i, column)| (i, column.measured()))
        .filter(|(_, costs)| !few_values(costs))
        .filter_map(|(i, costs)| Some((i, modes(&costs)?)))
        .filter(|(_, m)| m.p < level.max(LEAST_P) && m.slow / m.fast > 1.0 + NOTABLE)
        .map(|(i, m)| {
            let (share, factor) = (m.slow_share, m.slow / m.fast);
            (i, Levels { share, factor })
        })
        .collect();
    let drifted = (!drifts.is_empty()).then(|| Oddity {
        arms: indices(&drifts),
        kind: "drift".into(),
        text: drift_text(arms, &drifts),
    });
    let two = (!levels.is_empty()).then(|| Oddity {
        arms: indices(&levels),
        kind: "two-levels".into(),
        text: levels_text(arms, &levels),
    });
    drifted.into_iter().chain(two).collect()
}

/// Two levels of an arm's cost.
struct Levels {
    /// Share of the runs on the slow one.
    share: f64,
    /// The slow one over the fast one.
    factor: f64,
}

fn indices<T>(found: &[(usize, T)]) -> Vec<u32> {
    found.iter().map(|(i, _)| *i as u32).collect()
}

/// A drift of most arms is the machine's.
fn drift_text(arms: &[Arm], drifts: &[(usize, f64)]) -> String {
    let (all, count) = (arms.len(), drifts.len());
    let far = |c: f64| change(1.0 + c);
    if count * 2 > all {
        let changes: Vec<f64> = drifts.iter().map(|(_, c)| *c).collect();
        return format!(
            "the machine drifted: {count} of {all} arms changed their cost by {} (median) from the \
             first round to the last; comparisons are made within rounds",
            far(median(&changes).unwrap_or(0.0))
        );
    }
    let most = drifts
        .iter()
        .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
        .map_or_else(String::new, |(i, c)| {
            format!("{} changed its cost by {}", word(&arms[*i]), far(*c))
        });
    match count {
        1 => format!(
            "1 of {all} arms drifted by itself: {most} from the first round to the last, most \
             others did not"
        ),
        _ => format!(
            "{count} of {all} arms drifted by themselves from the first round to the last, most \
             others did not; {most}, the largest change"
        ),
    }
}

fn levels_text(arms: &[Arm], levels: &[(usize, Levels)]) -> String {
    let all = arms.len();
    let shares = range(levels.iter().map(|(_, l)| l.share * 100.0), 0);
    let factors = range(levels.iter().map(|(_, l)| l.factor), 2);
    let what = format!("{shares} % of the runs cost {factors} times as much as the others");
    match levels {
        [(i, _)] => format!(
            "1 of {all} arms has two levels: of {}, {what}",
            word(&arms[*i])
        ),
        _ => format!("{} of {all} arms have two levels: {what}", levels.len()),
    }
}

/// `12`, or `12 to 45`.
fn range(values: impl Iterator<Item = f64> + Clone, decimals: usize) -> String {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(f64::NEG_INFINITY, f64::max);
    let (least, most) = (format!("{least:.decimals$}"), format!("{most:.decimals$}"));
    if least == most {
        most
    } else {
        format!("{least} to {most}")
    }
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
        assert_eq!((all[0].arms.len(), all[0].kind.as_str()), (4, "drift"));
        assert!(all[0].text.contains("4 of 4 arms"), "{}", all[0].text);
    }

    #[test]
    fn a_drift_of_one_is_its_own() {
        let own = found(4, |arm, round| {
            1.0 + if arm == 3 { round as f64 * 0.001 } else { 0.0 }
        });
        assert_eq!(own.len(), 1, "{own:?}");
        assert_eq!(
            (&own[0].arms[..], own[0].kind.as_str()),
            (&[3][..], "drift")
        );
        let text = &own[0].text;
        let start = "1 of 4 arms drifted by itself: v3 in layout 1 changed its cost by +";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn drifts_of_a_few_are_one_line_with_the_largest() {
        let few = found(6, |arm, round| {
            1.0 + arm.saturating_sub(3) as f64 * round as f64 * 0.001
        });
        assert_eq!(few.len(), 1, "{few:?}");
        assert_eq!(few[0].arms, [4, 5]);
        let text = &few[0].text;
        assert!(
            text.starts_with("2 of 6 arms drifted by themselves"),
            "{text}"
        );
        assert!(
            text.contains("v5 in layout 1 changed its cost by +"),
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
        let (arms, kind) = (&two[0].arms[..], two[0].kind.as_str());
        assert_eq!((arms, kind), (&[1][..], "two-levels"));
        assert_eq!(
            two[0].text,
            "1 of 4 arms has two levels: of v1 again (A/A), 33 % of the runs cost 1.20 times as \
             much as the others"
        );
    }

    #[test]
    fn two_levels_of_many_arms_are_one_line() {
        let all = found(4, |arm, round| {
            if round % 3 == 0 {
                1.2 + arm as f64 * 0.1
            } else {
                1.0
            }
        });
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(all[0].arms, [0, 1, 2, 3]);
        assert_eq!(
            all[0].text,
            "4 of 4 arms have two levels: 33 % of the runs cost 1.20 to 1.50 times as much as the \
             others"
        );
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
