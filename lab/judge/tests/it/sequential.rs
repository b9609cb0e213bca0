//! Looks over time, with comparisons that stop being measured once they are decided.

use karat_judge::{ALPHA, Judgement, Pair, Rng, judge_family, looks};

use crate::neighbours::{Rounds, Source, TwoLevels};
use crate::simulate::credible_at_most;

/// How each comparison ended, and the share of the time after which all were decided.
struct Ended {
    words: Vec<Judgement>,
    after: f64,
}

/// Measures arms 1.. against arm 0 until all are decided or the time for `runs` runs is over.
fn measured(source: &Source<'_>, rng: &mut Rng, effects: &[f64], runs: usize) -> Ended {
    let arms = effects.len() + 1;
    let levels: Vec<f64> = [0.0].into_iter().chain(effects.iter().copied()).collect();
    // More rounds than can be reached; an arm that is decided has fewer.
    let mut all = Rounds::new(source, rng, runs / 2, &levels);
    let mut words = vec![Judgement::Inconclusive; effects.len()];
    let (mut rounds, mut spent, mut kept) = (0, 0, 0);
    for look in looks(0) {
        let open: Vec<usize> = (1..arms)
            .filter(|a| words[a - 1] == Judgement::Inconclusive)
            .collect();
        while (spent as f64) < look.share * runs as f64 && rounds < runs / 2 {
            spent += open.len() + 1;
            for arm in (1..arms).filter(|a| !open.contains(a)) {
                all.costs[arm][rounds] = f64::NAN;
            }
            rounds += 1;
        }
        let pairs: Vec<Pair<'_>> = open.iter().map(|a| all.pair(*a, rounds, 0.01)).collect();
        let outcomes = judge_family(&pairs, kept, look.alpha);
        for (arm, outcome) in open.iter().zip(outcomes) {
            // The first look may come before there are two rounds.
            let word = outcome.map_or(Judgement::Inconclusive, |o| o.judgement);
            kept += usize::from(word == Judgement::Same);
            words[arm - 1] = word;
        }
        if words.iter().all(|w| *w != Judgement::Inconclusive) {
            return Ended {
                words,
                after: look.share,
            };
        }
    }
    Ended { words, after: 1.0 }
}

#[test]
fn the_family_keeps_its_error_rate_over_looks() {
    let different = |w: &Judgement| matches!(w, Judgement::Faster | Judgement::Slower);
    for (share, factor, hold) in [(0.3, 1.2, 2.0), (0.5, 1.5, 6.0)] {
        let source = Source::Simulated(TwoLevels {
            share,
            factor,
            hold,
            waits: false,
        });
        let mut rng = Rng::new(950);
        let trials = 250;
        let (mut failed, mut found) = (0, 0);
        for _ in 0..trials {
            // Two true effects, of either sign, and three that are none.
            let ended = measured(&source, &mut rng, &[0.05, 0.0, -0.05, 0.0, 0.0], 300);
            let none = [1, 3, 4].map(|at| ended.words[at]);
            failed += usize::from(none.iter().any(different));
            found += usize::from(different(&ended.words[0]) && different(&ended.words[2]));
        }
        println!("{share} {factor} {hold}: failed {failed}, both found {found} of {trials}");
        assert!(credible_at_most(failed, trials, ALPHA), "{failed}");
        assert!(found as f64 >= 0.5 * trials as f64, "{found}");
    }
}

#[test]
fn what_is_plain_is_decided_early() {
    let source = Source::Simulated(TwoLevels {
        share: 0.3,
        factor: 1.5,
        hold: 6.0,
        waits: true,
    });
    let mut rng = Rng::new(951);
    let trials = 60;
    let mut after = 0.0;
    let mut right = 0;
    for _ in 0..trials {
        let ended = measured(&source, &mut rng, &[0.0, 0.03], 400);
        after += ended.after / f64::from(trials);
        right += usize::from(ended.words == [Judgement::Same, Judgement::Slower]);
    }
    println!("{right} of {trials} right, after {after:.2} of the time");
    assert!(right >= 55 && after < 0.5, "{right} {after}");
}
