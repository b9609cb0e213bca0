//! What several layouts say, in the evidence's terms.

use super::claims::Claim;
use super::columns::{Column, columns};
use super::{Judged, views};
use karat_judge::{ALPHA, Decider, LayoutSpread, Outcome, log_margin, pilot};
use karat_model::layout::{LayoutEffects, LayoutTax, Pilot, PilotDecision};
use karat_model::measure::{Arm, Role, Sample};
use karat_model::study::Workload;
use karat_model::units::Metric;

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

/// Notes what layout alone does to the baseline, once, and to the variant. `costs` has
/// what each layout's arms cost: compared with, under judgement.
pub(super) fn note_tax(view: &mut Judged, claim: &Claim, outcome: &Outcome, costs: &[[f64; 2]]) {
    let tax = |variant: &str, spread: LayoutSpread, side: usize| LayoutTax {
        variant: variant.to_owned(),
        sd: spread.sd.exp_m1(),
        sd_low: spread.low.exp_m1(),
        sd_high: spread.high.exp_m1(),
        known: spread.known,
        range: spread.range.exp_m1(),
        values: costs
            .iter()
            .map(|c| view.metric.from_cost(c[side]))
            .collect(),
    };
    let mut new = Vec::new();
    if let Some(spread) = outcome.layouts.baseline
        && view.layout_tax.is_empty()
    {
        new.push(tax(&claim.against, spread, 0));
    }
    if let Some(spread) = outcome.layouts.variant {
        new.push(tax(&claim.variant, spread, 1));
    }
    view.layout_tax.extend(new);
}

/// What the baseline in a few layouts says, for each workload and metric.
/// `most` is how many layouts may be measured.
pub fn pilots(
    workloads: &[Workload],
    metrics: &[Vec<Metric>],
    arms: &[Arm],
    samples: &[Sample],
    rounds: u32,
    most: u32,
) -> Vec<Pilot> {
    let of = |view: Judged| {
        let metric = (view.value, &view.metric);
        let columns = columns(view.workload, metric, arms.len(), samples, rounds);
        let layouts = layouts(arms, &columns);
        let margin = log_margin(workloads[view.workload].margin);
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
    views(workloads, metrics)
        .into_iter()
        .filter_map(of)
        .collect()
}

/// The two arms of each layout.
fn layouts<'c>(arms: &[Arm], columns: &'c [Column]) -> Vec<[karat_judge::Arm<'c>; 2]> {
    let of = |role: Role, layout: u64| {
        let own = |a: &Arm| a.role == role && a.layout == layout;
        let column = &columns[arms.iter().position(own)?];
        Some(column.arm())
    };
    let first = arms.iter().filter(|a| a.role == Role::Baseline);
    first
        .filter_map(|a| Some([of(Role::Baseline, a.layout)?, of(Role::Again, a.layout)?]))
        .collect()
}
