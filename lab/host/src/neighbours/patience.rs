//! How long to wait for a quiet moment: never more than a part of the time that passes.

use std::time::Instant;

/// Seconds that one wait may take at most.
const MOST: f64 = 0.5;

/// Share of the time between waits that may be waited for while waits end well. Waiting
/// costs no more than making a run that is thrown away.
const SHARE: f64 = 0.5;

/// Least share, when no wait has ended well for long: the core may never rest.
const LEAST: f64 = 0.03;

/// Waiting time, earned by time that passes.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    saved: f64,
    share: f64,
    since: Instant,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            saved: MOST,
            share: SHARE,
            since: Instant::now(),
        }
    }
}

impl Patience {
    /// Seconds that a wait may take now.
    pub(super) fn allows(&mut self) -> f64 {
        let passed = self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        self.earned(passed)
    }

    fn earned(&mut self, passed: f64) -> f64 {
        self.saved = (self.saved + self.share * passed).min(MOST);
        self.saved
    }

    /// A wait took so long, and ended well or not.
    pub(super) fn spent(&mut self, seconds: f64, well: bool) {
        self.since = Instant::now();
        self.saved = (self.saved - seconds).max(0.0);
        self.share = if well {
            SHARE
        } else {
            (self.share / 2.0).max(LEAST)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_never_takes_more_than_its_share() {
        let mut patience = Patience::default();
        let (mut waited, mut passed) = (0.0, 0.0);
        for _ in 0..1000 {
            passed += 0.025;
            let most = patience.earned(0.025);
            assert!(most <= MOST);
            waited += most;
            patience.spent(most, true);
        }
        assert!(
            waited <= MOST + SHARE * passed + 1e-9,
            "{waited} of {passed}"
        );
        assert!(waited > 0.9 * SHARE * passed, "{waited} of {passed}");
    }

    #[test]
    fn a_core_that_never_rests_is_hardly_waited_for() {
        let mut patience = Patience::default();
        let mut waited = 0.0;
        for _ in 0..1000 {
            let most = patience.earned(0.025);
            waited += most;
            patience.spent(most, false);
        }
        // 25 s of runs.
        assert!(waited < 1.5, "{waited}");
        patience.spent(0.0, true);
        assert!(
            patience.earned(1.0) > 0.4,
            "and again after one that ended well"
        );
    }
}
