//! Runs that were not made in rounds, against scipy 1.17.1.
//!
//! With `fh` the mean of the smallest ceil(n/2): p by `stats.permutation_test((a, b),
//! lambda x, y: abs(log(fh(y) / fh(x))), permutation_type='independent', alternative='greater',
//! n_resamples=inf, vectorized=False).pvalue`, bounds by bisection of the same call on
//! `b * exp(-shift)`. With reference runs: `s = log(ref).std(ddof=1)`, `se = s * sqrt(1/m + 1/n)`,
//! `2 * stats.t.sf(abs(d / se), k - 1)` and `d -+ stats.t.isf(0.025, k - 1) * se`.

use crate::simulate::{Noise, arms, credible_at_most};
use karat_judge::{
    JudgeError, Judgement, NoiseSource, Rng, Runs, RunsOutcome, judge_runs, log_margin,
};

fn one(baseline: &[f64], variant: &[f64], reference: &[f64]) -> Result<RunsOutcome, JudgeError> {
    let runs = Runs {
        baseline,
        variant,
        reference,
        margin: log_margin(0.01),
    };
    judge_runs(&[runs], 0.05, 1).remove(0)
}

const A: [f64; 5] = [10.1, 10.3, 9.9, 10.2, 10.6];

#[test]
fn p_and_bounds_of_two_samples() {
    let seven = [41.48, 41.9, 41.2, 41.6, 43.0, 41.5, 41.7];
    for (a, b, ratio, p, low, high) in [
        (
            &A[..],
            &[10.9, 11.2, 10.8, 10.7, 11.5][..],
            0.07031649841745968,
            0.007936507936507936,
            0.02827548279245968,
            0.12165927185495969,
        ),
        (
            &A,
            &[10.0, 10.25, 10.05, 10.4, 10.15],
            0.0,
            1.0,
            -0.041528320312499784,
            0.02702636718750022,
        ),
        (
            &[3.0, 3.1, 2.9, 3.3, 3.05, 2.95],
            &[2.8, 3.02, 2.75, 2.85],
            -0.06115442315333058,
            0.08095238095238096,
            -0.11982141534083057,
            0.006667842471669412,
        ),
        (
            &seven,
            &[40.15, 40.3, 40.9, 40.2, 41.0, 40.4, 41.25],
            -0.028946732386172503,
            0.0011655011655011655,
            -0.037882279261172505,
            -0.014518021448672504,
        ),
    ] {
        let outcome = one(a, b, &[]).expect("enough runs");
        assert_eq!(outcome.noise, NoiseSource::Runs);
        assert!((outcome.log_ratio - ratio).abs() < 1e-12, "{outcome:?}");
        assert!((outcome.p - p).abs() < 1e-12, "{outcome:?}");
        // Bounds are found to half a percent of their distance.
        for (bound, expected) in [(outcome.interval.low, low), (outcome.interval.high, high)] {
            let slack = 0.006 * (expected - ratio).abs();
            assert!((bound - expected).abs() < slack, "{expected}: {outcome:?}");
        }
    }
}

#[test]
fn drawn_labelings_come_near_all() {
    let a: Vec<f64> = (0..12)
        .map(|i| 100.0 + f64::from(i * 37 % 17) / 4.0)
        .collect();
    let b: Vec<f64> = (0..12)
        .map(|i| 101.0 + f64::from(i * 29 % 19) / 4.0)
        .collect();
    let outcome = one(&a, &b, &[]).expect("enough runs");
    // 200 000 draws of scipy, seed 1.
    assert!((outcome.p - 0.2017).abs() < 0.01, "{outcome:?}");
}

#[test]
fn reference_runs_predict() {
    for (b, v, reference, ratio, p, low, high) in [
        (
            &[2.97e5][..],
            &[3.15e5][..],
            &[2.97e5, 2.99e5, 2.95e5, 2.985e5][..],
            0.058840500022933284,
            0.006300288230138484,
            0.03160677859755254,
            0.08607422144831403,
        ),
        (
            &[100.0],
            &[101.0],
            &[99.0, 101.0, 100.5],
            0.009950330853167877,
            0.5689513854198701,
            -0.05342165823597231,
            0.07332231994230806,
        ),
        (
            &[100.0, 100.4],
            &[98.0],
            &[99.0, 101.0, 100.5, 100.1, 99.7],
            -0.022198717952288227,
            0.07652660239925774,
            -0.04816580137247023,
            0.0037683654678937785,
        ),
    ] {
        let outcome = one(b, v, reference).expect("reference runs");
        assert_eq!(outcome.noise, NoiseSource::Reference);
        for (found, expected) in [
            (outcome.log_ratio, ratio),
            (outcome.p, p),
            (outcome.interval.low, low),
            (outcome.interval.high, high),
        ] {
            assert!((found - expected).abs() < 1e-9, "{expected}: {outcome:?}");
        }
    }
}

#[test]
fn words() {
    let slower: Vec<f64> = A.iter().map(|c| c * 1.2).collect();
    assert_eq!(
        one(&A, &slower, &[]).map(|o| o.judgement),
        Ok(Judgement::Slower)
    );
    let faster: Vec<f64> = A.iter().map(|c| c * 0.8).collect();
    assert_eq!(
        one(&A, &faster, &[]).map(|o| o.judgement),
        Ok(Judgement::Faster)
    );
    // Figures without any noise: the same, not out of reach.
    let same = one(&[7.0; 5], &[7.0; 5], &[]).expect("enough runs");
    assert_eq!(same.judgement, Judgement::Same);
    assert_eq!(same.p, 1.0);
}

#[test]
fn too_few_runs_for_the_level_say_how_many_would_do() {
    // 20 labelings of 3 and 3: p is 0.1 at best.
    let outcome = one(&A[..3], &[20.0, 20.1, 20.2], &[]).expect("enough to test");
    assert!((outcome.p - 0.1).abs() < 1e-12);
    assert_eq!(outcome.judgement, Judgement::Inconclusive);
    assert!(outcome.interval.low.is_infinite());
    assert_eq!(outcome.runs_needed, Some(4));
}

#[test]
fn what_cannot_be_judged_is_told() {
    let missing = |b, v| {
        Err(JudgeError::TooFewRuns {
            baseline: b,
            variant: v,
        })
    };
    assert_eq!(one(&[1.0], &[1.1], &[]), missing(1, 1));
    assert_eq!(one(&A, &[1.1], &[1.0]), missing(5, 1));
    assert_eq!(one(&[], &A, &A), missing(0, 5));
    assert_eq!(one(&[1.0], &[1.1], &[5.0; 4]), Err(JudgeError::NoSpread));
    assert!(matches!(
        one(&[1.0, 0.0], &A, &[]),
        Err(JudgeError::BadCost { round: 1, .. })
    ));
}

#[test]
fn what_cannot_be_judged_is_no_member_of_the_family() {
    let slower: Vec<f64> = A.iter().map(|c| c * 1.2).collect();
    let good = Runs {
        baseline: &A,
        variant: &slower,
        reference: &[],
        margin: 0.01,
    };
    let alone = Runs {
        variant: &A[..1],
        ..good
    };
    let all = judge_runs(&[alone, good, good], 0.05, 1);
    assert!(all[0].is_err());
    let second = all[1].expect("judged");
    assert!((second.p_adjusted - 2.0 * second.p).abs() < 1e-12);
}

#[test]
fn identical_programs_are_rarely_told_apart() {
    for noise in [Noise::Normal, Noise::HeavyTailed] {
        let mut rng = Rng::new(9);
        let trials = 400;
        let wrong = (0..trials)
            .filter(|_| {
                let (a, b) = arms(&mut rng, 6, 0.0, noise);
                let outcome = one(&a, &b, &[]).expect("enough runs");
                outcome.interval.excludes_zero()
            })
            .count();
        assert!(credible_at_most(wrong, trials, 0.05), "{noise:?}: {wrong}");
    }
}
