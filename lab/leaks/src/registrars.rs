//! Routines that others register their functions by: BLIS' `bli_gks_register_cntx(id, init, …)`
//! stores what it is given in tables, at the index that it is given, or has an object filled
//! by it that it keeps there. Who goes by such a table later picks an element by what the CPU
//! answered ([`levels`](super::levels)), so a function that is registered for a number runs,
//! or what it fills is used, only where that number may be picked.

use super::levels::Levels;
use super::reach::{Found, Search};
use iced_x86::{Decoder, DecoderOptions, FlowControl};
use karat_binary::numbers::NumberMap;
use karat_flow::facts::Facts;
use karat_flow::graph::{Flow, callee};
use karat_flow::program::{Entry, Target, Word};
use karat_flow::sweep::to as uses;
use karat_flow::terms::{Origin, Term, Terms};
use karat_model::leaks::{Certainty, GateKind};
use std::collections::HashMap;
use std::rc::Rc;

/// Instructions of a routine that registers, at most.
const SMALL: u32 = 400;
/// Instructions of a routine that is looked into for this, at most, and of a file.
const LARGE: u32 = 4000;
const LIMIT: u64 = 200_000;
/// Places where one function is taken, and called.
const PLACES: usize = 8;
/// Functions that register themselves, and call each other.
const DEEP: u8 = 2;
/// Instructions between where an address is taken and the call that it is given to, at most.
const NEAR: usize = 24;

/// Elements of a table that an argument picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Row {
    /// Where the word of the first element is.
    pub table: u64,
    /// Bytes of an element.
    pub size: u64,
}

/// What a routine does with a function that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Keeps {
    row: Row,
    /// The arguments that are the index and the function.
    index: u8,
    function: u8,
    /// It is called, whatever the index, to fill an object that the element leads to.
    is_filler: bool,
}

/// What is known of a function that is registered.
#[derive(Clone, Copy)]
struct Registered {
    facts: Facts,
    /// It runs whatever the CPU has: what holds is only where that is used which it fills.
    is_filler: bool,
    routine: u32,
    at: u64,
    confidence: Certainty,
}

/// What was found so far.
pub(super) struct Registry {
    terms: NumberMap<u32, Option<Rc<Terms>>>,
    registrars: NumberMap<u32, Rc<[Keeps]>>,
    registered: NumberMap<u32, Option<Registered>>,
    pub levels: HashMap<Row, Option<Rc<Levels>>>,
    left: u64,
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            terms: NumberMap::default(),
            registrars: NumberMap::default(),
            registered: NumberMap::default(),
            levels: HashMap::new(),
            left: LIMIT,
        }
    }
}

impl Search<'_> {
    /// The gate of a pointer that a registered function takes.
    pub(super) fn filled(&mut self, node: usize, user: u32) -> Option<Found> {
        let known = self.registered(user, 0)?;
        self.found(node, known)
    }

    /// The gate of a registered function itself, where a routine takes its address.
    pub(super) fn registered_there(&mut self, node: usize, user: u32, at: u64) -> Option<Found> {
        let start = self.nodes[node].address;
        let known = self.given(user, start, at)?;
        (!known.is_filler).then(|| self.found(node, known))?
    }

    fn found(&self, node: usize, known: Registered) -> Option<Found> {
        let need = self.nodes[node].need;
        need.without(known.facts.together())
            .is_none()
            .then(|| Found {
                kind: GateKind::Pointer,
                routine: known.routine,
                at: known.at,
                source: None,
                features: known.facts.named_ones(),
                confidence: known.confidence,
            })
    }

    /// What is known where what a function fills is used, if it is only registered, or called by
    /// such functions.
    fn registered(&mut self, routine: u32, deep: u8) -> Option<Registered> {
        if let Some(known) = self.seen.registry.registered.get(&routine) {
            return *known;
        }
        self.seen.registry.registered.insert(routine, None);
        let known = self.find_registered(routine, deep);
        self.seen.registry.registered.insert(routine, known);
        known
    }

    fn find_registered(&mut self, routine: u32, deep: u8) -> Option<Registered> {
        let (program, sweep) = (self.program, self.sweep);
        let start = program.routines[routine as usize].start;
        let taken = uses(&sweep.taken, start);
        let callers = uses(&sweep.edges, start);
        let mut words = uses(&program.pointers, start).iter();
        let is_entry = matches!(
            program.entries.get(&start),
            Some(Entry::Start | Entry::Resolver)
        );
        let calls = callers
            .iter()
            .filter(|(_, at)| !program.stubs.contains_key(at));
        let calls = calls.count();
        if is_entry
            || taken.is_empty() && (deep > 0 || calls == 0)
            || taken.len().max(callers.len()) > PLACES
            || words.any(|(_, place)| !program.is_got(place))
        {
            return None;
        }
        let mut out: Option<Registered> = None;
        let mut add = |one: Registered| {
            out = Some(match out {
                None => one,
                Some(known) => Registered {
                    facts: known.facts & one.facts,
                    is_filler: known.is_filler || one.is_filler,
                    confidence: known.confidence.min(one.confidence),
                    ..known
                },
            });
        };
        for (_, at) in taken {
            add(self.given(program.routine_at(at)?, start, at)?);
        }
        for (_, at) in callers {
            if program.stubs.contains_key(&at) {
                continue;
            }
            let caller = program.routine_at(at)?;
            if deep >= DEEP {
                return None;
            }
            add(self.registered(caller, deep + 1)?);
        }
        let known = out?;
        (!known.is_filler || self.fills_only(routine)).then_some(known)
    }

    /// What is known where a routine gives a function to those that register, if it gives it
    /// to no others.
    fn given(&mut self, user: u32, function: u64, at: u64) -> Option<Registered> {
        // Most who take an address do not register, which is seen without a look at all of them.
        let near = self.called_near(at)?;
        if !self.is_registrar(near) {
            return None;
        }
        let terms = self.terms(user)?;
        let is_it = |terms: &Terms, term: &Term| self.constant(terms, term) == Some(function);
        let mut stored = terms.uses.stores.values();
        if stored.any(|(_, value)| value.as_ref().is_some_and(|value| is_it(&terms, value))) {
            return None;
        }
        let mut out: Option<Registered> = None;
        for (at, (target, given)) in &terms.uses.calls {
            let to = target
                .as_ref()
                .and_then(|target| self.constant(&terms, target));
            let to = to.map(|to| self.program.follow(to));
            let called = match to {
                Some(Target::Address(to)) => self.program.routine_at(to),
                _ => None,
            };
            if called == Some(user) {
                continue;
            }
            for (number, term) in (0u8..).zip(given) {
                if self.constant(&terms, term) != Some(function) {
                    continue;
                }
                let kept = self.registrar(called?);
                let mut kept = kept
                    .iter()
                    .filter(|kept| kept.function == number)
                    .peekable();
                kept.peek()?;
                for keeps in kept {
                    let index = given.get(usize::from(keeps.index))?;
                    let index = self.constant(&terms, index)?;
                    let levels = self.levels(keeps.row)?;
                    let facts = levels.of(index)?;
                    let known = out.unwrap_or(Registered {
                        facts: Facts::ALL,
                        is_filler: false,
                        routine: user,
                        at: *at,
                        confidence: levels.confidence,
                    });
                    out = Some(Registered {
                        facts: known.facts & facts,
                        is_filler: known.is_filler || keeps.is_filler,
                        confidence: known.confidence.min(levels.confidence),
                        ..known
                    });
                }
            }
        }
        out
    }

    /// The routine that is called next behind a place, if it is small and called elsewhere too.
    fn called_near(&self, at: u64) -> Option<u32> {
        let routine = self.program.routine_at(at)? as usize;
        let ranges = self.program.routines[routine].ranges.iter();
        let mut ranges = ranges.filter(|(start, end)| (*start..*end).contains(&at));
        let bytes = self.program.bytes(at, ranges.next()?.1)?;
        let decoder = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE);
        let mut next = decoder.into_iter().take(NEAR);
        let call = next.find(|it| {
            let flow = it.flow_control();
            matches!(flow, FlowControl::Call | FlowControl::UnconditionalBranch)
        })?;
        let Some(Target::Address(to)) = callee(self.program, &call) else {
            return None;
        };
        let called = self.program.routine_at(to)?;
        let start = self.program.routines[called as usize].start;
        let is_small = self.sweep.facts[called as usize].instructions <= SMALL;
        let calls = uses(&self.sweep.edges, start).len();
        (is_small && start == to && calls > 1).then_some(called)
    }

    /// What a routine keeps of the functions that it is given.
    fn registrar(&mut self, routine: u32) -> Rc<[Keeps]> {
        if let Some(known) = self.seen.registry.registrars.get(&routine) {
            return known.clone();
        }
        let found = self.find_registrar(routine).unwrap_or_default();
        let found: Rc<[Keeps]> = found.into();
        self.seen.registry.registrars.insert(routine, found.clone());
        found
    }

    /// Whether a routine registers.
    pub(super) fn is_registrar(&mut self, routine: u32) -> bool {
        !self.registrar(routine).is_empty()
    }

    fn find_registrar(&mut self, routine: u32) -> Option<Vec<Keeps>> {
        if self.sweep.facts[routine as usize].instructions > SMALL {
            return None;
        }
        let terms = self.terms(routine)?;
        let registers = self.program.convention.registers;
        let argument = |term: &Term| match terms.source(term) {
            Origin::Entry(register) => registers.iter().position(|one| *one == register),
            _ => None,
        };
        let argument = |term: &Term| argument(term).map(|number| number as u8);
        let rows = |address: &Term| self.rows(&terms, address);
        // Objects that calls give and elements lead to.
        let mut objects: HashMap<u32, (Row, u8)> = HashMap::new();
        let mut out = Vec::new();
        let mut elsewhere = 0u8;
        for (address, value) in terms.uses.stores.values() {
            let Some(value) = value else { continue };
            let rows = rows(address);
            if let Some(number) = argument(value) {
                if rows.is_empty() {
                    elsewhere |= 1 << number;
                }
                out.extend(rows.iter().map(|&(row, index)| Keeps {
                    row,
                    index,
                    function: number,
                    is_filler: false,
                }));
            } else if let (Some(&row), Some(id)) = (rows.first(), made(&terms, value)) {
                objects.insert(id, row);
            }
        }
        for (address, value) in terms.uses.stores.values() {
            let object = address.parts.first().filter(|_| address.parts.len() == 1);
            let row = object.and_then(|(id, _)| objects.get(id)).copied();
            let id = value.as_ref().and_then(|value| made(&terms, value));
            if let (Some(row), Some(id)) = (row, id) {
                objects.insert(id, row);
            }
        }
        for (target, given) in terms.uses.calls.values() {
            let target = target.as_ref()?;
            if let Some(number) = argument(target) {
                let object = given.first().and_then(|first| made(&terms, first));
                match object.and_then(|object| objects.get(&object)) {
                    Some(&(row, index)) => out.push(Keeps {
                        row,
                        index,
                        function: number,
                        is_filler: true,
                    }),
                    None => elsewhere |= 1 << number,
                }
                continue;
            }
            let to = self.constant(&terms, target);
            let is_import =
                matches!(terms.source(target), Origin::Made(at, _) if self.is_import(&terms, at));
            // What else is called may be one of those that are kept.
            if to.is_none() && !is_import {
                return None;
            }
            if to.and_then(|to| self.program.routine_at(to)) == Some(routine) {
                continue;
            }
            // In its own register it is left over.
            for (at, term) in (0u8..).zip(given) {
                if let Some(number) = argument(term).filter(|number| *number != at) {
                    elsewhere |= 1 << number;
                }
            }
        }
        for result in &terms.uses.results {
            if let Some(number) = argument(result) {
                elsewhere |= 1 << number;
            }
        }
        out.retain(|keeps| elsewhere >> keeps.function & 1 == 0 && keeps.index != keeps.function);
        Some(out)
    }

    /// The rows that an address is in: the distance from a table goes by arguments alone.
    fn rows(&self, terms: &Terms, address: &Term) -> Vec<(Row, u8)> {
        let registers = self.program.convention.registers;
        if !self.program.is_written(address.by) {
            return Vec::new();
        }
        let each = address.parts.iter().map(|(id, times)| {
            let Origin::Entry(register) = terms.origin(*id) else {
                return None;
            };
            let index = registers.iter().position(|one| *one == register)?;
            let row = Row {
                table: address.by,
                size: *times,
            };
            (*times >= 8 && *times < 1 << 16).then_some((row, index as u8))
        });
        each.collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    /// Whether a function that is called whatever the CPU has leaves no pointer in variables,
    /// nor what it calls.
    fn fills_only(&mut self, routine: u32) -> bool {
        let Some(terms) = self.terms(routine) else {
            return false;
        };
        if self.keeps_pointer(&terms, false) {
            return false;
        }
        let targets = terms.uses.calls.values().filter_map(|(target, _)| {
            let to = self.constant(&terms, target.as_ref()?)?;
            match self.program.follow(to) {
                Target::Address(to) => self.program.routine_at(to),
                Target::Import(_) => None,
            }
        });
        let mut called: Vec<u32> = targets.filter(|called| *called != routine).collect();
        called.sort_unstable();
        called.dedup();
        called.into_iter().all(|called| {
            let terms = self.terms(called);
            terms.is_some_and(|terms| !self.keeps_pointer(&terms, true))
        })
    }

    /// Whether a routine stores in variables what is a function, or may be one that it is given.
    fn keeps_pointer(&self, terms: &Terms, is_given: bool) -> bool {
        terms.uses.stores.values().any(|(address, value)| {
            let is_variable = match address.parts[..] {
                [] => self.program.is_written(address.by),
                [(id, 1)] => match terms.origin(id) {
                    Origin::Made(at, _) => self.loaded(terms, at).is_some(),
                    _ => false,
                },
                _ => self.program.is_written(address.by),
            };
            let may_be = match value {
                None => true,
                Some(value) => match self.constant(terms, value) {
                    Some(number) => self.program.is_code(number),
                    None => is_given || !value.parts.is_empty(),
                },
            };
            is_variable && may_be
        })
    }

    /// What is the same wherever the file is looked at: a number, or a word that is not written.
    pub(super) fn constant(&self, terms: &Terms, term: &Term) -> Option<u64> {
        if term.parts.is_empty() {
            return Some(term.by);
        }
        match terms.source(term) {
            Origin::Made(at, _) => self.loaded(terms, at),
            _ => None,
        }
    }

    /// The address that an instruction loads from the global offset table.
    fn loaded(&self, terms: &Terms, at: u64) -> Option<u64> {
        match self.slot(terms, at)? {
            Word::Address(to) => Some(to),
            Word::Import(_) => None,
        }
    }

    pub(super) fn is_import(&self, terms: &Terms, at: u64) -> bool {
        matches!(self.slot(terms, at), Some(Word::Import(_)))
    }

    fn slot(&self, terms: &Terms, at: u64) -> Option<Word<'_>> {
        let (address, bytes) = terms.loads.get(&at)?;
        let is_word = address.parts.is_empty() && *bytes == 8;
        is_word.then(|| self.program.slot(address.by)).flatten()
    }

    /// The values of a routine, within the limit.
    pub(super) fn terms(&mut self, routine: u32) -> Option<Rc<Terms>> {
        let registry = &mut self.seen.registry;
        if let Some(known) = registry.terms.get(&routine) {
            return known.clone();
        }
        let instructions = self.sweep.facts[routine as usize].instructions;
        let left = registry.left.checked_sub(instructions.into());
        let found = left.filter(|_| instructions <= LARGE).and_then(|left| {
            registry.left = left;
            let flow = Flow::of(self.program, self.sweep, routine)?;
            Terms::with_uses(&flow, self.program.convention).map(Rc::new)
        });
        registry.terms.insert(routine, found.clone());
        found
    }
}

/// The number of what a call gives, where a value is that.
fn made(terms: &Terms, value: &Term) -> Option<u32> {
    let [(id, 1)] = value.parts[..] else {
        return None;
    };
    matches!(terms.source(value), Origin::Made(at, 0) if terms.uses.calls.contains_key(&at))
        .then_some(id)
}
