//! The pilot: its parts, its decisions, and how often they are right.

use karat_judge::{FEWEST_LAYOUTS, JudgeError, Pilot, PilotDecision, Rng, pilot, student_critical};

use crate::simulate::normal;

/// Four layouts of one build in the same rounds, on a machine that drifts.
fn costs(rng: &mut Rng, rounds: usize, spread: f64, noise: f64) -> Vec<Vec<f64>> {
    let levels: Vec<f64> = (0..4).map(|_| spread * normal(rng)).collect();
    let mut layouts = vec![Vec::new(); 4];
    for round in 0..rounds {
        let machine = 0.05 * (round as f64 * 0.7).sin();
        for (costs, level) in layouts.iter_mut().zip(&levels) {
            costs.push((level + machine + noise * normal(rng)).exp());
        }
    }
    layouts
}

fn judged(costs: &[Vec<f64>], margin: f64, cap: u64) -> Result<Pilot, JudgeError> {
    let slices: Vec<&[f64]> = costs.iter().map(Vec::as_slice).collect();
    pilot(&slices, margin, 0.05, cap)
}

#[test]
fn the_spread_is_found_and_noise_is_not_spread() {
    let mut rng = Rng::new(81);
    let (mut squares, mut noise, mut covered) = (0.0, 0.0, 0);
    let trials = 400;
    for _ in 0..trials {
        let p = judged(&costs(&mut rng, 10, 0.02, 0.004), 0.01, 1000).expect("valid");
        squares += p.sd * p.sd / f64::from(trials);
        noise += p.noise / f64::from(trials);
        covered += u32::from(p.upper >= 0.02);
    }
    let share = f64::from(covered) / f64::from(trials);
    println!(
        "sd {:.4}, noise {noise:.5}, covered {share:.3}",
        squares.sqrt()
    );
    assert!((0.018..0.022).contains(&squares.sqrt()), "{squares}");
    // 0.004 over the five rounds of the fast phase: 0.0018.
    assert!((0.0012..0.0026).contains(&noise), "{noise}");
    assert!((0.74..0.86).contains(&share), "one-sided 80 %: {share}");
    let quiet = judged(&costs(&mut rng, 10, 0.0, 0.004), 0.01, 1000).expect("valid");
    assert!(quiet.sd < 0.003, "{quiet:?}");
}

#[test]
fn decisions_follow_the_spread() {
    let mut rng = Rng::new(82);
    let trials = 300;
    let mut share = |spread: f64, wanted: fn(PilotDecision) -> bool| {
        let right = (0..trials).filter(|_| {
            let costs = costs(&mut rng, 10, spread, 0.003);
            wanted(judged(&costs, 0.01, 100).expect("valid").decision)
        });
        right.count() as f64 / f64::from(trials)
    };
    let insensitive = |d| d == PilotDecision::Insensitive;
    let [none, small, large] = [0.0, 0.001, 0.02].map(|s| share(s, insensitive));
    let out = share(0.15, |d| {
        matches!(d, PilotDecision::OutOfReach { cap: 100, .. })
    });
    println!("insensitive at 0: {none}, 0.1 %: {small}, 2 %: {large}; out of reach at 15 %: {out}");
    assert!(none >= 0.95 && small >= 0.95, "{none} {small}");
    assert!(large <= 0.02, "twice the margin: {large}");
    assert!(out >= 0.97, "{out}");
}

#[test]
fn the_number_of_layouts_reaches_the_margin() {
    let mut rng = Rng::new(83);
    let mut seen = 0;
    for _ in 0..60 {
        let spread = [0.01, 0.02, 0.04, 0.08][rng.below(4) as usize];
        let p = judged(&costs(&mut rng, 12, spread, 0.003), 0.01, u64::MAX).expect("valid");
        let PilotDecision::Layouts(n) = p.decision else {
            continue;
        };
        let half =
            |n: u64| student_critical(0.05, n - 1) * (2.0 / n as f64).sqrt() * p.sd.max(p.noise);
        assert!(half(n) <= 0.01, "{n}: {}", half(n));
        assert!(n == FEWEST_LAYOUTS || half(n - 1) > 0.01, "{n}");
        seen += usize::from(n > FEWEST_LAYOUTS);
        // A cap below it puts the same number out of reach.
        seen += usize::from(n > 100);
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn bad_pilots() {
    let two = [vec![1.0, 2.0], vec![1.0, 2.0]];
    assert!(judged(&two, 0.01, 10).is_ok());
    assert_eq!(judged(&two[..1], 0.01, 10), Err(JudgeError::NoLayout));
    assert_eq!(judged(&[], 0.01, 10), Err(JudgeError::NoLayout));
    let uneven = [vec![1.0, 2.0], vec![1.0]];
    assert!(matches!(
        judged(&uneven, 0.01, 10),
        Err(JudgeError::UnequalRounds { .. })
    ));
    let short = [vec![1.0], vec![1.0]];
    assert_eq!(
        judged(&short, 0.01, 10),
        Err(JudgeError::TooFewRounds { rounds: 1 })
    );
    let bad = [vec![1.0, 2.0], vec![1.0, -2.0]];
    assert!(matches!(
        judged(&bad, 0.01, 10),
        Err(JudgeError::BadCost { round: 1, .. })
    ));
    for margin in [0.0, -1.0, f64::NAN] {
        assert!(matches!(
            judged(&two, margin, 10),
            Err(JudgeError::BadMargin { .. })
        ));
    }
    let slices: Vec<&[f64]> = two.iter().map(Vec::as_slice).collect();
    assert!(matches!(
        pilot(&slices, 0.01, 1.0, 10),
        Err(JudgeError::BadLevel { .. })
    ));
}
