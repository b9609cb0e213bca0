//! The timer of batches: processor time of the calling thread.
//!
//! Not the wall clock. All arms make the same calls, so a slow arm's batch is long, and on a
//! busy machine a long batch meets the scheduler more often than a short one: by the wall clock
//! that alone would make the slow arm slower still. What a kernel waits for is not counted.

/// Nanoseconds that this thread has run. 0 when the system has no such clock: batches then
/// take no time, which calibration reports.
pub(super) fn thread_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid timespec to write to.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    if result != 0 {
        return 0;
    }
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_not_counted_and_work_is() {
        let start = thread_ns();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let slept = thread_ns() - start;
        crate::clock::chain(50_000_000);
        let worked = thread_ns() - start - slept;
        assert!(slept < worked, "{slept} ns asleep, {worked} ns at work");
    }
}
