//! Compares statistics of two arms that do not differ, on recorded and simulated runs beside
//! neighbours: `cargo run --release -p karat-judge --example rules [TRIALS]`.
//!
//! For each source and number of rounds it prints the root mean square of the estimates, in
//! percent: what is left of noise. A label-swap test of any of them is exact.

#![expect(dead_code, reason = "files of the crate and its tests, used in part")]

#[path = "../src/describe.rs"]
mod describe;
#[path = "../src/level.rs"]
mod level;
#[path = "../tests/it/neighbours.rs"]
mod neighbours;
#[path = "../src/root.rs"]
mod root;
#[path = "../src/scores.rs"]
mod scores;

use karat_judge::Rng;
use level::Sequence;
use neighbours::{Recorded, Rounds, Source, TwoLevels, recorded};
use scores::{Costs, Kind, Score, all, kinds, sharpest};

/// Level that the scores must be able to reach.
const LEVEL: f64 = 0.01;

struct Rule {
    name: &'static str,
    /// The rounds' scores from the pair and all scores of it.
    scores: fn(&Data<'_>) -> Vec<f64>,
}

type Data<'a> = Costs<'a>;

impl Data<'_> {
    fn of(&self, kinds: &[Kind]) -> Vec<Score> {
        all(kinds, self)
    }

    fn every(&self) -> Vec<Score> {
        self.of(&kinds(self.pair.len(), self.quiet, true, LEVEL))
    }

    fn of_all_runs(&self) -> Vec<Score> {
        self.of(&kinds(self.pair.len(), None, true, LEVEL))
    }

    /// The three of the rule before.
    fn three(&self) -> Vec<Score> {
        self.of(&[Kind::Low(0.5), Kind::Pair, Kind::Level])
    }
}

const RULES: [Rule; 10] = [
    Rule {
        name: "faster half",
        scores: |d| power(&d.three()[..1], 1),
    },
    Rule {
        name: "three, p=1",
        scores: |d| power(&d.three(), 1),
    },
    Rule {
        name: "no flags, p=4",
        scores: |d| power(&d.of_all_runs(), 4),
    },
    Rule {
        name: "p=1",
        scores: |d| power(&d.every(), 1),
    },
    Rule {
        name: "p=2",
        scores: |d| power(&d.every(), 2),
    },
    Rule {
        name: "p=4",
        scores: |d| power(&d.every(), 4),
    },
    Rule {
        name: "p=8",
        scores: |d| power(&d.every(), 8),
    },
    Rule {
        name: "hard",
        scores: |d| power(&d.every(), 64),
    },
    Rule {
        name: "GLS",
        scores: |d| least_squares(&d.every(), 0.2),
    },
    Rule {
        name: "the crate's",
        scores: |d| sharpest(&d.every()),
    },
];

/// The mean weighted by the inverse variance to a power.
fn power(scores: &[Score], p: i32) -> Vec<f64> {
    let least = scores
        .iter()
        .map(|s| s.squares)
        .fold(f64::INFINITY, f64::min);
    let weights = scores.iter().map(|s| (least / s.squares).powi(p));
    mixed(scores, &weights.collect::<Vec<_>>())
}

fn mixed(scores: &[Score], weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mut sum = vec![0.0; scores[0].rounds.len()];
    for (score, weight) in scores.iter().zip(weights) {
        for (sum, d) in sum.iter_mut().zip(&score.rounds) {
            *sum += weight / total * d;
        }
    }
    sum
}

/// Weights C^-1 1 of the covariances, those off the diagonal shrunk; negative ones are 0.
fn least_squares(scores: &[Score], shrink: f64) -> Vec<f64> {
    let n = scores.len();
    let scale = scores
        .iter()
        .map(|s| s.squares)
        .fold(f64::INFINITY, f64::min);
    let mut matrix: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let row = (0..n).map(|j| {
                let products = scores[i].rounds.iter().zip(&scores[j].rounds);
                let sum: f64 = products.map(|(a, b)| a * b).sum();
                sum / scale * if i == j { 1.0 } else { 1.0 - shrink }
            });
            row.chain([1.0]).collect()
        })
        .collect();
    for i in 0..n {
        let pivot = matrix[i][i];
        matrix[i].iter_mut().for_each(|v| *v /= pivot);
        let row = matrix[i].clone();
        for (j, other) in matrix.iter_mut().enumerate() {
            if j != i {
                let factor = other[i];
                other
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(v, r)| *v -= factor * r);
            }
        }
    }
    let weights: Vec<f64> = matrix.iter().map(|row| row[n].max(0.0)).collect();
    mixed(scores, &weights)
}

fn estimate(rule: &Rule, rounds: &Rounds) -> (f64, f64) {
    let logs: Vec<[f64; 2]> = (0..rounds.costs[0].len())
        .map(|r| [rounds.costs[0][r].ln(), rounds.costs[1][r].ln()])
        .collect();
    let quiet: Vec<[bool; 2]> = (0..logs.len())
        .map(|r| [rounds.quiet[0][r], rounds.quiet[1][r]])
        .collect();
    let column = |arm: usize| {
        let costs = rounds.costs[arm].iter().map(|c| Some(c.ln()));
        costs.zip(rounds.places[arm].iter().copied()).collect()
    };
    let columns: Vec<_> = (0..rounds.costs.len()).map(column).collect();
    let sequence = Sequence::new(&columns).expect("every place once");
    let at = |scores: &dyn Fn(&Data<'_>) -> Vec<f64>, shift: f64| {
        let pair: Vec<[f64; 2]> = logs.iter().map(|[x, y]| [*x, y - shift]).collect();
        scores(&Data {
            pair: &pair,
            quiet: Some(&quiet),
            levels: Some(&sequence.levels(&pair)),
        })
    };
    let zero = |scores: &dyn Fn(&Data<'_>) -> Vec<f64>| {
        root::root(-0.6, 0.6, |shift| at(scores, shift).iter().sum())
    };
    let sd = |scores: &dyn Fn(&Data<'_>) -> Vec<f64>, effect: f64| {
        let squares: f64 = at(scores, effect).iter().map(|d| d * d).sum();
        squares.sqrt() / logs.len() as f64
    };
    // Of several zeros the one next to that of the score that is sharpest at its own.
    let own = kinds(logs.len(), Some(&quiet), true, LEVEL)
        .into_iter()
        .map(|kind| {
            let alone = move |d: &Data<'_>| d.of(&[kind]).remove(0).rounds;
            let effect = zero(&alone);
            (effect, sd(&alone, effect))
        });
    let (from, _) = own.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, 0.0));
    let sum = |shift: f64| at(&rule.scores, shift).iter().sum::<f64>();
    let sign = sum(from).signum();
    let mut step = 1e-4;
    while sum(from + sign * step).signum() == sign && step < 1.0 {
        step *= 1.5;
    }
    let (low, high) = (from.min(from + sign * step), from.max(from + sign * step));
    let effect = root::root(low, high, sum);
    (effect, sd(&rule.scores, effect))
}

fn main() {
    let trials: usize = std::env::args()
        .nth(1)
        .and_then(|t| t.parse().ok())
        .unwrap_or(200);
    let files = recorded();
    let mut sources: Vec<(String, Source<'_>)> = files
        .iter()
        .map(|f: &Recorded| (f.name.to_owned(), Source::Recorded(f)))
        .collect();
    for (share, factor, hold, waits) in [
        (1e-9, 1.0, 6.0, false),
        (0.1, 1.5, 6.0, false),
        (0.3, 1.2, 2.0, false),
        (0.3, 1.8, 20.0, false),
        (0.5, 1.5, 6.0, false),
        (0.5, 1.5, 6.0, true),
        (0.7, 1.5, 2.0, false),
        (0.7, 1.5, 20.0, false),
    ] {
        let name = if factor == 1.0 {
            "quiet".to_owned()
        } else {
            let waits = if waits { ", waits" } else { "" };
            format!("{:.0} %, {factor}, {hold}{waits}", share * 100.0)
        };
        let levels = TwoLevels {
            share,
            factor,
            hold,
            waits,
        };
        sources.push((name, Source::Simulated(levels)));
    }
    print!("| runs | rounds |");
    RULES.iter().for_each(|r| print!(" {} |", r.name));
    println!("\n|---|---|{}", "---|".repeat(RULES.len()));
    for (name, source) in &sources {
        for rounds in [12, 20, 40, 100, 400] {
            let mut squares = [0.0; RULES.len()];
            let mut claimed = [0.0; RULES.len()];
            let mut rng = Rng::new(7);
            // The longest take long enough.
            let trials = trials.min(trials * 100 / rounds).max(20);
            for _ in 0..trials {
                let rounds = Rounds::new(source, &mut rng, rounds, &[0.0, 0.0, 0.0]);
                for (i, rule) in RULES.iter().enumerate() {
                    let (effect, sd) = estimate(rule, &rounds);
                    squares[i] += effect * effect / trials as f64;
                    claimed[i] += sd / trials as f64;
                }
            }
            print!("| {name} | {rounds} |");
            for (square, claimed) in squares.iter().zip(claimed) {
                print!(" {:.2} ({:.2}) |", square.sqrt() * 100.0, claimed * 100.0);
            }
            println!();
        }
    }
}
