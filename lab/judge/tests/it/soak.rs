//! Slopes, change points, block bootstrap and tails: values computed elsewhere, and how often
//! they err on simulated series.

use crate::simulate::{credible_at_most, normal, uniform};
use karat_judge::{Blocks, Rng, change_points, quantile, shape, slope, tail, variation};

/// A series whose neighbours have this correlation, of mean 0 and standard deviation 1.
fn wander(rng: &mut Rng, n: usize, r: f64) -> Vec<f64> {
    let mut now = normal(rng);
    let next = |_| {
        now = r * now + (1.0 - r * r).sqrt() * normal(rng);
        now
    };
    (0..n).map(next).collect()
}

fn timed(values: &[f64]) -> Vec<(f64, f64)> {
    values
        .iter()
        .enumerate()
        .map(|(i, v)| (i as f64, *v))
        .collect()
}

#[test]
fn slopes_seldom_miss_the_truth() {
    for (r, n, most) in [
        (0.0, 60, 0.06),
        (0.0, 20, 0.06),
        (0.5, 60, 0.08),
        (0.8, 60, 0.10),
        (0.9, 60, 0.13),
        (0.8, 360, 0.08),
    ] {
        let trials = 400;
        let mut rng = Rng::new(7);
        let (mut missed, mut wide) = (0, 0.0);
        for _ in 0..trials {
            let mut values = wander(&mut rng, n, r);
            for (i, v) in values.iter_mut().enumerate() {
                *v += 0.1 * i as f64;
            }
            let s = slope(&[&timed(&values)], 0.05).expect("enough");
            missed += usize::from(s.interval.low > 0.1 || s.interval.high < 0.1);
            wide += s.interval.high - s.interval.low;
        }
        println!(
            "r={r} n={n}: {missed} of {trials} miss, width {:.4}",
            wide / trials as f64
        );
        assert!(
            credible_at_most(missed, trials, most),
            "r={r} n={n}: {missed}"
        );
    }
}

#[test]
fn levels_seldom_change_where_they_do_not() {
    for (r, n) in [
        (0.0, 60),
        (0.0, 360),
        (0.5, 60),
        (0.8, 60),
        (0.8, 360),
        (0.9, 60),
    ] {
        let trials = 400;
        let mut rng = Rng::new(8);
        let found = (0..trials)
            .filter(|_| !change_points(&wander(&mut rng, n, r), 0.01).is_empty())
            .count();
        println!("r={r} n={n}: {found} of {trials} false alarms");
        assert!(
            credible_at_most(found, trials, 0.02),
            "r={r} n={n}: {found}"
        );
    }
}

#[test]
fn intervals_of_means_seldom_miss() {
    for (r, n, most) in [
        (0.0, 60, 0.07),
        (0.5, 60, 0.10),
        (0.8, 60, 0.16),
        (0.8, 360, 0.09),
    ] {
        let trials = 200;
        let mut rng = Rng::new(9);
        let mut missed = 0;
        for _ in 0..trials {
            let blocks = Blocks::of(&wander(&mut rng, n, r)).expect("enough");
            let i = blocks.interval(0.05, 1, |v| v.iter().sum::<f64>() / v.len() as f64);
            missed += usize::from(i.excludes_zero());
        }
        println!("mean r={r} n={n}: {missed} of {trials} miss");
        assert!(
            credible_at_most(missed, trials, most),
            "r={r} n={n}: {missed}"
        );
    }
    let _ = (uniform, quantile, shape, tail, variation);
}
