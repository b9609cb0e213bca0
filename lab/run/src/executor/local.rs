//! Runs on this machine, on one processor.

use super::{Clock, Executor, Observed, Trouble};
use crate::RunError;
use karat_host::disturbance::Watch;
use karat_host::neighbours::Neighbours;
use karat_host::{clock, frames, pin};
use karat_process::{Command, Finished, Setup};
use std::cell::RefCell;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// This machine.
pub(crate) struct Local<'a> {
    /// The processor that runs are pinned to.
    processor: Option<u32>,
    /// What is known of its core; `None` where it cannot be probed.
    neighbours: Option<&'a RefCell<Neighbours>>,
    interrupt: &'a AtomicBool,
    start: Instant,
}

impl<'a> Local<'a> {
    pub(crate) fn new(
        processor: Option<u32>,
        neighbours: Option<&'a RefCell<Neighbours>>,
        interrupt: &'a AtomicBool,
    ) -> Self {
        Self {
            processor,
            neighbours,
            interrupt,
            start: Instant::now(),
        }
    }

    /// Whether the processor was this thread's all the time.
    fn held(&self) -> Result<bool, Trouble> {
        let Some(processor) = self.processor else {
            return Ok(true);
        };
        match pin::hold(processor) {
            pin::Held::Yes => Ok(true),
            pin::Held::Again => Ok(false),
            pin::Held::Lost(why) => Err(Trouble::Gone(RunError::ProcessorGone { processor, why })),
        }
    }
}

impl Executor for Local<'_> {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn run(
        &self,
        command: &mut Command,
        setup: &Setup,
        timeout: Duration,
    ) -> Result<Finished, Trouble> {
        Ok(setup.run(command, timeout, self.interrupt)?)
    }

    fn observe(
        &self,
        command: &mut Command,
        setup: &Setup,
        timeout: Duration,
    ) -> Result<Observed, Trouble> {
        let wait = self.neighbours.map(|n| n.borrow_mut().wait(self.interrupt));
        let watch = Watch::start(self.processor).ok();
        self.held()?;
        let run = setup.run(command, timeout, self.interrupt)?;
        let width = wait
            .zip(self.neighbours)
            .map(|(wait, n)| [wait.width, n.borrow_mut().look()]);
        let moved = !self.held()?;
        let disturbance = watch.and_then(|w| w.end(run.switches, run.overslept).ok());
        let threshold = self.neighbours.map_or(0.0, |n| n.borrow().threshold());
        Ok(Observed {
            run,
            width,
            quiet: width.iter().flatten().all(|w| *w >= threshold),
            waited: wait.map_or(0.0, |w| w.seconds),
            disturbance: disturbance.unwrap_or_default(),
            moved,
            clock: clock::ghz(),
        })
    }

    fn with_clock(&self, work: &mut dyn FnMut()) -> Clock {
        let before = clock::ghz();
        let ((), during) = clock::while_running(self.processor, work);
        Clock { before, during }
    }

    fn redraw(&self, programs: &mut dyn Iterator<Item = &Path>, draw: u64) {
        frames::redraw(programs, draw);
    }

    fn stay(&self) -> Option<pin::Pinned> {
        self.processor.map(pin::Pinned::to)
    }
}
