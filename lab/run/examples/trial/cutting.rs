//! What `karat ab` would have done: the rounds cut into comparisons, each as long as karat would
//! have measured.

use crate::rules::Word;
use crate::series::{Metric, Question, Series};
use karat_judge::{Arm, Judgement, Layout, Look, Pair, judge_family, log_margin};
use std::ops::Range;

/// Fewest rounds at a look, as in `lab/run/src/pipeline/stretch.rs`.
const FEWEST: usize = 6;

/// One comparison that karat has ended, by a word or because its time was up.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    pub rounds: Range<usize>,
    /// Seconds of measuring its three arms.
    pub seconds: f64,
    pub word: Word,
}

/// All comparisons of a series, one after the other; no round is in two of them. The last one,
/// if the recording ends before karat would have, is left out.
pub fn cuts(series: &Series, metric: Metric, question: &Question) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    loop {
        let from = cuts.last().map_or(0, |c| c.rounds.end);
        match cut(series, metric, question, from) {
            Some(cut) => cuts.push(cut),
            None => return cuts,
        }
    }
}

/// Measures and looks, as `Course::go` in `lab/run/src/pipeline/stretch.rs` does.
fn cut(series: &Series, metric: Metric, question: &Question, from: usize) -> Option<Cut> {
    let limit = metric.limit();
    let looks = karat_judge::looks(0);
    let (mut seconds, mut last) = (0.0, 0.0);
    for round in from..series.rounds() {
        let arms = [0, question.arm, question.other];
        seconds += arms
            .map(|a| series.columns[a].took[round])
            .iter()
            .sum::<f64>();
        let rounds = from..round + 1;
        let one = seconds / rounds.len() as f64;
        // The round that would end more than half of itself too late is not begun.
        let stopped = seconds + one / 2.0 > limit;
        let share = if stopped { 1.0 } else { seconds / limit };
        let enough = rounds.len() >= FEWEST || stopped;
        let Some(alpha) = due(&looks, last, share).filter(|_| enough) else {
            continue;
        };
        last = share;
        let word = word(series, metric, question, &rounds, alpha);
        if stopped || word != Word::Nothing {
            return Some(Cut {
                rounds,
                seconds,
                word,
            });
        }
    }
    None
}

/// The level of a look at this share of the time, after one at `last`: that of all planned looks
/// between.
fn due(looks: &[Look], last: f64, share: f64) -> Option<f64> {
    let passed = |l: &&Look| l.share > last && l.share <= share;
    let levels = looks.iter().filter(passed).map(|l| l.alpha);
    levels.reduce(|a, b| a + b)
}

/// Karat's judge on a study of one workload and three arms. A comparison it refuses (a run of no
/// CPU time) decides nothing.
fn word(
    series: &Series,
    metric: Metric,
    question: &Question,
    rounds: &Range<usize>,
    alpha: f64,
) -> Word {
    let arm = |arm: usize| {
        let column = &series.columns[arm];
        Arm {
            costs: &column.costs(metric)[rounds.clone()],
            places: Some(&column.places[rounds.clone()]),
            quiet: Some(&column.quiet[rounds.clone()]),
        }
    };
    // As karat has it: the second arm of the baseline is told from others.
    let (again, others) = if question.is_control() {
        (None, vec![arm(question.other)])
    } else {
        (Some(arm(question.other)), Vec::new())
    };
    let pair = Pair {
        layouts: vec![Layout {
            baseline: arm(0),
            variant: arm(question.arm),
            again,
            others,
        }],
        margin: log_margin(question.margin),
    };
    match judge_family(&[pair], 0, alpha).pop() {
        Some(Ok(outcome)) => match outcome.judgement {
            Judgement::Faster => Word::Faster,
            Judgement::Slower => Word::Slower,
            Judgement::Same => Word::Same,
            Judgement::Inconclusive => Word::Nothing,
        },
        _ => Word::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::{QUESTIONS, synthetic};

    #[test]
    fn comparisons_follow_each_other_and_say_what_is_true() {
        let series = synthetic::series(200, 0.002, 1);
        let truth = [Word::Same, Word::Same, Word::Slower, Word::Slower];
        for (question, truth) in QUESTIONS.iter().zip(truth) {
            let cuts = cuts(&series, Metric::Cpu, question);
            assert!(cuts.len() > 3, "{} comparisons", cuts.len());
            assert_eq!(cuts[0].rounds.start, 0);
            for pair in cuts.windows(2) {
                assert_eq!(pair[0].rounds.end, pair[1].rounds.start);
            }
            for cut in &cuts {
                assert_eq!(cut.word, truth);
                // Three arms of 21 ms a round, and no look before 5 % of the time.
                let seconds = 0.063 * cut.rounds.len() as f64;
                assert!((cut.seconds - seconds).abs() < 1e-9);
                assert!(cut.seconds >= 1.0 && cut.seconds < 20.0);
            }
        }
    }

    #[test]
    fn what_cannot_be_decided_ends_with_its_time() {
        // Runs of a second, so that few rounds fill the time; the noise is 40 %.
        let mut series = synthetic::series(20, 0.4, 2);
        series.columns.iter_mut().for_each(|c| c.took.fill(1.0));
        let cuts = cuts(&series, Metric::Cpu, &QUESTIONS[0]);
        let found: Vec<_> = cuts.iter().map(|c| (c.rounds.clone(), c.word)).collect();
        // 7 rounds take 21 s: the limit is in the first half of the last one.
        let expected = [(0..7, Word::Nothing), (7..14, Word::Nothing)];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_fourth_arm_costs_nothing() {
        let mut series = synthetic::series(60, 0.002, 3);
        let before = cuts(&series, Metric::Wall, &QUESTIONS[0]);
        assert!(!before.is_empty());
        series.columns[3].took.fill(100.0);
        assert_eq!(cuts(&series, Metric::Wall, &QUESTIONS[0]), before);
        assert_ne!(cuts(&series, Metric::Wall, &QUESTIONS[3]), before);
    }

    #[test]
    fn a_comparison_that_the_recording_cut_short_is_none() {
        let series = synthetic::series(5, 0.002, 4);
        assert_eq!(cuts(&series, Metric::Cpu, &QUESTIONS[3]), []);
    }

    #[test]
    fn a_late_look_spends_the_levels_of_all_before() {
        let looks = karat_judge::looks(0);
        assert_eq!(due(&looks, 0.0, 0.049), None);
        assert_eq!(due(&looks, 0.0, 0.06), Some(looks[0].alpha));
        assert_eq!(due(&looks, 0.06, 0.09), None);
        let both = looks[1].alpha + looks[2].alpha;
        assert_eq!(due(&looks, 0.06, 0.3), Some(both));
    }
}
