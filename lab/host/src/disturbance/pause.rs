//! Pauses of everything: a suspended machine, a stopped karat.
//!
//! `CLOCK_BOOTTIME` counts the time that a machine sleeps and `CLOCK_MONOTONIC` does
//! not (clock_gettime(2)). A virtual machine that its host stops need not notice:
//! then all clocks jump together, and what shows is that a wait of 100 ms took
//! longer.

/// Seconds that a wait may last longer than was asked for. The scheduler lets a
/// thread wait for tens of milliseconds behind others; nothing usual makes it half
/// a second.
const LONGEST_WAIT: f64 = 0.5;

/// What two clocks may differ by, since they are read one after the other.
const READING: f64 = 0.01;

/// A clock in seconds.
pub fn clock_seconds(clock: libc::clockid_t) -> f64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live local of the right type, which stays as it is
    // when the clock is not known.
    unsafe { libc::clock_gettime(clock, &raw mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Seconds that the machine has slept since its start.
pub(super) fn asleep_seconds() -> f64 {
    clock_seconds(libc::CLOCK_BOOTTIME) - clock_seconds(libc::CLOCK_MONOTONIC)
}

/// Seconds of pause in a run during which the machine's sleep grew by `asleep` and
/// karat overslept by `overslept`.
pub(super) fn of(asleep: f64, overslept: f64) -> f64 {
    let above = |value: f64, usual: f64| if value > usual { value } else { 0.0 };
    above(asleep, READING).max(above(overslept, LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleep_or_a_long_silence_is_a_pause() {
        assert_eq!(of(1e-6, 0.02), 0.0);
        assert_eq!(of(-1e-6, 0.0), 0.0);
        // Asleep for 30 s, which CLOCK_MONOTONIC did not see.
        assert_eq!(of(30.0, 0.02), 30.0);
        // All clocks jumped by 30 s.
        assert_eq!(of(1e-6, 30.0), 30.0);
        assert_eq!(of(30.0, 31.0), 31.0);
    }

    #[test]
    fn a_machine_that_is_awake_does_not_sleep() {
        let before = asleep_seconds();
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(of(asleep_seconds() - before, 0.0), 0.0);
    }
}
