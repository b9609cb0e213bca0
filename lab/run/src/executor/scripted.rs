//! Runs by a script: no processes, a time of its own, neighbours and faults as the test says.

use super::{Clock, Executor, Observed, Trouble};
use crate::RunError;
use karat_host::disturbance::Disturbance;
use karat_host::pin::Pinned;
use karat_judge::Rng;
use karat_process::{Command, Ending, Finished, Setup};
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::Duration;

/// Additions a cycle of a core that is free, and of one that is shared.
const FREE: f64 = 5.0;
const SHARED: f64 = 3.5;

/// Longest wait for a quiet moment, in seconds.
const PATIENCE: f64 = 0.05;

/// What goes wrong with a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// It never ends by itself.
    Hangs,
    /// It ends with this code.
    Exits(i32),
    /// The processor is taken away.
    Gone,
    /// The hypervisor takes so many seconds.
    Stolen(f64),
    /// The machine sleeps for so many seconds.
    Sleeps(f64),
}

/// A machine that is made up.
pub(crate) struct Scripted<'a> {
    /// Seconds that a program takes on a free core, by its path.
    pub(crate) seconds: &'a dyn Fn(&Path) -> f64,
    /// Whether somebody else uses the core at this second.
    pub(crate) shared: &'a dyn Fn(f64) -> bool,
    /// What goes wrong with the run of this number.
    pub(crate) fault: &'a dyn Fn(u64) -> Option<Fault>,
    /// How much longer a run takes on a shared core.
    pub(crate) slower: f64,
    now: Cell<f64>,
    runs: Cell<u64>,
    rng: RefCell<Rng>,
}

impl<'a> Scripted<'a> {
    /// A free machine without faults.
    pub(crate) fn new(seconds: &'a dyn Fn(&Path) -> f64) -> Self {
        Self {
            seconds,
            shared: &|_| false,
            fault: &|_| None,
            slower: 1.5,
            now: Cell::new(0.0),
            runs: Cell::new(0),
            rng: RefCell::new(Rng::new(11)),
        }
    }

    fn pass(&self, seconds: f64) {
        self.now.set(self.now.get() + seconds);
    }

    fn is_shared(&self) -> bool {
        (self.shared)(self.now.get())
    }

    fn finish(&self, command: &Command, timeout: Duration) -> Result<(Finished, f64), Trouble> {
        let number = self.runs.replace(self.runs.get() + 1);
        // Half of a percent, as on a steady machine.
        let noise = 1.0 + self.rng.borrow_mut().below(1000) as f64 * 5e-6;
        let alone = (self.seconds)(Path::new(command.get_program())) * noise;
        let seconds = if self.is_shared() {
            alone * self.slower
        } else {
            alone
        };
        let (mut ending, mut wall, mut steal) = (Ending::Exit(0), seconds, 0.0);
        let mut overslept = 0.0;
        match (self.fault)(number) {
            None => {}
            Some(Fault::Hangs) => wall = f64::INFINITY,
            Some(Fault::Exits(code)) => ending = Ending::Exit(code),
            Some(Fault::Gone) => {
                return Err(Trouble::Gone(RunError::ProcessorGone {
                    processor: 1,
                    why: "as the script says".into(),
                }));
            }
            Some(Fault::Stolen(more)) => {
                steal = more;
                wall += more;
            }
            Some(Fault::Sleeps(more)) => {
                overslept = more;
                wall += more;
            }
        }
        if wall > timeout.as_secs_f64() {
            (ending, wall) = (Ending::TimedOut, timeout.as_secs_f64());
        }
        self.pass(wall);
        let run = Finished {
            ending,
            stdout: Vec::new(),
            stderr: Vec::new(),
            wall,
            overslept,
            cpu: seconds,
            switches: 1,
            waits: 1,
            minor_faults: 100,
            major_faults: 0,
            peak_rss: None,
            rss_floor: 0,
            left_running: 0,
            counts: Vec::new(),
        };
        Ok((run, steal))
    }
}

impl Executor for Scripted<'_> {
    fn now(&self) -> Duration {
        // Nothing happens at the same time as anything else.
        self.pass(1e-6);
        Duration::from_secs_f64(self.now.get())
    }

    fn run(
        &self,
        command: &mut Command,
        _: &Setup,
        timeout: Duration,
    ) -> Result<Finished, Trouble> {
        Ok(self.finish(command, timeout)?.0)
    }

    fn observe(
        &self,
        command: &mut Command,
        _: &Setup,
        timeout: Duration,
    ) -> Result<Observed, Trouble> {
        let mut waited = 0.0;
        while self.is_shared() && waited < PATIENCE {
            self.pass(0.001);
            waited += 0.001;
        }
        let width = || if self.is_shared() { SHARED } else { FREE };
        let before = width();
        let (run, steal) = self.finish(command, timeout)?;
        let width = [before, width()];
        Ok(Observed {
            quiet: width == [FREE; 2],
            width: Some(width),
            waited,
            disturbance: Disturbance {
                steal,
                throttled: 0.0,
                paused: run.overslept,
                switches: run.switches,
            },
            moved: false,
            clock: 4.0,
            run,
        })
    }

    fn with_clock(&self, work: &mut dyn FnMut()) -> Clock {
        work();
        Clock {
            before: 4.0,
            during: vec![4.0],
        }
    }

    fn redraw(&self, _: &mut dyn Iterator<Item = &Path>, _: u64) {}

    fn stay(&self) -> Option<Pinned> {
        None
    }
}
