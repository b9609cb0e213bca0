//! Where the search of [`reach`](super::reach) starts: the instructions of one
//! function that are above the baseline, and the entries of the function that
//! lead to them.

use super::elision::elision;
use super::judge::{Place, Step};
use super::reach::{Doubt, ENTRIES, Found, Origin, Own, Search, Soft, Way};
use super::ways::keep;
use karat_flow::facts::Facts;
use karat_flow::reading::Reading;
use karat_flow::sweep::within;
use karat_model::leaks::{Certainty, GateKind};
use std::rc::Rc;

/// Reasons kept for one function, where they are of the same nodes.
const SOFT: usize = 16;

/// Adds a reason why a function's own branches do not say how it stands. All nodes are kept: how
/// one that needs more is reached, others do not say. Of those that are there already only a few
/// more reasons are.
fn doubt(all: &mut Vec<(usize, u64, Soft)>, (node, at, soft): (usize, u64, Soft)) {
    let of_it = || all.iter().filter(|(known, ..)| *known == node);
    let is_new = of_it().next().is_none();
    let is_known = of_it().any(|(.., why)| *why == soft);
    if is_new || !is_known && all.len() < SOFT {
        all.push((node, at, soft));
    }
}

impl Search<'_> {
    /// Places where a routine is entered: its start, and where others jump into it.
    /// Of more than [`ENTRIES`] the others are missing.
    pub(super) fn entries(&mut self, routine: u32) -> Rc<[u64]> {
        if let Some(known) = self.seen.entries.get(&routine) {
            return known.clone();
        }
        let entries: Rc<[u64]> = self.find_entries(routine).into();
        self.seen.entries.insert(routine, entries.clone());
        entries
    }

    fn find_entries(&self, routine: u32) -> Vec<u64> {
        let known = &self.program.routines[routine as usize];
        let jumps_in = |at: u64| {
            let from = self.program.routine_at(at);
            from.is_some_and(|from| from != routine && self.is_code(from))
        };
        let mut out = Vec::new();
        for &(start, end) in &known.ranges {
            for (address, at) in within(&self.sweep.edges, start, end) {
                if out.len() > ENTRIES {
                    break;
                }
                if out.last() != Some(&address) && jumps_in(at) {
                    out.push(address);
                }
            }
        }
        // Assembly that is only ever entered in its middle has no other start.
        if out.is_empty() || !out.contains(&known.start) && self.is_named(known.start) {
            out.push(known.start);
        }
        out
    }

    /// The nodes of a routine that is not looked into, one for each entry.
    pub(super) fn unseen(&mut self, routine: u32, softness: u8, way: Way) -> Vec<usize> {
        let entries = self.entries(routine);
        let nodes: Vec<usize> = (entries.iter().take(ENTRIES))
            .map(|entry| self.expose(*entry, routine, softness, way.without_arguments()))
            .collect();
        if entries.len() > ENTRIES
            && let Some(&first) = nodes.first()
        {
            self.nodes[first].doubt.get_or_insert(Doubt::Many);
        }
        nodes
    }

    /// Starts at a function above the baseline.
    pub fn start(&mut self, routine: u32) -> Own {
        let mut own = Own::default();
        let entries = self.entries(routine);
        if self.is_passed(routine) && entries.len() <= ENTRIES {
            let first = self.above(routine).first;
            let all = self.own_need(routine);
            for &entry in &*entries {
                let node = self.expose(entry, routine, 0, Way::needing(all));
                own.open.push((node, first, None));
            }
            return own;
        }
        if let Some(at) = elision(self.program, routine, self.own_need(routine)) {
            own.guards.push(Found {
                kind: GateKind::Branch,
                routine,
                at,
                source: None,
                features: Facts::named("rtm"),
                confidence: Certainty::Medium,
            });
            return own;
        }
        let reading = self.reading(routine);
        let Some(reading) = reading.filter(|_| entries.len() <= ENTRIES) else {
            let all = self.offences(routine).map(|(_, need)| need);
            let all = all.fold(Facts::NONE, |all, need| all | need);
            let first = self.offences(routine).next();
            if let Some((first, _)) = first {
                let nodes = self.unseen(routine, 0, Way::needing(all)).into_iter();
                own.soft = nodes.map(|node| (node, first, Soft::Large)).collect();
            }
            return own;
        };
        // One instruction for each block and need.
        let mut places: Vec<(u32, u64, Facts)> = Vec::new();
        let mut all = Facts::NONE;
        for (address, need) in self.offences(routine) {
            all |= need;
            if let Some(block) = reading.flow.block_at(address) {
                let same = places.iter().rev().take_while(|(last, ..)| *last == block);
                if !same
                    .into_iter()
                    .any(|(.., known)| need.without(*known).is_none())
                {
                    places.push((block, address, need));
                }
            }
        }
        let is_plain = self.told(routine, &reading).is_none();
        for &entry in &*entries {
            let Some(first) = reading.flow.block_at(entry) else {
                continue;
            };
            if is_plain && reading.gates.is_empty() {
                self.plain(&reading, routine, (entry, first), &places, &mut own);
                continue;
            }
            // What was found open once is so for all that needs no more.
            let mut open: Vec<Facts> = Vec::new();
            for &(_, at, need) in &places {
                if open.iter().any(|known| need.without(*known).is_none()) {
                    continue;
                }
                let place = Place {
                    routine,
                    entry,
                    at,
                    to: None,
                };
                let step = self.judge(&reading, place, Way::needing(need));
                match self.or_kept(step, place, Way::needing(need)) {
                    Step::Unreached => {}
                    Step::Covered(gate) => keep(&mut own.guards, gate),
                    Step::Open(way, asked) => {
                        if way.need == need && way.arguments.is_none() {
                            open.push(need);
                        }
                        let node = self.expose(entry, routine, 0, way);
                        if !own.open.iter().any(|(known, ..)| *known == node) {
                            own.open.push((node, at, asked));
                        }
                    }
                    Step::Soft(soft) => {
                        let node = self.expose(entry, routine, 0, Way::needing(need));
                        doubt(&mut own.soft, (node, at, soft));
                    }
                }
            }
        }
        if own.open.is_empty() && own.soft.is_empty() && own.guards.is_empty() {
            let first = places.first().map(|(_, at, _)| *at).unwrap_or_default();
            let start = self.program.routines[routine as usize].start;
            // A handler belongs to the code that it handles.
            let node = self.expose(start, routine, 0, Way::needing(all));
            own.soft.push((node, first, Soft::Unclear));
        }
        own
    }

    /// What the instructions of a routine need.
    fn own_need(&self, routine: u32) -> Facts {
        let sets = self.above(routine).sets.into_iter();
        let needs = sets.map(|set| self.needs[usize::from(set)]);
        needs.fold(Facts::NONE, |all, need| all | need)
    }

    /// A routine that asks for nothing: what is reached in it is open.
    fn plain(
        &mut self,
        reading: &Reading,
        routine: u32,
        (entry, first): (u64, u32),
        places: &[(u32, u64, Facts)],
        own: &mut Own,
    ) {
        let reached = reading.flow.reach(&[first], |_| false, &[]);
        let mut known = Facts::NONE;
        for &(block, at, need) in places {
            if reached.has(block) && !need.without(known).is_none() {
                known |= need;
                let node = self.expose(entry, routine, 0, Way::needing(need));
                own.open.push((node, at, None));
            }
        }
    }

    /// A routine's instructions that the search starts at, and what each needs. Of a large
    /// kernel these are most, so they are not kept.
    fn offences(&self, routine: u32) -> impl Iterator<Item = (u64, Facts)> + '_ {
        let instructions = self.program.extended(routine);
        instructions.filter_map(|(at, code)| {
            let class = self.classes.of_number(code);
            let set = class.above;
            (set != 0 && class.is_cpuid == (self.origin == Origin::Asking))
                .then(|| (at, self.needs[usize::from(set)]))
        })
    }
}
