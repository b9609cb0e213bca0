//! Initialisers that take too long are left, and ways that went through all of them wait for `main`.

use super::Phase;
use crate::bits::{Kind, symbol};
use crate::machine::Machine;
use crate::state::State;
use karat_flow::program::Program;
use std::collections::BTreeSet;

/// Instructions of one initialiser, at most.
const LONG: u64 = 5_000;
/// Bytes of a variable that one which is left may have stored to.
const NAMED: u64 = 64;

/// Bytes from an address on that who names it may store to: to the variable's end, if that is
/// known.
fn named_size(program: &Program<'_>, at: u64) -> u64 {
    let variables = &program.variables;
    let before = variables.partition_point(|(start, ..)| *start <= at);
    let own = before.checked_sub(1).map(|before| variables[before]);
    let left = own.and_then(|(start, size, _)| start.saturating_add(size).checked_sub(at));
    left.filter(|left| *left > 0)
        .map_or(NAMED, |left| left.min(NAMED))
}

impl Machine<'_> {
    /// A way is at `main`, and all others of the initialisers are: those that can be one are.
    pub fn is_ready(&self, state: &State) -> bool {
        let begins = self.go.as_ref().is_some_and(|go| go.phase == Phase::Begins);
        begins && state.started > self.starts.first.len()
    }

    /// Keeps it as it was before `main`.
    pub fn keep(&mut self, mut state: State) {
        state.started = self.starts.first.len();
        state.frames.clear();
        let under = self.image.under.clone();
        if let Some(go) = self.go.as_mut() {
            go.ready.push((state, under));
        }
    }

    /// Whether the initialiser that a way is in takes too long: then it does for all of them.
    pub fn is_long(&self, state: &State) -> bool {
        self.go.as_ref().is_some_and(|go| {
            let spent = self.began.saturating_sub(self.steps);
            go.phase == Phase::Begins && (spent > LONG || go.long.contains(&state.started))
        })
    }

    /// An initialiser is left: what it names, and what it is in, is not known then, and nothing is
    /// certain.
    pub fn set_aside(&mut self, mut state: State) {
        self.found.lost(state.at, &state.conditions, &self.symbols);
        state.is_unsure = true;
        let turn = symbol(self.symbols.turn(Kind::Opaque), false);
        if let Some(known) = state.conditions.with(&self.symbols, turn) {
            state.conditions = known;
        }
        let starts: BTreeSet<u64> = state.frames.iter().map(|frame| frame.start).collect();
        let (program, sweep) = (self.image.program, self.sweep);
        if let Some(go) = self.go.as_mut() {
            go.long.insert(state.started);
            for start in starts {
                let named = go.named.entry(start).or_insert_with(|| {
                    let routine = program.routine_at(start);
                    let all = sweep.data.iter();
                    let own = all.filter(|(to, at)| {
                        program.is_written(*to) && program.routine_at(*at) == routine
                    });
                    own.map(|(to, _)| to).collect()
                });
                for at in named {
                    let size = named_size(program, *at);
                    state.memory.forget(*at, size, Kind::Opaque);
                }
            }
        }
        state.frames.clear();
        if self.next(&mut state).is_ok() {
            self.add(state);
        }
    }
}
