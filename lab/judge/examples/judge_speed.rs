//! How long one look takes: `cargo run --release -p karat-judge --example judge_speed`.
//!
//! Prints figures only; they are not asserted anywhere.

use std::time::Instant;

use karat_judge::{
    Pair, Paired, Rng, confidence_interval, judge_family, log_margin, normal_quantile, p_value,
};

fn main() {
    let (comparisons, rounds, alpha) = (45, 120, 0.025);
    let mut rng = Rng::new(1);
    let mut arm = |effect: f64| -> Vec<f64> {
        (0..rounds)
            .map(|_| {
                let uniform = (rng.next_u64() >> 11) as f64 + 0.5;
                (effect + 0.006 * normal_quantile(uniform / (1u64 << 53) as f64)).exp()
            })
            .collect()
    };
    let arms: Vec<_> = (0..comparisons)
        .map(|i| (arm(0.0), arm(0.002 * f64::from(i % 6))))
        .collect();
    let pairs: Vec<Pair<'_>> = arms
        .iter()
        .map(|(baseline, variant)| Pair::new(baseline, variant, log_margin(0.01)))
        .collect();

    let start = Instant::now();
    let outcomes = judge_family(&pairs, 0, alpha);
    println!(
        "judge_family, {comparisons} comparisons of {rounds} rounds: {:.1} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
    println!("  judged: {}", outcomes.iter().flatten().count());

    let level = 4e-4;
    if let Ok(data) = Paired::new(&arms[1].0, &arms[1].1, level) {
        let start = Instant::now();
        let p = p_value(&data, 0.0);
        println!(
            "p_value, level {level}: {:.2} ms (p = {p:.5})",
            start.elapsed().as_secs_f64() * 1e3
        );
        let start = Instant::now();
        let interval = confidence_interval(&data, level);
        println!(
            "confidence_interval, level {level}: {:.1} ms ({:+.5} to {:+.5})",
            start.elapsed().as_secs_f64() * 1e3,
            interval.low,
            interval.high
        );
    }
}
