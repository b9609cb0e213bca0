//! Symbolic execution of a program's start, with the bits that CPUID answers as symbols: which
//! CPUs come to which code (King, *Symbolic Execution and Program Testing*, CACM 19(7), 1976).
//!
//! One way is registers, memory, and the symbols that had to be set or not.
//! Where a branch goes by a symbol there are two ways from there; where both come to one place
//! again and all that differs goes by one symbol, they are one way once more. A loop whose end
//! is not known is made general after a few rounds: what differs is not known then.
//!
//! AArch64's programs have a front end of their own (`a64`); what they ask is the kernel's words.
//!
//! So a pointer that is picked by a loop over descriptions, by scores, ranks or names, in the
//! heap or on the stack, is known as the program itself would know it.

#![forbid(unsafe_code)]

mod a64;
mod bits;
mod calls;
mod conditions;
mod convention;
mod cpu;
mod detected;
mod facts;
mod found;
mod go;
mod instructions;
mod known;
mod library;
mod local;
mod loops;
mod machine;
mod matters;
mod memory;
mod order;
mod panics;
mod passed;
mod plain;
mod queue;
mod sold;
mod state;
mod system;
mod uncalled;
mod unlinked;
mod windows;

pub use a64::cpu::Auxiliary;
pub use a64::order::used as arm_registers;
pub use facts::Facts;
pub use found::{Death, Found, Reached, Sure};

use calls::Starts;
use go::Go;
use karat_binary::read::image::Image;
use karat_flow::classes::Classes;
use karat_flow::program::{Program, Word};
use karat_flow::sweep::Sweep;
use library::handlers::Handlers;
use machine::{Machine, Stop};
use matters::Asked;
use object::{Object, ObjectSection};
use passed::Passed;
use sold::{Runs, Sold};
use state::State;
use std::rc::Rc;
use windows::Windows;

/// Larger programs do not come to an end of it: they are not begun.
const CODE: usize = 2 << 20;
/// Instructions that are carried out for a program, at most.
const STEPS: u64 = 200_000;
/// Those of all times together that a program is followed again.
const AGAIN: u64 = 400_000;
/// Those of all runs on CPUs that were sold, and of one of them.
const SOLD: u64 = 2_400_000;
const ON_ONE: u64 = 400_000;
/// Those of one, where two were not enough: what dies early is still seen.
const EARLY: u64 = 50_000;
/// The same for a library, of which little is decided by it.
const LIBRARY: u64 = 40_000;
/// Bytes of what the C library keeps of a thread, at most.
const BLOCK: u64 = 0x1000;
/// Those of the system's two words at a thread's base on AArch64 (*ELF Handling For Thread-Local
/// Storage*, variant I).
const HEAD: u64 = 16;

/// The routines that sections name, in order.
fn listed(image: &Image<'_>, program: &Program<'_>, sections: &[&[u8]]) -> Vec<u64> {
    let mut out = Vec::new();
    for wanted in sections {
        for section in image.file.sections() {
            if section.name_bytes().is_ok_and(|name| name == *wanted) {
                let count = (section.size() / 8).min(4096);
                for place in (0..count).map(|word| section.address().wrapping_add(word * 8)) {
                    out.extend(match program.words.get(place) {
                        Some(Word::Address(to)) => Some(to),
                        _ => program.stored(place),
                    });
                }
            }
        }
    }
    out.retain(|at| program.is_code(*at));
    out
}

/// Whether a program is one of Go's, by the names of its routines.
#[must_use]
pub fn is_go(program: &Program<'_>) -> bool {
    let mut routines = program.routines.iter();
    routines.any(|routine| routine.names.first() == Some(&"main.main"))
}

/// What is asked about, as numbers of routines.
#[derive(Clone, Default)]
pub struct Questions {
    /// Where not all of a program can be followed, what comes to none of these is passed over.
    pub asked: Vec<u32>,
    /// Those of which a run that dies there is told too.
    pub open: Vec<u32>,
    /// Those that are said for certain to die. Where that is not found, runs on CPUs that were
    /// sold decide.
    pub deadly: Vec<u32>,
    /// What the C library that is linked in keeps of the kernel's words, of AArch64's programs.
    pub auxiliary: Auxiliary,
    /// Variables by which a library's user may say what decides. Where there are any, only what
    /// comes before that is followed: one call of each exported function.
    pub said: Vec<(u64, u64)>,
}

/// Follows what the loader starts: of a program its initialisers and `main`, of a library its
/// initialisers and, twice, what it exports. The file is an ELF file for x86-64, or a program of
/// Windows' for it, or a program for AArch64 in an ELF file; one with more than 2 MiB of code is
/// not begun.
#[must_use]
pub fn explore(
    image: &Image<'_>,
    program: &Program<'_>,
    sweep: &Sweep,
    classes: &Classes,
    questions: &Questions,
) -> Found {
    let asked = &questions.asked[..];
    let code: usize = program.code.iter().map(|(_, bytes)| bytes.len()).sum();
    let go = if program.is_arm {
        None
    } else {
        Go::of(program, sweep)
    };
    let is_windows = matches!(image.file, object::File::Pe64(_));
    // Of Windows' files only programs are followed, and none of Go's.
    if code > CODE || is_windows && (program.is_library || go.is_some()) {
        return Found::unknown();
    }
    let handlers = Rc::new(Handlers::of(image));
    let about = Rc::new(Asked::new(sweep, asked));
    let said: Rc<[(u64, u64)]> = questions.said.clone().into();
    let start = |go, passed, run| {
        let handlers = handlers.clone();
        let known = &questions.auxiliary;
        let mut machine = begun(image, program, sweep, classes, go, handlers, run, known);
        machine.about = (!asked.is_empty()).then(|| about.clone());
        if is_windows {
            machine.own = library::own::of_windows(image);
        } else if !machine.has_imports && machine.go.is_none() && !program.is_library {
            machine.own = library::own::of(image);
        }
        machine.passed = passed;
        machine.said = said.clone();
        if !said.is_empty() {
            machine.starts.rounds = 1;
        }
        machine.finish();
        machine.find_uncalled(asked);
        machine
    };
    let steps = match program.is_library {
        true => LIBRARY,
        false => STEPS,
    };
    let machine = start(go.clone(), None, Run::any(steps));
    let mut found = machine.found;
    if program.is_library || asked.is_empty() {
        return found;
    }
    if !found.is_complete && go.is_none() {
        follow_again(
            program,
            sweep,
            (asked, &about),
            &mut found,
            |passed, left| start(None, Some(passed), Run::any(left)),
        );
    }
    if go.is_none() && asked.iter().any(|routine| found.is_open(*routine)) {
        let plain = start(None, None, Run::plain(None, STEPS)).found;
        found.add_deaths(plain, asked);
    }
    // Go's own library asks for what it needs in all packages: no run is followed for it.
    let own = |routine: &u32| {
        let mut names = program.routines[*routine as usize].names.iter();
        go.is_some() && names.any(|name| go::calls::is_of_library(name))
    };
    let others = |all: &[u32]| (all.iter().filter(|one| !own(one)).copied()).collect();
    let questions = Questions {
        asked: others(&questions.asked),
        open: others(&questions.open),
        deadly: others(&questions.deadly),
        auxiliary: Auxiliary::default(),
        said: Vec::new(),
    };
    let baseline = machine::of_baseline(program, classes);
    let all: Vec<&'static Sold> = sold::of_baseline(program.is_arm, baseline).collect();
    follow_sold(&all, &questions, &mut found, |run| {
        start(go.clone(), None, run).found
    });
    found
}

/// Follows the run without arguments on CPUs that were sold, while something is open.
fn follow_sold(
    all: &[&'static Sold],
    questions: &Questions,
    found: &mut Found,
    start: impl Fn(Run) -> Found,
) {
    let mut runs = Runs::default();
    let (mut left, mut spent) = (SOLD, 0);
    let Questions {
        asked,
        open,
        deadly,
        ..
    } = questions;
    let dying = [&asked[..], open].concat();
    for &sold in all {
        let is_settled = !asked.iter().any(|routine| found.is_unsettled(*routine));
        let is_doubted = deadly.iter().any(|routine| found.lives(*routine));
        if is_settled && !is_doubted || left == 0 {
            return;
        }
        let most = if spent < 2 { ON_ONE } else { EARLY };
        let one = start(Run::plain(Some(sold), left.min(most)));
        left = left.saturating_sub(one.steps);
        spent += u32::from(one.is_spent);
        runs.add(&one, sold);
        found.add_sold(one, &dying, sold.name);
    }
    found.tried(runs.tried(), |found, routine| {
        asked.contains(&routine) && found.is_unsettled(routine)
            || deadly.contains(&routine) && found.lives(routine)
    });
}

/// Follows a program again, each time with one routine more passed over.
fn follow_again<'p>(
    program: &Program<'p>,
    sweep: &Sweep,
    (asked, about): (&[u32], &Asked),
    found: &mut Found,
    start: impl Fn(Passed, u64) -> Machine<'p>,
) {
    let mut passed = Passed::new(about.matters(program, sweep));
    let mut left = AGAIN;
    while left > 0 {
        let mut machine = start(passed, left.min(STEPS));
        left -= machine.found.steps.clamp(1, left);
        let Some(mut known) = machine.passed.take() else {
            break;
        };
        if known.wanted.is_empty() {
            if machine.found.is_complete {
                found.settle(machine.found, asked);
            }
            return;
        }
        known.again();
        passed = known;
    }
}

/// What is followed.
struct Run {
    /// Instructions at most.
    steps: u64,
    /// Only the run without arguments and environment ([`plain`]).
    is_plain: bool,
    /// Only on this CPU.
    sold: Option<&'static Sold>,
}

impl Run {
    fn plain(sold: Option<&'static Sold>, steps: u64) -> Self {
        Self {
            steps,
            is_plain: true,
            sold,
        }
    }

    /// Whatever the program is given.
    fn any(steps: u64) -> Self {
        Self {
            steps,
            is_plain: false,
            sold: None,
        }
    }
}

/// All that the loader starts waits.
#[expect(clippy::too_many_arguments, reason = "all that is known of a file")]
fn begun<'p>(
    image: &Image<'p>,
    program: &'p Program<'p>,
    sweep: &'p Sweep,
    classes: &'p Classes,
    go: Option<Go>,
    handlers: Rc<Handlers<'p>>,
    run: Run,
    auxiliary: &Auxiliary,
) -> Machine<'p> {
    let windows = Windows::of(image, program, run.is_plain);
    let first = match (&go, &windows) {
        (Some(go), _) => go.starts(),
        (None, Some(windows)) => windows.first(),
        (None, None) => listed(image, program, &[b".preinit_array", b".init_array"]),
    };
    let mut last = listed(image, program, &[b".fini_array"]);
    let entries = program.entries.iter();
    let all = entries.filter(|(_, entry)| program.is_library && entry.is_exported());
    let exported: Vec<u64> = all.map(|(at, _)| *at).collect();
    let starts = Starts {
        first,
        then: match (&go, &windows) {
            (Some(go), _) => vec![go.main()],
            (None, Some(windows)) => vec![windows.entry()],
            (None, None) => exported.clone(),
        },
        rounds: if go.is_some() || windows.is_some() {
            1
        } else {
            2
        },
    };
    let mut machine = Machine::new(program, sweep, classes, starts, handlers, run.steps);
    let is_duty = |at: &u64| {
        let routine = program.routine_at(*at);
        routine.is_some_and(|routine| sweep.facts[routine as usize].above() > 0)
    };
    machine.found.duties = exported.into_iter().filter(is_duty).collect();
    if !machine.has_imports {
        if !program.is_arm {
            machine.read_lengths();
        }
        // The first is the compiler's, which tells its library that what unwinds is gone.
        last.drain(..last.len().min(1));
    }
    machine.image.read_foreign(image);
    machine.is_plain = run.is_plain;
    if run.is_plain {
        machine.image.zeros = match program.is_arm {
            // It lies before the base, behind which are two words and the variables.
            true => machine.thread.saturating_sub(BLOCK)..machine.thread.saturating_add(HEAD),
            false => machine.thread..machine.thread.saturating_add(BLOCK),
        };
    }
    if let Some(sold) = run.sold {
        machine.sold = Some(sold);
        machine.symbols.of_sold(sold.has());
    }
    let mut state = State::new(program, machine.thread, (run.is_plain, run.sold));
    if program.is_arm {
        machine.begin_arm(&mut state, auxiliary);
    }
    machine.open_streams(&mut state.memory, image);
    library::exits::begin(&mut state, &last);
    let is_begun = go.is_some() || windows.is_some() || program.is_library;
    if let Some(windows) = windows {
        machine.follow_windows(&mut state, windows);
    }
    if let Some(go) = go {
        machine.follow_go(&mut state, go);
    }
    if is_begun {
        match machine.next(&mut state) {
            Ok(()) => {}
            Err(Stop::Each(ways)) => {
                for at in ways {
                    machine.add(state.entered(at));
                }
                return machine;
            }
            Err(_) => return machine,
        }
    }
    machine.add(state);
    machine
}
