//! What several layouts say, in the evidence's terms.

use super::{Column, Judged, columns, views};
use crate::measure::Bench;
use karat_judge::{Decider, LayoutSpread, Outcome};
use karat_model::layout::{LayoutEffects, LayoutTax, Pilot, PilotDecision};
use karat_model::measure::{Arm, Sample};
use karat_model::study::Workload;

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
