//! Input that cannot be judged gives an error; input that can never panics.

use karat_judge::{JudgeError, Pair, Rng, Side, judge_family};

use crate::simulate::uniform;

fn one(b: &[f64], v: &[f64], margin: f64, alpha: f64) -> Result<(), JudgeError> {
    let pair = Pair::new(b, v, margin);
    judge_family(&[pair], 0, alpha).remove(0).map(|_| ())
}

#[test]
fn bad_shapes() {
    assert_eq!(
        one(&[1.0, 2.0], &[1.0], 0.01, 0.05),
        Err(JudgeError::UnequalRounds {
            baseline: 2,
            variant: 1
        })
    );
    for rounds in [0, 1] {
        assert_eq!(
            one(&[1.0, 1.0][..rounds], &[1.0, 1.0][..rounds], 0.01, 0.05),
            Err(JudgeError::TooFewRounds { rounds })
        );
    }
    assert!(judge_family(&[], 0, 0.05).is_empty());
    assert_eq!(one(&[1.0, 1.0], &[1.0, 1.0], 0.01, 0.05), Ok(()));
}

#[test]
fn bad_costs() {
    for bad in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        let found = one(&[1.0, 2.0], &[1.0, bad], 0.01, 0.05);
        assert!(
            matches!(
                found,
                Err(JudgeError::BadCost {
                    side: Side::Variant,
                    round: 1,
                    cost
                }) if cost.to_bits() == bad.to_bits()
            ),
            "{found:?}"
        );
        let found = one(&[bad, 2.0], &[1.0, 1.0], 0.01, 0.05);
        assert!(
            matches!(
                found,
                Err(JudgeError::BadCost {
                    side: Side::Baseline,
                    round: 0,
                    ..
                })
            ),
            "{found:?}"
        );
    }
}

#[test]
fn bad_margins_and_levels() {
    let (b, v) = ([1.0, 2.0], [1.0, 2.0]);
    for margin in [-0.01, f64::NAN, f64::INFINITY] {
        let found = one(&b, &v, margin, 0.05);
        assert!(matches!(found, Err(JudgeError::BadMargin { .. })));
    }
    for alpha in [0.0, 1.0, -0.1, f64::NAN] {
        let found = one(&b, &v, 0.01, alpha);
        assert!(matches!(found, Err(JudgeError::BadLevel { .. })));
    }
}

#[test]
fn messages_name_the_place() {
    let found = one(&[1.0, 2.0], &[1.0, -3.0], 0.01, 0.05);
    assert_eq!(
        found.map_err(|e| e.to_string()),
        Err("variant cost of round 1 is -3; a cost must be positive and finite".into())
    );
    let found = one(&[1.0], &[1.0], 0.01, 0.05);
    assert_eq!(
        found.map_err(|e| e.to_string()),
        Err("a comparison needs at least 2 rounds, got 1".into())
    );
}

#[test]
fn wild_costs_do_not_panic() {
    let mut rng = Rng::new(61);
    for trial in 0..200 {
        let rounds = 2 + rng.below(30) as usize;
        let mut arm = || -> Vec<f64> {
            (0..rounds)
                .map(|_| match trial % 4 {
                    // Over the whole range of f64.
                    0 => 10f64.powf(600.0 * uniform(&mut rng) - 300.0),
                    // A handful of equal values.
                    1 => (1 + rng.below(2)) as f64,
                    // All equal, differing between arms by rounding only.
                    2 => 0.1 + f64::EPSILON * rng.below(3) as f64,
                    _ => f64::MAX / (1 + rng.below(3)) as f64,
                })
                .collect()
        };
        let (b, v) = (arm(), arm());
        assert_eq!(one(&b, &v, 0.01, 0.05), Ok(()), "{b:?} {v:?}");
    }
}
