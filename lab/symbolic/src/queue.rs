//! Ways that wait: those that come to one place become one where nothing is lost by it.

use crate::go;
use crate::machine::Machine;
use crate::order::{Called, Order};
use crate::state::State;
use std::cmp::Reverse;
use std::rc::Rc;

/// Ways that wait at one place and differ, at most.
const APART: usize = 32;
/// Of those that are gone by the same CPUs.
const ALIKE: usize = 6;
/// More than what is started, and calls within calls.
const STARTS: usize = 1 << 20;
const DEPTH: usize = 1 << 10;
/// Calls within calls that are looked into to know what a routine reads.
const CALLS: u32 = 4;

impl Machine<'_> {
    pub fn left(&mut self, at: u64) {
        if let Some(count) = self.places.get_mut(&at) {
            *count -= 1;
            if *count == 0 {
                self.places.remove(&at);
            }
        }
    }

    /// What is known of the places of the routine that has an address.
    pub fn order(&mut self, at: u64) -> Option<Rc<Order>> {
        self.order_of(self.image.program.routine_at(at)?, CALLS)
    }

    fn order_of(&mut self, routine: u32, depth: u32) -> Option<Rc<Order>> {
        if let Some(known) = self.orders.get(&routine) {
            return Some(known.clone());
        }
        let depth = depth.checked_sub(1)?;
        let (program, sweep) = (self.image.program, self.sweep);
        let convention = self.convention;
        let order = Rc::new(Order::of(program, sweep, routine, convention, &mut |to| {
            let keeps = self.go.is_some() && go::keeps(program, to);
            let called = program.routine_at(to);
            let is_other =
                |called: &u32| *called != routine && program.routines[*called as usize].start == to;
            let order = called
                .filter(is_other)
                .and_then(|called| self.order_of(called, depth));
            let reads = order.map(|order| order.given(to));
            Called { reads, keeps }
        }));
        self.orders.insert(routine, order.clone());
        Some(order)
    }

    /// How deep in calls a way is. What Go starts earlier is deeper: ways are one again at the
    /// next start.
    fn depth(&self, state: &State) -> usize {
        let left = STARTS.saturating_sub(state.started);
        let before = if self.go.is_some() { left * DEPTH } else { 0 };
        before + state.frames.len()
    }

    /// Whether something of Go's is about to start.
    fn is_beginning(&self, state: &State) -> bool {
        self.go.is_some() && matches!(&state.frames[..], [frame] if frame.start == state.at)
    }

    /// A way waits; with one that is at the same place it becomes one if it can.
    pub fn add(&mut self, mut state: State) {
        let depth = Reverse(self.depth(&state));
        let order = self.order(state.at);
        let rank = order
            .as_ref()
            .map_or(state.at, |order| order.rank(state.at));
        if let Some(order) = order {
            state.forget(!order.live(state.at), self.convention);
        }
        loop {
            self.pay(&state);
            let range = (depth, rank, 0)..=(depth, rank, u64::MAX);
            let same: Vec<u64> = (self.waiting.range(range))
                .filter(|(_, other)| other.is_with(&state))
                .map(|((.., number), _)| *number)
                .collect();
            let others = || same.iter().map(|n| (*n, &self.waiting[&(depth, rank, *n)]));
            let exact = others().find_map(|(number, other)| {
                let one = other.merged(&state, &self.image, &self.symbols, false)?;
                Some((number, one))
            });
            let partner = exact.or_else(|| {
                // Ways of the same CPUs first: what differs goes by something else.
                let lasting = state.conditions.lasting(&self.symbols);
                let is_alike = |other: &State| other.conditions.lasting(&self.symbols) == lasting;
                let alike: Vec<_> = others().filter(|(_, other)| is_alike(other)).collect();
                // What ways left apart before something else starts is not told apart any more.
                let most = if self.is_beginning(&state) { 1 } else { ALIKE };
                let (number, other) = match (alike.len() >= most, same.len() >= APART) {
                    (true, _) => *alike.first()?,
                    (false, true) => others()
                        .max_by_key(|(_, other)| other.conditions.common(&state.conditions))?,
                    _ => return None,
                };
                Some((
                    number,
                    other.merged(&state, &self.image, &self.symbols, true)?,
                ))
            });
            let partner = match partner {
                None => {
                    let is_beginning = self.is_beginning(&state);
                    (same.iter()).find_map(|number| {
                        let one = (depth, rank, *number);
                        let both = match is_beginning {
                            true => self.conjoined(one, &state),
                            false => self.detected(one, &state),
                        };
                        Some((*number, both?))
                    })
                }
                known => known,
            };
            let Some((number, one)) = partner else {
                break;
            };
            self.waiting.remove(&(depth, rank, number));
            self.left(state.at);
            state = one;
        }
        self.number += 1;
        *self.places.entry(state.at).or_default() += 1;
        self.waiting.insert((depth, rank, self.number), state);
    }
}
