//! The watching itself: the program runs, and samples of it come one at a time.

mod floor;
mod looks;
mod program;
mod window;

use crate::pattern::LinePattern;
use karat_host::disturbance::clock_seconds;
use karat_host::watched::WatchError;
use karat_model::soak::{Floor, Point, SoakMode, SoakPlan, SoakSample, SystemCalls};
use karat_process::Live;
use looks::Looks;
use program::{Load, Program};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two looks at the interrupt flag.
const GLANCE: Duration = Duration::from_millis(250);

/// Times of operations that one sample keeps: more would make its line longer than a reader
/// wants to hold.
const KEPT: usize = 20_000;

/// What is watched.
#[derive(Clone, Debug)]
pub enum Target {
    /// A program to start, with its arguments.
    Command(Vec<std::ffi::OsString>),
    /// A process that runs.
    Process(u32),
}

/// What to watch, and how.
pub struct Asked<'a> {
    /// What is watched.
    pub target: Target,
    /// For how long, how often, and so on.
    pub plan: &'a SoakPlan,
    /// What lines tell.
    pub pattern: Option<&'a LinePattern>,
    /// What an earlier part of this soak left.
    pub begun: Begun,
    /// Set, it ends the watching.
    pub interrupt: &'a AtomicBool,
}

/// Where a soak goes on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Begun {
    /// Seconds watched so far.
    pub at: f64,
    /// Starts of the program so far.
    pub starts: u32,
}

/// How the watching ended.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// In a few words.
    pub ending: String,
    /// Whether the time was over.
    pub complete: bool,
    /// Whether the user interrupted it.
    pub interrupted: bool,
    /// Whether the program went wrong: an exit code other than 0, or a signal.
    pub failed: bool,
    /// The program's last lines, if it ended by itself.
    pub last_lines: Vec<String>,
    /// Seconds watched this time.
    pub seconds: f64,
    /// Times of operations that were too many to be kept.
    pub dropped: u64,
    /// System calls of the window, or why there are none.
    pub counted: Option<Result<SystemCalls, String>>,
    /// What the watching shows of an empty program.
    pub floor: Option<Floor>,
}

/// Why nothing can be watched.
#[derive(Debug, thiserror::Error)]
pub enum SoakError {
    /// The program cannot be started.
    #[error("cannot start {program}: {why}")]
    Start {
        /// Which.
        program: String,
        /// Why not, and what to do.
        why: String,
    },
    /// It ended before it was looked at.
    #[error(
        "{program} ended after {seconds:.2} s, before the first sample: {ending}; a soak wants a \
         program that runs on, or --repeat, which starts it again whenever it ends{}", lines(.last)
    )]
    AtOnce {
        /// Which.
        program: String,
        /// After so many seconds.
        seconds: f64,
        /// How.
        ending: String,
        /// What it said last.
        last: Vec<String>,
    },
    /// A command that is run again and again went wrong.
    #[error("{what} failed: {ending}{}", lines(.last))]
    Failed {
        /// Which.
        what: String,
        /// How it ended.
        ending: String,
        /// What it said last.
        last: Vec<String>,
    },
    /// The process cannot be looked into.
    #[error("{0}")]
    Watch(#[from] WatchError),
    /// The machine or the program cannot be looked at.
    #[error("cannot go on watching: {0}")]
    Io(#[from] io::Error),
    /// The samples cannot be kept.
    #[error("cannot keep a sample: {0}")]
    Keep(io::Error),
}

fn lines(last: &[String]) -> String {
    last.iter().map(|line| format!("\n  | {line}")).collect()
}

/// Watches until the time is over, the program ends, or the user interrupts it. Each sample
/// is given to `keep` at once.
///
/// # Errors
/// See [`SoakError`]. What was given to `keep` before is good.
pub fn watch(
    asked: &Asked<'_>,
    keep: &mut dyn FnMut(&SoakSample) -> io::Result<()>,
) -> Result<Stopped, SoakError> {
    let plan = asked.plan;
    let every = Duration::from_secs_f64(plan.every);
    let own = || clock_seconds(libc::CLOCK_PROCESS_CPUTIME_ID);
    let floor = floor::measure(plan.mode == SoakMode::Repeat)?;
    let mut used = own();
    let mut program = Program::begin(&asked.target, plan)?;
    let mut load = plan.load.as_deref().map(Load::new);
    let mut looks = Looks::start()?;
    let began = Instant::now();
    let at = |now: Instant| asked.begun.at + (now - began).as_secs_f64();
    let mut heard = Heard::default();
    let mut next = began + every;
    let mut runs = 0;
    let mut samples = 0_u64;
    let stopped = loop {
        if let Some(load) = &mut load {
            load.keep_going(plan.warm, (Instant::now() - began).as_secs_f64())?;
        }
        let until = next.min(Instant::now() + GLANCE);
        let hear = &mut |line: &str| heard.line(asked.pattern, at(Instant::now()), line);
        wait(&mut program, load.as_mut(), until, hear)?;
        if program.ended() && plan.mode == SoakMode::Repeat {
            program.again()?;
            runs += 1;
        }
        let now = Instant::now();
        let over = program.ended();
        if now >= next && !over {
            let late = (now - next).as_secs_f64();
            let mut sample = SoakSample {
                at: at(now),
                start: asked.begun.starts,
                reading: program.read(every)?,
                group_memory: program.group_memory(),
                runs: std::mem::take(&mut runs),
                progress: plan
                    .progress
                    .as_deref()
                    .and_then(|p| progress(Path::new(p))),
                ..SoakSample::default()
            };
            looks.fill(&mut sample, late)?;
            heard.give(&mut sample);
            let so_far = own();
            sample.own = so_far - std::mem::replace(&mut used, so_far);
            keep(&sample).map_err(SoakError::Keep)?;
            samples += 1;
            // After a pause of the machine the samples missed are not made up for.
            while next <= now {
                next += every;
            }
        }
        let seconds = (now - began).as_secs_f64();
        if over {
            break program.stopped(seconds);
        }
        if asked.begun.at + seconds >= plan.seconds {
            break Stopped::by_karat("its time was over", true, seconds);
        }
        if asked.interrupt.load(Ordering::Relaxed) {
            let mut stopped = Stopped::by_karat("interrupted", false, seconds);
            stopped.interrupted = true;
            break stopped;
        }
    };
    if samples == 0 && program.ended() && !stopped.interrupted {
        return Err(SoakError::AtOnce {
            program: plan.program.clone(),
            seconds: stopped.seconds,
            ending: stopped.ending,
            last: stopped.last_lines,
        });
    }
    let counted = match plan.window {
        Some(seconds) if stopped.complete && !program.ended() => {
            window::count(&mut program, load.as_mut(), asked.pattern, seconds).map(Some)?
        }
        _ => None,
    };
    program.end()?;
    if let Some(load) = load {
        load.end()?;
    }
    Ok(Stopped {
        dropped: heard.dropped,
        counted,
        floor,
        ..stopped
    })
}

impl Stopped {
    fn by_karat(why: &str, complete: bool, seconds: f64) -> Self {
        Self {
            ending: why.to_owned(),
            complete,
            interrupted: false,
            failed: false,
            last_lines: Vec::new(),
            seconds,
            dropped: 0,
            counted: None,
            floor: None,
        }
    }
}

/// Waits for lines, ends and the time.
fn wait(
    program: &mut Program,
    load: Option<&mut Load>,
    until: Instant,
    hear: &mut dyn FnMut(&str),
) -> Result<(), SoakError> {
    let mut lives: Vec<&mut Live> = Vec::new();
    lives.extend(program.live());
    lives.extend(load.and_then(Load::live));
    if lives.is_empty() {
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
        return Ok(());
    }
    Live::wait_any(&mut lives, until, &mut |_, line| hear(line))?;
    Ok(program.note_end()?)
}

/// The number at the beginning of a progress file; nothing while the file is not there.
fn progress(path: &Path) -> Option<f64> {
    let text = std::fs::read_to_string(path).ok()?;
    let value: f64 = text.split_whitespace().next()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// What lines told since the last sample.
#[derive(Default)]
struct Heard {
    points: Vec<Point>,
    latencies: Vec<f64>,
    dropped: u64,
}

impl Heard {
    fn line(&mut self, pattern: Option<&LinePattern>, at: f64, line: &str) {
        let Some(pattern) = pattern else { return };
        let told = pattern.read(line);
        if let Some(point) = told.point {
            self.points.push(Point { at, ..point });
        }
        match told.latency {
            Some(_) if self.latencies.len() >= KEPT => self.dropped += 1,
            Some(latency) => self.latencies.push(latency),
            None => {}
        }
    }

    fn give(&mut self, sample: &mut SoakSample) {
        sample.points = std::mem::take(&mut self.points);
        sample.latencies = std::mem::take(&mut self.latencies);
    }
}
