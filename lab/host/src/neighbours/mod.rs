//! Whether somebody else uses the measured core, and waiting for moments when nobody does.
//!
//! On a rented machine the other hardware thread of a core may run another tenant's
//! program. What is measured then takes up to 1.8 times as long, for tenths of a second at a
//! time, and neither steal time nor the clock shows it. The [width](width()) of the core does.
//!
//! The rule is blind: it looks at the probe, before and after a run, and at neither the arm
//! that runs nor its time. A run that was not quiet at both ends is made again within
//! limits ([`Repeats`]).

mod host;
mod patience;
mod repeats;
mod survey;
mod width;

pub use host::Host;
pub use repeats::Repeats;
pub use survey::{Survey, free, quietest, survey};
pub use width::width;

use patience::Patience;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Share of the free width from which on a look counts as quiet. Free looks lie within
/// 3 % of each other, and most shared ones 10 % or more below.
pub const QUIET: f64 = 0.95;

/// Share of all looks that may lie above the free width: looks that an interrupt made too
/// large.
const ABOVE: f64 = 0.005;

/// Looks in a row that must be quiet for a wait to end.
const IN_A_ROW: u32 = 2;

/// Width of a bin, and the number of bins: additions a cycle up to 20.
const BIN: f64 = 0.01;
const BINS: usize = 2000;

/// What is known of the measured core.
#[derive(Clone, Debug)]
pub struct Neighbours {
    /// Looks by width, in bins.
    seen: Vec<u64>,
    looks: u64,
    patience: Patience,
    waited: f64,
}

/// A wait for a quiet moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// Seconds it took.
    pub seconds: f64,
    /// The last look.
    pub width: f64,
}

impl Default for Neighbours {
    fn default() -> Self {
        Self {
            seen: vec![0; BINS],
            looks: 0,
            patience: Patience::default(),
            waited: 0.0,
        }
    }
}

impl Neighbours {
    /// Takes a look into account that was made before.
    pub fn remember(&mut self, width: f64) {
        self.seen[((width / BIN) as usize).min(BINS - 1)] += 1;
        self.looks += 1;
    }

    /// Looks at the core this thread is on. Of two looks the better one counts, since an
    /// interrupt makes a look too small.
    pub fn look(&mut self) -> f64 {
        let width = width().max(width());
        self.remember(width);
        width
    }

    /// Additions a cycle when nobody else uses the core, as far as it was ever seen; 0
    /// before the first look.
    #[must_use]
    pub fn free(&self) -> f64 {
        let above = (self.looks as f64 * ABOVE) as u64;
        let mut sum = 0;
        for (bin, count) in self.seen.iter().enumerate().rev() {
            sum += count;
            if sum > above {
                return bin as f64 * BIN;
            }
        }
        0.0
    }

    /// Additions a cycle from which on a moment counts as quiet.
    #[must_use]
    pub fn threshold(&self) -> f64 {
        QUIET * self.free()
    }

    /// Waits for a quiet moment on the core this thread is on, as long as patience allows:
    /// half a second at once, and half of the time that passes between waits; less while
    /// no wait ends well.
    pub fn wait(&mut self, interrupt: &AtomicBool) -> Wait {
        let start = Instant::now();
        let mut seconds = || start.elapsed().as_secs_f64();
        let wait = self.wait_by(width, &mut seconds, interrupt);
        self.waited += wait.seconds;
        wait
    }

    fn wait_by(
        &mut self,
        mut look: impl FnMut() -> f64,
        seconds: &mut dyn FnMut() -> f64,
        interrupt: &AtomicBool,
    ) -> Wait {
        let most = self.patience.allows();
        let mut width = look();
        // Only the first: the looks of a long wait are all of the same neighbour, and
        // thousands of them would hide the few of a free core.
        self.remember(width);
        let threshold = self.threshold();
        let mut in_a_row = 0;
        loop {
            in_a_row = if width >= threshold { in_a_row + 1 } else { 0 };
            let passed = seconds();
            let quiet = in_a_row >= IN_A_ROW;
            if quiet || passed >= most || interrupt.load(Ordering::Relaxed) {
                self.patience.spent(passed, quiet);
                return Wait {
                    seconds: passed,
                    width,
                };
            }
            width = look();
        }
    }

    /// Seconds of all waits.
    #[must_use]
    pub fn waited(&self) -> f64 {
        self.waited
    }
}

#[cfg(test)]
mod tests;
