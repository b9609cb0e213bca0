//! Drift against scipy 1.17.1 (`stats.kendalltau` for S, `stats.norm.sf` for p,
//! `stats.theilslopes`), and its error rates.

use karat_judge::{Rng, drift, normal_p};

use crate::simulate::{Noise, arms, credible_at_most, normal};

const STEADY: [f64; 24] = [
    9.896, 9.920, 9.918, 9.979, 9.861, 9.989, 9.943, 10.054, 10.057, 10.084, 10.046, 9.997, 10.052,
    10.090, 9.961, 10.037, 9.997, 10.086, 9.950, 9.982, 10.022, 10.015, 9.902, 10.022,
];
const RISING: [f64; 20] = [
    10.050, 10.030, 10.150, 10.020, 10.100, 10.260, 10.100, 10.180, 10.290, 10.220, 10.150, 10.060,
    10.430, 10.290, 10.380, 10.260, 10.470, 10.380, 10.360, 10.310,
];
const TIED: [f64; 12] = [1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 5.0, 5.0];

#[test]
fn values_equal_scipys() {
    for (costs, p, change) in [
        (&STEADY[..], 0.1722271837763576, 0.007329792131534992),
        (&RISING, 0.0005643772469682034, 0.03509500531159152),
        (&TIED, 0.0001258780009224432, 4.364838868328482),
    ] {
        let found = drift(costs).expect("valid");
        assert!((found.p / p - 1.0).abs() < 1e-9, "{found:?}");
        assert!((found.change - change).abs() < 1e-9, "{found:?}");
    }
}

#[test]
fn normal_probabilities_equal_scipys() {
    for (z, p) in [
        (0.0, 1.0),
        (0.5, 0.6170750774519738),
        (-1.96, 0.04999579029644087),
        (2.9, 0.003731626600768075),
        (3.1, 0.0019352064264367126),
        (6.0, 1.973175290075389e-09),
    ] {
        assert!(
            (normal_p(z) / p - 1.0).abs() < 1e-10,
            "{z}: {}",
            normal_p(z)
        );
    }
    assert_eq!(normal_p(f64::INFINITY), 0.0);
    assert!(normal_p(f64::NAN).is_nan());
}

#[test]
fn steady_arms_seldom_drift_and_drifting_ones_do() {
    let trials = 1_000;
    for noise in [Noise::Normal, Noise::HeavyTailed] {
        for rounds in [10, 40] {
            let mut rng = Rng::new(91);
            let alarms = (0..trials)
                .filter(|_| {
                    drift(&arms(&mut rng, rounds, 0.0, noise).0)
                        .expect("valid")
                        .p
                        <= 0.01
                })
                .count();
            println!("{noise:?} n={rounds}: {alarms} of {trials} at 0.01");
            assert!(credible_at_most(alarms, trials, 0.01), "{alarms}");
        }
    }
    let mut rng = Rng::new(92);
    let found = (0..200)
        .filter(|_| {
            let costs: Vec<f64> = (0..40)
                .map(|r| (0.03 * f64::from(r) / 39.0 + 0.006 * normal(&mut rng)).exp())
                .collect();
            let d = drift(&costs).expect("valid");
            d.p <= 0.01 && (0.015..0.045).contains(&d.change)
        })
        .count();
    assert!(found >= 195, "{found}");
}

#[test]
fn long_series_keep_their_change_and_bad_ones_say_nothing() {
    let costs: Vec<f64> = (0..3_001)
        .map(|r| (0.1 * f64::from(r) / 3000.0).exp())
        .collect();
    let d = drift(&costs).expect("valid");
    assert!(
        (d.change - 0.1f64.exp_m1()).abs() < 1e-9 && d.p < 1e-10,
        "{d:?}"
    );
    assert_eq!(drift(&[3.0; 20]).map(|d| (d.p, d.change)), Some((1.0, 0.0)));
    assert_eq!(drift(&[1.0; 9]), None);
    let mut bad = [1.0; 12];
    bad[4] = f64::NAN;
    assert_eq!(drift(&bad), None);
}
