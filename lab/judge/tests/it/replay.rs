//! Neighbours that come and go, replayed and simulated: false alarms stay at their level.

use karat_judge::{Judgement, Layout, Outcome, Pair, Rng, judge_family, log_margin};

use crate::neighbours::{Rounds, Source, TwoLevels, recorded};
use crate::simulate::{credible_at_most, uniform};

/// Neighbours of all kinds: share of the time, factor, runs that a level holds, whether runs wait.
const MACHINES: [TwoLevels; 5] = [
    machine(0.1, 1.5, 6.0, false),
    machine(0.3, 1.2, 2.0, false),
    machine(0.5, 1.5, 6.0, false),
    machine(0.5, 1.8, 20.0, true),
    machine(0.7, 1.5, 2.0, false),
];

const fn machine(share: f64, factor: f64, hold: f64, waits: bool) -> TwoLevels {
    TwoLevels {
        share,
        factor,
        hold,
        waits,
    }
}

fn judged(pair: Pair<'_>, alpha: f64) -> Outcome {
    judge_family(&[pair], 0, alpha).remove(0).expect("valid")
}

/// What comes of comparisons whose true log ratio is `effect`.
#[derive(Default, Debug)]
struct Tally {
    rejected: usize,
    missed: usize,
    same: usize,
    different: usize,
    sd: f64,
}

fn tally(source: &Source<'_>, arms: usize, rounds: usize, effect: f64, trials: usize) -> Tally {
    let mut rng = Rng::new(rounds as u64 + 1000 * arms as u64);
    let mut out = Tally::default();
    let mut levels = vec![0.0; arms];
    levels[1] = effect;
    for _ in 0..trials {
        let measured = Rounds::new(source, &mut rng, rounds, &levels);
        let o = judged(measured.pair(1, rounds, 0.01), 0.05);
        out.rejected += usize::from(o.p <= 0.05);
        out.missed += usize::from(effect < o.low || o.high < effect);
        out.same += usize::from(o.judgement == Judgement::Same);
        out.different += usize::from(matches!(o.judgement, Judgement::Faster | Judgement::Slower));
        out.sd += o.sd / trials as f64;
    }
    out
}

#[test]
fn recorded_runs_do_not_differ_from_themselves() {
    for file in &recorded() {
        let source = Source::Recorded(file);
        for (arms, rounds, trials) in [(2, 20, 300), (3, 40, 200), (11, 12, 200), (3, 100, 100)] {
            let t = tally(&source, arms, rounds, 0.0, trials);
            println!("{} {arms} arms, {rounds} rounds: {t:?}", file.name);
            assert!(credible_at_most(t.rejected, trials, 0.05), "{t:?}");
            assert!(credible_at_most(t.missed, trials, 0.05), "{t:?}");
        }
    }
}

#[test]
fn neighbours_raise_no_false_alarms() {
    for machine in MACHINES {
        let source = Source::Simulated(machine);
        let mut alarms = 0;
        for (rounds, trials) in [(12, 400), (20, 300), (40, 150), (100, 60)] {
            let t = tally(&source, 3, rounds, 0.0, trials);
            println!("{machine:?}, {rounds} rounds: {t:?}");
            assert!(credible_at_most(t.rejected, trials, 0.05), "{t:?}");
            alarms += t.rejected;
        }
        // A test that never rejects is not calibrated either.
        assert!(alarms >= 9, "{machine:?}: {alarms} of 910");
    }
}

#[test]
fn intervals_cover_an_effect_beside_neighbours() {
    let effect = 0.02;
    for machine in MACHINES {
        let source = Source::Simulated(machine);
        for (rounds, trials) in [(12, 300), (20, 200), (40, 150), (100, 60), (400, 30)] {
            let t = tally(&source, 2, rounds, effect, trials);
            println!("{machine:?}, {rounds} rounds, +2 %: {t:?}");
            assert!(credible_at_most(t.missed, trials, 0.05), "{t:?}");
        }
    }
    for file in &recorded() {
        let t = tally(&Source::Recorded(file), 3, 40, effect, 200);
        println!("{}, 40 rounds, +2 %: {t:?}", file.name);
        assert!(credible_at_most(t.missed, 200, 0.05), "{t:?}");
    }
}

#[test]
fn quiet_runs_decide_where_the_faster_half_cannot() {
    // Half of the time slow by half: 100 rounds are SAME, and find 2 %.
    let source = Source::Simulated(machine(0.5, 1.5, 6.0, false));
    let same = tally(&source, 3, 100, 0.0, 60);
    let found = tally(&source, 3, 100, 0.02, 60);
    println!(
        "SAME {} of 60, +2 % found {} of 60",
        same.same, found.different
    );
    assert!(same.same >= 55 && found.different >= 57);
    assert!(same.sd < 0.002, "{same:?}");
}

#[test]
fn a_second_level_of_its_own_is_told() {
    // A build that is as fast as before in six of ten runs, and slow by 20 % in the others.
    let mut rng = Rng::new(940);
    let quiet = Source::Simulated(machine(1e-9, 1.0, 6.0, false));
    let trials = 60;
    let mut told = [0; 2];
    for _ in 0..trials {
        for (told, slow) in told.iter_mut().zip([0.0, 0.4]) {
            let mut measured = Rounds::new(&quiet, &mut rng, 40, &[0.0, 0.0]);
            for cost in &mut measured.costs[1] {
                *cost *= if uniform(&mut rng) < slow { 1.2 } else { 1.0 };
            }
            let o = judged(measured.pair(1, 40, 0.01), 0.05);
            *told += usize::from(o.floor_differs);
            assert!(o.floor.log_ratio.abs() < 0.005, "{:?}", o.floor);
            if slow > 0.0 {
                assert!(
                    (0.03..0.13).contains(&o.typical.log_ratio),
                    "{:?}",
                    o.typical
                );
            } else {
                assert!(o.typical.log_ratio.abs() < 0.005, "{:?}", o.typical);
            }
        }
    }
    println!("told: {told:?} of {trials}");
    assert!(told[0] <= 3 && told[1] >= 57, "{told:?}");
}

#[test]
fn flags_must_fit() {
    let costs = [1.0, 2.0, 3.0];
    let mut layout = Layout::new(&costs, &costs);
    layout.baseline.quiet = Some(&[true; 3]);
    layout.variant.quiet = Some(&[true; 2]);
    let pair = Pair {
        layouts: vec![layout],
        margin: log_margin(0.01),
    };
    assert_eq!(
        judge_family(&[pair], 0, 0.05),
        [Err(karat_judge::JudgeError::BadQuiet)]
    );
}
