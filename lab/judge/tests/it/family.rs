//! The top-level call and the A/A gate.

use karat_judge::{
    AaStatus, JudgeError, Judgement, Outcome, Pair, Rng, judge_aa, judge_family, log_margin,
};

use crate::simulate::{Noise, arms};

type Arms = Vec<(Vec<f64>, Vec<f64>)>;

fn measured(effects: &[f64], rounds: usize, seed: u64) -> Arms {
    let mut rng = Rng::new(seed);
    effects
        .iter()
        .map(|&effect| arms(&mut rng, rounds, effect, Noise::Normal))
        .collect()
}

fn pairs(arms: &Arms) -> Vec<Pair<'_>> {
    arms.iter()
        .map(|(baseline, variant)| Pair::new(baseline, variant, log_margin(0.01)))
        .collect()
}

fn judged(arms: &Arms, alpha: f64) -> Vec<Outcome> {
    judge_family(&pairs(arms), 0, alpha)
        .into_iter()
        .map(|outcome| outcome.expect("valid"))
        .collect()
}

#[test]
fn a_family_is_judged_in_order() {
    let arms = measured(&[0.0, 0.03, -0.03, 0.0], 40, 51);
    let outcomes = judged(&arms, 0.025);
    let words: Vec<Judgement> = outcomes.iter().map(|o| o.judgement).collect();
    use Judgement::{Faster, Same, Slower};
    assert_eq!(words, [Same, Slower, Faster, Same]);
    for o in &outcomes {
        assert_eq!(o.rounds, 40);
        assert_eq!(o.rounds_needed, Some(40));
        assert!(o.low < o.log_ratio && o.log_ratio < o.high);
        assert!(o.p <= o.p_adjusted && o.sd > 0.0 && o.mde > o.sd);
    }
    // Two rejected at 1/4 and 1/3 of alpha; the rest stop at 1/2.
    let mut levels: Vec<f64> = outcomes.iter().map(|o| o.level / 0.025).collect();
    levels.sort_by(f64::total_cmp);
    for (level, expected) in levels.iter().zip([1.0 / 4.0, 1.0 / 3.0, 0.5, 0.5]) {
        assert!((level - expected).abs() < 1e-12);
    }
}

#[test]
fn intervals_agree_with_holm() {
    let (mut rejected, mut total) = (0, 0);
    for seed in 0..40 {
        let arms = measured(&[0.003, 0.0, 0.006, -0.004, 0.005], 20, 600 + seed);
        for o in judged(&arms, 0.05) {
            assert_eq!(o.interval().excludes_zero(), o.p <= o.level, "{o:?}");
            assert_eq!(o.interval().excludes_zero(), o.p_adjusted <= 0.05, "{o:?}");
            rejected += usize::from(o.p <= o.level);
            total += 1;
        }
    }
    assert!(
        (30..total - 30).contains(&rejected),
        "{rejected} of {total}"
    );
}

#[test]
fn the_same_costs_give_the_same_answer() {
    let arms = measured(&[0.003, 0.0, 0.006], 40, 52);
    assert_eq!(judged(&arms, 0.05), judged(&arms, 0.05));
    // A comparison's p does not depend on its place.
    let turned: Arms = arms.iter().rev().cloned().collect();
    let (forward, backward) = (judged(&arms, 0.05), judged(&turned, 0.05));
    assert_eq!(forward[0], backward[2]);
}

#[test]
fn a_broken_comparison_makes_the_others_no_easier() {
    let mut arms = measured(&[0.03, 0.0], 20, 53);
    let whole = judged(&arms, 0.05);
    arms[1].1[3] = f64::NAN;
    let broken = judge_family(&pairs(&arms), 0, 0.05);
    assert_eq!(broken[0], Ok(whole[0].clone()));
    assert!(matches!(
        broken[1],
        Err(JudgeError::BadCost { round: 3, .. })
    ));
}

#[test]
fn too_few_rounds_for_the_family_say_so() {
    // 0.01/6 is below 2/2^10: nothing can be decided, however large the effect.
    let arms = measured(&[0.5; 6], 10, 54);
    for o in judged(&arms, 0.01) {
        assert_eq!(o.judgement, Judgement::Inconclusive);
        assert_eq!((o.low, o.high), (f64::NEG_INFINITY, f64::INFINITY));
        // One more round gives 2/2^11 = 0.00098.
        assert_eq!(o.rounds_needed, Some(11));
    }
}

#[test]
fn large_families_reach_their_level() {
    // 0.01/200 needs a p below 1e-4.
    let arms = measured(&[0.02], 40, 59);
    let mut family = pairs(&arms);
    let absent = Pair::new(&[], &[], 0.01);
    family.resize(200, absent);
    let outcomes = judge_family(&family, 0, 0.01);
    assert_eq!(
        outcomes[0].as_ref().map(|o| o.judgement),
        Ok(Judgement::Slower),
        "{:?}",
        outcomes[0]
    );
    assert_eq!(outcomes[1], Err(JudgeError::TooFewRounds { rounds: 0 }));
}

#[test]
fn the_aa_gate() {
    let quiet = measured(&[0.0, 0.0], 40, 55);
    let gate = judge_aa(&pairs(&quiet), 0.025);
    assert_eq!(gate.status, AaStatus::Passed);
    assert!(gate.noise_floor > 0.001 && gate.noise_floor < 0.01);
    let bounds = gate.outcomes.iter().flatten();
    let largest = bounds.fold(0.0f64, |m, o| m.max(-o.low).max(o.high));
    assert_eq!(gate.noise_floor, largest);

    let biased = measured(&[0.0, 0.02], 40, 56);
    let gate = judge_aa(&pairs(&biased), 0.025);
    assert_eq!(gate.status, AaStatus::Failed);
    assert!(gate.noise_floor > 0.02);

    // Real, and smaller than the margin: the rule lets it pass, the floor shows it.
    let slight = measured(&[0.004], 40, 57);
    let gate = judge_aa(&pairs(&slight), 0.025);
    assert_eq!(gate.status, AaStatus::Passed);
    assert!(gate.noise_floor > 0.004);
}

#[test]
fn an_aa_gate_without_data_vouches_for_nothing() {
    let gate = judge_aa(&[], 0.05);
    assert_eq!(gate.status, AaStatus::NotJudged);
    assert_eq!(gate.noise_floor, f64::INFINITY);

    let mut arms = measured(&[0.0], 20, 58);
    arms[0].0[0] = 0.0;
    let gate = judge_aa(&pairs(&arms), 0.05);
    assert_eq!(gate.status, AaStatus::NotJudged);
}

#[test]
fn what_was_decided_before_counts_as_it_must() {
    let arms = measured(&[0.004, 0.0], 20, 60);
    let alone = judged(&arms, 0.05);
    let beside: Vec<Outcome> = judge_family(&pairs(&arms), 3, 0.05)
        .into_iter()
        .map(|o| o.expect("valid"))
        .collect();
    // Three that are the same stay in the count: the strictest level is a fifth.
    let strictest = |outcomes: &[Outcome]| outcomes.iter().map(|o| o.level).fold(1.0, f64::min);
    assert_eq!(strictest(&alone), 0.05 / 2.0);
    assert_eq!(strictest(&beside), 0.05 / 5.0);
    for (a, b) in alone.iter().zip(&beside) {
        assert!(a.p_adjusted < b.p_adjusted || b.p_adjusted == 1.0);
    }
}
