//! The test against values computed elsewhere: the formulas of the crate's documentation in
//! plain Python 3.11, which exchanges labels in every possible way and computes all scores,
//! levels and weights afresh each time.

use karat_judge::{Arm, Layout, Pair, Paired, Rng, judge_family, p_value, permutation_sd};

use crate::simulate::{Noise, arms};
use crate::slow;

pub const B8: [f64; 8] = [
    27.169, 27.084, 27.259, 27.369, 27.487, 27.318, 27.21, 27.172,
];
pub const V8: [f64; 8] = [
    27.642, 27.712, 27.304, 27.532, 27.413, 27.546, 27.362, 27.578,
];
pub const B9: [f64; 9] = [
    27.458, 27.107, 27.421, 27.121, 27.246, 500.109, 27.538, 27.393, 27.701,
];
pub const V9: [f64; 9] = [
    26.554, 26.915, 31.318, 26.604, 26.578, 26.827, 26.591, 26.556, 26.858,
];
pub const B10: [f64; 10] = [
    27.316, 27.613, 27.379, 27.043, 27.585, 27.357, 27.146, 27.449, 27.303, 27.199,
];
pub const V10: [f64; 10] = [
    27.49, 27.711, 27.512, 27.431, 27.526, 27.259, 27.354, 27.54, 27.513, 27.665,
];
const B20: [f64; 20] = [
    27.112, 27.319, 44.765, 27.197, 27.026, 27.621, 27.451, 27.141, 27.449, 27.521, 26.911, 27.21,
    27.237, 27.406, 27.28, 27.262, 57.04, 27.605, 27.656, 27.214,
];
const V20: [f64; 20] = [
    27.683, 80.319, 38.447, 27.108, 27.48, 27.606, 27.072, 27.274, 27.639, 27.422, 89.602, 27.403,
    27.375, 27.584, 27.539, 27.418, 27.355, 27.455, 27.684, 27.522,
];

fn exact(b: &[f64], v: &[f64], shift: f64) -> f64 {
    p_value(&Paired::new(b, v, 0.05).expect("valid"), shift)
}

#[test]
fn exact_p_values_equal_pythons() {
    for (b, v, shift, expected) in [
        (&B8[..], &V8[..], 0.0, 0.015625),
        (&B8, &V8, 0.01, 0.734375),
        (&B8, &V8, -0.005, 0.0078125),
        (&B9, &V9, 0.0, 0.0078125),
        (&B9, &V9, -0.02, 0.22265625),
        (&B9, &V9, -0.01, 0.0234375),
        (&B10, &V10, 0.0, 0.017578125),
        (&B10, &V10, 0.01, 0.23828125),
        (&B10, &V10, -0.01, 0.001953125),
        // All 2^19 swaps of the scores, enumerated with numpy.
        (&B20, &V20, 0.0, 0.09871292114257812),
        (&B20, &V20, 0.01, 0.18042373657226562),
    ] {
        assert_eq!(exact(b, v, shift), expected, "n={} shift={shift}", b.len());
    }
}

#[test]
fn estimates_equal_pythons() {
    for (b, v, expected) in [
        (&B8[..], &V8[..], 0.00893360642583585),
        (&B9, &V9, -0.02522681207022681),
        (&B10, &V10, 0.006244140584667379),
    ] {
        let estimate = Paired::new(b, v, 0.05).expect("valid").log_ratio();
        assert!((estimate - expected).abs() < 1e-10, "{estimate} {expected}");
    }
}

#[test]
fn ties_count_as_extreme() {
    let b = [3.0, 3.0, 4.0, 4.0, 5.0, 3.0, 4.0, 6.0];
    let v = [4.0, 3.0, 4.0, 5.0, 6.0, 4.0, 4.0, 6.0];
    // Python: 0.125
    assert_eq!(exact(&b, &v, 0.0), 0.125);
    assert_eq!(exact(&b, &b, 0.0), 1.0);
}

#[test]
fn small_sizes_enumerate_like_computing_afresh() {
    let mut rng = Rng::new(32);
    for rounds in [2usize, 3, 5, 7, 11, 16] {
        let (b, v) = arms(&mut rng, rounds, 0.002, Noise::Normal);
        let statistic = |bits: u64| slow::statistic(&b, &v, |r| bits >> r & 1 == 1);
        let observed = statistic(0) * (1.0 - 1e-10);
        let hits = (0..1u64 << rounds)
            .filter(|&bits| statistic(bits) >= observed)
            .count();
        let expected = hits as f64 / (1u64 << rounds) as f64;
        assert_eq!(exact(&b, &v, 0.0), expected, "n={rounds}");
    }
}

#[test]
fn the_deviation_is_that_of_the_estimate() {
    // Over repeated experiments the estimate must scatter as much as one experiment says.
    let mut rng = Rng::new(33);
    let (mut squares, mut predicted) = (0.0, 0.0);
    let trials = 1_000;
    for _ in 0..trials {
        let (b, v) = arms(&mut rng, 20, 0.02, Noise::Normal);
        let data = Paired::new(&b, &v, 0.05).expect("valid");
        squares += (data.log_ratio() - 0.02).powi(2);
        predicted += permutation_sd(&data).powi(2);
    }
    let ratio = (predicted / squares).sqrt();
    println!("permutation sd over true sd: {ratio:.3}");
    // The sharpest of several looks a little sharper than it is.
    assert!((0.8..1.1).contains(&ratio), "{ratio}");
}

/// Places of baseline, variant and one more arm.
const PLACES: [[u32; 8]; 3] = [
    [0, 2, 1, 0, 2, 1, 0, 2],
    [1, 0, 2, 2, 1, 0, 1, 0],
    [2, 1, 0, 1, 0, 2, 2, 1],
];
const C8: [f64; 8] = [30.1, 30.0, 30.4, 30.2, 30.6, 30.3, 30.1, 99.0];

fn with_places<'a>(b: &'a [f64], v: &'a [f64], other: &'a [f64]) -> Layout<'a> {
    let arm = |arm: usize, costs: &'a [f64]| Arm {
        costs,
        places: Some(&PLACES[arm][..costs.len()]),
        quiet: None,
    };
    Layout {
        baseline: arm(0, b),
        variant: arm(1, v),
        again: None,
        others: vec![arm(2, other)],
    }
}

#[test]
fn the_level_equals_pythons() {
    let data = Paired::of(&[with_places(&B8, &V8, &C8)], 0.05).expect("valid");
    let estimate = data.log_ratio();
    assert!(
        (estimate - 0.008916626442138087).abs() < 1e-10,
        "{estimate}"
    );
    for (shift, expected) in [
        (0.0, 0.0234375),
        (0.01, 0.734375),
        (-0.005, 0.0078125),
        (0.004, 0.1640625),
    ] {
        assert_eq!(p_value(&data, shift), expected, "{shift}");
    }
}

#[test]
fn other_arms_are_of_any_size_and_may_stop_early() {
    let outcome = |other: &[f64]| {
        let pair = Pair {
            layouts: vec![with_places(&B8, &V8, other)],
            margin: 0.01,
        };
        judge_family(&[pair], 0, 0.05).remove(0).expect("valid")
    };
    let p = |other: &[f64]| outcome(other).p;
    let longer = C8.map(|c| c * 1000.0);
    assert_eq!(p(&C8), p(&longer));
    // What was not measured leaves its place to the next, wherever it is missing.
    let mut broken = C8;
    broken[7] = f64::NAN;
    assert_eq!(outcome(&broken), outcome(&C8[..7]));
    broken[3] = f64::NAN;
    assert_ne!(outcome(&broken).log_ratio, outcome(&C8[..7]).log_ratio);
    assert_eq!(outcome(&[f64::NAN; 8]), outcome(&[]));
}
