//! Compares plans of looks over a stretch of time:
//! `cargo run --release -p karat-judge --example plans`.
//!
//! An estimate whose noise falls as 1/sqrt(time) (Brownian motion) is judged at each look, as one
//! of nine comparisons without Holm's gain. Prints the share of the time that it takes until a
//! word is said, and the share of comparisons that get one.

use karat_judge::{Interval, Judgement, Rng, judge, looks, normal_quantile};

const COMPARISONS: f64 = 9.0;
const ALPHA: f64 = 0.04;
const TRIALS: usize = 20_000;

type Plan = Vec<(f64, f64)>;

fn plan(shares: &[f64], parts: &[f64]) -> Plan {
    let total: f64 = parts.iter().sum();
    let alphas = parts.iter().map(|part| ALPHA * part / total);
    shares.iter().copied().zip(alphas).collect()
}

/// Time until a word, and whether there was one.
fn run(plan: &Plan, effect: f64, noise: f64, rng: &mut Rng) -> (f64, bool) {
    let (mut time, mut sum) = (0.0f64, 0.0);
    for &(share, alpha) in plan {
        let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        sum += effect * (share - time) + noise * (share - time).sqrt() * normal_quantile(uniform);
        time = share;
        let half = normal_quantile(1.0 - alpha / COMPARISONS / 2.0) * noise / time.sqrt();
        let estimate = sum / time;
        let interval = Interval {
            low: estimate - half,
            high: estimate + half,
        };
        if judge(estimate, interval, 1.0) != Judgement::Inconclusive {
            return (time, true);
        }
    }
    (1.0, false)
}

fn main() {
    let six = [0.05, 0.1, 0.2, 0.35, 0.6, 1.0];
    let plans: [(&str, Plan); 7] = [
        ("one look", plan(&[1.0], &[1.0])),
        (
            "quarter, half, all",
            plan(&[0.25, 0.5, 1.0], &[0.2, 0.3, 0.5]),
        ),
        ("0.1, 0.3, 1", plan(&[0.1, 0.3, 1.0], &[0.2, 0.3, 0.5])),
        ("six, equal", plan(&six, &[1.0; 6])),
        (
            "six, half for the last",
            plan(&six, &[1.0, 1.0, 2.0, 2.0, 4.0, 10.0]),
        ),
        (
            "the crate's",
            looks(0).iter().map(|l| (l.share, l.alpha)).collect(),
        ),
        (
            "ten",
            plan(
                &[0.02, 0.04, 0.07, 0.1, 0.15, 0.22, 0.33, 0.48, 0.7, 1.0],
                &[0.5, 0.5, 0.6, 0.7, 0.8, 1.0, 1.2, 1.5, 1.8, 2.4],
            ),
        ),
    ];
    println!(
        "| effect / margin | sd / margin |{}",
        plans
            .iter()
            .map(|p| format!(" {} |", p.0))
            .collect::<String>()
    );
    println!("|---|---|{}", "---|".repeat(plans.len()));
    for effect in [0.0, 2.0, 4.0] {
        for noise in [0.06, 0.12, 0.2, 0.28, 0.35] {
            print!("| {effect} | {noise} |");
            for (_, plan) in &plans {
                let mut rng = Rng::new(1);
                let (mut time, mut decided) = (0.0, 0);
                for _ in 0..TRIALS {
                    let (took, word) = run(plan, effect, noise, &mut rng);
                    time += took / TRIALS as f64;
                    decided += usize::from(word);
                }
                let share = 100.0 * decided as f64 / TRIALS as f64;
                print!(" {time:.2}, {share:.0} % |");
            }
            println!();
        }
    }
}
