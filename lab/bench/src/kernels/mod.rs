//! Kernels beside their peers: every implementation that this CPU has, other crates' and
//! other programs', task by task and size by size.
//!
//! ```no_run
//! use karat_bench::kernels::{Options, Wanted, bench};
//! # let suites: &[&'static karat_kit::Suite] = &[];
//!
//! let plans = Wanted::default().plans(suites)?;
//! let cases = bench(&plans, &[], Vec::new(), &Options::default(), |index, plan| {
//!     eprintln!("{index}: {}", plan.task.name);
//!     true // go on
//! })?;
//! # Ok::<(), karat_bench::kernels::KernelError>(())
//! ```

mod contender;
mod error;
mod field;
mod plan;
mod program;
mod tune;

pub use crate::error::ProgramError;
pub use error::KernelError;
pub use plan::{Plan, Wanted, check_names};
pub use program::Program;
pub use tune::{Loss, Tuned, tuned};

use contender::{Contender, Way};
use field::Field;
use karat_kit::Peer;
use karat_model::kernels::{Case, KernelBench};
use karat_model::machine::Machine;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How long and from which numbers.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Rounds at most.
    pub rounds: u32,
    /// Time for all rounds.
    pub max_time: Duration,
    /// Decides inputs and order.
    pub seed: u64,
    /// Smallest relative change that matters.
    pub margin: f64,
    /// Threads where a task uses several.
    pub processors: usize,
    /// Whether histograms of cycles are wanted.
    pub cycles: bool,
}

impl Default for Options {
    /// 200 rounds, 20 s a case, margin 1 %, all processors.
    ///
    /// Most cases are decided in two seconds. Slow hashes of 16 MiB need the time for the
    /// ten rounds without which nothing is bounded.
    fn default() -> Self {
        Self {
            rounds: 200,
            max_time: Duration::from_secs(20),
            seed: 1,
            margin: 0.01,
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            cycles: false,
        }
    }
}

impl Options {
    /// Too few rounds to conclude from: shows that all of it works.
    #[must_use]
    pub fn quick(self) -> Self {
        Self {
            rounds: 6,
            max_time: Duration::from_millis(300),
            ..self
        }
    }
}

/// What a benchmark says besides its figures.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The command that measures, for who wants to do it again.
    pub command: String,
    /// When it begins, by RFC 3339.
    pub started: String,
    /// Where it measures.
    pub machine: Machine,
    /// Whether the options are too few rounds to conclude from ([`Options::quick`]).
    pub quick: bool,
}

/// Measures all plans ([`bench()`]), and says where, when and how.
///
/// # Errors
/// When contenders disagree, or when one cannot be measured.
pub fn document(
    plans: &[Plan],
    peers: &[Peer],
    programs: Vec<Program>,
    options: &Options,
    setting: Setting,
    begin: impl FnMut(usize, &Plan) -> bool,
) -> Result<KernelBench, KernelError> {
    let clock = Instant::now();
    let cases = bench(plans, peers, programs, options, begin)?;
    Ok(KernelBench {
        schema: 2,
        command: setting.command,
        started: setting.started,
        karat: env!("CARGO_PKG_VERSION").to_owned(),
        seconds: clock.elapsed().as_secs_f64(),
        seed: options.seed,
        margin: options.margin,
        quick: setting.quick,
        machine: setting.machine,
        cases,
    })
}

/// Measures all plans, one after the other. `begin` is called before each, and again when one
/// fails; when it returns false, the cases so far are the result. What interrupts this program
/// ends its peers too, if it is sent to the whole group, as by `timeout`: then the case fails.
///
/// # Errors
/// When contenders disagree, or when one cannot be measured.
pub fn bench(
    plans: &[Plan],
    peers: &[Peer],
    programs: Vec<Program>,
    options: &Options,
    mut begin: impl FnMut(usize, &Plan) -> bool,
) -> Result<Vec<Case>, KernelError> {
    let programs = programs.into_iter().map(RefCell::new).map(Rc::new);
    let programs: Vec<Rc<RefCell<Program>>> = programs.collect();
    let mut cases = Vec::new();
    for (index, plan) in plans.iter().enumerate() {
        if !begin(index, plan) {
            break;
        }
        match case(*plan, peers, &programs, options) {
            Ok(case) => cases.push(case),
            Err(error) if begin(index, plan) => return Err(error),
            Err(_) => break,
        }
    }
    Ok(cases)
}

/// Measures one plan.
fn case(
    plan: Plan,
    peers: &[Peer],
    programs: &[Rc<RefCell<Program>>],
    options: &Options,
) -> Result<Case, KernelError> {
    let mut others = Vec::new();
    for program in programs {
        let mut asked = program.borrow_mut();
        if asked.takes(plan.task.peers, plan.size)? {
            let name = asked.name().to_owned();
            others.push(Contender::peer(name, "", Way::Program(program.clone())));
        }
    }
    Field::new(plan, peers, others, options.processors).measure(options)
}
