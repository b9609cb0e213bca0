//! The tracer: waits for the tasks of a command, and lets each go on.

mod events;
mod hits;
mod letting_go;
mod library;
mod step;
mod tasks;

use crate::error::TraceError;
use crate::plan::{Ending, Hit, Plan, Program, Site, Traced};
use crate::space::{Sites, Space};
use crate::start::{Started, start};
use crate::sys::{self, Change};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::time::{Duration, Instant};
use tasks::Task;

/// Called at each hit. Adds the sites that are done to the list, of the same file or
/// another; the one that was hit stays planted unless it is among them.
pub type OnHit<'a> = dyn FnMut(&Hit, &mut Vec<Site>) + Send + 'a;

/// Runs a command to its end and watches the plan's sites in it and in all that it
/// starts.
///
/// Where all sites are done, everything goes on untraced. Where the command ends and
/// has left something running, that goes on unwatched too. Signals from the terminal
/// reach the program, which is in the caller's process group.
///
/// # Errors
/// [`TraceError`]; the program is killed then if it was started.
pub fn run(plan: Plan, program: &Program, on_hit: &mut OnHit<'_>) -> Result<Traced, TraceError> {
    // ptrace and the wait for its tracees are a thread's own, so that they do not mix
    // with other children of this process.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("karat-trace".into());
        let tracing = thread.spawn_scoped(scope, || trace(plan, program, on_hit));
        let joined = tracing
            .map_err(|error| TraceError::System {
                what: "start a thread",
                error,
            })?
            .join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn trace(plan: Plan, program: &Program, on_hit: &mut OnHit<'_>) -> Result<Traced, TraceError> {
    let files = plan.files.len();
    let mut tracer = Tracer {
        sites: Sites::new(plan),
        on_hit,
        tasks: HashMap::new(),
        spaces: HashMap::new(),
        next_space: 0,
        early: HashMap::new(),
        deferred: VecDeque::new(),
        root: 0,
        is_running: false,
        is_letting_go: false,
        outcome: None,
        stopped: Duration::ZERO,
        traps: 0,
        planted: 0,
        processes: 1,
        threads: 0,
        mapped: vec![0; files],
        left_running: 0,
        notes: Vec::new(),
    };
    let started = start(program)?;
    let begin = Instant::now();
    tracer.root = started.task;
    // Until exec it has none of the plan's code.
    tracer
        .tasks
        .insert(started.task, Task::new(started.task, None));
    let followed = tracer.follow();
    followed.map_err(|error| TraceError::System {
        what: "follow the program",
        error,
    })?;
    tracer.finish(started, program, begin)
}

/// What is known of a command that runs.
struct Tracer<'a, 'b> {
    sites: Sites,
    on_hit: &'a mut OnHit<'b>,
    tasks: HashMap<i32, Task>,
    spaces: HashMap<u32, Space>,
    next_space: u32,
    /// Tasks that stopped before the event of their parent told of them.
    early: HashMap<i32, Change>,
    /// Changes that were seen while waiting for something else.
    deferred: VecDeque<Change>,
    /// The command's own process.
    root: i32,
    /// Whether it has become the program.
    is_running: bool,
    /// Whether every task is to go on untraced.
    is_letting_go: bool,
    outcome: Option<Outcome>,
    stopped: Duration,
    traps: u64,
    planted: u64,
    processes: u64,
    threads: u64,
    mapped: Vec<u64>,
    left_running: u64,
    notes: Vec<String>,
}

/// The end of the command.
struct Outcome {
    ending: Ending,
    at: Instant,
    user: Duration,
    system: Duration,
}

impl Tracer<'_, '_> {
    /// Handles changes until no task is left.
    fn follow(&mut self) -> io::Result<()> {
        loop {
            let change = match self.deferred.pop_front() {
                Some(change) => change,
                None => match sys::wait(-1)? {
                    Some(change) => change,
                    None => return Ok(()),
                },
            };
            let begin = Instant::now();
            match self.changed(&change) {
                // It was killed meanwhile; its end comes by the wait.
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                other => other?,
            }
            self.stopped += begin.elapsed();
        }
    }

    fn finish(
        self,
        started: Started,
        program: &Program,
        begin: Instant,
    ) -> Result<Traced, TraceError> {
        if !self.is_running
            && let Some(error) = started.refused(&program.program)
        {
            return Err(error);
        }
        let outcome = self.outcome.ok_or_else(|| TraceError::System {
            what: "wait for the program",
            error: io::Error::from_raw_os_error(libc::ECHILD),
        })?;
        Ok(Traced {
            ending: outcome.ending,
            wall: outcome.at - begin,
            user: outcome.user,
            system: outcome.system,
            stopped: self.stopped,
            traps: self.traps,
            planted: self.planted,
            processes: self.processes,
            threads: self.threads,
            mapped: self.mapped,
            left_running: self.left_running,
            notes: self.notes,
        })
    }

    /// Adds a note, once.
    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}
