//! What each sample says of the machine.

use karat_host::disturbance::Watch;
use karat_host::neighbours::width;
use karat_host::{clock, pin};
use karat_model::soak::SoakSample;
use std::io;

/// Processors that are looked at; of more, so many spread over them all.
const MOST: usize = 4;

/// A sample that comes less late than this is on time: timers are that coarse under load.
const LATE: f64 = 0.05;

/// Looks at the machine between samples.
pub(super) struct Looks {
    watch: Watch,
    processors: Vec<u32>,
}

impl Looks {
    pub(super) fn start() -> io::Result<Self> {
        let allowed = pin::allowed();
        let step = allowed.len().div_ceil(MOST).max(1);
        Ok(Self {
            watch: Watch::start(None)?,
            processors: allowed.into_iter().step_by(step).collect(),
        })
    }

    /// What happened since the last sample, this one having come `late` by so many seconds;
    /// and who else is on the cores now.
    pub(super) fn fill(&mut self, sample: &mut SoakSample, late: f64) -> io::Result<()> {
        let late = if late < LATE { 0.0 } else { late };
        let next = Watch::start(None)?;
        let since = std::mem::replace(&mut self.watch, next).end(0, late)?;
        sample.steal = since.steal;
        sample.throttled = since.throttled;
        sample.paused = since.paused;
        for processor in &self.processors {
            let _pinned = pin::Pinned::to(*processor);
            // Of two looks the better one: an interrupt makes a look too small.
            sample.widths.push(width().max(width()));
            if sample.widths.len() == 1 {
                sample.clock = clock::ghz();
            }
        }
        Ok(())
    }
}
