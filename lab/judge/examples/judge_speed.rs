//! How long one look takes: `cargo run --release -p karat-judge --example judge_speed`.
//!
//! Prints figures only; they are not asserted anywhere. Uses all cores.

use std::time::Instant;

use karat_judge::{Arm, Layout, Pair, Rng, judge_family, log_margin, normal_quantile};

/// Arms of a round: a baseline, its second arm, and variants.
const ARMS: usize = 11;

struct Measured {
    costs: Vec<f64>,
    places: Vec<u32>,
    quiet: Vec<bool>,
}

fn arms(rng: &mut Rng, rounds: usize) -> Vec<Measured> {
    let mut order: Vec<usize> = (0..ARMS).collect();
    let mut out: Vec<Measured> = (0..ARMS)
        .map(|_| Measured {
            costs: Vec::new(),
            places: Vec::new(),
            quiet: Vec::new(),
        })
        .collect();
    for _ in 0..rounds {
        rng.shuffle(&mut order);
        for (place, &arm) in (0..).zip(&order) {
            let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            let quiet = rng.below(2) == 0;
            let slow = if quiet { 0.0 } else { 0.3 };
            let effect = 0.002 * arm as f64;
            let own = &mut out[arm];
            own.costs
                .push((effect + slow + 0.006 * normal_quantile(uniform)).exp());
            own.places.push(place);
            own.quiet.push(quiet);
        }
    }
    out
}

fn main() {
    let mut rng = Rng::new(1);
    for rounds in [40, 150, 500, 2000] {
        let workloads: Vec<_> = (0..5).map(|_| arms(&mut rng, rounds)).collect();
        let mut pairs = Vec::new();
        for workload in &workloads {
            let arm = |i: usize| Arm {
                costs: &workload[i].costs,
                places: Some(&workload[i].places),
                quiet: Some(&workload[i].quiet),
            };
            for variant in 2..ARMS {
                pairs.push(Pair {
                    layouts: vec![Layout {
                        baseline: arm(0),
                        variant: arm(variant),
                        again: Some(arm(1)),
                        others: (2..ARMS).filter(|i| *i != variant).map(arm).collect(),
                    }],
                    margin: log_margin(0.01),
                });
            }
        }
        let start = Instant::now();
        let outcomes = judge_family(&pairs, 0, 0.012);
        println!(
            "{} comparisons of {rounds} rounds: {:.0} ms, {} judged",
            pairs.len(),
            start.elapsed().as_secs_f64() * 1e3,
            outcomes.iter().flatten().count()
        );
    }
}
