//! The test against values computed elsewhere: the formulas of the crate's documentation in
//! plain Python 3.11, which exchanges labels in every possible way and computes all scores,
//! levels and weights afresh each time.

use karat_judge::{Arm, Layout, Pair, Paired, Rng, Swaps, judge_family, p_value, permutation_sd};

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
    let data = Paired::new(b, v).expect("valid");
    let swaps = Swaps::plan(data.rounds(), 0.05, 0);
    assert!(swaps.is_exact());
    p_value(&data, shift, &swaps)
}

#[test]
fn exact_p_values_equal_pythons() {
    for (b, v, shift, expected) in [
        (&B8[..], &V8[..], 0.0, 0.015625),
        (&B8, &V8, 0.01, 0.734375),
        (&B8, &V8, -0.005, 0.0078125),
        (&B9, &V9, 0.0, 0.01171875),
        (&B9, &V9, -0.02, 0.24609375),
        (&B9, &V9, -0.01, 0.02734375),
        (&B10, &V10, 0.0, 0.01953125),
        (&B10, &V10, 0.01, 0.1796875),
        (&B10, &V10, -0.01, 0.001953125),
    ] {
        assert_eq!(exact(b, v, shift), expected, "n={} shift={shift}", b.len());
    }
}

#[test]
fn estimates_equal_pythons() {
    for (b, v, expected) in [
        (&B8[..], &V8[..], 0.008933758311234776),
        (&B9, &V9, -0.02541634229361711),
        (&B10, &V10, 0.006540514574625121),
    ] {
        let estimate = Paired::new(b, v).expect("valid").log_ratio();
        assert!((estimate - expected).abs() < 1e-12, "{estimate} {expected}");
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
fn sampled_p_values_are_near_the_exact_ones() {
    // All 2^19 swaps enumerated with numpy: 0.0867729 at 0, 0.1335640 at 0.01.
    let data = Paired::new(&B20, &V20).expect("valid");
    for (shift, expected) in [(0.0, 0.08677291870117188), (0.01, 0.13356399536132812)] {
        let swaps = Swaps::plan(20, 4e-4, 11);
        assert!(!swaps.is_exact());
        let p = p_value(&data, shift, &swaps);
        // 100 000 draws: four standard deviations.
        let slack = 4.0 * (expected * (1.0 - expected) / 1e5f64).sqrt();
        assert!((p - expected).abs() < slack, "{p} {expected}");
    }
    let swaps = Swaps::plan(20, 1e-5, 0);
    assert!(swaps.is_exact(), "2^19 swaps are fewer than 4e6 draws");
    let p = p_value(&data, 0.0, &swaps);
    assert!((p - 0.08677291870117188).abs() < 1e-12, "{p}");
}

/// The same draws as the crate's plan, with the statistic computed the slow way.
fn slow_p(b: &[f64], v: &[f64], draws: u64, seed: u64) -> f64 {
    let observed = slow::statistic(b, v, |_| false) * (1.0 - 1e-10);
    let mut rng = Rng::new(seed);
    let mut hits = 0;
    for _ in 0..draws {
        let swap: Vec<u64> = (0..b.len().div_ceil(64)).map(|_| rng.next_u64()).collect();
        let exchanged = |round: usize| swap[round / 64] >> (round % 64) & 1 == 1;
        hits += u64::from(slow::statistic(b, v, exchanged) >= observed);
    }
    (1 + hits) as f64 / (1 + draws) as f64
}

#[test]
fn tables_agree_with_computing_afresh_at_every_size() {
    let mut rng = Rng::new(31);
    for rounds in [17, 24, 33, 63, 64, 65, 129] {
        let (b, v) = arms(&mut rng, rounds, 0.001, Noise::HeavyTailed);
        let data = Paired::new(&b, &v).expect("valid");
        let p = p_value(&data, 0.0, &Swaps::plan(rounds, 0.05, 5));
        assert_eq!(p, slow_p(&b, &v, 9_999, 5), "n={rounds}");
    }
}

#[test]
fn small_sizes_enumerate_like_computing_afresh() {
    let mut rng = Rng::new(32);
    for rounds in [2usize, 3, 5, 7, 11, 12] {
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
        let data = Paired::new(&b, &v).expect("valid");
        squares += (data.log_ratio() - 0.02).powi(2);
        predicted += permutation_sd(&data).powi(2);
    }
    let ratio = (predicted / squares).sqrt();
    println!("permutation sd over true sd: {ratio:.3}");
    assert!((0.85..1.15).contains(&ratio), "{ratio}");
}

#[test]
fn plans_fit_the_level() {
    assert!(Swaps::plan(12, 0.05, 0).is_exact());
    assert!(!Swaps::plan(15, 0.05, 0).is_exact());
    assert!(Swaps::plan(15, 4e-4, 0).is_exact());
    assert_eq!(Swaps::plan(10, 0.05, 0).smallest_p(), 2.0 / 1024.0);
    assert_eq!(Swaps::plan(40, 4e-4, 0).smallest_p(), 1.0 / 100_001.0);
    // Levels without sense still give a bounded plan.
    for level in [0.0, -1.0, f64::NAN, 1e-300, f64::INFINITY] {
        let smallest = Swaps::plan(100, level, 0).smallest_p();
        assert!((1e-7..=1e-4).contains(&smallest), "{level}: {smallest}");
    }
}

/// Places of baseline, variant and one more arm.
const PLACES: [[u32; 8]; 3] = [
    [0, 2, 1, 0, 2, 1, 0, 2],
    [1, 0, 2, 2, 1, 0, 1, 0],
    [2, 1, 0, 1, 0, 2, 2, 1],
];
const C8: [f64; 8] = [30.1, 30.0, 30.4, 30.2, 30.6, 30.3, 30.1, 99.0];

fn with_places<'a>(b: &'a [f64], v: &'a [f64], other: &'a [f64]) -> Layout<'a> {
    let arm = |arm: usize, costs| Arm {
        costs,
        places: Some(&PLACES[arm]),
    };
    Layout {
        baseline: arm(0, b),
        variant: arm(1, v),
        others: vec![arm(2, other)],
    }
}

#[test]
fn the_level_equals_pythons() {
    let data = Paired::of(&[with_places(&B8, &V8, &C8)]).expect("valid");
    let estimate = data.log_ratio();
    assert!(
        (estimate - 0.008756245899275818).abs() < 1e-12,
        "{estimate}"
    );
    let swaps = Swaps::plan(8, 0.05, 0);
    for (shift, expected) in [
        (0.0, 0.03125),
        (0.01, 0.75),
        (-0.005, 0.015625),
        (0.004, 0.1796875),
    ] {
        assert_eq!(p_value(&data, shift, &swaps), expected, "{shift}");
    }
}

#[test]
fn other_arms_are_of_any_size_and_left_out_when_broken() {
    let p = |other: &[f64]| {
        let pair = Pair {
            layouts: vec![with_places(&B8, &V8, other)],
            margin: 0.01,
        };
        judge_family(&[pair], 0.05, 1).remove(0).expect("valid").p
    };
    let longer = C8.map(|c| c * 1000.0);
    assert_eq!(p(&C8), p(&longer));
    let mut broken = C8;
    broken[3] = f64::NAN;
    assert_eq!(p(&broken), p(&C8[..7]), "left out both times");
}
