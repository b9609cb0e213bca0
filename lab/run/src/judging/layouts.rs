//! What several layouts say, in the evidence's terms.

use super::{Column, Judged, columns, views};
use crate::measure::Bench;
use karat_judge::{ALPHA, Decider, LayoutSpread, Outcome, log_margin, pilot};
use karat_model::layout::{LayoutEffects, LayoutTax, Pilot, PilotDecision};
use karat_model::measure::Sample;

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
        sd_low: 0.0,
        sd_high: f64::MAX,
        known: false,
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
        let costs: Vec<&[f64]> = columns.iter().map(|c| &c.costs[..]).collect();
        let margin = log_margin(bench.workloads[view.workload].margin);
        // The judge refuses nothing but a value that is no cost, and such a
        // sample has been refused already.
        let found = pilot(&costs, margin, ALPHA, u64::from(most)).ok()?;
        let (decision, needed) = match found.decision {
            karat_judge::PilotDecision::Insensitive => (PilotDecision::Insensitive, None),
            karat_judge::PilotDecision::Layouts(n) => (PilotDecision::Layouts, Some(n)),
            karat_judge::PilotDecision::OutOfReach { needed, .. } => {
                (PilotDecision::OutOfReach, Some(needed))
            }
        };
        Some(Pilot {
            workload: view.name,
            layouts: arms as u32,
            rounds,
            sd: found.sd.exp_m1(),
            sd_low: 0.0,
            sd_high: found.upper.exp_m1(),
            decision,
            needed,
        })
    };
    views(bench.workloads, &bench.known_metrics())
        .into_iter()
        .filter_map(of)
        .collect()
}
