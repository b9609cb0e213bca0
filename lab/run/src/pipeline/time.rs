//! The time that is promised for all that comes after the builds and their audit.

use karat_model::study::{AUTO_ROUNDS, AUTO_SECONDS, MaxTime};
use std::time::{Duration, Instant};

/// A run never takes more than this much of what was promised.
const AT_MOST: f64 = 1.25;

/// Share of the time in which pilots are measured.
const PILOTS: f64 = 0.15;

/// A promise of time, from the moment it is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    start: Instant,
    /// Seconds; `None` of a smoke run, and of an automatic time until a round's is known.
    seconds: Option<f64>,
}

impl Promise {
    pub(super) fn new(time: MaxTime, smoke: bool) -> Self {
        Self {
            start: Instant::now(),
            seconds: match time {
                MaxTime::Seconds(seconds) if !smoke => Some(seconds),
                _ => None,
            },
        }
    }

    /// Settles an automatic time, now that a round is known to take `round` seconds.
    pub(super) fn settle(&mut self, time: MaxTime, round: f64, smoke: bool) {
        let [least, most] = AUTO_SECONDS;
        if time == MaxTime::Auto && !smoke {
            self.seconds = Some((round * f64::from(AUTO_ROUNDS)).clamp(least, most));
        }
    }

    /// Seconds promised; 0 when nothing was.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds.unwrap_or(0.0)
    }

    /// Seconds used.
    pub(super) fn used(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Seconds left; endless when nothing was promised.
    pub(super) fn left(&self) -> f64 {
        self.seconds.map_or(f64::INFINITY, |s| s - self.used())
    }

    /// Seconds that pilots may take.
    pub(super) fn for_pilots(&self) -> f64 {
        self.seconds.unwrap_or(AUTO_SECONDS[0]) * PILOTS
    }

    /// The time after which everything must have ended.
    pub(super) fn end(&self) -> Option<Duration> {
        let whole = Duration::try_from_secs_f64(self.seconds? * AT_MOST).ok()?;
        Some(whole.saturating_sub(self.start.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_automatic_time_has_room_for_rounds_within_bounds() {
        for (round, expected) in [(0.01, 40.0), (2.0, 80.0), (60.0, 600.0)] {
            let mut promise = Promise::new(MaxTime::Auto, false);
            assert_eq!(promise.end(), None);
            promise.settle(MaxTime::Auto, round, false);
            assert_eq!(promise.seconds(), expected);
        }
    }

    #[test]
    fn a_time_that_was_named_stays() {
        let mut promise = Promise::new(MaxTime::Seconds(8.0), false);
        promise.settle(MaxTime::Seconds(8.0), 100.0, false);
        assert_eq!(promise.seconds(), 8.0);
        assert!(promise.left() > 7.0 && promise.left() <= 8.0);
        let left = promise.end().unwrap();
        assert!(left > Duration::from_secs(9) && left <= Duration::from_secs(10));
    }

    #[test]
    fn a_smoke_run_promises_nothing() {
        let promise = Promise::new(MaxTime::Seconds(8.0), true);
        assert_eq!((promise.seconds(), promise.end()), (0.0, None));
        assert_eq!(promise.left(), f64::INFINITY);
    }
}
