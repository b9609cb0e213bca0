//! One stretch of measuring: rounds and looks, until all is decided or the time is up.

use super::time::Promise;
use crate::RunError;
use crate::events::{Event, Sink};
use crate::measure::{Bench, Progress, RoundEnd};
use karat_judge::Look;
use karat_model::measure::{LookTaken, Sample, Stretch};
use karat_verdict::judging::Sequence;
use std::time::Instant;

/// Fewer rounds cannot be judged: no p of five rounds reaches 0.05.
const FEWEST_ROUNDS: u32 = 6;

/// How much longer than expected it takes to decide what is open: at the expected number of
/// rounds a bound lies just at the margin, and later stretches judge more strictly.
const SLACK: f64 = 1.5;

/// What a stretch goes by.
pub(super) struct Limits {
    /// Seconds of measuring in this stretch.
    pub(super) seconds: f64,
    /// Rounds at most.
    pub(super) rounds: u32,
    /// Shares of the time and their levels.
    pub(super) looks: Vec<Look>,
    /// Fewest rounds at a look.
    pub(super) fewest: u32,
}

impl Limits {
    pub(super) fn of(promise: &Promise, rounds: u32, stretch: u32) -> Self {
        Self {
            seconds: promise.left(),
            rounds,
            looks: karat_judge::looks(stretch).to_vec(),
            fewest: FEWEST_ROUNDS.min(rounds),
        }
    }

    /// A smoke run: all its rounds and one look.
    pub(super) fn smoke(rounds: u32, alpha: f64) -> Self {
        Self {
            seconds: f64::INFINITY,
            rounds,
            looks: vec![Look { share: 1.0, alpha }],
            fewest: 1,
        }
    }

    /// The level of a look at this share of the stretch, after one at `last`: that of all
    /// planned looks between. `None` when none is.
    fn due(&self, last: f64, share: f64) -> Option<f64> {
        let passed = |l: &&Look| l.share > last && l.share <= share;
        let levels = self.looks.iter().filter(passed).map(|l| l.alpha);
        levels.reduce(|a, b| a + b)
    }
}

/// How far measuring has come.
pub(super) struct Course<'a> {
    pub(super) sequence: Sequence<'a>,
    pub(super) samples: Vec<Sample>,
    /// Rounds of each workload.
    pub(super) rounds: Vec<u32>,
    pub(super) stretch: Stretch,
    /// Seconds of measuring before this process began.
    pub(super) before: f64,
    /// Seconds of judging, and of drawing new frames.
    pub(super) judging: f64,
    pub(super) drawing: f64,
}

impl<'a> Course<'a> {
    pub(super) fn new(sequence: Sequence<'a>, workloads: usize) -> Self {
        Self {
            sequence,
            samples: Vec::new(),
            rounds: vec![0; workloads],
            stretch: Stretch::default(),
            before: 0.0,
            judging: 0.0,
            drawing: 0.0,
        }
    }

    /// Takes up what an earlier run left: its looks are taken again, which gives the same
    /// words, since judging has no chance in it.
    pub(super) fn take_up(&mut self, samples: Vec<Sample>, stretch: Stretch) {
        self.before = samples.iter().map(|s| s.at).fold(stretch.began, f64::max);
        self.samples = samples;
        for look in &stretch.looks {
            self.rounds.clone_from(&look.rounds);
            self.sequence.look(&self.samples, &look.rounds, look.alpha);
        }
        self.stretch = stretch;
    }

    /// Measures and looks.
    pub(super) fn go(
        &mut self,
        bench: &Bench<'_>,
        limits: &Limits,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let start = bench.executor.now();
        // What this stretch had used before an interruption.
        let used = self.before - self.stretch.began;
        let mut last = self.last_share();
        let mut round = self.rounds.iter().copied().max().unwrap_or(0);
        let latest = self.samples.iter().map(|s| s.round).max();
        let (mut made, mut stopped) = (0_u32, false);
        while self.sequence.any_open() && !stopped {
            let began = Instant::now();
            // A round before others is whole, and none of its runs is made again.
            if latest.is_none_or(|latest| round >= latest) {
                bench.redraw(round);
            }
            self.drawing += began.elapsed().as_secs_f64();
            let mut progress = Progress {
                samples: &mut self.samples,
                start,
                before: self.before,
            };
            let needs = |workload: usize, arm: usize| self.sequence.needs(workload, arm);
            let end = bench.round(round, &needs, &mut progress, sink)?;
            if end == RoundEnd::Whole {
                round += 1;
                made += 1;
                for (w, rounds) in self.rounds.iter_mut().enumerate() {
                    *rounds = if self.sequence.is_open(w) {
                        round
                    } else {
                        *rounds
                    };
                }
            }
            let passed = (bench.executor.now() - start).as_secs_f64();
            let one = passed / f64::from(made.max(1));
            // The round that would end more than half of itself too late is not begun.
            stopped = end == RoundEnd::OutOfTime
                || round >= limits.rounds
                || passed + one / 2.0 > limits.seconds;
            let by_time = (used + passed) / (used + limits.seconds);
            let by_rounds = f64::from(round) / f64::from(limits.rounds);
            let share = if stopped { 1.0 } else { by_time.max(by_rounds) };
            sink.event(&Event::Time {
                seconds: used + passed,
                of: used + limits.seconds,
            })?;
            let enough = round >= limits.fewest;
            if let Some(alpha) = limits.due(last, share).filter(|_| enough || stopped) {
                last = share;
                self.look(alpha, share, self.before + passed, sink)?;
            }
        }
        Ok(())
    }

    /// Share of the stretch's time at its last look.
    fn last_share(&self) -> f64 {
        let looks = self.stretch.own_looks();
        looks.map(|l| l.share).fold(0.0, f64::max)
    }

    fn look(
        &mut self,
        alpha: f64,
        share: f64,
        seconds: f64,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let began = Instant::now();
        self.sequence.look(&self.samples, &self.rounds, alpha);
        self.judging += began.elapsed().as_secs_f64();
        let (undecided, comparisons) = self.sequence.undecided();
        self.stretch.looks.push(LookTaken {
            rounds: self.rounds.clone(),
            alpha,
            share,
            seconds,
            undecided,
        });
        sink.event(&Event::Looked {
            stretch: &self.stretch,
            rounds: self.rounds.iter().copied().max().unwrap_or(0),
            undecided,
            comparisons,
        })?;
        Ok(())
    }

    /// Seconds more that are expected to decide what is open, if time would.
    pub(super) fn more(&self, bench: &Bench<'_>) -> Option<f64> {
        let mut seconds = None;
        for (w, rounds) in self.rounds.iter().enumerate() {
            let Some(needed) = self.sequence.rounds_needed(w, *rounds) else {
                continue;
            };
            let own = || self.samples.iter().filter(|s| s.workload as usize == w);
            let runs = own().count().max(1) as f64;
            // Repetitions and waiting are part of what a run takes.
            let one = own().map(|s| s.wall + s.waited).sum::<f64>() / runs;
            let again = runs / own().filter(|s| s.attempt == 0).count().max(1) as f64;
            let arms = (0..bench.arms.len()).filter(|a| self.sequence.needs(w, *a));
            let round = one * again * arms.count() as f64;
            *seconds.get_or_insert(0.0) += needed as f64 * round * SLACK;
        }
        seconds
    }
}

#[cfg(test)]
#[path = "stretch_tests.rs"]
mod tests;
