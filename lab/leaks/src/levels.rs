//! Tables whose elements are picked by numbers that answers made: what is known where each
//! number is the index.

use super::reach::Search;
use super::registrars::Row;
use iced_x86::FlowControl;
use karat_binary::numbers::NumberMap;
use karat_flow::facts::Facts;
use karat_flow::facts::value::{Kind, Value};
use karat_flow::graph::{Flow, branch, callee};
use karat_flow::program::Target;
use karat_flow::sweep::{to, within};
use karat_flow::terms::{Origin, Term, Terms};
use karat_model::leaks::Certainty;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Elements that code may name itself, at most.
const ELEMENTS: u64 = 32;
/// Routines that use a table, and calls of one that is given the index.
const USERS: usize = 24;
const CALLS: usize = 32;
/// Routines between the one that is given an index and the one that has it.
const DEEP: u8 = 3;
/// Calls deep, and routines, that are looked into where one goes through a table.
const CALLED: usize = 4;
const ROUTINES: usize = 64;
/// Routines that are looked into where one may ask for the environment.
const FEW: usize = 16;
/// Instructions of a routine that only reads a number from there, at most.
const ASKING: u32 = 60;
/// C's functions that tell what the environment says.
const ENVIRONMENT: [&str; 3] = ["getenv", "secure_getenv", "__secure_getenv"];

/// By index, what is known where it is picked.
pub(super) struct Levels {
    facts: NumberMap<u64, Facts>,
    pub confidence: Certainty,
}

impl Levels {
    /// What is known where an index is picked; none where it is not seen to be.
    pub fn of(&self, index: u64) -> Option<Facts> {
        self.facts.get(&index).copied()
    }

    fn add(&mut self, index: u64, facts: Facts) {
        let known = self.facts.entry(index).or_insert(Facts::ALL);
        *known = *known & facts;
    }

    /// Adds what a value says where it is a number.
    fn add_value(&mut self, value: &Value, here: Facts) {
        for (kind, facts) in value.alternatives() {
            if let Kind::Const(index) = kind {
                self.add(*index, (*facts | here).features());
            }
        }
    }
}

impl Search<'_> {
    /// What is known of a table's elements, where all who use it are understood.
    pub(super) fn levels(&mut self, row: Row) -> Option<Rc<Levels>> {
        if let Some(known) = self.seen.registry.levels.get(&row) {
            return known.clone();
        }
        // Who looks at it does not come to it again.
        self.seen.registry.levels.insert(row, None);
        let found = self.find_levels(row).map(Rc::new);
        self.seen.registry.levels.insert(row, found.clone());
        found
    }

    fn find_levels(&mut self, row: Row) -> Option<Levels> {
        let Row { table, size } = row;
        let mut levels = Levels {
            facts: NumberMap::default(),
            confidence: Certainty::Medium,
        };
        let all = within(&self.sweep.data, table, table + size * ELEMENTS);
        let mut users = BTreeSet::new();
        let mut fixed = Vec::new();
        for (address, at) in all {
            let user = self.program.routine_at(at)?;
            if address - table < size {
                users.insert(user);
            } else {
                fixed.push((user, address, at));
            }
        }
        if users.len() > USERS {
            return None;
        }
        let mut is_picked = false;
        for user in users {
            if !self.is_registrar(user) {
                is_picked |= self.use_of(row, user, &mut levels)?;
            }
        }
        // An element that code names itself, where no other variable begins.
        for (user, address, at) in fixed {
            let terms = self.terms(user)?;
            if terms.loads.contains_key(&at) {
                levels.add((address - table) / size, self.known_at(user, at));
            }
        }
        is_picked.then_some(levels)
    }

    /// What holds at a place.
    fn known_at(&self, user: u32, at: u64) -> Facts {
        let told = self.oracle.told(user);
        told.map_or(Facts::NONE, |told| told.at(at).features())
    }

    /// What one routine that names a table does with it: whether an answer picks an element; none
    /// where it is not understood.
    fn use_of(&mut self, row: Row, user: u32, levels: &mut Levels) -> Option<bool> {
        let terms = self.terms(user)?;
        let is_first = |address: u64| (row.table..row.table + row.size).contains(&address);
        let given = |target: &Option<_>| {
            let to = target
                .as_ref()
                .and_then(|target| self.constant(&terms, target));
            to.and_then(|to| self.program.routine_at(to)) != Some(user)
        };
        let calls = terms.uses.calls.values();
        let mut calls = calls.filter(|(target, _)| given(target));
        let mut stored = terms.uses.stores.values().flat_map(|(_, value)| value);
        // Its address goes elsewhere, and is not only left over in a late argument's register.
        if calls.any(|(_, given)| given.iter().take(2).any(|it| is_first(it.by)))
            || stored.any(|value| is_first(value.by))
            || terms.uses.results.iter().any(|result| is_first(result.by))
        {
            return None;
        }
        let (mut is_picked, mut is_through) = (false, false);
        let mut through = Vec::new();
        for (at, (address, _)) in &terms.loads {
            let start = terms.stride(address).map(|(start, _)| start);
            if !is_first(address.by) && !start.is_some_and(is_first) {
                continue;
            }
            let here = self.known_at(user, *at);
            let index = address.parts.iter().find(|(_, times)| *times == row.size);
            if address.parts.is_empty() {
                levels.add(0, here);
                is_picked = true;
            } else if let Some((id, _)) = index
                && is_first(address.by)
                && self.index(&terms, user, *id, here, levels, 0)
            {
                is_picked = true;
            } else {
                is_through = true;
                through.push(*at);
            }
        }
        if is_picked && !is_through {
            return Some(true);
        }
        // One that goes through all elements calls none.
        let is_loaded =
            |term| matches!(terms.source(term), Origin::Made(at, _) if through.contains(&at));
        let mut stored = terms.uses.stores.values().flat_map(|(_, value)| value);
        let is_kept = terms.uses.results.iter().any(is_loaded) || stored.any(is_loaded);
        (!is_kept && self.calls_nothing(user)).then_some(is_picked)
    }

    /// Whether an index is a number that answers made.
    fn index(
        &mut self,
        terms: &Terms,
        user: u32,
        id: u32,
        here: Facts,
        levels: &mut Levels,
        deep: u8,
    ) -> bool {
        match terms.origin(id) {
            Origin::Entry(register) => {
                let mut registers = self.program.convention.registers.iter();
                let number = registers.position(|one| *one == register);
                number.is_some_and(|number| self.index_given(user, number, levels, deep))
            }
            Origin::Made(at, _) => {
                let Some((value, variables)) = self.made_at(terms, at) else {
                    return false;
                };
                if self.is_said_by_user(terms, at) {
                    levels.confidence = Certainty::Low;
                    return true;
                }
                if !are_numbers(&value) {
                    if !self.is_of_user(&variables) {
                        return false;
                    }
                    levels.confidence = Certainty::Low;
                }
                levels.add_value(&value, here);
                value.alternatives().len() > 1
            }
            Origin::Mixed => false,
        }
    }

    /// Whether all who call a routine give it such a number.
    fn index_given(&mut self, user: u32, number: usize, levels: &mut Levels, deep: u8) -> bool {
        let start = self.program.routines[user as usize].start;
        let calls = to(&self.sweep.edges, start);
        let is_taken = !to(&self.sweep.taken, start).is_empty();
        if calls.is_empty() || calls.len() > CALLS || is_taken || deep >= DEEP {
            return false;
        }
        let mut calls = calls.iter();
        calls.all(|(_, at)| {
            if self.program.stubs.contains_key(&at) {
                return true;
            }
            let Some(caller) = self.program.routine_at(at) else {
                return false;
            };
            let Some(told) = self.oracle.told(caller) else {
                return false;
            };
            let value = told.calls.get(&at).map(|given| given[number].clone());
            match value {
                Some(value) if are_numbers(&value) => {
                    levels.add_value(&value, told.at(at));
                    true
                }
                _ => {
                    let terms = self.terms(caller);
                    let given = terms.as_ref().and_then(|terms| terms.uses.calls.get(&at));
                    let given = given.and_then(|(_, given)| given.get(number)).cloned();
                    match (terms, given.as_ref().map(|given| &given.parts[..])) {
                        (Some(terms), Some([(id, 1)])) => {
                            let here = told.at(at).features();
                            self.index(&terms, caller, *id, here, levels, deep + 1)
                        }
                        _ => false,
                    }
                }
            }
        })
    }

    /// What an instruction makes, the result of a call or what a variable holds, and the variables
    /// that it may come from.
    fn made_at(&mut self, terms: &Terms, at: u64) -> Option<(Value, Vec<u64>)> {
        if let Some((address, bytes)) = terms.loads.get(&at) {
            let is_variable = address.parts.is_empty() && *bytes <= 8;
            return is_variable.then(|| (self.oracle.load(address.by, *bytes), vec![address.by]));
        }
        let (target, _) = terms.uses.calls.get(&at)?;
        let to = self.constant(terms, target.as_ref()?)?;
        let Target::Address(to) = self.program.follow(to) else {
            return None;
        };
        let called = self.program.routine_at(to)?;
        let value = self.oracle.told(called)?.summary.result.clone();
        let mut variables = Vec::new();
        if !are_numbers(&value) {
            let terms = self.terms(called)?;
            let loads = terms.loads.values();
            let fixed = loads.filter(|(address, _)| address.parts.is_empty());
            variables.extend(fixed.map(|(address, _)| address.by));
            variables.retain(|at| self.program.is_written(*at) && !self.program.is_got(*at));
        }
        Some((value, variables))
    }

    /// Whether variables hold numbers but where the user of the program says what they hold, by
    /// the environment: whoever stores something else asks for that.
    fn is_of_user(&self, variables: &[u64]) -> bool {
        let mut is_one = false;
        for &variable in variables {
            for (_, at) in to(&self.sweep.data, variable) {
                let Some(user) = self.program.routine_at(at) else {
                    return false;
                };
                let Some(told) = self.oracle.told(user) else {
                    return false;
                };
                let mut stores = told.stores.iter();
                if stores.any(|(at, _, value)| *at == variable && !are_numbers(value)) {
                    if !self.asks_user(user) {
                        return false;
                    }
                    is_one = true;
                }
            }
        }
        is_one
    }

    /// Whether a value is what a routine tells that does nothing else but to ask for a variable of
    /// the environment.
    fn is_said_by_user(&self, terms: &Terms, at: u64) -> bool {
        let target = terms.uses.calls.get(&at);
        let to = target.and_then(|(target, _)| self.constant(terms, target.as_ref()?));
        let to = to.map(|to| self.program.follow(to));
        let Some(Target::Address(to)) = to else {
            return false;
        };
        let routine = self.program.routine_at(to);
        routine.is_some_and(|routine| {
            let facts = &self.sweep.facts[routine as usize];
            facts.instructions <= ASKING
                && !self.asking.contains(&routine)
                && self.asks_user(routine)
        })
    }

    /// Whether a routine, with what it calls itself, asks for a variable of the environment.
    fn asks_user(&self, routine: u32) -> bool {
        let mut seen = vec![routine];
        let mut next = 0..1;
        for _ in 0..CALLED {
            for number in next.clone() {
                let Some(flow) = Flow::of(self.program, self.sweep, seen[number]) else {
                    continue;
                };
                for call in flow.instructions() {
                    match callee(self.program, &call) {
                        Some(Target::Import(name)) if ENVIRONMENT.contains(&name) => return true,
                        Some(Target::Address(to)) => {
                            let called = self.program.routine_at(to);
                            let called = called.filter(|called| !seen.contains(called));
                            seen.extend(called.filter(|_| seen.len() < FEW));
                        }
                        _ => {}
                    }
                }
            }
            next = next.end..seen.len();
        }
        false
    }

    /// Whether a routine, with what it calls itself, calls nothing through a pointer but
    /// what other files have.
    fn calls_nothing(&mut self, routine: u32) -> bool {
        let mut seen = vec![routine];
        // Of each the one that calls it.
        let mut callers = vec![routine];
        let mut next = 0..1;
        for _ in 0..CALLED {
            for number in next.clone() {
                let Some(flow) = Flow::of(self.program, self.sweep, seen[number]) else {
                    return false;
                };
                for (at, block) in (0..).zip(flow.blocks.iter()) {
                    let own = flow.of_block(at);
                    let Some(last) = own.last() else { continue };
                    let is_indirect = matches!(
                        last.flow_control(),
                        FlowControl::IndirectCall | FlowControl::IndirectBranch
                    );
                    let is_table =
                        last.flow_control() == FlowControl::IndirectBranch && !block.leaves;
                    let to = callee(self.program, last);
                    if is_indirect
                        && !is_table
                        && to.is_none()
                        && !self.calls_given(callers[number], seen[number], last.ip())
                    {
                        return false;
                    }
                }
                let calls = flow.instructions().filter(|it| branch(it).is_some());
                for call in calls {
                    if let Some(Target::Address(to)) = callee(self.program, &call)
                        && let Some(called) = self.program.routine_at(to)
                        && !seen.contains(&called)
                    {
                        seen.push(called);
                        callers.push(seen[number]);
                    }
                }
            }
            if seen.len() > ROUTINES {
                return false;
            }
            next = next.end..seen.len();
        }
        true
    }

    /// Whether a routine calls what its caller gives it, and that is what another file has.
    fn calls_given(&mut self, caller: u32, routine: u32, at: u64) -> bool {
        let (Some(terms), Some(outer)) = (self.terms(routine), self.terms(caller)) else {
            return false;
        };
        let target = terms.uses.calls.get(&at);
        let target = target.and_then(|(target, _)| target.as_ref());
        let Some(Origin::Entry(register)) = target.map(|target| terms.source(target)) else {
            return false;
        };
        let mut registers = self.program.convention.registers.iter();
        let Some(number) = registers.position(|one| *one == register) else {
            return false;
        };
        let is_one = |(target, _): &&(Option<Term>, Vec<Term>)| {
            let to = target.as_ref().and_then(|to| self.constant(&outer, to));
            let to = to.map(|to| self.program.follow(to));
            matches!(to, Some(Target::Address(to)) if self.program.routine_at(to) == Some(routine))
        };
        let mut calls = outer.uses.calls.values().filter(is_one).peekable();
        let is_import = |(_, given): &(Option<Term>, Vec<Term>)| matches!(outer.source(&given[number]), Origin::Made(at, _) if self.is_import(&outer, at));
        calls.peek().is_some() && calls.all(is_import)
    }
}

/// Whether a value is one of several numbers.
fn are_numbers(value: &Value) -> bool {
    let mut all = value.alternatives().iter();
    all.all(|(kind, _)| matches!(kind, Kind::Const(_)))
}
