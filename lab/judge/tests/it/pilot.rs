//! The pilot: its parts, its decisions, and how often they are right.

use karat_judge::{
    Arm, FEWEST_LAYOUTS, JudgeError, Pilot, PilotDecision, Rng, pilot, student_critical,
};

use crate::neighbours::{Machine, TwoLevels};
use crate::simulate::{credible, credible_at_most, normal};

/// Two arms of each of several layouts: costs, and whether each run was quiet.
struct Runs(Vec<[(Vec<f64>, Vec<bool>); 2]>);

impl Runs {
    /// Layouts at the given levels in the same rounds, on a machine that drifts.
    fn drifting(rng: &mut Rng, rounds: usize, levels: &[f64], noise: f64) -> Self {
        let mut out = Self::empty(levels.len());
        for round in 0..rounds {
            let machine = 0.05 * (round as f64 * 0.7).sin();
            for (layout, level) in out.0.iter_mut().zip(levels) {
                for arm in layout {
                    arm.0.push((level + machine + noise * normal(rng)).exp());
                    arm.1.push(true);
                }
            }
        }
        out
    }

    /// The same beside neighbours; the order inside a round is random.
    fn neighboured(rng: &mut Rng, rounds: usize, levels: &[f64], machine: TwoLevels) -> Self {
        let mut out = Self::empty(levels.len());
        let mut machine = Machine::new(machine, rng);
        let mut order: Vec<usize> = (0..2 * levels.len()).collect();
        for _ in 0..rounds {
            rng.shuffle(&mut order);
            let mut runs = vec![None; order.len()];
            for at in &order {
                runs[*at] = Some(machine.run(rng));
            }
            for (at, run) in runs.into_iter().flatten().enumerate() {
                let arm = &mut out.0[at / 2][at % 2];
                arm.0.push(run.cost * levels[at / 2].exp());
                arm.1.push(run.quiet);
            }
        }
        out
    }

    fn empty(layouts: usize) -> Self {
        Self((0..layouts).map(|_| Default::default()).collect())
    }

    fn judged(&self, margin: f64, level: f64, cap: u64) -> Result<Pilot, JudgeError> {
        let both = self.0.iter();
        let layouts: Vec<[Arm<'_>; 2]> = both
            .map(|[one, two]| [arm(&one.0, &one.1), arm(&two.0, &two.1)])
            .collect();
        pilot(&layouts, margin, level, cap)
    }
}

fn arm<'a>(costs: &'a [f64], quiet: &'a [bool]) -> Arm<'a> {
    Arm {
        costs,
        places: None,
        quiet: Some(quiet),
    }
}

fn drawn(rng: &mut Rng, layouts: usize, sd: f64) -> Vec<f64> {
    (0..layouts).map(|_| sd * normal(rng)).collect()
}

#[test]
fn the_interval_covers_the_spread() {
    let trials = 500;
    for (sd, noise) in [(0.02, 0.004), (0.004, 0.004), (0.0, 0.004)] {
        let mut rng = Rng::new(81);
        let (mut squares, mut above, mut below) = (0.0, 0, 0);
        for _ in 0..trials {
            let levels = drawn(&mut rng, 4, sd);
            let runs = Runs::drifting(&mut rng, 10, &levels, noise);
            let p = runs.judged(0.01, 0.05, 1000).expect("valid");
            squares += p.sd * p.sd / trials as f64;
            above += usize::from(p.low > sd);
            below += usize::from(p.high < sd);
            assert!(p.low <= p.sd && p.sd <= p.high, "{p:?}");
        }
        println!(
            "sd {sd}: found {:.4}, above {above}, below {below}",
            squares.sqrt()
        );
        // One-sided 95 % at each end; at the lower one the larger noise counts.
        assert!(credible_at_most(above, trials, 0.05), "{sd}: {above}");
        assert!(credible_at_most(below, trials, 0.05), "{sd}: {below}");
        if sd == 0.02 {
            assert!(credible(below, trials, 0.05), "{below}");
            assert!((0.018..0.022).contains(&squares.sqrt()), "{squares}");
        }
    }
}

#[test]
fn neighbours_are_no_layouts() {
    let trials = 300;
    for (share, factor, hold, waits) in [
        (0.1, 1.5, 6.0, false),
        (0.3, 1.8, 20.0, false),
        (0.5, 1.5, 2.0, false),
        (0.5, 1.5, 6.0, true),
        (0.7, 1.5, 6.0, false),
    ] {
        let machine = TwoLevels {
            share,
            factor,
            hold,
            waits,
        };
        for layouts in [4, 8] {
            let mut rng = Rng::new(84);
            let (mut told, mut quiet, mut unknown) = (0, 0, 0);
            for _ in 0..trials {
                let runs = Runs::neighboured(&mut rng, 12, &vec![0.0; layouts], machine);
                let p = runs.judged(0.01, 0.05, 100).expect("valid");
                told += usize::from(p.low > 0.0);
                quiet += usize::from(p.decision == PilotDecision::Insensitive);
                unknown += usize::from(p.decision == PilotDecision::NotKnown);
            }
            println!(
                "{machine:?}, {layouts} layouts that are one: a tax {told}, insensitive {quiet}, \
                 not known {unknown} of {trials}"
            );
            assert!(credible_at_most(told, trials, 0.05), "{machine:?}: {told}");
            assert!(
                credible_at_most(trials - quiet - unknown, trials, 0.05),
                "{machine:?}"
            );
        }
    }
}

#[test]
fn a_true_spread_comes_out_again() {
    let trials = 150;
    let machine = TwoLevels {
        share: 0.5,
        factor: 1.5,
        hold: 6.0,
        waits: true,
    };
    let mut rng = Rng::new(85);
    let (mut known, mut again, mut covered) = (0, 0, 0);
    for _ in 0..trials {
        let levels = drawn(&mut rng, 8, 0.03);
        let [one, two] = [0, 1].map(|_| {
            let runs = Runs::neighboured(&mut rng, 16, &levels, machine);
            runs.judged(0.01, 0.05, 1000).expect("valid")
        });
        known += usize::from(one.low > 0.0 && one.decision != PilotDecision::NotKnown);
        again += usize::from(one.low <= two.sd && two.sd <= one.high);
        covered += usize::from(one.low <= 0.03 && 0.03 <= one.high);
    }
    println!("3 %: known {known}, again {again}, covered {covered} of {trials}");
    assert!(known as f64 >= 0.9 * trials as f64, "{known}");
    assert!(again as f64 >= 0.97 * trials as f64, "{again}");
    assert!(covered as f64 >= 0.83 * trials as f64, "{covered}");
}

#[test]
fn decisions_follow_the_spread() {
    let mut rng = Rng::new(82);
    let trials = 300;
    let mut share = |spread: f64, wanted: fn(PilotDecision) -> bool| {
        let right = (0..trials).filter(|_| {
            let levels = drawn(&mut rng, 4, spread);
            let runs = Runs::drifting(&mut rng, 10, &levels, 0.003);
            wanted(runs.judged(0.01, 0.05, 100).expect("valid").decision)
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
    assert!(out >= 0.95, "{out}");
}

#[test]
fn the_number_of_layouts_reaches_the_margin() {
    let mut rng = Rng::new(83);
    let mut seen = 0;
    for _ in 0..60 {
        let spread = [0.01, 0.02, 0.04, 0.08][rng.below(4) as usize];
        let levels = drawn(&mut rng, 4, spread);
        let runs = Runs::drifting(&mut rng, 12, &levels, 0.003);
        let p = runs.judged(0.01, 0.05, u64::MAX).expect("valid");
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
    let costs = [1.0, 2.0];
    let two = [Arm::new(&costs); 2];
    let judged = |layouts: &[[Arm<'_>; 2]]| pilot(layouts, 0.01, 0.05, 10);
    assert!(judged(&[two, two]).is_ok());
    assert_eq!(judged(&[two]), Err(JudgeError::NoLayout));
    assert_eq!(judged(&[]), Err(JudgeError::NoLayout));
    let short = Arm::new(&costs[..1]);
    assert!(matches!(
        judged(&[two, [two[0], short]]),
        Err(JudgeError::UnequalRounds { .. })
    ));
    assert_eq!(
        judged(&[[short; 2]; 2]),
        Err(JudgeError::TooFewRounds { rounds: 1 })
    );
    assert!(matches!(
        judged(&[two, [two[0], Arm::new(&[1.0, -2.0])]]),
        Err(JudgeError::BadCost { round: 1, .. })
    ));
    assert_eq!(
        judged(&[two, [two[0], arm(&costs, &[true])]]),
        Err(JudgeError::BadQuiet)
    );
    for margin in [0.0, -1.0, f64::NAN] {
        assert!(matches!(
            pilot(&[two, two], margin, 0.05, 10),
            Err(JudgeError::BadMargin { .. })
        ));
    }
    assert!(matches!(
        pilot(&[two, two], 0.01, 1.0, 10),
        Err(JudgeError::BadLevel { .. })
    ));
    // The same in all rounds: no noise, and no layouts either.
    let flat = [Arm::new(&[3.0; 5]); 2];
    let p = judged(&[flat, flat, flat]).expect("valid");
    assert_eq!((p.sd, p.low, p.high), (0.0, 0.0, 0.0));
    assert_eq!(p.decision, PilotDecision::Insensitive);
}
