//! Nodes of the search of [`reach`](super::reach) that are used through a pointer:
//! who takes their address, or names a table that has it.

use super::guard::Guarding;
use super::program::Entry;
use super::reach::{Found, Search, Soft};
use super::state::Source;
use super::sweep::{to, within};
use karat_model::leaks::{Certainty, GateKind};

/// A pointer so far behind the name of a table is in another one.
const TABLE: u64 = 4096;

impl Search<'_> {
    /// A place that takes the address of a node, or of a table that has it.
    pub(super) fn pointer(&mut self, node: usize, at: u64, softness: u8) -> bool {
        let Some(user) = self.program.routine_at(at) else {
            return false;
        };
        if !self.is_code(user) || user == self.nodes[node].routine {
            return false;
        }
        let start = self.program.routines[user as usize].start;
        let found = |kind, at, source, confidence| Found {
            kind,
            routine: user,
            at,
            source,
            confidence,
        };
        if self.is_resolver(user) {
            self.add_gate(node, found(GateKind::Ifunc, at, None, Certainty::High));
            return true;
        }
        let Some(reading) = self.reading(user) else {
            let up = self.expose(start, user, softness + 1);
            self.nodes[node].up.push((up, at, Some(Soft::Pointer)));
            return true;
        };
        if let Some(block) = reading.flow.block_at(at)
            && let Guarding::Guarded(gate) = reading.guarding(0, block)
        {
            let gate = found(
                GateKind::Pointer,
                gate.at,
                Some(gate.source),
                Certainty::High,
            );
            self.add_gate(node, gate);
            return true;
        }
        if let Some((at, source)) = reading.chooses {
            let gate = found(GateKind::Pointer, at, Some(source), Certainty::High);
            self.add_gate(node, gate);
            return true;
        }
        if let Some(gate) = reading.gates.iter().find(|gate| gate.is_strong()) {
            let gate = found(
                GateKind::Pointer,
                gate.at,
                Some(gate.source),
                Certainty::Medium,
            );
            self.add_gate(node, gate);
            return true;
        }
        if let Some(&asker) = self.detection.near.get(&user) {
            let source = Some(Source::Call(asker));
            self.add_gate(node, found(GateKind::Pointer, at, source, Certainty::Low));
            return true;
        }
        // What the C run-time is handed is `main`.
        let is_start = self.program.entries.get(&start) == Some(&Entry::Start);
        let up = self.expose(start, user, softness + u8::from(!is_start));
        let soft = (!is_start).then_some(Soft::Pointer);
        self.nodes[node].up.push((up, at, soft));
        true
    }

    /// A resolver of an indirect function, or a part of one.
    fn is_resolver(&self, routine: u32) -> bool {
        let start = self.program.routines[routine as usize].start;
        let resolver = |address| self.program.entries.get(&address) == Some(&Entry::Resolver);
        resolver(start)
            || to(&self.sweep.edges, start).iter().take(8).any(|(_, at)| {
                let caller = self.program.routine_at(*at);
                caller.is_some_and(|caller| resolver(self.program.routines[caller as usize].start))
            })
    }

    /// Code that names the table a word is in, tables of tables followed.
    pub(super) fn users(&self, place: u64, depth: u8, out: &mut Vec<u64>) {
        let anchor = self.anchor(place);
        for &(_, at) in within(&self.sweep.data, anchor, place.saturating_add(1)) {
            if out.len() < 64 {
                out.push(at);
            }
        }
        if depth < 3 {
            let tables = within(&self.program.pointers, anchor, place.saturating_add(1));
            for &(_, place) in tables.iter().take(16) {
                self.users(place, depth + 1, out);
            }
        }
    }

    /// Where the table begins that a word of data is in: the nearest name before.
    fn anchor(&self, place: u64) -> u64 {
        let last = |list: &[(u64, u64)]| {
            let at = list.partition_point(|(to, _)| *to <= place);
            at.checked_sub(1).map(|at| list[at].0)
        };
        let variables = &self.program.variables;
        let at = variables.partition_point(|(start, ..)| *start <= place);
        let variable = at.checked_sub(1).map(|at| variables[at]);
        if let Some((start, size, _)) = variable
            && place - start < size
        {
            return start;
        }
        let anchor = last(&self.sweep.data).max(last(&self.program.pointers));
        anchor
            .filter(|anchor| place - anchor <= TABLE)
            .unwrap_or(place)
    }
}
