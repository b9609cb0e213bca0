//! What takes certainty from a way on which no gate was seen: a handler of SIGILL, and branches
//! in a file that asks the CPU.

use super::writer::Writer;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Mnemonic, OpKind, Register};
use karat_binary::numbers::NumberSet;
use karat_flow::calls::SIGNALS;
use karat_flow::graph::Flow;
use karat_flow::program::Program;
use karat_flow::sweep::{References, Sweep, to, within};
use karat_model::leaks::{AboveBaseline, Certainty, Reach};
use std::cell::OnceCell;
use std::collections::HashMap;

/// What stands in the way of code that may be tried.
pub(super) const HANDLER: &str = "the handler of SIGILL";

/// What is asked of handlers of SIGILL, each at most once.
#[derive(Default)]
pub(super) struct Handlers {
    is_there: OnceCell<bool>,
    /// Callers, sorted, and what they call.
    calls: OnceCell<Vec<(u32, u32)>>,
    /// Whether what the file begins with may set one.
    at_first: OnceCell<bool>,
    /// Direct calls: where, sorted, and of what.
    places: OnceCell<References>,
    /// By routine: whether a call of it may end the program by an answer.
    ends: HashMap<u32, bool>,
}

/// The number of the signal.
const SIGILL: u64 = 4;

/// Calls deep, and routines, that are looked at where one may end the program.
const DEPTH: usize = 4;
const ROUTINES: usize = 64;

impl Writer<'_> {
    /// Whether the file catches SIGILL somewhere: code may be tried, and dying of it is no end.
    pub(super) fn catches(&self) -> bool {
        *self.handlers.is_there.get_or_init(|| {
            let mut places = self.sweep.catches.iter().map(|(_, at)| at);
            let mut callers = self.calls_of_signals();
            places.any(|at| !self.is_other(at)) || callers.any(|caller| self.sets_handler(caller))
        })
    }

    /// Who calls C's functions that set handlers, in a program that is linked statically.
    fn calls_of_signals(&self) -> impl Iterator<Item = u32> {
        let named = self.program.routines.iter().filter(|routine| {
            let mut names = routine.names.iter();
            names.any(|name| SIGNALS.contains(name))
        });
        let callers = named.flat_map(|routine| to(&self.sweep.edges, routine.start));
        callers.filter_map(|(_, at)| self.program.routine_at(at))
    }

    /// Whether the way to a node may be run under a handler of SIGILL that the file sets. What a
    /// file begins with is not, where nothing that it calls or names sets one: it runs before
    /// all else in the file.
    pub(super) fn may_be_caught(&self, node: usize) -> bool {
        let mut first = node;
        while let Some((up, _)) = self.verdicts.leak[first]
            && up != first
        {
            first = up;
        }
        let begins = self.begins_with(self.search.nodes[first].address);
        self.catches() && (!begins || self.catches_at_first())
    }

    /// Whether a function runs before all else in the file: what starts by itself in a library,
    /// or an interpreter calls, and before `main` in a program.
    fn begins_with(&self, at: u64) -> bool {
        match self.program.is_library {
            true => (self.program.entries.get(&at)).is_some_and(|entry| entry.is_first()),
            false => self.program.initialisers.contains(&at),
        }
    }

    fn catches_at_first(&self) -> bool {
        *self.handlers.at_first.get_or_init(|| {
            let named: NumberSet<u32> = self.calls_of_signals().collect();
            let places = self.sweep.catches.iter().map(|(_, at)| at);
            let mut places: Vec<(u32, u64)> = places
                .filter_map(|at| Some((self.program.routine_at(at)?, at)))
                .collect();
            places.sort_unstable();
            let sets = |one: u32| {
                let from = places.partition_point(|(by, _)| *by < one);
                let mut own = places[from..].iter().take_while(|(by, _)| *by == one);
                own.any(|(_, at)| !self.is_other(*at))
                    || named.contains(&one) && self.sets_handler(one)
            };
            let calls = self.handlers.calls.get_or_init(|| self.all_calls());
            let taken = self.sweep.taken.iter();
            let taken = taken.filter_map(|(to, at)| {
                Some((self.program.routine_at(at)?, self.program.routine_at(to)?))
            });
            let mut taken: Vec<(u32, u32)> = taken.collect();
            taken.sort_unstable();
            let starts = self.program.entries.keys();
            let starts = starts.filter(|at| self.begins_with(**at));
            let starts = starts.filter_map(|at| self.program.routine_at(*at));
            let mut list: Vec<u32> = starts.collect();
            let mut seen: NumberSet<u32> = list.iter().copied().collect();
            while let Some(one) = list.pop() {
                if sets(one) {
                    return true;
                }
                for pairs in [calls, &taken] {
                    let from = pairs.partition_point(|(by, _)| *by < one);
                    let own = pairs[from..].iter().take_while(|(by, _)| *by == one);
                    list.extend(own.map(|(_, to)| *to).filter(|to| seen.insert(*to)));
                }
            }
            false
        })
    }

    /// Whether a call sets what another signal does than SIGILL, or no handler.
    fn is_other(&self, at: u64) -> bool {
        if first_argument(self.program, self.sweep, at).is_some_and(|number| number != SIGILL) {
            return true;
        }
        let routine = self.program.routine_at(at);
        let told = routine.and_then(|routine| self.search.oracle.told(routine));
        told.is_some_and(|told| told.others.contains(&at))
    }

    fn sets_handler(&self, routine: u32) -> bool {
        let told = self.search.oracle.told(routine);
        told.is_some_and(|told| told.catches.is_some())
    }

    /// Whether what the way to a node goes through, or calls, handles SIGILL, where no function
    /// has a name to find it by.
    pub(super) fn catches_on(&self, node: usize) -> bool {
        if self
            .program
            .routines
            .iter()
            .any(|routine| !routine.names.is_empty())
        {
            return false;
        }
        let mut ways = vec![self.search.nodes[node].routine];
        let mut node = node;
        while let Some((up, _)) = self.verdicts.leak[node]
            && up != node
        {
            node = up;
            ways.push(self.search.nodes[node].routine);
        }
        let calls = self.handlers.calls.get_or_init(|| self.all_calls());
        let mut called: Vec<u32> = Vec::new();
        for &caller in &ways {
            let from = calls.partition_point(|(one, _)| *one < caller);
            let own = calls[from..].iter().take_while(|(one, _)| *one == caller);
            called.extend(own.map(|(_, to)| *to));
        }
        called.sort_unstable();
        called.dedup();
        ways.iter()
            .chain(&called)
            .any(|one| self.sets_handler(*one))
    }

    /// Callers, sorted, and what they call.
    fn all_calls(&self) -> Vec<(u32, u32)> {
        let routine_at = |at: u64| self.program.routine_at(at);
        let edges = self.sweep.edges.iter();
        let pairs = edges.filter_map(|(to, at)| Some((routine_at(at)?, routine_at(to)?)));
        let mut pairs: Vec<(u32, u32)> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    /// Whether all of the way to a place runs whenever its entry does: no branch decides.
    pub(super) fn is_inevitable(&mut self, node: usize, at: u64) -> bool {
        let mut node = node;
        let mut at = at;
        loop {
            let (routine, address) = {
                let node = &self.search.nodes[node];
                (node.routine, node.address)
            };
            let reading = self.search.reading(routine);
            let Some(reading) = reading.filter(|it| it.flow.always(address, at)) else {
                return false;
            };
            let leads = |(to, call): (u64, u64)| {
                let (from, block) = (reading.flow.block_at(call)?, reading.flow.block_at(at)?);
                let is_before = match from == block {
                    true => call < at,
                    false => reading.flow.reach(&[from], |_| false, &[]).has(block),
                };
                is_before.then(|| self.program.routine_at(to)).flatten()
            };
            let before: Vec<u32> = self
                .calls_of(routine)
                .into_iter()
                .filter_map(leads)
                .collect();
            if before.into_iter().any(|called| self.may_end(called)) {
                return false;
            }
            match self.verdicts.leak[node] {
                Some((up, call)) if up != node => (node, at) = (up, call),
                _ => return true,
            }
        }
    }
}

/// The number that is a call's first argument, where it is put there right before and no jump
/// leads between: known of any file, however little of it may still be followed.
fn first_argument(program: &Program<'_>, sweep: &Sweep, at: u64) -> Option<u64> {
    let routine = &program.routines[program.routine_at(at)? as usize];
    let mut number = None;
    let mut jumps = Vec::new();
    for &(start, end) in &routine.ranges {
        for one in Decoder::with_ip(64, program.bytes(start, end)?, start, DecoderOptions::NONE) {
            match one.flow_control() {
                // Where it leads is not known.
                FlowControl::IndirectBranch => return None,
                FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                    jumps.push(one.near_branch_target());
                }
                _ => {}
            }
            if start > at || at >= end || one.ip() >= at {
                continue;
            }
            let is_first = one.op0_kind() == OpKind::Register
                && one.op0_register().full_register() == Register::RDI;
            match one.mnemonic() {
                _ if one.flow_control() != FlowControl::Next => number = None,
                Mnemonic::Mov if is_first => {
                    let put = one.try_immediate(1).ok();
                    number = put.map(|put| (put & 0xffff_ffff, one.ip()));
                }
                Mnemonic::Cmp | Mnemonic::Test => {}
                _ if is_first => number = None,
                _ => {}
            }
        }
    }
    let (number, from) = number?;
    jumps.extend(
        within(&sweep.edges, from + 1, at + 1)
            .iter()
            .map(|(to, _)| to),
    );
    let is_between = |to: &u64| (from + 1..=at).contains(to);
    (!jumps.iter().any(is_between)).then_some(number)
}

/// What does not come back where the CPU will not do.
impl Writer<'_> {
    /// The direct calls of a routine: what is called, and where.
    fn calls_of(&self, routine: u32) -> Vec<(u64, u64)> {
        let turned = || self.sweep.edges.turned();
        let calls = self.handlers.places.get_or_init(turned);
        let ranges = self.program.routines[routine as usize].ranges.iter();
        let own = ranges.flat_map(|(start, end)| within(calls, *start, *end));
        own.map(|(at, to)| (to, at)).collect()
    }

    /// Whether a routine, with what it calls, asks the CPU and has a way that does not come
    /// back: it may throw, or end the program.
    fn may_end(&mut self, routine: u32) -> bool {
        if let Some(known) = self.handlers.ends.get(&routine) {
            return *known;
        }
        let mut seen = vec![routine];
        let mut next = 0..1;
        for _ in 0..DEPTH {
            for number in next.clone() {
                for (to, _) in self.calls_of(seen[number]) {
                    let called = self.program.routine_at(to);
                    if let Some(called) = called.filter(|one| !seen.contains(one))
                        && seen.len() < ROUTINES
                    {
                        seen.push(called);
                    }
                }
            }
            next = next.end..seen.len();
        }
        let asking = &self.search.detection.asking;
        let ends = seen.iter().any(|one| asking.contains(one))
            && seen.iter().any(|one| self.has_end(*one));
        self.handlers.ends.insert(routine, ends);
        ends
    }

    /// Whether a routine calls what never comes back, beside ways on which it does.
    fn has_end(&self, routine: u32) -> bool {
        let Some(flow) = Flow::of(self.program, self.sweep, routine) else {
            return true;
        };
        let is_end = |block: u32| {
            let block = &flow.blocks[block as usize];
            block.calls() && block.next.is_empty()
        };
        (0..flow.blocks.len() as u32).any(is_end)
    }
}

/// The state of a function to which a way without a gate leads, in a file that handles SIGILL.
pub(super) fn perhaps_tried(mut out: AboveBaseline) -> AboveBaseline {
    out.reach = Reach::Unknown;
    out.confidence = Certainty::Low;
    out.path.clear();
    out.reason = "the file handles SIGILL: this may be code that it tries".into();
    out.obstacle = HANDLER.into();
    out
}
