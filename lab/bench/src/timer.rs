//! The timers of batches: processor time of the calling thread, or the wall clock.
//!
//! The wall clock only where it is asked for. All arms make the same calls, so a slow
//! arm's batch is long. On a busy machine a long batch meets the scheduler more often than
//! a short one. By the wall clock that alone would make the slow arm slower still. What a
//! kernel waits for is not counted.

use nix::time::{ClockId, clock_gettime};

/// What a batch's time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    /// Processor time of the calling thread.
    Thread,
    /// The wall clock.
    Wall,
}

impl Timer {
    /// Nanoseconds since some moment. 0 when the system has no such clock: batches then take
    /// no time, which calibration reports.
    pub(super) fn ns(self) -> u64 {
        match self {
            Self::Thread => clock_ns(ClockId::CLOCK_THREAD_CPUTIME_ID),
            Self::Wall => clock_ns(ClockId::CLOCK_MONOTONIC),
        }
    }
}

fn clock_ns(clock: ClockId) -> u64 {
    clock_gettime(clock).map_or(0, |time| {
        time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_not_counted_and_work_is() {
        let start = Timer::Thread.ns();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let slept = Timer::Thread.ns() - start;
        karat_host::clock::chain(50_000_000);
        let worked = Timer::Thread.ns() - start - slept;
        assert!(slept < worked, "{slept} ns asleep, {worked} ns at work");
    }

    #[test]
    fn the_wall_clock_counts_sleep() {
        let start = Timer::Wall.ns();
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert!(Timer::Wall.ns() - start >= 5_000_000);
    }
}
