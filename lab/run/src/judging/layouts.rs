//! What several layouts say, in the evidence's terms.

use super::{Column, Judged, columns, views};
use crate::measure::Bench;
use karat_judge::{ALPHA, Decider, LayoutSpread, Outcome, log_margin, pilot};
use karat_model::layout::{LayoutEffects, LayoutTax, Pilot, PilotDecision};
use karat_model::measure::{Arm, Role, Sample};

/// Effects by layout; `None` of one layout.
pub(super) fn effects(outcome: &Outcome, seeds: Vec<u64>) -> Option<LayoutEffects> {
    let sd = outcome.layouts.sd?;
    Some(LayoutEffects {
        seeds,
        speeds: outcome.layouts.effects.iter().map(|e| (-e).exp()).collect(),
        sd: sd.exp_m1(),
        between: outcome.layouts.decided_by == Decider::Between,
        needed: outcome.layouts.needed,
    })
}

/// Notes what layout alone does to the baseline, once, and to the variant.
pub(super) fn note_tax(
    view: &mut Judged,
    baseline: &str,
    variant: &str,
    outcome: &Outcome,
    layouts: &[(u64, usize, usize)],
    columns: &[Column],
) {
    let values = |arm: fn(&(u64, usize, usize)) -> usize| -> Vec<f64> {
        layouts
            .iter()
            .map(|l| karat_judge::faster_half_mean(&columns[arm(l)].costs))
            .map(|cost| view.metric.from_cost(cost))
            .collect()
    };
    let tax = |variant: &str, spread: LayoutSpread, values: Vec<f64>| LayoutTax {
        variant: variant.to_owned(),
        sd: spread.sd.exp_m1(),
        sd_low: spread.low.exp_m1(),
        sd_high: spread.high.exp_m1(),
        known: spread.known,
        range: spread.range.exp_m1(),
        values,
    };
    let mut new = Vec::new();
    if let Some(spread) = outcome.layouts.baseline
        && view.layout_tax.is_empty()
    {
        new.push(tax(baseline, spread, values(|l| l.1)));
    }
    if let Some(spread) = outcome.layouts.variant {
        new.push(tax(variant, spread, values(|l| l.2)));
    }
    view.layout_tax.extend(new);
}

/// What the baseline in a few layouts says, for each workload and metric.
/// `most` is how many layouts may be measured.
pub(crate) fn pilots(bench: &Bench<'_>, samples: &[Sample], rounds: u32, most: u32) -> Vec<Pilot> {
    let arms = bench.arms.len();
    let of = |view: Judged| {
        let columns = columns(&view, arms, samples, rounds);
        let layouts = layouts(bench.arms, &columns);
        let margin = log_margin(bench.workloads[view.workload].margin);
        // The judge refuses nothing but a value that is no cost, and such a
        // sample has been refused already.
        let found = pilot(&layouts, margin, ALPHA, u64::from(most)).ok()?;
        let (decision, needed) = match found.decision {
            karat_judge::PilotDecision::Insensitive => (PilotDecision::Insensitive, None),
            karat_judge::PilotDecision::Layouts(n) => (PilotDecision::Layouts, Some(n)),
            karat_judge::PilotDecision::OutOfReach { needed, .. } => {
                (PilotDecision::OutOfReach, Some(needed))
            }
            karat_judge::PilotDecision::NotKnown => (PilotDecision::NotKnown, None),
        };
        Some(Pilot {
            workload: view.name,
            layouts: layouts.len() as u32,
            rounds,
            sd: found.sd.exp_m1(),
            sd_low: found.low.exp_m1(),
            sd_high: found.high.exp_m1(),
            decision,
            needed,
        })
    };
    views(bench.workloads, &bench.known_metrics())
        .into_iter()
        .filter_map(of)
        .collect()
}

/// The two arms of each layout.
fn layouts<'c>(arms: &[Arm], columns: &'c [Column]) -> Vec<[karat_judge::Arm<'c>; 2]> {
    let of = |role: Role, layout: u64| {
        let own = |a: &Arm| a.role == role && a.layout == layout;
        let column = &columns[arms.iter().position(own)?];
        Some(karat_judge::Arm {
            costs: &column.costs,
            places: Some(&column.places),
            quiet: None,
        })
    };
    let first = arms.iter().filter(|a| a.role == Role::Baseline);
    first
        .filter_map(|a| Some([of(Role::Baseline, a.layout)?, of(Role::Again, a.layout)?]))
        .collect()
}
