//! What to compare, and how.

use super::arm::{Arm, Work};
use super::rounds::{Rounds, draw, stream};
use super::timer::Timer;
use super::{Batch, BenchError, Report, alone, calibrate, judged, report};
use karat_host::neighbours::Host;
use karat_host::pin;
use karat_judge::Rng;
use std::time::{Duration, Instant};

/// Rounds at most: looks at 50, 100 and 200. A round takes milliseconds, and 200 leave room
/// for shares of half a percent in the histogram.
const ROUNDS: u32 = 200;

/// Fewer rounds the judge refuses.
const FEWEST_ROUNDS: usize = 2;

/// Time for all rounds.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Bytes of all inputs of a batch: the smallest L2 cache of a current x86-64 or AArch64
/// server or desktop core, so that kernels are compared and not memories.
const MEMORY: usize = 256 << 10;

/// A comparison of kernels, to be filled and run. The first arm is the baseline.
///
/// `I` is the input of one call. Kernels get it by reference, so that all arms of a round
/// share the same inputs; a kernel may keep state and buffers of its own (`FnMut`).
pub struct Bench<'a, I> {
    name: String,
    arms: Vec<Arm<'a, I>>,
    bytes: Option<u64>,
    margin: f64,
    rounds: u32,
    max_time: Duration,
    memory: usize,
    seed: u64,
    pin: bool,
    timer: Timer,
}

impl<'a, I> Bench<'a, I> {
    /// A bench without arms: margin 1 %, at most 200 rounds and 10 s, inputs of 256 KiB.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            arms: Vec::new(),
            bytes: None,
            margin: 0.01,
            rounds: ROUNDS,
            max_time: MAX_TIME,
            memory: MEMORY,
            seed: 1,
            pin: true,
            timer: Timer::Thread,
        }
    }

    /// Adds an arm. What the kernel returns goes through
    /// [`black_box`](std::hint::black_box): return all that it computes.
    #[must_use]
    pub fn arm<R>(mut self, name: impl Into<String>, kernel: impl FnMut(&I) -> R + 'a) -> Self {
        self.arms.push(Arm::direct(name.into(), kernel));
        self
    }

    /// Adds an arm that works on a form of its own: `prepare` makes it of each input, and
    /// is not timed. Every pass of a batch calls the kernel on the same prepared forms, so
    /// it must do the same work each time.
    #[must_use]
    pub fn prepared_arm<P: 'a, R>(
        mut self,
        name: impl Into<String>,
        prepare: impl FnMut(&I) -> P + 'a,
        kernel: impl FnMut(&mut P) -> R + 'a,
    ) -> Self {
        self.arms.push(Arm::prepared(name.into(), prepare, kernel));
        self
    }

    /// Adds an arm that works elsewhere, in another process say, and times itself: `batch`
    /// makes so many calls and returns their nanoseconds, by the clock of the other arms. It
    /// has inputs of its own.
    #[must_use]
    pub fn timed_arm(
        mut self,
        name: impl Into<String>,
        batch: impl FnMut(u64) -> f64 + 'a,
    ) -> Self {
        self.arms.push(Arm::timed(name.into(), batch));
        self
    }

    /// Adds an arm that times itself.
    #[must_use]
    pub(crate) fn work(mut self, name: impl Into<String>, work: Box<dyn Work<I> + 'a>) -> Self {
        let name = name.into();
        self.arms.push(Arm { name, work });
        self
    }

    /// Bytes that one call works through, for bytes/s; also counted as the size of an input
    /// when it is more than `size_of::<I>()` (a `Vec` does not say what it points to).
    #[must_use]
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes).filter(|b| *b > 0);
        self
    }

    /// The smallest relative change that matters: 0.01 is 1 %.
    #[must_use]
    pub fn margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// Rounds at most; fewer than 2 count as 2. Looks are those of
    /// [`karat_judge::schedule`], and measuring ends at the first that decides all.
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds;
        self
    }

    /// Time for all rounds, calibration apart; two rounds are made whatever they take. When
    /// it is over, the data are judged at the level of the next look.
    #[must_use]
    pub fn max_time(mut self, max_time: Duration) -> Self {
        self.max_time = max_time;
        self
    }

    /// Bytes that all inputs of a batch may take together (256 KiB unless given). More
    /// inputs teach predictors less; inputs beyond a cache measure the next one.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Decides the order of arms and what `run`'s generators draw (1 unless given).
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Whether to stay on one processor, the one that studies use (true unless given).
    #[must_use]
    pub fn pin(mut self, pin: bool) -> Self {
        self.pin = pin;
        self
    }

    /// For kernels that use several threads: batches are timed by the wall clock, and nothing
    /// is pinned. What other programs take is then in the times, and cycles are those that
    /// pass, not those of all threads together.
    #[must_use]
    pub fn wall_time(mut self) -> Self {
        self.timer = Timer::Wall;
        self.pin = false;
        self
    }

    /// Calibrates, measures and judges. `fresh` makes the input of one call from the
    /// generator; it is never timed. A panic of a kernel or of `fresh` is passed on.
    ///
    /// # Errors
    /// [`BenchError`]: nothing to compare, a margin that is none, or work too small to time.
    pub fn run(mut self, mut fresh: impl FnMut(&mut Rng) -> I) -> Result<Report, BenchError> {
        self.check()?;
        let input_size = size_of::<I>().max(self.bytes.unwrap_or(0) as usize);
        let most_inputs = calibrate::most_inputs(self.memory, input_size);
        let Host {
            processor,
            neighbours,
        } = Host::choose(self.pin);
        let batch = {
            let _pinned = processor.map(pin::Pinned::to);
            calibrate::batch(
                &self.name,
                self.timer,
                &mut self.arms,
                &mut fresh,
                most_inputs,
                self.seed,
            )?
        };
        let names: Vec<String> = self.arms.iter().map(|a| a.name.clone()).collect();
        let mut rounds = Rounds::new(self.arms.len(), self.seed, self.timer, neighbours);
        let looks = karat_judge::schedule(self.rounds as usize);
        let mut looked = 0;
        let start = Instant::now();
        let (judged, out_of_time) = loop {
            let look = looks[looked];
            let mut out_of_time = false;
            // Not while judging: the judge uses all cores, and its threads inherit the pin.
            let pinned = processor.map(pin::Pinned::to);
            while rounds.len() < look.rounds && !out_of_time {
                rounds.one(&mut self.arms, &mut fresh, &batch)?;
                out_of_time = rounds.len() >= FEWEST_ROUNDS && start.elapsed() > self.max_time;
            }
            drop(pinned);
            let judged = judged::judge(&self.name, &names, &rounds, self.margin, look.alpha)?;
            looked += 1;
            if judged.undecided() == 0 || out_of_time || looked == looks.len() {
                break (judged, out_of_time);
            }
        };
        let clock_drops = self.clock_drops(processor, &mut fresh, &batch)?;
        let setting = report::Setting {
            name: &self.name,
            arms: &names,
            bytes: self.bytes,
            margin: self.margin,
            seed: self.seed,
            processor,
            out_of_time: out_of_time && rounds.len() < self.rounds as usize,
            clock_drops: &clock_drops,
        };
        Ok(report::report(setting, batch, &rounds, judged))
    }

    /// What each arm alone makes of the clock of the processor that was measured on.
    fn clock_drops(
        &mut self,
        processor: Option<u32>,
        fresh: &mut impl FnMut(&mut Rng) -> I,
        batch: &Batch,
    ) -> Result<Vec<Option<f64>>, BenchError> {
        let Some(processor) = processor else {
            return Ok(vec![None; self.arms.len()]);
        };
        let _pinned = pin::Pinned::to(processor);
        let mut inputs = Vec::new();
        let mut rng = Rng::new(stream(self.seed, u64::MAX - 1));
        draw(&mut inputs, batch.inputs as usize, fresh, &mut rng);
        alone::clock_drops(&mut self.arms, self.timer, &inputs, batch)
    }

    fn check(&self) -> Result<(), BenchError> {
        let bench = || self.name.clone();
        if self.arms.is_empty() {
            return Err(BenchError::NoArms { bench: bench() });
        }
        for (i, arm) in self.arms.iter().enumerate() {
            if self.arms[..i].iter().any(|a| a.name == arm.name) {
                return Err(BenchError::DuplicateArm {
                    bench: bench(),
                    arm: arm.name.clone(),
                });
            }
        }
        if !(self.margin.is_finite() && self.margin >= 0.0) {
            return Err(BenchError::BadMargin {
                bench: bench(),
                margin: self.margin,
            });
        }
        Ok(())
    }
}
