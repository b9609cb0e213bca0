//! From samples to comparisons: costs in, the judge's words out.

use karat_judge::{
    AaStatus, JudgeError, Layout, Outcome, Pair, judge_aa, judge_family, log_margin,
};
use karat_model::measure::{Arm, Role, Sample};
use karat_model::study::Workload;
use karat_model::units::Metric;
use karat_model::verdict::{Comparison, Judgement, SpeedRatio};

/// What the judge says about one workload at one look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    pub(crate) again: Option<Comparison>,
    pub(crate) again_passed: bool,
    pub(crate) noise_floor: Option<f64>,
    pub(crate) comparisons: Vec<Comparison>,
}

/// The metric of a workload, as the evidence names it.
pub(crate) fn metric(workload: &Workload) -> Metric {
    Metric {
        name: workload.metric_name.clone(),
        unit: workload.unit.clone(),
        better: workload.better,
    }
}

/// Judges all workloads and variants as one family: a study makes all its claims
/// together, so they share one error rate.
pub(crate) fn judge(
    workloads: &[Workload],
    arms: &[Arm],
    samples: &[Sample],
    rounds: u32,
    alpha: f64,
    seed: u64,
) -> Vec<Judged> {
    let metrics: Vec<Metric> = workloads.iter().map(metric).collect();
    // costs[workload][arm][round]
    let mut costs = vec![vec![vec![f64::NAN; rounds as usize]; arms.len()]; workloads.len()];
    let mut places = vec![vec![vec![0; rounds as usize]; arms.len()]; workloads.len()];
    for s in samples.iter().filter(|s| s.round < rounds) {
        let (workload, arm, round) = (s.workload as usize, s.arm as usize, s.round as usize);
        costs[workload][arm][round] = metrics[workload].cost(s.value);
        places[workload][arm][round] = s.position;
    }
    let pair = |w: usize, a: usize| {
        let arm = |arm: usize| karat_judge::Arm {
            costs: &costs[w][arm],
            places: Some(&places[w][arm]),
        };
        let others = (1..arms.len()).filter(|other| *other != a).map(arm);
        Pair {
            layouts: vec![Layout {
                baseline: arm(0),
                variant: arm(a),
                others: others.collect(),
            }],
            margin: log_margin(workloads[w].margin),
        }
    };
    let with = |role: Role| {
        let arms = arms.iter().enumerate().filter(move |(_, a)| a.role == role);
        let arms: Vec<usize> = arms.map(|(i, _)| i).collect();
        (0..workloads.len()).flat_map(move |w| arms.clone().into_iter().map(move |a| (w, a)))
    };
    let claims: Vec<(usize, usize)> = with(Role::Variant).collect();
    let pairs: Vec<Pair<'_>> = claims.iter().map(|&(w, a)| pair(w, a)).collect();
    let outcomes = judge_family(&pairs, alpha, seed);

    let controls: Vec<(usize, usize)> = with(Role::Again).collect();
    let pairs: Vec<Pair<'_>> = controls.iter().map(|&(w, a)| pair(w, a)).collect();
    let gate = judge_aa(&pairs, alpha, seed);

    let mut judged = vec![Judged::default(); workloads.len()];
    let describe = |w: usize, a: usize, outcome: &Result<Outcome, JudgeError>| {
        let value =
            |arm: usize| metrics[w].from_cost(karat_judge::faster_half_mean(&costs[w][arm]));
        // The judge refuses no complete rounds of positive values.
        let outcome = outcome.as_ref().ok()?;
        Some(comparison(&arms[a].variant, outcome, value(0), value(a)))
    };
    for (&(w, a), outcome) in controls.iter().zip(&gate.outcomes) {
        let different = |o: &Outcome| {
            matches!(
                o.judgement,
                karat_judge::Judgement::Faster | karat_judge::Judgement::Slower
            )
        };
        judged[w].again_passed =
            gate.status != AaStatus::NotJudged && outcome.as_ref().is_ok_and(|o| !different(o));
        judged[w].noise_floor = outcome
            .as_ref()
            .ok()
            .map(|o| o.low.abs().max(o.high.abs()).exp_m1())
            .filter(|f| f.is_finite());
        judged[w].again = describe(w, a, outcome);
    }
    for (&(w, a), outcome) in claims.iter().zip(&outcomes) {
        judged[w].comparisons.extend(describe(w, a, outcome));
    }
    judged
}

/// The judge's outcome in the evidence's terms: costs become speeds.
pub(crate) fn comparison(
    variant: &str,
    o: &Outcome,
    baseline_value: f64,
    variant_value: f64,
) -> Comparison {
    // The sign turns, and with it the bounds change places.
    let speed = |log: f64| Some((-log).exp()).filter(|s| log.is_finite() && s.is_finite());
    let judgement = word(o.judgement);
    Comparison {
        variant: variant.to_owned(),
        rounds: o.rounds as u32,
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
            .filter(|_| judgement == Judgement::Inconclusive),
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

/// Comparisons that are still undecided.
pub(crate) fn undecided(judged: &[Judged]) -> u32 {
    judged
        .iter()
        .flat_map(|j| &j.comparisons)
        .filter(|c| c.judgement == Judgement::Inconclusive)
        .count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::study::MetricSource;
    use karat_model::units::Better;

    fn workload(better: Better) -> Workload {
        Workload {
            name: "w".into(),
            why: String::new(),
            args: Vec::new(),
            metric: MetricSource::Cpu,
            metric_name: "m".into(),
            unit: "u".into(),
            better,
            margin: 0.01,
            timeout: 1.0,
        }
    }

    /// Twenty rounds; the variant's value is 1.05 of the baseline's.
    fn study(better: Better) -> Judged {
        let arm = |role| Arm {
            variant: "v".into(),
            role,
            layout: 0,
        };
        let arms = [arm(Role::Baseline), arm(Role::Again), arm(Role::Variant)];
        let mut rng = karat_judge::Rng::new(1);
        let mut samples = Vec::new();
        for round in 0..20 {
            for (a, factor) in [1.0, 1.0, 1.05].into_iter().enumerate() {
                samples.push(Sample {
                    workload: 0,
                    round,
                    position: a as u32,
                    arm: a as u32,
                    value: factor * (1.0 + rng.below(1000) as f64 * 1e-6),
                    wall: 1.0,
                    cpu: 1.0,
                    switches: 0,
                    clock: 4.0,
                    at: 0.0,
                });
            }
        }
        judge(&[workload(better)], &arms, &samples, 20, 0.05, 1).remove(0)
    }

    #[test]
    fn more_throughput_is_faster_and_more_time_is_slower() {
        let up = study(Better::Higher);
        let down = study(Better::Lower);
        assert_eq!(up.comparisons[0].judgement, Judgement::Faster);
        assert_eq!(down.comparisons[0].judgement, Judgement::Slower);
        let speed = up.comparisons[0].speed;
        assert!((speed.estimate - 1.05).abs() < 0.001);
        assert!(speed.low.unwrap() < speed.estimate && speed.estimate < speed.high.unwrap());
        assert!((down.comparisons[0].speed.estimate - 1.0 / 1.05).abs() < 0.001);
        assert!((down.comparisons[0].variant_value - 1.05).abs() < 0.001);
    }

    #[test]
    fn the_baseline_is_itself() {
        let judged = study(Better::Higher);
        assert!(judged.again_passed);
        assert_eq!(judged.again.unwrap().judgement, Judgement::Same);
        assert!(judged.noise_floor.unwrap() < 0.01);
    }
}
