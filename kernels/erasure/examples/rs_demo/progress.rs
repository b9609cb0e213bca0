//! A line of progress on a terminal.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Between two lines.
const PAUSE: Duration = Duration::from_millis(250);

pub struct Progress {
    what: &'static str,
    total: u64,
    start: Instant,
    told: Instant,
}

impl Progress {
    /// `total` bytes are to be done.
    pub fn new(what: &'static str, total: u64) -> Self {
        Self {
            what,
            total,
            start: Instant::now(),
            told: Instant::now(),
        }
    }

    pub fn tell(&mut self, done: u64) {
        if stderr().is_terminal() && self.told.elapsed() >= PAUSE {
            let percent = done * 100 / self.total.max(1);
            eprint!("\r{} {percent} %\x1b[K", self.what);
            self.told = Instant::now();
        }
    }

    /// How much was done and how fast, files included.
    pub fn end(self) {
        if stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
        let mib = self.total as f64 / f64::from(1 << 20);
        let rate = mib / self.start.elapsed().as_secs_f64().max(1e-9);
        eprintln!("{}: {mib:.1} MiB of data, {rate:.0} MiB/s", self.what);
    }
}
