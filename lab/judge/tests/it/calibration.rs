//! Error rates and power by simulation. Each test prints what it measured (`--nocapture`).

use karat_judge::{
    ALPHA, Arm, Judgement, Layout, Outcome, Pair, Paired, Rng, holm, judge_family, log_margin,
    p_value, schedule,
};

use crate::simulate::{Measured, Noise, arms, credible, credible_at_most, normal, wandering};

const NOISES: [Noise; 3] = [Noise::Normal, Noise::HeavyTailed, Noise::Drift];

fn p_of(baseline: &[f64], variant: &[f64]) -> f64 {
    p_value(
        &Paired::new(baseline, variant, 0.05).expect("simulated costs are valid"),
        0.0,
    )
}

fn judgement(baseline: &[f64], variant: &[f64], margin: f64, alpha: f64) -> Judgement {
    let pair = Pair::new(baseline, variant, log_margin(margin));
    judge_family(&[pair], 0, alpha)
        .remove(0)
        .expect("simulated costs are valid")
        .judgement
}

#[test]
fn identical_arms_differ_at_the_stated_rate() {
    let (trials, alpha) = (2_000, 0.05);
    for noise in NOISES {
        for rounds in [10, 20] {
            let mut rng = Rng::new(100 + rounds as u64);
            let false_alarms = (0..trials)
                .filter(|_| {
                    let (b, v) = arms(&mut rng, rounds, 0.0, noise);
                    p_of(&b, &v) <= alpha
                })
                .count();
            println!("{noise:?} n={rounds}: {false_alarms} of {trials} at {alpha}");
            assert!(
                credible_at_most(false_alarms, trials as usize, alpha),
                "{noise:?} n={rounds}: {false_alarms} of {trials}"
            );
            // A test that never rejects is not calibrated either.
            assert!(
                false_alarms as f64 > 0.6 * alpha * trials as f64,
                "{noise:?} n={rounds}: {false_alarms} of {trials}"
            );
        }
    }
}

#[test]
fn ten_true_nulls_give_one_false_alarm_in_alpha_families() {
    let (families, rounds, alpha) = (1_500, 20, 0.05);
    let mut rng = Rng::new(200);
    let failed = (0..families)
        .filter(|_| {
            let p_values: Vec<f64> = (0..10)
                .map(|i| {
                    let (b, v) = arms(&mut rng, rounds, 0.0, NOISES[i % 3]);
                    p_of(&b, &v)
                })
                .collect();
            holm(&p_values, 0, alpha).iter().any(|step| step.rejected)
        })
        .count();
    println!("family-wise: {failed} of {families} at {alpha}");
    assert!(credible_at_most(failed, families as usize, alpha));
    // Holm is nearly sharp for independent comparisons.
    assert!(failed as f64 > 0.5 * alpha * families as f64, "{failed}");
}

#[test]
fn three_looks_together_keep_the_error_rate() {
    let trials = 2_000;
    for noise in NOISES {
        let mut rng = Rng::new(300);
        let false_alarms = (0..trials)
            .filter(|_| {
                let (b, v) = arms(&mut rng, 40, 0.0, noise);
                schedule(40)
                    .iter()
                    .any(|look| p_of(&b[..look.rounds], &v[..look.rounds]) <= look.alpha)
            })
            .count();
        println!("{noise:?}, looks: {false_alarms} of {trials} at {ALPHA}");
        assert!(credible_at_most(false_alarms, trials as usize, ALPHA));
        assert!(false_alarms as f64 > 0.3 * ALPHA * trials as f64);
    }
}

#[test]
fn identical_arms_are_called_the_same() {
    let trials = 400;
    for noise in [Noise::Normal, Noise::HeavyTailed] {
        let mut rng = Rng::new(400);
        let (mut same, mut different, mut rounds) = (0, 0, 0);
        for _ in 0..trials {
            let (b, v) = arms(&mut rng, 40, 0.0, noise);
            for look in schedule(40) {
                let n = look.rounds;
                let word = judgement(&b[..n], &v[..n], 0.01, look.alpha);
                if word != Judgement::Inconclusive || n == 40 {
                    rounds += n;
                    same += usize::from(word == Judgement::Same);
                    different += usize::from(matches!(word, Judgement::Faster | Judgement::Slower));
                    break;
                }
            }
        }
        let mean = rounds as f64 / trials as f64;
        println!("{noise:?}: SAME {same}, different {different} of {trials}; {mean:.1} rounds");
        assert!(same as f64 >= 0.95 * trials as f64, "{noise:?}: {same}");
        assert!(different as f64 <= 0.02 * trials as f64, "{different}");
    }
}

#[test]
fn effects_beyond_the_margin_are_found() {
    let trials = 500;
    for (effect, margin, least) in [(0.02, 0.01, 0.99), (0.01, 0.005, 0.97)] {
        for direction in [1.0, -1.0f64] {
            let mut rng = Rng::new(500);
            let (mut found, mut wrong) = (0, 0);
            for _ in 0..trials {
                let log_ratio = direction * log_margin(effect);
                let (b, v) = arms(&mut rng, 20, log_ratio, Noise::Normal);
                match (judgement(&b, &v, margin, 0.05), direction > 0.0) {
                    (Judgement::Slower, true) | (Judgement::Faster, false) => found += 1,
                    (Judgement::Inconclusive, _) => {}
                    _ => wrong += 1,
                }
            }
            println!("effect {effect} margin {margin}: found {found}, wrong {wrong} of {trials}");
            assert!(found as f64 >= least * trials as f64, "{effect}: {found}");
            assert_eq!(wrong, 0, "{effect}");
        }
    }
}

#[test]
fn drift_costs_power_and_hides_nothing() {
    // Shared within a round, it leaves the differences alone.
    let trials = 200;
    let [steady, drifting] = [Noise::Normal, Noise::Drift].map(|noise| {
        let mut rng = Rng::new(550);
        let (mut found, mut sd) = (0, 0.0);
        for _ in 0..trials {
            let (baseline, variant) = arms(&mut rng, 20, log_margin(0.02), noise);
            let pair = Pair::new(&baseline, &variant, log_margin(0.01));
            let outcome = judge_family(&[pair], 0, 0.025).remove(0).expect("valid");
            found += usize::from(outcome.judgement == Judgement::Slower);
            sd += outcome.sd / trials as f64;
        }
        println!("{noise:?} n=20: +2 % found {found} of {trials}, sd {sd:.5}");
        assert!(found as f64 >= 0.97 * trials as f64, "{noise:?}: {found}");
        sd
    });
    let ratio = drifting / steady;
    println!("drift over steady sd: {ratio:.2}");
    assert!(ratio < 1.6, "{ratio}");
}

#[test]
fn effects_at_twice_the_margin_are_never_called_the_same() {
    let trials = 300;
    let mut rng = Rng::new(600);
    let same = (0..trials)
        .filter(|_| {
            let (b, v) = arms(&mut rng, 40, log_margin(0.01), Noise::HeavyTailed);
            judgement(&b, &v, 0.005, 0.05) == Judgement::Same
        })
        .count();
    assert_eq!(same, 0);
}

#[test]
fn intervals_cover_the_truth() {
    let (trials, alpha, truth) = (500, 0.10, 0.013);
    for noise in NOISES {
        let mut rng = Rng::new(700);
        let covered = (0..trials)
            .filter(|_| {
                let (baseline, variant) = arms(&mut rng, 14, truth, noise);
                let pair = Pair::new(&baseline, &variant, 0.01);
                let outcome = judge_family(&[pair], 0, alpha).remove(0).expect("valid");
                outcome.low <= truth && truth <= outcome.high
            })
            .count();
        println!("{noise:?}: {covered} of {trials} intervals cover at {alpha}");
        assert!(credible(covered, trials as usize, 1.0 - alpha), "{covered}");
    }
}

/// The first arm against the second, the rest beside them.
fn in_order(measured: &Measured, known: bool, margin: f64, alpha: f64) -> Outcome {
    let arm = |i: usize| Arm {
        costs: &measured.costs[i],
        places: known.then_some(&measured.places[i]),
        quiet: None,
    };
    let layout = Layout {
        baseline: arm(0),
        variant: arm(1),
        again: None,
        others: (2..measured.costs.len()).map(arm).collect(),
    };
    let pair = Pair {
        layouts: vec![layout],
        margin: log_margin(margin),
    };
    judge_family(&[pair], 0, alpha).remove(0).expect("valid")
}

#[test]
fn the_level_keeps_the_error_rate() {
    let (trials, alpha) = (1_500, 0.05);
    // Another arm that is much slower changes nothing.
    for levels in [&[0.0, 0.0][..], &[0.0, 0.0, 0.7], &[0.0, 0.0, 0.01, 0.02]] {
        let mut rng = Rng::new(800);
        let (mut alarms, mut covered) = (0, 0);
        for _ in 0..trials {
            let outcome = in_order(&wandering(&mut rng, 16, levels), true, 0.01, alpha);
            alarms += usize::from(outcome.p <= alpha);
            covered += usize::from(outcome.low <= 0.0 && 0.0 <= outcome.high);
        }
        println!("{levels:?}: {alarms} of {trials} at {alpha}, {covered} cover");
        assert!(credible(alarms, trials as usize, alpha), "{alarms}");
        assert!(credible(covered, trials as usize, 1.0 - alpha), "{covered}");
    }
}

#[test]
fn the_level_covers_an_effect_too() {
    let (trials, alpha) = (600, 0.1);
    let mut rng = Rng::new(810);
    let covered = (0..trials)
        .filter(|_| {
            let measured = wandering(&mut rng, 16, &[0.0, 0.05, 0.0]);
            let o = in_order(&measured, true, 0.01, alpha);
            o.low <= 0.05 && 0.05 <= o.high
        })
        .count();
    println!("{covered} of {trials} intervals cover +5 % at {alpha}");
    assert!(credible(covered, trials as usize, 1.0 - alpha), "{covered}");
}

#[test]
fn knowing_the_order_saves_rounds_when_the_clock_wanders() {
    let trials = 150;
    let mut rng = Rng::new(820);
    let (mut with, mut without) = (0.0, 0.0);
    for _ in 0..trials {
        let measured = wandering(&mut rng, 20, &[0.0, 0.0, 0.01, 0.02]);
        with += in_order(&measured, true, 0.01, 0.05).sd;
        without += in_order(&measured, false, 0.01, 0.05).sd;
    }
    let ratio = with / without;
    println!("sd with the order over sd without: {ratio:.3}");
    assert!(ratio < 0.9, "{ratio}");
}

#[test]
fn bounds_are_finite_where_the_rounds_allow() {
    let mut rng = Rng::new(830);
    for seed in 0..400 {
        let mut measured = wandering(&mut rng, 10, &[0.0, 0.3, 1.0, 0.0]);
        // Neighbours that are disturbed together.
        for round in 0..10 {
            if rng.below(3) == 0 {
                measured.costs.iter_mut().for_each(|arm| arm[round] *= 3.0);
            }
        }
        // 2/2^10 = 0.00195.
        let o = in_order(&measured, true, 0.01, 0.002);
        assert!(o.low.is_finite() && o.high.is_finite(), "{seed}: {o:?}");
    }
}

/// A core clock in steps of 2.7 %, as an Intel Xeon's turbo has it, held for some rounds: runs are
/// equal to 0.01 % but for the step, and now and then one is a step above all others. The interval
/// of an A/A is narrow, and an effect is in it.
#[test]
fn a_clock_in_steps_is_no_reason_for_unbounded_intervals() {
    let (trials, alpha) = (300, 0.0035);
    for effect in [0.0, 0.013] {
        let mut rng = Rng::new(840);
        let (mut covered, mut widest) = (0, 0.0f64);
        for _ in 0..trials {
            let (mut baseline, mut variant) = (Vec::new(), Vec::new());
            let mut step = 0.0;
            for _ in 0..65 {
                if rng.below(4) == 0 {
                    step = rng.below(3) as f64;
                }
                let mut run = |effect: f64| {
                    let other = match rng.below(30) {
                        0 => -1.0,
                        1..=3 => 1.0,
                        _ => 0.0,
                    };
                    (effect + 0.027 * (step + other) + 1e-4 * normal(&mut rng)).exp()
                };
                baseline.push(run(0.0));
                variant.push(run(effect));
            }
            let pair = Pair::new(&baseline, &variant, 0.01);
            let o = judge_family(&[pair], 0, alpha).remove(0).expect("valid");
            covered += usize::from(o.low <= effect && effect <= o.high);
            widest = widest.max(o.high - o.low);
        }
        println!("{effect}: {covered} of {trials} cover, {widest:.4} wide at most");
        assert!(credible_at_most(trials - covered, trials, alpha));
        assert!(widest < 0.05, "{widest}");
    }
}
