//! Elements of tables that are picked by a number of the CPU, which a variable holds.
//!
//! What the number says is mostly known of the variable itself. Where a library lets its user say
//! the word of features that the number is made of, as Intel's IPP does, nothing is known of it.
//! Then the routine that makes a number of a word is looked at with the word that the file makes
//! of the CPU's answers. Whether that is the word, the tables say: where it is, each function has
//! no more to ask for than the number that it is picked by says. Confidence is low, since the user
//! may say another word, and nothing is refuted by it.

use super::reach::{Found, Search};
use karat_binary::numbers::NumberMap;
use karat_flow::facts::Facts;
use karat_flow::facts::routine::Told;
use karat_flow::facts::value::{Kind, Value};
use karat_flow::graph::Flow;
use karat_flow::program::Word;
use karat_flow::sweep::within;
use karat_flow::terms::{Origin, Term, Terms};
use karat_model::leaks::{Certainty, GateKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Bytes of a pointer, and of a number.
const POINTER: u64 = 8;
const NUMBER: u64 = 4;
/// Functions in tables that must fit what the numbers say, at least, and different needs among
/// them: few fit by chance.
const KERNELS: usize = 8;
const NEEDS: usize = 2;
/// One function of so many may not fit.
const MISFITS: usize = 8;
/// Tables that are looked at for that.
const TABLES: usize = 256;
/// Numbers of one variable, at most, and how far before a table's first element it may be named.
const NUMBERS: u64 = 32;
/// Routines that store in it, at most.
const WRITERS: usize = 8;
/// Routines that they call, and these, which are asked for words.
const CALLED: usize = 32;
/// Instructions of a routine that picks by it, at most.
const LARGE: u32 = 400;

/// What makes a number of a word: a routine that is called, or the one that stores it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Maker {
    Called(u32),
    Own(u32),
}

/// By number, what the CPU has then.
type Numbers = BTreeMap<u64, Facts>;

/// A variable with a number, and where the element of the number zero is in a table.
pub(super) type Pick = (u64, u64);

/// By variable.
pub(super) type ByVariable = NumberMap<u64, Option<Rc<Numbers>>>;

impl Search<'_> {
    /// Whether a routine is seen to pick an element of a table by numbers behind which what a node
    /// needs need not be there, so that nothing is guessed: all numbers are known, or this one's
    /// are and others may be any. `table` is where it begins, and the word.
    pub(super) fn is_numbered_otherwise(&self, node: usize, user: u32, table: (u64, u64)) -> bool {
        if self.is_passed(user) || self.sweep.facts[user as usize].instructions > LARGE {
            return false;
        }
        let Some(told) = self.oracle.told(user) else {
            return false;
        };
        let need = self.nodes[node].need;
        let lacks = |facts: Facts| !need.without(facts.together()).is_none();
        match told.indexed.any(table) {
            Some((any, is_mixed)) => is_mixed && lacks(any),
            None => told.indexed.of(table.1).is_some_and(lacks),
        }
    }

    /// The gate of an element that a routine picks by a number which is made of a word that the
    /// library's user may say. `is_open_only`: only where nothing else is known of the number.
    pub(super) fn numbered(
        &mut self,
        node: usize,
        user: u32,
        table: (u64, u64),
        is_open_only: bool,
    ) -> Option<Found> {
        let picks = self.numbers_of(user);
        let (variable, first) = picks.iter().copied().find(|(_, first)| {
            (table.0..=table.0 + NUMBERS * POINTER).contains(first) && table.0 <= table.1
        })?;
        if is_open_only {
            let held = self.oracle.load(variable, NUMBER as u8);
            let mut held = held.alternatives().iter();
            if held.all(|(kind, _)| matches!(kind, Kind::Const(_))) {
                return None;
            }
        }
        let numbers = self.numbers(variable)?;
        let number = (table.1.wrapping_sub(first) / POINTER) as u32;
        let before = (first.wrapping_sub(table.1) / POINTER) as u32;
        let number = match table.1 < first {
            true => before.wrapping_neg(),
            false => number,
        };
        let facts = *numbers.get(&u64::from(number))?;
        let need = self.nodes[node].need;
        need.without(facts.together()).is_none().then(|| Found {
            kind: GateKind::Pointer,
            routine: user,
            at: self.program.routines[user as usize].start,
            source: None,
            features: facts.named_ones(),
            confidence: Certainty::Low,
        })
    }

    /// The variables whose numbers a routine picks elements of tables by, and where the element with
    /// the number zero is.
    fn numbers_of(&mut self, user: u32) -> Rc<[Pick]> {
        if let Some(known) = self.seen.picks.get(&user) {
            return known.clone();
        }
        let found: Rc<[Pick]> = self.find_numbers_of(user).unwrap_or_default().into();
        self.seen.picks.insert(user, found.clone());
        found
    }

    fn find_numbers_of(&self, user: u32) -> Option<Vec<Pick>> {
        if self.sweep.facts[user as usize].instructions > LARGE {
            return None;
        }
        // Most take none by a number.
        let is_pick = |it: &iced_x86::Instruction| u64::from(it.memory_index_scale()) == POINTER;
        self.program.instructions(user).find(is_pick)?;
        let flow = Flow::of(self.program, self.sweep, user)?;
        let terms = Terms::with_uses(&flow, self.program.convention)?;
        let pick = |(address, _): &(Term, u8)| {
            let [(id, POINTER)] = address.parts[..] else {
                return None;
            };
            let Origin::Made(at, _) = terms.origin(id) else {
                return None;
            };
            let (variable, bytes) = terms.loads.get(&at)?;
            let is_one = variable.parts.is_empty()
                && u64::from(*bytes) == NUMBER
                && self.program.is_written(variable.by);
            is_one.then_some((variable.by, address.by))
        };
        Some(terms.loads.values().filter_map(pick).collect())
    }

    /// What the numbers that a variable may hold say, where they are made of a word.
    fn numbers(&mut self, variable: u64) -> Option<Rc<Numbers>> {
        if let Some(known) = self.seen.numbers.get(&variable) {
            return known.clone();
        }
        let found = self.find_numbers(variable).map(Rc::new);
        self.seen.numbers.insert(variable, found.clone());
        found
    }

    fn find_numbers(&mut self, variable: u64) -> Option<Numbers> {
        let range = variable..variable + NUMBER;
        let (mut readers, mut writers) = (BTreeSet::new(), BTreeSet::new());
        for (_, at) in within(&self.sweep.data, range.start, range.end) {
            let user = self.program.routine_at(at)?;
            match self.oracle.reads_only(at, range.clone()) {
                true => readers.insert(user),
                false => writers.insert(user),
            };
        }
        if writers.is_empty() || writers.len() > WRITERS {
            return None;
        }
        let mut known = Numbers::new();
        let mut makers = BTreeSet::new();
        let all: Vec<u32> = writers.into_iter().collect();
        for &writer in &all {
            let told = self.oracle.told(writer)?;
            let goes = |at: &u64| range.contains(at);
            if told.escapes.keys().chain(told.handed.keys()).any(goes) {
                return None;
            }
            let stores = told.stores.iter().filter(|(at, ..)| *at == variable);
            let mut is_one = false;
            let is_own = told.coarse().next().is_some();
            let called = self.maker(&told).map(Maker::Called);
            let maker = called.or(is_own.then_some(Maker::Own(writer)));
            for (_, bytes, value) in stores {
                is_one = u64::from(*bytes) == NUMBER;
                if !is_one {
                    return None;
                }
                // What is known of a number that was made of bits which are not told apart is less
                // than what the word says.
                let is_made = value.alternatives().len() > 1 && maker.is_some();
                if is_made || !add(&mut known, value) {
                    makers.insert(maker?);
                }
            }
            if !is_one {
                return None;
            }
        }
        if makers.is_empty() {
            return None;
        }
        let first = self.program.content32(variable)?;
        known.insert(u64::from(first as u32), Facts::NONE);
        let called = self.called_by(&all);
        let words = self
            .oracle
            .numbering(|| self.oracle.stored_words(&called))?;
        let mut found = words.iter().filter_map(|word| {
            let mut out = known.clone();
            for maker in &makers {
                self.oracle
                    .numbering(|| self.made(*maker, variable, word, &mut out))??;
            }
            Some(out)
        });
        let found: Vec<Numbers> = found.by_ref().collect();
        (found.into_iter()).find(|numbers| self.fit_tables(variable, &readers, numbers))
    }

    /// Routines, and those that they call, a few calls deep.
    fn called_by(&self, routines: &[u32]) -> Vec<u32> {
        let mut out = routines.to_vec();
        let mut next = 0;
        while let Some(&routine) = out.get(next)
            && out.len() < CALLED
        {
            next += 1;
            if self.sweep.facts[routine as usize].instructions > LARGE {
                continue;
            }
            let calls = self.program.instructions(routine);
            let to = calls.filter_map(|it| self.begins(karat_flow::graph::branch(&it)?));
            for to in to {
                if !out.contains(&to) {
                    out.push(to);
                }
            }
        }
        out
    }

    /// The routine that a writer calls to make a number of a word, which it leaves in a place of
    /// the writer's frame.
    fn maker(&self, told: &Told) -> Option<u32> {
        told.calls.iter().find_map(|(at, given)| {
            let called = self.called_at(*at)?;
            let told = self.oracle.told(called)?;
            told.coarse().next()?;
            let is_frame = |number: u8| {
                let mut kinds = given[usize::from(number)].alternatives().iter();
                kinds.all(|(kind, _)| matches!(kind, Kind::Stack(_)))
            };
            let numbers = told.leaves_numbers();
            let is_one = numbers.iter().any(|(number, _)| is_frame(*number));
            is_one.then_some(called)
        })
    }

    /// The routine that the call at a place is of.
    fn called_at(&self, at: u64) -> Option<u32> {
        let routine = self.program.routine_at(at)?;
        let (start, end) = (self.program.routines[routine as usize].ranges.iter())
            .find(|(start, end)| (*start..*end).contains(&at))?;
        let bytes = self.program.bytes((*start).max(at), *end)?;
        let call = iced_x86::Decoder::with_ip(64, bytes, at, iced_x86::DecoderOptions::NONE);
        let call = call.into_iter().next()?;
        let to = karat_flow::graph::branch(&call)?;
        self.begins(to)
    }

    /// Adds the numbers that a routine makes of a word; none where it makes others.
    fn made(&self, maker: Maker, variable: u64, word: &Value, out: &mut Numbers) -> Option<()> {
        let (Maker::Called(routine) | Maker::Own(routine)) = maker;
        let asked = self.oracle.told(routine)?;
        let given: Vec<(u8, Value)> = (asked.coarse()).map(|at| (at, word.clone())).collect();
        let told = self.oracle.told_with(routine, &given)?;
        if let Maker::Own(_) = maker {
            let mut stores = told.stores.iter().filter(|(at, ..)| *at == variable);
            return stores.all(|(.., value)| add(out, value)).then_some(());
        }
        let numbers = told.leaves_numbers();
        let (_, numbers) = numbers.first()?;
        for (number, facts) in numbers {
            add_one(out, *number, *facts);
        }
        Some(())
    }

    /// Whether the functions in the tables that are picked from by a variable need no more than
    /// the numbers say.
    fn fit_tables(&mut self, variable: u64, readers: &BTreeSet<u32>, numbers: &Numbers) -> bool {
        let (mut kernels, mut misfits) = (0, 0);
        let mut needs = BTreeSet::new();
        let mut tables = 0;
        for reader in readers {
            let picks = self.numbers_of(*reader);
            let Some((_, first)) = picks.iter().copied().find(|(found, _)| *found == variable)
            else {
                continue;
            };
            for (number, facts) in numbers {
                let at = i64::from(*number as u32 as i32).wrapping_mul(POINTER as i64);
                let word = self.program.words.get(first.wrapping_add(at as u64));
                let Some(Word::Address(to)) = word else {
                    continue;
                };
                let need = self.needed(to);
                if !need.is_none() {
                    kernels += 1;
                    misfits += usize::from(!need.without(facts.together()).is_none());
                    needs.insert(need);
                }
            }
            tables += 1;
            if tables >= TABLES {
                break;
            }
        }
        kernels >= KERNELS && needs.len() >= NEEDS && misfits * MISFITS <= kernels
    }
}

/// Adds what a value says where it is a number; whether it is nothing else.
fn add(known: &mut Numbers, value: &Value) -> bool {
    let mut is_number = true;
    for (kind, facts) in value.alternatives() {
        match kind {
            Kind::Const(number) => add_one(known, *number, *facts),
            _ => is_number = false,
        }
    }
    is_number
}

fn add_one(known: &mut Numbers, number: u64, facts: Facts) {
    let known = known.entry(number).or_insert(Facts::ALL);
    *known = *known & facts.features();
}
