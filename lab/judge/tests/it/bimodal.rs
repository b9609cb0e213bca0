//! Two modes: dips against the Python package diptest 0.12.0, and error rates.

use karat_judge::{Rng, modes};

use crate::simulate::{Noise, arms, normal, uniform};

const ONE: [f64; 24] = [
    9.896, 9.920, 9.918, 9.979, 9.861, 9.989, 9.943, 10.054, 10.057, 10.084, 10.046, 9.997, 10.052,
    10.090, 9.961, 10.037, 9.997, 10.086, 9.950, 9.982, 10.022, 10.015, 9.902, 10.022,
];
const TWO: [f64; 24] = [
    9.993, 9.986, 9.991, 10.013, 9.891, 10.093, 9.948, 9.866, 9.995, 10.087, 9.969, 10.093, 10.093,
    9.948, 9.852, 10.526, 10.671, 10.551, 10.509, 10.520, 10.600, 10.598, 10.652, 10.659,
];
const TAIL: [f64; 20] = [
    10.330, 10.090, 11.140, 10.710, 10.720, 10.880, 10.240, 10.310, 10.010, 10.170, 10.410, 10.050,
    10.360, 10.050, 10.050, 10.290, 10.110, 10.070, 10.220, 10.600,
];
const TIED: [f64; 12] = [1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 5.0, 5.0];

#[test]
fn dips_equal_diptests() {
    for (costs, dip) in [
        (&ONE[..], 0.05285234323906346),
        (&TWO, 0.13599258326171368),
        (&TAIL, 0.052527152540362665),
        (&TIED, 0.125),
    ] {
        let found = modes(costs).expect("valid").dip;
        assert!((found - dip).abs() < 1e-12, "{found} {dip}");
    }
}

#[test]
fn levels_and_shares() {
    let found = modes(&TWO).expect("valid");
    assert_eq!(found.p, 0.001);
    assert_eq!((found.fast, found.slow_share), (9.991, 9.0 / 24.0));
    assert!((found.slow - 10.598).abs() < 1e-9, "{found:?}");
    assert!(modes(&ONE).expect("valid").p > 0.3);
}

#[test]
fn slow_tails_are_no_second_mode() {
    let trials = 150;
    let mut rng = Rng::new(95);
    for kind in 0..4 {
        for rounds in [20, 40, 120] {
            let alarms = (0..trials)
                .filter(|_| {
                    let costs: Vec<f64> = match kind {
                        0 => arms(&mut rng, rounds, 0.0, Noise::Normal).0,
                        1 => arms(&mut rng, rounds, 0.0, Noise::HeavyTailed).0,
                        2 => (0..rounds)
                            .map(|_| 1.0 - 0.02 * uniform(&mut rng).ln())
                            .collect(),
                        _ => (0..rounds)
                            .map(|_| 1.0 + 0.01 * (0.8 * normal(&mut rng)).exp())
                            .collect(),
                    };
                    modes(&costs).expect("valid").p <= 0.01
                })
                .count();
            println!("kind {kind} n={rounds}: {alarms} of {trials} at 0.01");
            assert!(alarms <= 3, "kind {kind} n={rounds}: {alarms}");
        }
    }
}

#[test]
fn two_levels_are_found() {
    let mut rng = Rng::new(96);
    let found = (0..100)
        .filter(|_| {
            let costs: Vec<f64> = (0..40)
                .map(|r| {
                    let level = if r % 5 < 2 { 0.05 } else { 0.0 };
                    (level + 0.006 * normal(&mut rng)).exp()
                })
                .collect();
            let m = modes(&costs).expect("valid");
            m.p <= 0.01
                && (m.slow / m.fast - 1.05).abs() < 0.01
                && (m.slow_share - 0.4).abs() < 0.01
        })
        .count();
    assert!(found >= 97, "{found}");
}

#[test]
fn odd_input() {
    assert_eq!(modes(&[1.0; 9]), None);
    assert_eq!(modes(&[1.0, 0.0].repeat(6)), None);
    let same = modes(&[2.5; 30]).expect("valid");
    assert!(
        same.p > 0.5 && (same.fast / 2.5 - 1.0).abs() < 1e-12,
        "{same:?}"
    );
    let many: Vec<f64> = (0..5_000)
        .map(|i| if i % 2 == 0 { 1.0 } else { 2.0 } + f64::from(i) * 1e-6)
        .collect();
    let found = modes(&many).expect("valid");
    assert!(
        found.p <= 0.001 && (found.slow_share - 0.5).abs() < 0.01,
        "{found:?}"
    );
}
