//! What is not come to from a program's start, or not before the limit: who calls it is gone
//! through by itself, given what is not known, with the variables as the initialisers left them.
//! Where no way from there comes to code that the CPU lacks, the callers ask.
//!
//! Only for Go's programs: there the packages' initialisers ask the CPU, and who calls assembly
//! is known by its address.

use crate::bits::{Kind, Word};
use crate::convention::{GO_CLOSURE, GO_WORDS};
use crate::found::{Found, Reached};
use crate::go::calls::is_named;
use crate::machine::{Machine, Stop};
use crate::memory::Memory;
use crate::state::{Back, State};
use karat_binary::numbers::{NumberMap, NumberSet};
use karat_flow::sweep::within;
use std::collections::hash_map::Entry;

/// Routines above the baseline that are looked at.
const ROUTINES: usize = 512;
/// Instructions from one start for each way, and from all.
const STEPS: u64 = 3_000;
const ALL: u64 = 400_000;
/// The same for one routine.
const EACH: u64 = 150_000;
/// Callers of callers that are gone through where the first do not ask.
const LEVELS: usize = 3;
/// Ways from the initialisers.
const READY: usize = 24;
/// Callers of one routine.
const CALLERS: usize = 48;
/// More than what is started: where a routine is gone through by itself.
pub(crate) const LOCAL: usize = usize::MAX - 1;
/// Words of a table of code, at most.
const TABLE: u64 = 64;

/// Who leads to a routine: by its address, or by a word of data that has it.
#[derive(Clone, Copy)]
struct Caller {
    start: u64,
    by_table: bool,
}

/// What was found from one start.
struct From {
    is_complete: bool,
    reached: Vec<(u32, bool, Reached)>,
}

impl Machine<'_> {
    /// Adds to what was found the routines whose callers ask.
    pub fn local(&mut self) {
        if self.is_plain {
            return;
        }
        let ready = match self.go.as_mut() {
            Some(go) if (1..=READY).contains(&go.ready.len()) => std::mem::take(&mut go.ready),
            _ => return,
        };
        let mut found = std::mem::take(&mut self.found);
        let mut left = ALL;
        let mut known: NumberMap<u64, From> = NumberMap::default();
        let routines = (0..)
            .zip(&self.sweep.facts)
            .filter(|(_, facts)| facts.above() > 0);
        let mut routines: Vec<u32> = routines.map(|(number, _)| number).collect();
        // What is asked about comes first.
        if let Some(about) = &self.about {
            routines.sort_by_key(|routine| !about.has(*routine));
        }
        for routine in routines.into_iter().take(ROUTINES) {
            let reached = found.routines.get(&routine);
            let is_settled = reached.is_some_and(|r| r.death.is_some() || found.is_complete);
            if is_settled {
                continue;
            }
            let most = EACH.min(left);
            let mut own = most;
            if let Some(reached) = self.asked(&ready, routine, &mut known, &mut own) {
                found.routines.insert(routine, reached);
            }
            left -= most - own;
        }
        self.found = found;
    }

    /// What CPUs come to a routine, if all who lead there ask.
    fn asked(
        &mut self,
        ready: &[(State, Memory)],
        routine: u32,
        known: &mut NumberMap<u64, From>,
        left: &mut u64,
    ) -> Option<Reached> {
        let mut seen: NumberSet<u64> = NumberSet::default();
        let mut next = vec![Caller {
            start: self.image.program.routines[routine as usize].start,
            by_table: false,
        }];
        let mut out = Reached {
            is_unsure: true,
            is_closed: true,
            ..Reached::default()
        };
        for level in 0..=LEVELS {
            let mut open = Vec::new();
            for caller in std::mem::take(&mut next) {
                if !seen.insert(caller.start) {
                    continue;
                }
                let from = match known.entry(caller.start) {
                    Entry::Occupied(from) => from.into_mut(),
                    Entry::Vacant(place) => place.insert(self.from(ready, caller.start, left)?),
                };
                let reached = from.reached.iter().find(|(number, ..)| *number == routine);
                match reached {
                    Some((_, false, reached)) if from.is_complete => {
                        let new = reached
                            .guards
                            .iter()
                            .filter(|has| !out.guards.contains(has));
                        let new: Vec<_> = new.copied().collect();
                        out.guards.extend(new);
                    }
                    None if from.is_complete && !caller.by_table => {
                        // It does not come to itself: nothing leads there.
                        if level == 0 {
                            return Some(out);
                        }
                    }
                    _ => open.push(caller.start),
                }
            }
            if open.is_empty() {
                return (!out.guards.is_empty()).then_some(out);
            }
            for start in open {
                next.extend(self.callers(start)?);
            }
        }
        None
    }

    /// Who calls the routine that begins there; none if that is not known.
    fn callers(&self, start: u64) -> Option<Vec<Caller>> {
        let program = self.image.program;
        let own = program.routine_at(start)?;
        // Who calls what is known by its name does not come to its code.
        if is_named(program, start) {
            return None;
        }
        let end = (program.routines[own as usize].ranges.into_iter())
            .find(|(from, _)| *from == start)
            .map(|(_, end)| *end)?;
        let mut out: Vec<Caller> = Vec::new();
        let mut add = |at: u64, by_table: bool| {
            if let Some(routine) = program.routine_at(at).filter(|routine| *routine != own) {
                let start = program.routines[routine as usize].start;
                out.push(Caller { start, by_table });
            }
        };
        for (_, at) in within(&self.sweep.edges, start, end) {
            add(at, false);
        }
        // Its address is taken: it may be called anywhere.
        if !within(&self.sweep.taken, start, start + 1).is_empty() {
            return None;
        }
        for (_, place) in within(&program.pointers, start, start + 1) {
            // The table that has it is known by its first word.
            let is_code = |at: u64| match program.words.get(at) {
                Some(karat_flow::program::Word::Address(to)) => program.is_code(to),
                _ => program.content(at) == Some(0),
            };
            let before = (1..TABLE).take_while(|by| is_code(place.wrapping_sub(by * 8)));
            let first = place.wrapping_sub(before.last().unwrap_or(0) * 8);
            let named = within(&self.sweep.data, first, place + 1);
            if named.is_empty() {
                return None;
            }
            named.iter().for_each(|(_, at)| add(at, true));
        }
        (!out.is_empty() && out.len() <= CALLERS).then_some(out)
    }

    /// What is come to from one start.
    fn from(&mut self, ready: &[(State, Memory)], start: u64, left: &mut u64) -> Option<From> {
        let steps = (STEPS * ready.len() as u64).min(*left);
        if steps == 0 {
            return None;
        }
        self.steps = steps;
        self.found = Found::default();
        for (state, under) in ready {
            self.clear();
            self.image.under = under.clone();
            let mut state = state.clone();
            self.give_go(&mut state);
            for number in GO_WORDS.into_iter().chain([GO_CLOSURE]) {
                state.registers[number] = Word::unknown(8, Kind::Input);
            }
            state.is_unsure = true;
            // Nothing follows it.
            state.started = LOCAL;
            match self.enter(&mut state, start, Back::Next, 0) {
                Ok(()) | Err(Stop::Go) => self.add(state),
                Err(_) => return None,
            }
            self.run();
        }
        *left -= steps - self.steps;
        let found = std::mem::take(&mut self.found);
        let reached = found.routines.into_iter();
        Some(From {
            is_complete: found.is_complete,
            reached: reached
                .map(|(number, reached)| (number, reached.death.is_some(), reached))
                .collect(),
        })
    }
}
