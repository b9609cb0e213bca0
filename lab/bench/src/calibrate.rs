//! How many calls make a batch.

use super::arm::Arm;
use super::rounds::{draw, stream};
use super::timer::Timer;
use super::{Batch, BenchError};
use karat_judge::Rng;

/// What a batch of the fastest arm should take at least, in ns: short against a scheduler's
/// slice, so that most batches are undisturbed.
const BATCH_NS: f64 = 150_000.0;

/// A batch is at least so many times the timer's own cost: its share stays below 0.1 %.
const TIMERS: f64 = 1000.0;

/// Inputs of a batch at most, whatever their size: each is made anew in every round.
const MOST_INPUTS: usize = 1 << 16;

/// Of the measured inputs, one in so many is made in addition for the untimed run before.
const WARM_SHARE: usize = 4;

/// The fastest of so many batches counts: a disturbed one only looks slow.
const TRIES: u32 = 3;

/// Batches when an arm is suspected of doing nothing.
const SUSPECT_TRIES: u32 = 15;

/// Calls after which a batch is long enough or the timer stands still.
const MOST_CALLS: u64 = 1 << 30;

/// An arm that takes less than so many times the empty one does nothing. The two differ by
/// noise alone when the work was optimised away, and both are minima.
const NO_WORK: f64 = 1.2;

/// How many inputs of `size` bytes `memory` holds, at least one.
pub(super) fn most_inputs(memory: usize, size: usize) -> usize {
    (memory / size.max(1)).clamp(1, MOST_INPUTS)
}

/// Nanoseconds of one reading of the timer.
fn timer_ns(timer: Timer) -> f64 {
    const READINGS: u32 = 1000;
    let once = || {
        let start = timer.ns();
        for _ in 0..READINGS {
            std::hint::black_box(timer.ns());
        }
        (timer.ns() - start) as f64 / f64::from(READINGS)
    };
    (0..TRIES).map(|_| once()).fold(f64::INFINITY, f64::min)
}

/// Finds the size of batches: the same for all arms, so that they do the same work, and
/// long enough for the fastest.
pub(super) fn batch<I>(
    bench: &str,
    timer: Timer,
    arms: &mut [Arm<'_, I>],
    fresh: &mut impl FnMut(&mut Rng) -> I,
    most_inputs: usize,
    seed: u64,
) -> Result<Batch, BenchError> {
    let timer_ns = timer_ns(timer);
    let target = BATCH_NS.max(TIMERS * timer_ns);
    let mut rng = Rng::new(stream(seed, u64::MAX));
    let mut inputs = Vec::new();
    let mut calls = 1_u64;
    let (passes, mut fastest) = loop {
        let count = calls.min(most_inputs as u64) as usize;
        draw(&mut inputs, count, fresh, &mut rng);
        let passes = calls.div_ceil(count as u64);
        let mut times = Vec::new();
        for arm in arms.iter_mut() {
            arm.work.prepare(&inputs, &[])?;
            times.push(least(arm, timer, &inputs, passes, TRIES)?);
        }
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        if least >= target {
            break (passes, times);
        }
        if calls >= MOST_CALLS {
            let slot = times.iter().position(|t| *t <= least).unwrap_or(0);
            return Err(BenchError::NoTime {
                bench: bench.to_owned(),
                arm: arms[slot].name.clone(),
                calls,
            });
        }
        // A tenth more than the time asks for; at most tenfold, since short times mislead.
        let factor = (1.1 * target / least.max(1.0)).clamp(1.1, 10.0);
        calls = ((calls as f64 * factor).ceil() as u64).min(MOST_CALLS);
    };
    let count = inputs.len() as u64;
    let calls = count * passes;
    let mut empty = Arm::empty();
    let per_call = |ns: f64| ns / calls as f64;
    let empty_ns = least(&mut empty, timer, &inputs, passes, SUSPECT_TRIES)?;
    for (arm, ns) in arms.iter_mut().zip(&mut fastest) {
        if *ns < 2.0 * empty_ns {
            *ns = ns.min(least(arm, timer, &inputs, passes, SUSPECT_TRIES)?);
        }
        if *ns < NO_WORK * empty_ns {
            return Err(BenchError::NoWork {
                bench: bench.to_owned(),
                arm: arm.name.clone(),
                ns: per_call(*ns),
                empty_ns: per_call(empty_ns),
            });
        }
    }
    Ok(Batch {
        calls,
        inputs: count,
        passes,
        warm_up: (inputs.len().div_ceil(WARM_SHARE)) as u64,
        timer_ns,
        empty_ns: per_call(empty_ns),
    })
}

/// The fastest of so many batches, in ns.
fn least<I>(
    arm: &mut Arm<'_, I>,
    timer: Timer,
    inputs: &[I],
    passes: u64,
    tries: u32,
) -> Result<f64, BenchError> {
    let mut least = f64::INFINITY;
    for _ in 0..tries {
        least = least.min(arm.work.time(timer, inputs, passes)?);
    }
    Ok(least)
}
