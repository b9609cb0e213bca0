//! Seeded noise of the kinds that benchmarks have.

use karat_judge::{Rng, normal_quantile};

#[derive(Clone, Copy, Debug)]
pub enum Noise {
    /// Log-normal with 0.6 % spread: CPU time on a shared machine.
    Normal,
    /// The same, with one sample in ten slowed by a factor 1 + Exp(1).
    HeavyTailed,
    /// The same, on a machine that slows by 10 % and swings by 5 %: shared within a round.
    Drift,
}

pub fn uniform(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

pub fn normal(rng: &mut Rng) -> f64 {
    normal_quantile(uniform(rng))
}

/// Baseline and variant costs whose true log ratio is `effect`.
pub fn arms(rng: &mut Rng, rounds: usize, effect: f64, noise: Noise) -> (Vec<f64>, Vec<f64>) {
    let mut arms = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let at = round as f64 / rounds as f64;
        let shared = match noise {
            Noise::Drift => 0.10 * at + 0.05 * (at * 12.0).sin(),
            Noise::Normal | Noise::HeavyTailed => 0.0,
        };
        let mut sample = |effect: f64| {
            let slow = match noise {
                Noise::HeavyTailed if uniform(rng) < 0.1 => 1.0 - uniform(rng).ln(),
                _ => 1.0,
            };
            0.0273 * slow * (effect + shared + 0.006 * normal(rng)).exp()
        };
        arms.0.push(sample(0.0));
        arms.1.push(sample(effect));
    }
    arms
}

/// Whether a count of events is credible for a true rate: within four standard deviations.
pub fn credible(events: usize, trials: usize, rate: f64) -> bool {
    let n = trials as f64;
    (events as f64 - n * rate).abs() <= 4.0 * (n * rate * (1.0 - rate)).sqrt()
}

/// Whether a count of events is credible for a true rate of at most `rate`.
pub fn credible_at_most(events: usize, trials: usize, rate: f64) -> bool {
    events as f64 <= trials as f64 * rate || credible(events, trials, rate)
}

/// Rounds of arms in random order: costs and places of each.
pub struct Measured {
    pub costs: Vec<Vec<f64>>,
    pub places: Vec<Vec<u32>>,
}

/// Arms of the given true log costs on a machine whose clock wanders between samples, with
/// slow outliers.
pub fn wandering(rng: &mut Rng, rounds: usize, levels: &[f64]) -> Measured {
    let mut out = Measured {
        costs: vec![vec![0.0; rounds]; levels.len()],
        places: vec![vec![0; rounds]; levels.len()],
    };
    let mut clock = 0.0;
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..levels.len()).collect();
        rng.shuffle(&mut order);
        for (place, arm) in (0..).zip(order) {
            clock += 0.007 * normal(rng);
            let slow = if uniform(rng) < 0.1 {
                1.0 - uniform(rng).ln()
            } else {
                1.0
            };
            out.costs[arm][round] = slow * (clock + levels[arm] + 0.004 * normal(rng)).exp();
            out.places[arm][round] = place;
        }
    }
    out
}
