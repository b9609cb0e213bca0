//! The core clock, by a chain of dependent additions.
//!
//! An addition that needs the result of the one before it takes one cycle on
//! every x86-64 and AArch64 core sold today, so N of them take N cycles of *this
//! core's* clock, whatever the time-stamp counter does. Two registers are added
//! rather than a constant: some cores fold chains of immediate additions at
//! rename (Intel from Golden Cove on).

use crate::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Additions of one chain: about 25 µs at 4 GHz, long against the timer's tens
/// of nanoseconds, short against a scheduler slice.
const CHAIN: u64 = 100_000;

/// Chains of which the fastest counts: a preempted chain only looks slow.
const TRIES: u32 = 3;

/// Additions of the chain behind work: 2 µs at 4 GHz. Granite Rapids takes back what work did
/// to its clock 4 to 8 µs after that work ends.
const BEHIND: u64 = 8_000;

/// How often a clock is sampled while something else runs on the core.
const PERIOD: Duration = Duration::from_millis(2);

/// The clock of the core this thread is on, in GHz.
#[must_use]
pub fn ghz() -> f64 {
    (0..TRIES)
        .map(|_| {
            let start = Instant::now();
            chain(CHAIN);
            CHAIN as f64 / start.elapsed().as_nanos().max(1) as f64
        })
        .fold(0.0, f64::max)
}

/// The clock in GHz that work left, read in the 2 µs right behind it: one chain, so that a
/// reading in many is low, by an interrupt, and all are low by the timer's cost, a hundredth.
#[must_use]
pub fn ghz_behind() -> f64 {
    let start = Instant::now();
    chain(BEHIND);
    BEHIND as f64 / start.elapsed().as_nanos().max(1) as f64
}

/// `additions` dependent additions (rounded up to a multiple of 16).
#[cfg(target_arch = "x86_64")]
pub fn chain(additions: u64) {
    // SAFETY: registers only; no memory, no stack.
    unsafe {
        std::arch::asm!(
            "2:",
            "add {x}, {y}", "add {x}, {y}", "add {x}, {y}", "add {x}, {y}",
            "add {x}, {y}", "add {x}, {y}", "add {x}, {y}", "add {x}, {y}",
            "add {x}, {y}", "add {x}, {y}", "add {x}, {y}", "add {x}, {y}",
            "add {x}, {y}", "add {x}, {y}", "add {x}, {y}", "add {x}, {y}",
            "sub {n}, 1",
            "jnz 2b",
            x = inout(reg) 0_u64 => _,
            y = in(reg) 1_u64,
            n = inout(reg) additions.div_ceil(16) => _,
            options(nomem, nostack)
        );
    }
}

/// `additions` dependent additions (rounded up to a multiple of 16).
#[cfg(target_arch = "aarch64")]
pub fn chain(additions: u64) {
    // SAFETY: registers only; no memory, no stack.
    unsafe {
        std::arch::asm!(
            "2:",
            "add {x}, {x}, {y}", "add {x}, {x}, {y}", "add {x}, {x}, {y}", "add {x}, {x}, {y}",
            "add {x}, {x}, {y}", "add {x}, {x}, {y}", "add {x}, {x}, {y}", "add {x}, {x}, {y}",
            "add {x}, {x}, {y}", "add {x}, {x}, {y}", "add {x}, {x}, {y}", "add {x}, {x}, {y}",
            "add {x}, {x}, {y}", "add {x}, {x}, {y}", "add {x}, {x}, {y}", "add {x}, {x}, {y}",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            x = inout(reg) 0_u64 => _,
            y = in(reg) 1_u64,
            n = inout(reg) additions.div_ceil(16) => _,
            options(nomem, nostack)
        );
    }
}

/// Samples the clock of `processor` every two milliseconds while `work` runs, from a
/// thread pinned there: the kernel takes turns, so each sample sees the clock
/// that the work has just had. Returns the samples in GHz.
pub fn while_running<T>(processor: Option<u32>, work: impl FnOnce() -> T) -> (T, Vec<f64>) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let sampler = scope.spawn(|| {
            if let Some(processor) = processor {
                pin::this_thread(processor);
            }
            let mut samples = Vec::new();
            while !done.load(Ordering::Relaxed) {
                std::thread::sleep(PERIOD);
                if !done.load(Ordering::Relaxed) {
                    samples.push(ghz());
                }
            }
            samples
        });
        let result = {
            // Should the work panic, the sampler must end too: the scope waits for it.
            let _done = SetAtEnd(&done);
            work()
        };
        (result, sampler.join().unwrap_or_default())
    })
}

/// Sets a flag when it is dropped.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_a_clock() {
        let clock = ghz();
        assert!((0.2..10.0).contains(&clock), "{clock} GHz");
        // One chain may be interrupted.
        let behind = (0..10).map(|_| ghz_behind()).fold(0.0, f64::max);
        assert!((0.2..10.0).contains(&behind), "{behind} GHz");
    }

    #[test]
    fn samples_come_in_while_work_runs() {
        let ((), samples) = while_running(None, || std::thread::sleep(Duration::from_millis(60)));
        assert!(!samples.is_empty());
    }

    #[test]
    fn a_panic_of_the_work_ends_the_sampling() {
        let work = || while_running(None, || panic!("as the test wants"));
        assert!(std::panic::catch_unwind(work).is_err());
    }
}
