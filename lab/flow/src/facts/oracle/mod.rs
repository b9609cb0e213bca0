//! What the whole program knows: what routines store in variables that hold answers, and what
//! they give. What is read there is in `loads`.

mod limits;
mod remembered;
mod settle;

use limits::often;

use super::again::{Asked, Log, Record};
use super::features::Facts;
use super::notes::Log as Notices;
use super::routine::{Summary, Told};
use super::state::State;
use super::step::Arguments;
use super::suppose::Suppose;
use super::through::Loads;
use super::value::{Kind, Value};
use super::vouched::{Says, Vouched};
use super::words::{Inside, Outer};
use crate::cells::{Cells, Detection};
use crate::entered::Rooms;
use crate::graph::Bits;
use crate::program::Program;
use crate::sweep::Sweep;
use karat_binary::numbers::{NumberMap, NumberSet};
use remembered::Remembered;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Calls that are followed inwards, and what is small, or asks, behind them.
const DEEP: u8 = 6;
const DEEPER: u8 = 2;
/// Instructions of a routine whose result is looked at.
const SMALL: u32 = 2000;
const TINY: u32 = 60;
/// Instructions that are followed to know what variables hold, and after that to know what
/// routines tell. Large programs have more; the rest of them is not looked into.
const SETTLING: u64 = 1_000_000;
const TELLING: u64 = 1_000_000;
/// The same for functions above the baseline, which may be thousands of large kernels: what is
/// spent there must not be lacking where their callers are asked.
const STARTS: u64 = 4_000_000;
/// The same for what runs whenever the file is loaded, once all else is spent.
const BEGINS: u64 = 300_000;
/// The same for arguments that are stored in variables.
const STORED: u64 = 50_000;
/// The same for words of flags that are handed on: what else is asked has what it had; and for
/// what memory holds of them, and tables of tables.
const WORDS: u64 = 300_000;
const MEMORY: u64 = 20_000;
/// The same for records of tables.
const RECORDS: u64 = 50_000;
/// The same for tables that a routine is given.
const THROUGH: u64 = 100_000;
/// The same for words of flags in members of structures.
const KEPT: u64 = 400_000;
/// The same for numbers of the CPU that are made of words.
const NUMBERING: u64 = 200_000;
/// The same for routines from places in their middle on.
const INSIDE: u64 = 200_000;

/// Numbers that are kept as values.
const NUMBERS: u64 = 256;

pub(super) type Context = Vec<(u8, u64)>;

/// Constants as values.
pub(super) fn numbers(given: &Context) -> Vec<(u8, Value)> {
    let each = given.iter();
    each.map(|(at, number)| (*at, Value::number(*number)))
        .collect()
}

/// The program's knowledge.
pub struct Oracle<'p> {
    pub(super) program: &'p Program<'p>,
    pub(super) sweep: &'p Sweep,
    /// The program is Go's, whose routines use registers and the stack otherwise.
    pub is_go: bool,
    pub(super) detection: &'p Detection,
    pub(super) vouched: &'p Vouched,
    /// Routines that something is said of.
    said: NumberSet<u32>,
    /// Routines that run only where something is there, by a part of their names.
    parts: NumberMap<u32, Facts>,
    /// Routines that pick what runs from the tables that they name.
    pickers: NumberSet<u32>,
    /// Routines that answers come to, as far as detection found: what they tell is asked.
    telling: Bits,
    pub(super) imports: Vec<&'p str>,
    /// By address: bytes, and what was stored there.
    pub(super) cells: BTreeMap<u64, Vec<(u8, Value)>>,
    /// Variables whose address goes where it is not followed, or that were not settled.
    pub(super) lost: BTreeSet<u64>,
    /// Objects whose address may have gone there: it was in the register of a late argument.
    pub(super) perhaps_lost: BTreeSet<u64>,
    /// Objects that pointers hold besides those that answers are written in.
    pub(super) pointed: Cells,
    /// Routines that store answers in variables.
    writers: BTreeSet<u32>,
    told: RefCell<Remembered>,
    /// What is known where a routine is entered: it is copied for each that is looked at.
    pub(super) entry: State,
    /// Small numbers, by themselves: what is compared with one is not asked of whom it is.
    numbers: Vec<Value>,
    /// Room for the states of routines that are looked at.
    pub(super) rooms: RefCell<Rooms<State>>,
    /// Room for what is noted of them.
    pub(super) log_room: RefCell<Vec<Notices>>,
    pub(super) depth: Cell<u8>,
    /// Instructions that may still be followed.
    pub(super) left: Cell<u64>,
    /// Called where most of what was read of the file's bytes is not read again.
    let_go: &'p dyn Fn(),
    /// Instructions that were followed since.
    read: Cell<usize>,
    /// How many are until it is called.
    often: usize,
    /// What the routine that is looked at asks, while variables are settled.
    pub(super) log: RefCell<Log>,
    /// What was known of routines in the round before.
    pub(super) records: RefCell<NumberMap<(u32, Context), Record>>,
    /// What variables hold was not known when there were none left.
    pub(super) is_blind: bool,
    /// What variables hold is known.
    pub(super) is_settled: bool,
    /// Routines that name variables with answers.
    pub(super) readers: BTreeSet<u32>,
    /// What members of structures hold, by distance and bytes.
    pub(super) members: RefCell<NumberMap<(u64, u8), Value>>,
    /// What is known of routines by what all who call them give.
    pub(super) by_callers: RefCell<NumberMap<u32, Option<Rc<Told>>>>,
    /// What calls give in routines that are given what their own callers give.
    pub(super) calls_inside: RefCell<NumberMap<Outer, Rc<Inside>>>,
    /// What is known of code that is only jumped to, by where it is.
    pub(super) jumped: RefCell<NumberMap<u64, Option<Rc<Told>>>>,
    /// What is known from places in the middle of routines on, where nothing is known before.
    pub(super) inside: RefCell<NumberMap<u64, Option<Rc<Told>>>>,
    /// Instructions that may still be followed for words of flags, and for what memory holds.
    for_words: Cell<u64>,
    pub(super) for_memory: Cell<u64>,
    /// The same for functions above the baseline themselves.
    for_starts: Cell<u64>,
    for_begins: Cell<u64>,
    pub(super) for_stored: Cell<u64>,
    pub(super) for_records: Cell<u64>,
    pub(super) for_through: Cell<u64>,
    pub(super) for_inside: Cell<u64>,
    pub(super) for_kept: Cell<u64>,
    for_numbers: Cell<u64>,
    /// Routines that go through no table of records, and how many instructions they have.
    pub(super) straight: RefCell<NumberMap<u32, usize>>,
    /// What is loaded of tables that routines are given.
    pub(super) through: RefCell<Loads>,
}

impl<'p> Oracle<'p> {
    /// Finds what variables hold.
    #[must_use]
    pub fn new(
        program: &'p Program<'p>,
        sweep: &'p Sweep,
        detection: &'p Detection,
        vouched: &'p Vouched,
        let_go: &'p dyn Fn(),
    ) -> Self {
        let mut imports: Vec<&str> = program.words.imports().collect();
        imports.sort_unstable();
        imports.dedup();
        let mut is_go = false;
        let (mut said, mut pickers) = (NumberSet::default(), NumberSet::default());
        let mut parts = NumberMap::default();
        // All that is asked of a name at once: each lies elsewhere in memory.
        for (number, routine) in (0..).zip(&program.routines) {
            for name in &routine.names {
                is_go |= name.starts_with("runtime.morestack");
                if vouched.of_function(name).is_some() {
                    said.insert(number);
                }
                if let Some(facts) = vouched.of_part(name) {
                    parts.entry(number).or_insert(facts);
                }
                if vouched.is_picker(name) {
                    pickers.insert(number);
                }
            }
        }
        let mut oracle = Self {
            program,
            sweep,
            is_go,
            detection,
            vouched,
            said,
            parts,
            pickers,
            telling: telling(detection, program.routines.len()),
            imports,
            cells: BTreeMap::new(),
            lost: BTreeSet::new(),
            perhaps_lost: BTreeSet::new(),
            pointed: Cells::default(),
            writers: BTreeSet::new(),
            told: RefCell::default(),
            entry: State::entry(program.convention),
            numbers: (0..NUMBERS).map(Value::number).collect(),
            rooms: RefCell::default(),
            log_room: RefCell::default(),
            depth: Cell::new(0),
            left: Cell::new(SETTLING),
            let_go,
            read: Cell::new(0),
            often: often(sweep),
            log: RefCell::default(),
            records: RefCell::default(),
            is_blind: false,
            is_settled: false,
            readers: BTreeSet::new(),
            members: RefCell::default(),
            by_callers: RefCell::default(),
            calls_inside: RefCell::default(),
            jumped: RefCell::default(),
            inside: RefCell::default(),
            for_words: Cell::new(WORDS),
            for_starts: Cell::new(STARTS),
            for_begins: Cell::new(BEGINS),
            for_memory: Cell::new(MEMORY),
            for_stored: Cell::new(STORED),
            for_records: Cell::new(RECORDS),
            for_through: Cell::new(THROUGH),
            for_inside: Cell::new(INSIDE),
            for_kept: Cell::new(KEPT),
            for_numbers: Cell::new(NUMBERING),
            straight: RefCell::default(),
            through: RefCell::default(),
        };
        oracle.settle();
        oracle.is_blind = oracle.is_spent();
        oracle.is_settled = true;
        (oracle.records, oracle.log) = Default::default();
        oracle.left.set(TELLING);
        oracle
    }

    /// A number, of which copies are told to be the same wherever they come from.
    pub(super) fn number(&self, number: u64) -> Value {
        let known = usize::try_from(number).ok();
        let known = known.and_then(|at| self.numbers.get(at)).cloned();
        known.unwrap_or_else(|| Value::number(number))
    }

    /// What is known of a routine; none if it cannot be looked into.
    #[must_use]
    pub fn told(&self, routine: u32) -> Option<Rc<Told>> {
        self.told_given(routine, Vec::new())
    }

    fn told_given(&self, routine: u32, given: Context) -> Option<Rc<Told>> {
        let key = (routine, given);
        let told = self.find_told(&key);
        self.ask(|| Asked::Told(key, told.clone()));
        told
    }

    fn find_told(&self, key: &(u32, Context)) -> Option<Rc<Told>> {
        if let Some(known) = self.told.borrow_mut().get(key) {
            return known;
        }
        if self.is_spent() {
            return None;
        }
        // A routine that calls itself is not looked into twice.
        self.told.borrow_mut().insert(key.clone(), None);
        let told = match self.is_settled {
            true => Told::of(self, key.0, &Suppose::given(&numbers(&key.1))).map(Rc::new),
            false => self.told_again(key),
        };
        self.told.borrow_mut().insert(key.clone(), told.clone());
        told
    }

    /// What is known of a routine that was asked for in the round before, as deep as then.
    pub(super) fn asked_again(&self, routine: u32, given: &Context) -> Option<Rc<Told>> {
        let depth = self.depth.get();
        self.depth.set(depth + 1);
        let told = self.find_told(&(routine, given.clone()));
        self.depth.set(depth);
        told
    }

    /// [`is_detecting`](Self::is_detecting), of the routine that is looked at.
    pub(super) fn detects(&self, routine: u32) -> bool {
        let is_one = self.is_detecting(routine);
        self.ask(|| Asked::Detects(routine, is_one));
        is_one
    }

    /// Whether others go by what a routine tells or stores.
    pub(super) fn is_detecting(&self, routine: u32) -> bool {
        let found = self.detection;
        let tells = found.answers.contains(&routine) || found.fills.contains(&routine);
        // Of a large one nobody is told.
        let is_small = self.sweep.facts[routine as usize].instructions <= SMALL;
        tells && is_small || self.writers.contains(&routine)
    }

    /// Forgets what is known of routines that nobody asked for lately, to save memory.
    pub fn forget(&self) {
        self.told.borrow_mut().age();
    }

    /// What a call of a routine gives; none if it is not looked into.
    pub(super) fn summary(&self, to: u64, arguments: &Arguments) -> Option<Given> {
        let routine = self.program.routine_at(to)?;
        let known = &self.program.routines[routine as usize];
        if self.said.contains(&routine)
            && let Some(says) = self.vouched_function(&known.names)
        {
            return Some(Given::Vouched(Summary {
                result: says.value(8),
                facts: Facts::NONE,
                behind: Vec::new(),
                hands_on: true,
                given_on: u16::MAX,
                scatters: 0,
            }));
        }
        let facts = &self.sweep.facts[routine as usize];
        // What is small or asks is followed a little deeper: how deep what asks lies goes by who
        // is looked at first.
        let most = match facts.asks || facts.instructions <= TINY {
            true => DEEP + DEEPER,
            false => DEEP,
        };
        if facts.instructions > SMALL || known.start != to || self.depth.get() >= most {
            return None;
        }
        let is_given = || {
            let kinds = arguments.iter().flat_map(|value| value.alternatives());
            kinds.into_iter().any(|(kind, _)| match kind {
                Kind::Const(at) => self.program.is_written(*at) && self.is_cell(*at),
                _ => false,
            })
        };
        let matters =
            facts.instructions <= TINY || facts.asks || self.telling.has(routine) || is_given();
        if !matters {
            return None;
        }
        let depth = self.depth.get();
        // What asks is asked with the constants that it is given.
        let mut given: Context = Vec::new();
        if facts.asks || facts.instructions <= TINY {
            let registers = self.program.convention.registers.len();
            for (number, value) in arguments.iter().enumerate().take(registers) {
                if let Some(constant) = value.constant()
                    && !self.program.is_data(constant)
                {
                    given.push((number as u8, constant));
                }
            }
        }
        if !facts.asks {
            // What comes behind them is mostly left over from before.
            given.truncate(2);
        }
        self.depth.set(depth + 1);
        let mut told = self.told_given(routine, given);
        if facts.instructions <= TINY
            && let Some(known) = &told
            && let Some(more) = self.told_words(routine, known, arguments)
        {
            told = Some(more);
        }
        self.depth.set(depth);
        told.map(Given::Routine)
    }

    /// What is known of a small routine by the words of flags that it is given, where it asks for
    /// bits of them that facts do not tell apart.
    fn told_words(&self, routine: u32, told: &Told, arguments: &Arguments) -> Option<Rc<Told>> {
        let is_word = |number: &u8| {
            let value = &arguments[usize::from(*number)];
            value.goes_by_answer() && !value.is_of_arguments()
        };
        let words: Vec<(u8, Value)> = (told.coarse().filter(is_word))
            .map(|number| (number, arguments[usize::from(number)].clone()))
            .collect();
        (!words.is_empty()).then(|| self.told_with(routine, &words))?
    }

    /// What the result of a routine tells of the CPU, for files that import it; none if
    /// that is nothing.
    #[must_use]
    pub fn says(&self, routine: u32) -> Option<Says> {
        let told = self.told(routine)?;
        let bit = |bit| match told.summary.result.when(Some(bit)) {
            Some(Facts::ALL) => Facts::ALL,
            Some(facts) => facts.features(),
            None => Facts::NONE,
        };
        let bits: Vec<Facts> = (0..64).map(bit).collect();
        let tells = |facts: &Facts| *facts != Facts::ALL && facts.has_extension();
        bits.iter().any(tells).then_some(Says::Bits(bits))
    }

    pub(super) fn vouched_function(&self, names: &[&str]) -> Option<&Says> {
        names.iter().find_map(|name| self.vouched.of_function(name))
    }

    /// Whether a routine picks what runs from the tables that it names.
    #[must_use]
    pub fn is_picker(&self, routine: u32) -> bool {
        self.pickers.contains(&routine)
    }

    /// What is there wherever a routine runs, by a part of its name.
    #[must_use]
    pub fn part(&self, routine: u32) -> Option<Facts> {
        self.parts.get(&routine).copied()
    }

    /// What a user says is there wherever a routine calls code or hands it out.
    #[must_use]
    pub fn vouches(&self, routine: u32) -> Option<Facts> {
        if let Some(facts) = self.parts.get(&routine) {
            return Some(*facts);
        }
        match self.vouched_function(&self.program.routines[routine as usize].names)? {
            Says::Nonzero(facts) => Some(*facts),
            Says::Bits(_) | Says::Named(_) => None,
        }
    }
}

/// Routines that answers come to.
fn telling(found: &Detection, routines: usize) -> Bits {
    let mut out = Bits::new(routines);
    let sets = [&found.answers, &found.fills, &found.picks, &found.asking];
    let all = sets.into_iter().flatten();
    let all = all.chain(found.selects.keys()).chain(found.near.keys());
    all.for_each(|routine| {
        out.insert(*routine);
    });
    out
}

/// A summary, of a routine or vouched for.
pub(super) enum Given {
    Routine(Rc<Told>),
    Vouched(Summary),
}

impl std::ops::Deref for Given {
    type Target = Summary;
    fn deref(&self) -> &Summary {
        match self {
            Self::Routine(told) => &told.summary,
            Self::Vouched(summary) => summary,
        }
    }
}
