//! All ways from a program's start, each until it ends, or is one that was gone before.

use crate::a64::PCS;
use crate::bits::{Bit, Fork, Kind, symbol};
use crate::calls::Starts;
use crate::conditions::Symbols;
use crate::convention::{Convention, SYSTEM_V};
use crate::detected::Detected;
use crate::facts::Facts;
use crate::found::Found;
use crate::go::Go;
use crate::known::Indicator;
use crate::library::handlers::Handlers;
use crate::library::own::Own;
use crate::loops::Ends;
use crate::matters::Asked;
use crate::memory::{Image, THREAD};
use crate::order::Order;
use crate::passed::{Data, Passed};
use crate::sold::Sold;
use crate::state::{Place, State};
use crate::windows::Windows;
use iced_x86::{Instruction, InstructionInfoFactory};
use karat_binary::numbers::NumberMap;
use karat_flow::a64::features;
use karat_flow::classes::Classes;
use karat_flow::program::Program;
use karat_flow::sweep::Sweep;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// Ways at one time, at most.
const WAYS: usize = 600;
/// How often a way comes to a branch on what is not known before it is made general there.
const TURNS: u32 = 3;
/// How often it goes back by one that is decided.
const ROUNDS: u32 = 600;

/// Why a way ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The program ended, or the routine that was asked for did.
    Left,
    /// It reads from nowhere, or divides by zero: no program goes this way.
    Died,
    /// It cannot be followed.
    Lost,
}

/// Why an instruction was not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Fork(u32),
    /// Either way, by what is not known.
    Turn(Kind),
    /// Any of these may follow.
    Ways(Vec<u64>),
    /// Each of these follows, one time or another.
    Each(Vec<u64>),
    /// The way goes on where it was set to.
    Go,
    End(End),
}

impl From<Fork> for Stop {
    fn from(Fork(number): Fork) -> Self {
        Self::Fork(number)
    }
}

/// A way that waits: its depth, its place in the routine's order, and its number.
pub(crate) type Waiting = (Reverse<usize>, u64, u64);

/// See the module.
pub(crate) struct Machine<'p> {
    pub image: Image<'p>,
    pub sweep: &'p Sweep,
    pub classes: &'p Classes,
    pub symbols: Symbols,
    /// The thread's base.
    pub thread: u64,
    pub starts: Starts,
    /// Whether functions of other files are called.
    pub has_imports: bool,
    /// What catches what is thrown.
    pub handlers: Rc<Handlers<'p>>,
    /// Whether it changes its own environment.
    pub sets_variables: bool,
    pub indicator: Option<Indicator>,
    /// What is known of a program of Go's.
    pub go: Option<Go>,
    /// How its routines call each other.
    pub convention: &'static Convention,
    pub found: Found,
    /// Routines that were come to by calls and jumps.
    pub entered: HashSet<u32>,
    /// Whether no other way is left to be gone.
    pub is_alone: bool,
    /// Some way could not be followed further.
    pub is_dropped: bool,
    /// Some way read from nowhere, or divided by zero.
    pub has_died: bool,
    /// What was left of the limit when the last start began.
    pub began: u64,
    pub instructions: NumberMap<u64, Instruction>,
    /// Deepest first, then in the order of the routine, so that ways meet where they come
    /// together.
    pub waiting: BTreeMap<Waiting, State>,
    pub orders: NumberMap<u32, Rc<Order>>,
    /// How many wait at an address.
    pub places: NumberMap<u64, u32>,
    pub number: u64,
    /// What ways were made where they came by so often. Both ways were gone only from those of
    /// branches on what is not known.
    general: HashMap<(Place, Vec<Vec<Bit>>, u32), State>,
    /// By routine: branches that end loops.
    pub ends: NumberMap<u32, Ends>,
    pub detected: Detected,
    pub steps: u64,
    pub factory: InstructionInfoFactory,
    /// Functions of C that the program has itself, by where they begin.
    pub own: NumberMap<u64, Own<'p>>,
    /// Where C++'s streams are that it begins with.
    pub streams: Vec<u64>,
    /// What is asked about of a program.
    pub about: Option<Rc<Asked>>,
    /// By routine that panics: data that it names, with what it calls.
    pub panicking: NumberMap<u32, Data>,
    /// By routine that does not come back: whether it only aborts, or panics.
    pub aborting: NumberMap<u32, bool>,
    /// Whether the program has `exit` itself, by its name.
    pub has_exit: bool,
    /// Routines that are passed over, once it was seen that not all can be followed.
    pub passed: Option<Passed>,
    /// Whether only the run without arguments and environment is followed.
    pub is_plain: bool,
    /// Variables by which a library's user may say what decides, where only what comes before
    /// that is followed.
    pub said: Rc<[(u64, u64)]>,
    /// The one CPU that this is followed on.
    pub sold: Option<&'static Sold>,
    /// What is known of a program of Windows'.
    pub windows: Option<Rc<Windows>>,
    /// `getauxval` of a C library that is linked in, without its name.
    pub routines_of_auxiliary: Vec<u64>,
}

impl<'p> Machine<'p> {
    pub fn new(
        program: &'p Program<'p>,
        sweep: &'p Sweep,
        classes: &'p Classes,
        starts: Starts,
        handlers: Rc<Handlers<'p>>,
        steps: u64,
    ) -> Self {
        let symbols = Symbols::new(of_baseline(program, classes).closed());
        Self {
            image: Image::new(program),
            sweep,
            classes,
            symbols,
            thread: THREAD
                .wrapping_add(program.threads.map_or(0x1000, |threads| threads.to_base())),
            starts,
            handlers,
            sets_variables: has(program, &["setenv", "putenv", "unsetenv", "clearenv"]),
            has_imports: program.words.imports().next().is_some(),
            indicator: Indicator::of(program, sweep),
            go: None,
            convention: match program.is_arm {
                true => &PCS,
                false => &SYSTEM_V,
            },
            found: Found::default(),
            entered: HashSet::new(),
            is_alone: true,
            is_dropped: false,
            has_died: false,
            began: steps,
            instructions: NumberMap::default(),
            waiting: BTreeMap::new(),
            orders: NumberMap::default(),
            ends: NumberMap::default(),
            places: NumberMap::default(),
            number: 0,
            general: HashMap::new(),
            detected: Detected::default(),
            steps,
            factory: InstructionInfoFactory::new(),
            own: NumberMap::default(),
            streams: Vec::new(),
            about: None,
            panicking: NumberMap::default(),
            aborting: NumberMap::default(),
            has_exit: has_routine(program, &["exit"]),
            passed: None,
            is_plain: false,
            said: Rc::default(),
            sold: None,
            windows: None,
            routines_of_auxiliary: Vec::new(),
        }
    }

    /// How often a way goes back by a branch that is decided before it is made general: of one run
    /// on one CPU, as often as it does.
    pub fn rounds(&self) -> u32 {
        self.sold.map_or(ROUNDS, |_| u32::MAX)
    }

    /// Follows all ways that wait, and says what was found.
    pub fn finish(&mut self) {
        let most = self.steps;
        self.run();
        self.go_on();
        self.found.steps = most - self.steps;
        self.local();
        self.found.is_go = self.go.is_some();
    }

    /// A way cannot be followed.
    pub fn lost(&mut self, at: u64, state: &State) {
        if !self.wants(state) {
            self.found.lost(at, &state.conditions, &self.symbols);
        }
    }

    /// Whether a library's user may have said what decides: one of those variables was set.
    pub fn is_said(&self, state: &State) -> bool {
        let mut said = self.said.iter();
        let is_set = |at: u64| state.memory.has_stored(&self.image, at);
        said.any(|(start, end)| (*start..*end).any(is_set))
    }

    /// Forgets all ways that were gone.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.places.clear();
        self.general.clear();
        self.is_alone = true;
    }

    pub fn run(&mut self) {
        let mut ready: Vec<State> = Vec::new();
        loop {
            let (mut state, mut is_new) = match ready.pop() {
                Some(state) => (state, true),
                None => match self.waiting.pop_first() {
                    Some((_, state)) => {
                        self.left(state.at);
                        (state, true)
                    }
                    None => return,
                },
            };
            loop {
                if self.steps == 0 || self.waiting.len() + ready.len() > WAYS {
                    self.found.is_complete = false;
                    self.found.is_spent = true;
                    return;
                }
                self.steps -= 1;
                self.counted(&state, 1);
                if self.passed.as_ref().is_some_and(|p| p.is_long) {
                    return;
                }
                let is_ready = self.is_ready(&state);
                // Others wait there: they may be one.
                if !is_new && (is_ready || self.places.contains_key(&state.at)) {
                    self.add(state);
                    break;
                }
                if is_ready {
                    self.keep(state);
                    break;
                }
                if self.is_long(&state) {
                    self.set_aside(state);
                    break;
                }
                is_new = false;
                self.is_alone = self.waiting.is_empty() && ready.is_empty();
                match self.step(&mut state) {
                    Ok(false) => {}
                    Ok(true) if self.waiting.is_empty() && ready.is_empty() => {}
                    Ok(true) => {
                        self.add(state);
                        break;
                    }
                    Err(Stop::Go) => {
                        self.add(state);
                        break;
                    }
                    Err(Stop::End(end)) => {
                        // In Go it is a panic, which may be caught.
                        let is_caught = end == End::Died && self.may_recover(&state);
                        match end {
                            End::Lost => {
                                self.is_dropped = true;
                                self.lost(state.at, &state);
                            }
                            End::Died if is_caught => {
                                self.is_dropped = true;
                                self.lost(state.at, &state);
                            }
                            End::Died => {
                                self.has_died = true;
                                self.wants(&state);
                            }
                            End::Left => self.way_out(&state),
                        }
                        break;
                    }
                    Err(Stop::Fork(number)) => {
                        for is_opposite in [true, false] {
                            let bit = symbol(number, is_opposite);
                            if let Some(conditions) = state.conditions.with(&self.symbols, bit) {
                                let mut one = state.clone();
                                one.conditions = conditions;
                                ready.push(one);
                            }
                        }
                        break;
                    }
                    Err(Stop::Turn(kind)) => {
                        self.turn(state, kind, &mut ready);
                        break;
                    }
                    Err(Stop::Each(ways)) => {
                        ready.extend(ways.iter().map(|at| state.entered(*at)));
                        break;
                    }
                    Err(Stop::Ways(ways)) => {
                        for &at in &ways {
                            let mut one = state.clone();
                            one.at = at;
                            if ways.len() > 1 {
                                let turn = symbol(self.symbols.turn(Kind::Opaque), false);
                                if let Some(known) = one.conditions.with(&self.symbols, turn) {
                                    one.conditions = known;
                                }
                            }
                            ready.push(one);
                        }
                        break;
                    }
                }
            }
        }
    }

    /// Both ways from a branch on what is not known.
    fn turn(&mut self, state: State, kind: Kind, ready: &mut Vec<State>) {
        let (state, is_general) = match self.widened(state, TURNS) {
            Some(known) => known,
            None => return,
        };
        let number = (!is_general).then(|| self.symbols.turn(kind));
        // A loop ends at last. What else is not known decides as before, though nobody counts.
        let decides = is_general && !self.ends_loop(state.at);
        for turn in [false, true] {
            let mut one = state.clone();
            one.turn = Some(turn);
            if let Some(number) = number {
                match one.conditions.with(&self.symbols, symbol(number, !turn)) {
                    Some(conditions) => one.conditions = conditions,
                    None => continue,
                }
            }
            if decides {
                one.conditions.lose(kind);
            }
            ready.push(one);
        }
    }

    /// A way that came here often is made general; none if what is there is as general already.
    pub fn widened(&mut self, mut state: State, most: u32) -> Option<(State, bool)> {
        let key = state.at ^ (state.frames.len() as u64) << 48;
        let count = state.turns.entry(key).or_default();
        *count += 1;
        if *count <= most {
            return Some((state, false));
        }
        self.pay(&state);
        let place = (state.place(), state.conditions.lasting(&self.symbols), most);
        if let Some(known) = self.general.get(&place) {
            if known.covers(&state, &self.image, &self.symbols) {
                return None;
            }
            if let Some(joined) = known.joined(&state, &self.image, &self.symbols) {
                state = joined;
            }
        }
        self.general.insert(place, state.clone());
        Some((state, true))
    }

    /// What is copied or compared counts as instructions do.
    pub fn pay(&mut self, state: &State) {
        let steps = state.memory.blocks() / 4;
        self.steps = self.steps.saturating_sub(steps);
        self.counted(state, steps);
    }
}

/// What all CPUs of the baseline have.
pub(crate) fn of_baseline(program: &Program<'_>, classes: &Classes) -> Facts {
    let mut names = classes.baseline().extensions().iter().map(String::as_str);
    match program.is_arm {
        true => Facts::of_arm(names.fold(0, |all, name| all | features::named(name))),
        false => Facts::of(&mut names),
    }
}

/// Whether a program has, or calls, any of these.
fn has(program: &Program<'_>, names: &[&str]) -> bool {
    let mut imports = program.words.imports();
    imports.any(|known| names.contains(&known)) || has_routine(program, names)
}

/// Whether a program has any of these itself.
fn has_routine(program: &Program<'_>, names: &[&str]) -> bool {
    let mut routines = program.routines.iter();
    routines.any(|routine| routine.names.into_iter().any(|known| names.contains(known)))
}
