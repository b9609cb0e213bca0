//! The words counted.

use crate::cutting::{self, Cut};
use crate::rivals::duet;
use crate::rules::{RULES, Word};
use crate::series::{METRICS, QUESTIONS, Series};
use karat_judge::median;
use karat_run::doctor::Rate;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fewest rounds that a rival gets, if they were measured. Where karat stopped sooner, those of
/// its next comparison are among them.
const FEWEST: usize = 20;

pub const KARAT: &str = "karat";
pub const DUET: &str = "Duet: bootstrap of the median";

/// One rule on one question: what it said of all comparisons.
pub struct Tally {
    /// Indices in the series, [`METRICS`] and [`QUESTIONS`].
    pub key: [usize; 3],
    pub rule: &'static str,
    /// What the effect came to, in the runs that the rule saw.
    pub realised: Option<f64>,
    /// By comparison: the word, the rounds it had, and the seconds of measuring it took, if
    /// the rule had its own.
    pub said: Vec<(Word, usize, Option<f64>)>,
}

impl Tally {
    /// A/A: FASTER or SLOWER, both wrong. Otherwise SLOWER, which is right.
    pub fn different(&self) -> Rate {
        let control = QUESTIONS[self.key[2]].is_control();
        let opposite = if control { self.count(Word::Faster) } else { 0 };
        Rate::new(self.count(Word::Slower) + opposite, self.said.len())
    }

    /// FASTER, which is wrong where an arm is slower; 0 for the A/A.
    pub fn opposite(&self) -> usize {
        match QUESTIONS[self.key[2]].is_control() {
            true => 0,
            false => self.count(Word::Faster),
        }
    }

    pub fn same(&self) -> Rate {
        Rate::new(self.count(Word::Same), self.said.len())
    }

    pub fn undecided(&self) -> Rate {
        Rate::new(self.count(Word::Nothing), self.said.len())
    }

    fn count(&self, word: Word) -> usize {
        self.said.iter().filter(|s| s.0 == word).count()
    }

    /// Of the comparisons, in order.
    pub fn seconds(&self) -> Vec<f64> {
        let mut seconds: Vec<f64> = self.said.iter().filter_map(|s| s.2).collect();
        seconds.sort_unstable_by(f64::total_cmp);
        seconds
    }

    pub fn rounds(&self) -> Option<f64> {
        let rounds: Vec<f64> = self.said.iter().map(|s| s.1 as f64).collect();
        median(&rounds)
    }
}

/// Asks karat each question, and every rival about the comparisons that karat made of it.
pub fn count(series: &[Series]) -> Vec<Tally> {
    let mut keys = Vec::new();
    for s in 0..series.len() {
        for m in 0..METRICS.len() {
            keys.extend((0..QUESTIONS.len()).map(|q| [s, m, q]));
        }
    }
    let cuts = on_all_cores(&keys, |&[s, m, q]| {
        cutting::cuts(&series[s], METRICS[m], &QUESTIONS[q])
    });
    let asked: Vec<([usize; 3], &Cut)> = keys
        .iter()
        .zip(&cuts)
        .flat_map(|(key, cuts)| cuts.iter().map(|cut| (*key, cut)))
        .collect();
    let words = on_all_cores(&asked, |([s, m, q], cut)| {
        let series = &series[*s];
        let end = cut.rounds.end.max(cut.rounds.start + FEWEST);
        let rounds = cut.rounds.start..end.min(series.rounds());
        let comparison = series.comparison(METRICS[*m], &QUESTIONS[*q], &rounds);
        RULES
            .each_ref()
            .map(|rule| ((rule.word)(&comparison), rounds.len(), None))
    });
    let mut tallies = Vec::new();
    for (key, cuts) in keys.iter().zip(&cuts) {
        let [s, m, q] = *key;
        let said = cuts
            .iter()
            .map(|c| (c.word, c.rounds.len(), Some(c.seconds)));
        let tally = |rule, said| Tally {
            key: *key,
            rule,
            realised: series[s].realised(METRICS[m], QUESTIONS[q].arm),
            said,
        };
        let karat = tally(KARAT, said.collect());
        let seconds = median(&karat.seconds());
        tallies.push(karat);
        for (r, rule) in RULES.iter().enumerate() {
            let own = asked.iter().zip(&words).filter(|((k, _), _)| k == key);
            tallies.push(tally(rule.name, own.map(|(_, words)| words[r]).collect()));
        }
        tallies.push(Tally {
            realised: series[s].realised_by_duets(m, QUESTIONS[q].arm),
            ..tally(DUET, duets(&series[s], m, QUESTIONS[q].arm, seconds))
        });
    }
    tallies
}

/// Duet's comparisons, one after the other: each has as much time as karat's median, and the
/// rivals' fewest rounds at least.
fn duets(
    series: &Series,
    metric: usize,
    arm: usize,
    seconds: Option<f64>,
) -> Vec<(Word, usize, Option<f64>)> {
    let all = &series.duets[arm];
    let took: Vec<f64> = all.iter().map(|d| d.took).collect();
    let (Some(seconds), Some(one)) = (seconds, median(&took)) else {
        return Vec::new();
    };
    let rounds = ((seconds / one).round() as usize).max(FEWEST);
    let numbered = (0..).zip(all.chunks_exact(rounds));
    let ask = |(seed, rounds): (u64, &[crate::series::Duet])| {
        let logs: Vec<f64> = rounds.iter().map(|d| d.logs[metric]).collect();
        let took = rounds.iter().map(|d| d.took).sum();
        (duet::word(&logs, seed), rounds.len(), Some(took))
    };
    numbered.map(ask).collect()
}

/// `items` mapped by `f`, in order, by as many threads as there are processors.
fn on_all_cores<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(at)
        {
            done.push((at, f(item)));
        }
        done
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = threads
            .into_iter()
            .map(|t| t.join().expect("a rule panicked"));
        joined.flatten().collect()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::synthetic;

    #[test]
    fn only_the_true_direction_counts_as_found() {
        let words = [
            Word::Faster,
            Word::Slower,
            Word::Slower,
            Word::Same,
            Word::Nothing,
        ];
        let tally = |question: usize| Tally {
            key: [0, 0, question],
            rule: KARAT,
            realised: None,
            said: words.iter().map(|w| (*w, 20, None)).collect(),
        };
        let control = tally(0);
        assert_eq!((control.different().count, control.opposite()), (3, 0));
        assert_eq!((control.same().count, control.same().of), (1, 5));
        assert_eq!(control.undecided().count, 1);
        let injected = tally(2);
        assert_eq!((injected.different().count, injected.opposite()), (2, 1));
    }

    #[test]
    fn rivals_get_karats_rounds_and_twenty_at_least() {
        let series = [synthetic::series(40, 0.002, 1)];
        let tallies = count(&series);
        let of = |rule: &str| {
            let found = tallies
                .iter()
                .find(|t| t.key == [0, 1, 3] && t.rule == rule);
            found.unwrap()
        };
        let karat = of(KARAT);
        // The first look, after 5 % of 20 s: 16 rounds of 63 ms.
        let rounds: Vec<usize> = karat.said.iter().map(|s| s.1).collect();
        assert_eq!(rounds, [16; 2]);
        let rival: Vec<usize> = of(RULES[3].name).said.iter().map(|s| s.1).collect();
        assert_eq!(rival, [20; 2]);
        // 24 rounds of 42 ms are as long as karat's 16.
        let duet = of(DUET);
        assert_eq!(duet.said.len(), 1);
        assert_eq!((duet.said[0].0, duet.said[0].1), (Word::Slower, 24));
    }
}
