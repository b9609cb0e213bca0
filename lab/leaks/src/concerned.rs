//! Routines that the CPU's answers may come to, known without looking into them.
//!
//! Most kernels and most of their callers are none: branches there are on lengths and
//! pointers. A first search passes them, as if each of their instructions ran whenever they
//! are called; what it finds guarded is so whatever they do. Only what it leaves open, and
//! where a flag may be handed to one of them, is searched again with all looked into.

use super::reach::{CALLERS, Search};
use super::tables::anchor;
use iced_x86::OpKind;
use karat_binary::numbers::{NumberMap, NumberSet};
use karat_flow::cells::Detection;
use karat_flow::facts::members::{STORES, distance, stores};
use karat_flow::facts::oracle::Oracle;
use karat_flow::program::{Entry, Program};
use karat_flow::sweep::{Sweep, to, within};

/// Tables that one routine which tells is in, at most.
const PLACES: usize = 16;
/// Bytes before a variable with answers that belong to the same structure.
const STRUCTURE: u64 = 64;

/// Routines that call one that asks, two calls deep: what such a one does not come back
/// from on a CPU without the feature guards what is behind the call.
pub(super) fn calling(
    program: &Program<'_>,
    sweep: &Sweep,
    detection: &Detection,
) -> NumberSet<u32> {
    let mut out: NumberSet<u32> = detection.asking.iter().copied().collect();
    out.extend(detection.answers.iter().chain(&detection.fills));
    // What is tried may be caught.
    let catches = sweep.catches.iter();
    out.extend(catches.filter_map(|(_, at)| program.routine_at(at)));
    let mut level: Vec<u32> = out.iter().copied().collect();
    for _ in 0..2 {
        let mut next = Vec::new();
        for routine in level {
            let callers = callers(program, sweep, routine, CALLERS);
            next.extend(callers.filter(|caller| out.insert(*caller)));
        }
        level = next;
    }
    out
}

fn callers<'p>(
    program: &'p Program<'_>,
    sweep: &'p Sweep,
    routine: u32,
    most: usize,
) -> impl Iterator<Item = u32> + 'p {
    let start = program.routines[routine as usize].start;
    let places = to(&sweep.edges, start).iter().take(most);
    places.filter_map(|(_, at)| program.routine_at(at))
}

/// Routines that answers may come to, other than by what they are given, and those that
/// call one that asks: they may go by whether that comes back.
pub(super) fn concerned(
    program: &Program<'_>,
    detection: &Detection,
    asking: &NumberSet<u32>,
    holding: &NumberSet<u32>,
) -> NumberSet<u32> {
    let mut out: NumberSet<u32> = asking.union(holding).copied().collect();
    out.extend(detection.near.keys());
    let resolvers = program.entries.iter();
    let resolvers = resolvers.filter(|(_, entry)| **entry == Entry::Resolver);
    out.extend(resolvers.filter_map(|(at, _)| program.routine_at(*at)));
    out
}

/// Routines that hold answers, or read or call what gives them.
pub(super) fn holding(
    program: &Program<'_>,
    sweep: &Sweep,
    detection: &Detection,
) -> NumberSet<u32> {
    let mut out = NumberSet::default();
    let tell = detection.answers.iter().chain(&detection.fills);
    let tell = tell.chain(&detection.picks).chain(detection.selects.keys());
    for &routine in tell {
        out.insert(routine);
        // Those that are called from everywhere are there for the answer.
        out.extend(callers(program, sweep, routine, usize::MAX));
    }
    let cells = detection.cells.ranges().chain(detection.picked.ranges());
    for (start, end) in cells {
        let first = match program.variable_start(start) {
            named if named < start => named,
            _ => start.saturating_sub(STRUCTURE),
        };
        let uses = within(&sweep.data, first, end).iter();
        out.extend(uses.filter_map(|(_, at)| program.routine_at(at)));
    }
    // Of a table with one that tells others may call it, and the kernel beside it.
    for routine in &detection.answers {
        let start = program.routines[*routine as usize].start;
        for (_, place) in to(&program.pointers, start).iter().take(PLACES) {
            let table = anchor(program, sweep, place);
            let uses = within(&sweep.data, table, place.saturating_add(1)).iter();
            out.extend(uses.filter_map(|(_, at)| program.routine_at(at)));
        }
    }
    let asked = sweep.asked.iter();
    out.extend(asked.filter_map(|(_, at)| program.routine_at(at)));
    for (routine, facts) in (0..).zip(&sweep.facts) {
        if facts.asks || facts.imports {
            out.insert(routine);
        }
    }
    out
}

/// What tells whether an answer is handed to a routine that was passed. All of it is looked
/// at only when it is asked for: it takes routines that store answers to be followed.
pub(super) struct Handed<'p> {
    program: &'p Program<'p>,
    sweep: &'p Sweep,
    detection: &'p Detection,
    oracle: &'p Oracle<'p>,
    holding: &'p NumberSet<u32>,
    /// By distance: whether an answer is stored in a member there.
    members: NumberMap<u64, bool>,
    known: NumberMap<u32, bool>,
}

impl<'p> Handed<'p> {
    pub fn new(
        program: &'p Program<'p>,
        sweep: &'p Sweep,
        detection: &'p Detection,
        oracle: &'p Oracle<'p>,
        holding: &'p NumberSet<u32>,
    ) -> Self {
        Self {
            program,
            sweep,
            detection,
            oracle,
            holding,
            members: NumberMap::default(),
            known: NumberMap::default(),
        }
    }

    /// Whether a flag may be in what a routine is given, by its direct callers or in the
    /// members of structures.
    fn is_one(&mut self, routine: u32) -> bool {
        if let Some(known) = self.known.get(&routine) {
            return *known;
        }
        let is_one = self.is_given(routine) || self.reads_member(routine);
        self.known.insert(routine, is_one);
        is_one
    }

    fn is_given(&self, routine: u32) -> bool {
        let ranges = &self.program.routines[routine as usize].ranges;
        let places = ranges
            .iter()
            .flat_map(|(start, end)| within(&self.sweep.edges, *start, *end));
        let mut places = places.take(CALLERS);
        places.any(|(_, at)| {
            let caller = self.program.routine_at(at);
            let caller = caller.filter(|caller| self.holding.contains(caller));
            let told = caller.and_then(|caller| self.oracle.told(caller));
            told.is_some_and(|told| told.gives_answer(at))
        })
    }

    fn reads_member(&mut self, routine: u32) -> bool {
        let program = self.program;
        program.instructions(routine).any(|instruction| {
            let has_memory = (0..instruction.op_count())
                .any(|operand| instruction.op_kind(operand) == OpKind::Memory);
            has_memory
                && instruction.memory_size().size() <= 8
                && distance(&instruction).is_some_and(|at| self.is_member(at))
        })
    }

    /// Whether an answer is stored in a member at a distance. Where so many store that nothing
    /// is known of what is there, only by routines that get it from the CPU.
    fn is_member(&mut self, distance: u64) -> bool {
        if let Some(known) = self.members.get(&distance) {
            return *known;
        }
        let stores = stores(&self.sweep.members, distance);
        let is_crowded = stores.len() > STORES;
        let is_one = stores.iter().any(|store| {
            let routine = self.program.routine_at(store.at);
            let holds = |routine: &u32| match is_crowded {
                true => self.gets(*routine),
                false => self.holding.contains(routine),
            };
            store.may_be_answer()
                && routine.filter(holds).is_some_and(|routine| {
                    let told = self.oracle.told(routine);
                    told.is_some_and(|told| told.stores_answer(store.at))
                })
        });
        self.members.insert(distance, is_one);
        is_one
    }

    /// Whether a routine gets answers from the CPU, or writes them.
    fn gets(&self, routine: u32) -> bool {
        self.sweep.facts[routine as usize].asks
            || self.detection.fills.contains(&routine)
            || self.detection.answers.contains(&routine)
    }

    /// By node of a search that passed routines: whether a way from it leads over one that
    /// a flag may be handed to. Only what is said of nodes in `asked` is meant.
    pub fn nodes(&mut self, search: &Search<'_>, asked: Vec<usize>) -> Vec<bool> {
        let nodes = &search.nodes;
        let mut is_above = vec![false; nodes.len()];
        let mut down: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        let mut list = asked;
        while let Some(number) = list.pop() {
            if !std::mem::replace(&mut is_above[number], true) {
                let ways = nodes[number].up.iter();
                ways.for_each(|(up, ..)| down[*up].push(number));
                list.extend(nodes[number].up.iter().map(|(up, ..)| *up));
            }
        }
        let mut out = vec![false; nodes.len()];
        // The last ones are the highest, mostly: what they tell is told of all below.
        for number in (0..nodes.len()).rev() {
            let routine = nodes[number].routine;
            if !is_above[number]
                || out[number]
                || !search.is_passed(routine)
                || !self.is_one(routine)
            {
                continue;
            }
            let mut list = vec![number];
            while let Some(number) = list.pop() {
                if !std::mem::replace(&mut out[number], true) {
                    list.extend(&down[number]);
                }
            }
        }
        out
    }
}
