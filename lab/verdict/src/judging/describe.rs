//! The judge's words in the evidence's terms: costs become speeds.

use crate::words;
use karat_judge::Outcome;
use karat_model::verdict::{Comparison, Judgement, Split};

/// The judge's outcome in the evidence's terms: costs become speeds.
pub fn comparison(
    variant: &str,
    o: &Outcome,
    [baseline_value, variant_value]: [f64; 2],
    seeds: Vec<u64>,
) -> Comparison {
    let judgement = words::judgement(o.judgement);
    // The judge counts the rounds of all layouts; a round here is one pass over all
    // arms, whatever their layout.
    let layouts = seeds.len().max(1) as u64;
    Comparison {
        variant: variant.to_owned(),
        against: None,
        rounds: (o.rounds as u64).div_ceil(layouts) as u32,
        speed: words::speed(o.log_ratio, o.low, o.high),
        baseline_value,
        variant_value,
        p: o.p,
        p_adjusted: o.p_adjusted,
        level: o.level,
        detectable: Some(o.mde).filter(|m| m.is_finite()),
        judgement,
        rounds_needed: o
            .rounds_needed
            .filter(|_| judgement == Judgement::Inconclusive)
            .map(|rounds| rounds.div_ceil(layouts)),
        split: o.floor_differs.then(|| Split {
            floor: (-o.floor.log_ratio).exp(),
            typical: (-o.typical.log_ratio).exp(),
        }),
        layouts: super::layouts::effects(o, seeds),
        causes: Vec::new(),
    }
}
