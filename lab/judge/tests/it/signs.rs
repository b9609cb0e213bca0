//! The tail of random signs: exact, and by the saddlepoint, against enumeration and sampling.

use karat_judge::{Rng, normal_quantile, sign_p};

use crate::simulate::{normal, uniform};

/// All 2^n sums, one after the other.
fn enumerated(scores: &[f64]) -> f64 {
    let total: f64 = scores.iter().map(|d| d.abs()).sum();
    let observed = scores.iter().sum::<f64>().abs() - 1e-12 * total;
    let n = scores.len();
    let mut sum: f64 = scores.iter().sum();
    let mut turned = vec![false; n];
    let mut hits = 1u64;
    // Gray code: one sign changes at a time.
    for i in 1u64..1 << n {
        let at = i.trailing_zeros() as usize;
        let sign = if turned[at] { 2.0 } else { -2.0 };
        turned[at] = !turned[at];
        sum += sign * scores[at];
        hits += u64::from(sum.abs() >= observed);
    }
    hits as f64 / (1u64 << n) as f64
}

/// P(|T| >= x) by sampling under a tilt towards x (importance sampling): the relative error is
/// small however small p is.
fn sampled(scores: &[f64], draws: u32, rng: &mut Rng) -> f64 {
    let sizes: Vec<f64> = scores.iter().map(|d| d.abs()).collect();
    let observed = scores.iter().sum::<f64>().abs() - 1e-12 * sizes.iter().sum::<f64>();
    let (mut low, mut high) = (0.0, 1e3 / sizes.iter().copied().fold(0.0, f64::max));
    for _ in 0..200 {
        let t = f64::midpoint(low, high);
        let mean: f64 = sizes.iter().map(|d| d * (t * d).tanh()).sum();
        *(if mean < observed { &mut low } else { &mut high }) = t;
    }
    let ln_cosh = |x: f64| x + (-2.0 * x).exp().ln_1p() - std::f64::consts::LN_2;
    let k: f64 = sizes.iter().map(|d| ln_cosh(low * d)).sum();
    let up: Vec<f64> = sizes
        .iter()
        .map(|d| 1.0 / (1.0 + (-2.0 * low * d).exp()))
        .collect();
    let mut sum = 0.0;
    for _ in 0..draws {
        let t: f64 = sizes
            .iter()
            .zip(&up)
            .map(|(d, up)| if uniform(rng) < *up { *d } else { -d })
            .sum();
        if t >= observed {
            sum += (k - low * t).exp();
        }
    }
    2.0 * sum / f64::from(draws)
}

/// Scores that sum to `z` standard deviations of their random signs, so that p is known to be
/// near that of a normal z.
fn shifted(sizes: &[f64], z: f64, rng: &mut Rng) -> Vec<f64> {
    let sd = sizes.iter().map(|d| d * d).sum::<f64>().sqrt();
    let mut scores: Vec<f64> = sizes
        .iter()
        .map(|d| if rng.below(2) == 0 { *d } else { -d })
        .collect();
    for at in 0..scores.len() {
        if scores.iter().sum::<f64>() >= z * sd {
            break;
        }
        scores[at] = scores[at].abs();
    }
    scores
}

#[test]
fn few_scores_are_exact() {
    let mut rng = Rng::new(901);
    for n in [1, 2, 3, 5, 8, 12, 14, 17, 20, 22] {
        for lumpy in [false, true] {
            let scores: Vec<f64> = (0..n)
                .map(|_| {
                    if lumpy {
                        rng.below(4) as f64 - 1.0
                    } else {
                        normal(&mut rng) + 0.5
                    }
                })
                .collect();
            let found = sign_p(&scores);
            assert_eq!(found, enumerated(&scores), "n={n} {scores:?}");
        }
    }
    assert_eq!(sign_p(&[]), 1.0);
    assert_eq!(sign_p(&[0.0; 50]), 1.0);
    assert_eq!(sign_p(&[1.0, -1.0, 0.0]), 1.0);
    assert!(sign_p(&[f64::NAN, 1.0]).is_nan());
    // Zeros and rounding count for nothing: 2/2^6.
    let mut few = vec![1e-17; 400];
    few[..6].fill(0.5);
    assert_eq!(sign_p(&few), 2.0 / 64.0);
}

/// Smallest and largest ratio of [`sign_p`] to another p.
#[derive(Debug)]
struct Ratio {
    least: f64,
    most: f64,
}

fn ratios(
    name: &str,
    trials: u32,
    mut sizes: impl FnMut(&mut Rng) -> Vec<f64>,
    truth: fn(&[f64], &mut Rng) -> f64,
) -> Ratio {
    let mut rng = Rng::new(902);
    let mut out = Ratio {
        least: f64::INFINITY,
        most: 0.0,
    };
    for trial in 0..trials {
        let sizes = sizes(&mut rng);
        // Down to 1e-6, whose z is 4.9.
        let z = 5.0 * f64::from(trial) / f64::from(trials);
        let scores = shifted(&sizes, z, &mut rng);
        let p = truth(&scores, &mut rng);
        if p > 5e-7 {
            let ratio = sign_p(&scores) / p;
            out.least = out.least.min(ratio);
            out.most = out.most.max(ratio);
        }
    }
    println!("{name}: {:.3} to {:.3}", out.least, out.most);
    out
}

/// What is drawn of sizes.
type Sizes = fn(&mut Rng, usize) -> Vec<f64>;

/// Without ties, with some ties, and what neighbours make.
const SMOOTH: [(&str, Sizes); 2] = [
    ("smooth", |rng, n| {
        (0..n).map(|_| normal(rng).abs()).collect()
    }),
    ("half of them 0", |rng, n| {
        let size = |i| if i % 2 == 0 { uniform(rng) } else { 0.0 };
        (0..2 * n).map(size).collect()
    }),
];
/// A few scores far above the rest, and some between.
const FAR: [(&str, Sizes); 3] = [
    ("one far above", |rng, n| {
        let size = |i| {
            if i == 0 {
                1.0
            } else {
                0.003 * normal(rng).abs()
            }
        };
        (0..n).map(size).collect()
    }),
    ("three alike far above", |rng, n| {
        let size = |i| {
            if i < 3 {
                1.0
            } else {
                0.003 * normal(rng).abs()
            }
        };
        (0..n).map(size).collect()
    }),
    ("seven of all sizes above", |rng, n| {
        let size = |i| {
            if i < 7 {
                0.1 * 1.8f64.powi(i)
            } else {
                0.003 * normal(rng).abs()
            }
        };
        (0..n as i32).map(size).collect()
    }),
];
const LUMPY: [(&str, Sizes); 5] = [
    ("equal", |_, n| vec![1.0; n]),
    ("lumps", |rng, n| {
        let size = |_| [1.0, 2.0, 5.0][rng.below(3) as usize];
        (0..n).map(size).collect()
    }),
    ("lumps and specks", |rng, n| {
        let size = |i| if i % 5 == 0 { 0.01 * uniform(rng) } else { 1.0 };
        (0..n).map(size).collect()
    }),
    ("heavy tails", |rng, n| {
        (0..n).map(|_| 1.0 / uniform(rng).sqrt()).collect()
    }),
    ("two levels", |rng, n| {
        let slow = |rng: &mut Rng| if rng.below(10) == 0 { 0.4 } else { 0.003 };
        (0..n).map(|_| slow(rng) * normal(rng).abs()).collect()
    }),
];

#[test]
fn the_saddlepoint_is_near_the_truth_and_not_below_it() {
    // The sampled p is itself known to 1 to 4 %.
    let truth =
        |scores: &[f64], rng: &mut Rng| sampled(scores, 1_000_000 / scores.len() as u32, rng);
    for (n, most) in [(26usize, 1.9), (40, 1.3), (100, 1.12), (400, 1.12)] {
        for (name, sizes) in SMOOTH {
            let found = ratios(&format!("{name}, n={n}"), 30, |rng| sizes(rng, n), truth);
            assert!(
                found.least > 0.92 && found.most < most,
                "{name} {n} {found:?}"
            );
        }
        for (name, sizes) in FAR {
            let found = ratios(&format!("{name}, n={n}"), 30, |rng| sizes(rng, n), truth);
            assert!(
                found.least > 0.92 && found.most < 1.9,
                "{name} {n} {found:?}"
            );
        }
        // Too large a p costs power and nothing else.
        for (name, sizes) in LUMPY {
            let found = ratios(&format!("{name}, n={n}"), 30, |rng| sizes(rng, n), truth);
            assert!(found.least > 0.92, "{name} {n} {found:?}");
        }
    }
}

#[test]
fn the_extremes_are_right() {
    // All one sign: the smallest p there is.
    for n in [10usize, 24, 25, 40, 200] {
        let p = sign_p(&vec![0.3; n]);
        let least = 2f64.powf(1.0 - n as f64);
        assert!(p >= least && p < 40.0 * least, "{n}: {p}");
    }
    // The same with one score far above the rest.
    for n in [25usize, 65, 200] {
        let mut scores = vec![0.003; n];
        scores[0] = 1.0;
        let p = sign_p(&scores);
        let least = 2f64.powf(1.0 - n as f64);
        assert!(p >= least && p < 40.0 * least, "{n}: {p}");
    }
    // Far out of reach of sampling: the order of magnitude of the normal tail.
    let scores: Vec<f64> = (0..1000).map(|i| 0.4 + f64::from(i % 7) - 3.0).collect();
    let sd = scores.iter().map(|d| d * d).sum::<f64>().sqrt();
    let z = scores.iter().sum::<f64>() / sd;
    let by_normal = -normal_quantile(sign_p(&scores) / 2.0);
    assert!((z - by_normal).abs() < 0.05, "{z} {by_normal}");
}
