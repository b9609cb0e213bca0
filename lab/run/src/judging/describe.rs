//! The judge's words in the evidence's terms: costs become speeds.

use karat_judge::Outcome;
use karat_model::verdict::{Comparison, Judgement, SpeedRatio, Split};

/// The judge's outcome in the evidence's terms: costs become speeds.
pub(crate) fn comparison(
    variant: &str,
    o: &Outcome,
    [baseline_value, variant_value]: [f64; 2],
    seeds: Vec<u64>,
) -> Comparison {
    // The sign turns, and with it the bounds change places.
    let speed = |log: f64| Some((-log).exp()).filter(|s| log.is_finite() && s.is_finite());
    let judgement = word(o.judgement);
    // The judge counts the rounds of all layouts; a round here is one pass over all
    // arms, whatever their layout.
    let layouts = seeds.len().max(1) as u64;
    Comparison {
        variant: variant.to_owned(),
        against: None,
        rounds: (o.rounds as u64).div_ceil(layouts) as u32,
        speed: SpeedRatio {
            estimate: (-o.log_ratio).exp(),
            low: speed(o.high),
            high: speed(o.low),
        },
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

const fn word(judgement: karat_judge::Judgement) -> Judgement {
    match judgement {
        karat_judge::Judgement::Faster => Judgement::Faster,
        karat_judge::Judgement::Slower => Judgement::Slower,
        karat_judge::Judgement::Same => Judgement::Same,
        karat_judge::Judgement::Inconclusive => Judgement::Inconclusive,
    }
}
