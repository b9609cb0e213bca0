//! Inversion: bounds computed elsewhere, duality with the test, equivariance.

use karat_judge::{Interval, Paired, Rng, confidence_interval, p_value, permutation_sd};

use crate::permutation::{B8, B9, B10, V8, V9, V10};
use crate::simulate::{Noise, arms};

fn of(b: &[f64], v: &[f64], level: f64) -> Interval {
    confidence_interval(&Paired::new(b, v, level).expect("valid"), level)
}

#[test]
fn bounds_equal_those_of_inverting_pythons_test() {
    // 22 bisections of p(shift) > level, with the p of tests/it/permutation.rs.
    for (b, v, level, low, high) in [
        (
            &B8[..],
            &V8[..],
            0.05,
            0.002048602382256748,
            0.01636177567632413,
        ),
        (&B9, &V9, 0.05, -0.03344629258475318, -0.01409266442618384),
        (&B10, &V10, 0.05, 0.00131273837824648, 0.012478452642162498),
        (
            &B10,
            &V10,
            0.01,
            -0.0007928314612310593,
            0.013759809453685934,
        ),
    ] {
        let data = Paired::new(b, v, 0.05).expect("valid");
        let sd = permutation_sd(&data);
        let found = of(b, v, level);
        let slack = 0.01 * sd;
        assert!((found.low - low).abs() < slack, "{found:?}, low {low}");
        assert!((found.high - high).abs() < slack, "{found:?}, high {high}");
    }
}

#[test]
fn p_crosses_the_level_at_each_bound() {
    let mut rng = Rng::new(41);
    for (rounds, noise) in [
        (14, Noise::Normal),
        (20, Noise::HeavyTailed),
        (40, Noise::Drift),
        (70, Noise::Normal),
    ] {
        for level in [0.05, 0.01, 4e-4] {
            let (b, v) = arms(&mut rng, rounds, 0.01, noise);
            let data = Paired::new(&b, &v, level).expect("valid");
            let sd = permutation_sd(&data);
            let found = confidence_interval(&data, level);
            let p = |shift: f64| p_value(&data, shift);
            let at = (rounds, noise, level, found);
            assert!(p(found.low - 0.02 * sd) <= level, "{at:?}");
            assert!(p(found.low + 0.02 * sd) > level, "{at:?}");
            assert!(p(found.high - 0.02 * sd) > level, "{at:?}");
            assert!(p(found.high + 0.02 * sd) <= level, "{at:?}");
        }
    }
}

#[test]
fn excluding_zero_is_the_same_as_rejecting() {
    let mut rng = Rng::new(42);
    let (mut rejected, trials) = (0, 300);
    for i in 0..trials {
        let rounds = [8, 10, 12, 15, 20][i % 5];
        // Near the critical value, where disagreement would show.
        let (b, v) = arms(&mut rng, rounds, 0.004, Noise::Normal);
        let data = Paired::new(&b, &v, 0.05).expect("valid");
        let rejects = p_value(&data, 0.0) <= 0.05;
        let interval = confidence_interval(&data, 0.05);
        assert_eq!(interval.excludes_zero(), rejects, "{interval:?}");
        rejected += usize::from(rejects);
    }
    assert!((30..270).contains(&rejected), "{rejected}: not a test");
}

#[test]
fn scaling_shifts_and_swapping_negates() {
    let mut rng = Rng::new(43);
    for rounds in [10, 20, 40] {
        let (b, v) = arms(&mut rng, rounds, 0.003, Noise::HeavyTailed);
        let data = Paired::new(&b, &v, 0.05).expect("valid");
        let slack = 0.011 * permutation_sd(&data);
        let plain = of(&b, &v, 0.05);
        for factor in [0.5, 1.01, 1.3, 1e9] {
            let scaled: Vec<f64> = v.iter().map(|c| c * factor).collect();
            let moved = of(&b, &scaled, 0.05);
            let by = factor.ln();
            assert!((moved.low - by - plain.low).abs() < slack, "{factor}");
            assert!((moved.high - by - plain.high).abs() < slack, "{factor}");
        }
        let turned = of(&v, &b, 0.05);
        assert!((turned.low + plain.high).abs() < slack);
        assert!((turned.high + plain.low).abs() < slack);
    }
}

#[test]
fn stricter_levels_give_wider_intervals() {
    let mut rng = Rng::new(44);
    let (b, v) = arms(&mut rng, 40, 0.01, Noise::Normal);
    let [wide, narrow] = [0.001, 0.05].map(|level| of(&b, &v, level));
    assert!(wide.low < narrow.low && narrow.high < wide.high);
    // Near the normal interval: half widths as 3.291 to 1.960.
    let ratio = (wide.high - wide.low) / (narrow.high - narrow.low);
    assert!((1.5..1.95).contains(&ratio), "{ratio}");
}

#[test]
fn levels_out_of_reach_give_infinite_bounds() {
    let infinite = Interval {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };
    // 2/2^10 = 0.00195.
    assert_eq!(of(&B10, &V10, 0.0019), infinite);
    assert!(of(&B10, &V10, 0.002).low.is_finite());
    assert_eq!(of(&B10[..5], &V10[..5], 0.05), infinite);
    assert_eq!(of(&B10[..2], &V10[..2], 0.05), infinite);
}

#[test]
fn constant_costs_give_a_point() {
    let found = of(&[3.0; 12], &[6.0; 12], 0.05);
    assert!((found.low - 2f64.ln()).abs() < 1e-6, "{found:?}");
    assert!((found.high - 2f64.ln()).abs() < 1e-6, "{found:?}");
    let found = of(&[3.0; 40], &[3.0; 40], 0.05);
    assert!(found.within(1e-6) && !found.excludes_zero(), "{found:?}");
}
