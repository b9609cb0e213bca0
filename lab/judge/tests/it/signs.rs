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

#[test]
fn the_saddlepoint_is_near_the_truth_and_not_below_it() {
    let by_sampling = |scores: &[f64], rng: &mut Rng| sampled(scores, 40_000, rng);
    // The sampled p is itself known to about 2 %.
    for n in [26usize, 40, 100, 400] {
        let smooth = ratios(
            &format!("smooth, n={n}"),
            60,
            |rng| (0..n).map(|_| normal(rng).abs()).collect(),
            by_sampling,
        );
        assert!(smooth.least > 0.93 && smooth.most < 1.17, "{n} {smooth:?}");
        let capped = ratios(
            &format!("half of them 0, n={n}"),
            60,
            |rng| {
                let size = |rng: &mut Rng| uniform(rng).powi(2);
                (0..2 * n)
                    .map(|i| if i % 2 == 0 { size(rng) } else { 0.0 })
                    .collect()
            },
            by_sampling,
        );
        assert!(capped.least > 0.93 && capped.most < 1.17, "{n} {capped:?}");
        let heavy = ratios(
            &format!("heavy tails, n={n}"),
            60,
            |rng| (0..n).map(|_| 1.0 / uniform(rng).sqrt()).collect(),
            by_sampling,
        );
        assert!(heavy.least > 0.93, "{n} {heavy:?}");
        let equal = ratios(&format!("equal, n={n}"), 60, |_| vec![1.0; n], by_sampling);
        assert!(equal.least > 0.93 && equal.most < 1.25, "{n} {equal:?}");
        let lumpy = ratios(
            &format!("lumps, n={n}"),
            60,
            |rng| {
                (0..n)
                    .map(|_| [1.0, 2.0, 5.0][rng.below(3) as usize])
                    .collect()
            },
            by_sampling,
        );
        assert!(lumpy.least > 0.93 && lumpy.most < 1.5, "{n} {lumpy:?}");
        let blurred = ratios(
            &format!("lumps and specks, n={n}"),
            60,
            |rng| {
                let speck = |rng: &mut Rng| 0.01 * uniform(rng);
                (0..n)
                    .map(|i| if i % 5 == 0 { speck(rng) } else { 1.0 })
                    .collect()
            },
            by_sampling,
        );
        assert!(blurred.least > 0.93, "{n} {blurred:?}");
        let levels = ratios(
            &format!("two levels, n={n}"),
            60,
            |rng| {
                (0..n)
                    .map(|_| {
                        if rng.below(10) == 0 {
                            0.4
                        } else {
                            0.003 * normal(rng).abs()
                        }
                    })
                    .collect()
            },
            by_sampling,
        );
        assert!(levels.least > 0.93, "{n} {levels:?}");
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
    // Far out of reach of sampling: the order of magnitude of the normal tail.
    let scores: Vec<f64> = (0..1000).map(|i| 0.4 + f64::from(i % 7) - 3.0).collect();
    let sd = scores.iter().map(|d| d * d).sum::<f64>().sqrt();
    let z = scores.iter().sum::<f64>() / sd;
    let by_normal = -normal_quantile(sign_p(&scores) / 2.0);
    assert!((z - by_normal).abs() < 0.05, "{z} {by_normal}");
}
