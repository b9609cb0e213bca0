//! From a node to those above it: who calls it, takes its address or has it in a table.

use super::compared::Equal;
use super::judge::{Place, Step};
use super::reach::{CALLERS, Doubt, ENTRIES, Node, Search, Soft, Way};
use super::ways::Up;
use karat_flow::program::Entry;
use karat_flow::sweep::to;

impl Search<'_> {
    /// Looks at what uses a node. A search that looks into all routines does so by one use
    /// after the other, and goes up from each before the next: what is found there may be all
    /// that is asked, and a node may have thousands. One that passes most finds out at once.
    pub(super) fn follow(&mut self, node: usize) {
        let (program, sweep) = (self.program, self.sweep);
        let Node {
            address,
            routine,
            softness,
            looked_at: (looked_at, mut referenced),
            ..
        } = self.nodes[node];
        let mut looked_at = looked_at as usize;
        if looked_at == 0 {
            referenced = self.enter(node);
        }
        let callers = to(&sweep.edges, address);
        let taken = to(&sweep.taken, address);
        let places = to(&program.pointers, address);
        let all = [callers, taken, places];
        let uses = (all.into_iter().enumerate())
            .flat_map(|(kind, uses)| uses.iter().take(CALLERS).map(move |(_, at)| (kind, at)));
        let count = all.map(|uses| uses.len().min(CALLERS)).iter().sum();
        let is_stepwise = self.concerned.is_none() && looked_at < count;
        let is_first = self.is_first(node);
        if is_stepwise && is_first {
            // It comes again behind those that are found now.
            self.queue.push_front(node);
        }
        let before = self.nodes.len();
        for (kind, at) in uses.skip(looked_at) {
            if is_stepwise && self.nodes.len() > before {
                break;
            }
            looked_at += 1;
            match kind {
                0 => {
                    let caller = program.routine_at(at);
                    let caller = caller.filter(|one| *one != routine && self.is_code(*one));
                    if let Some(caller) = caller {
                        referenced = true;
                        self.caller(node, caller, at, softness);
                    }
                }
                1 => referenced |= self.pointer(node, at, softness),
                _ => {
                    referenced = true;
                    self.table(node, at, softness);
                }
            }
        }
        self.nodes[node].looked_at = (looked_at as u32, referenced);
        if looked_at < count {
            if !is_first {
                self.queue.push_back(node);
            }
            return;
        }
        // Gates at those that were looked at say nothing of the others.
        if all.iter().any(|uses| uses.len() > CALLERS) {
            self.nodes[node].doubt.get_or_insert(Doubt::Many);
        }
        if !referenced && self.nodes[node].gates.is_empty() {
            self.nodes[node].doubt = Some(match program.entries.get(&address) {
                Some(_) => Doubt::Exported,
                None => Doubt::Unreferenced,
            });
        }
    }

    /// Notes how others come to a node, and whether they do.
    fn enter(&mut self, node: usize) -> bool {
        let Node {
            address, routine, ..
        } = self.nodes[node];
        match self.program.entries.get(&address) {
            Some(Entry::Exported) if !self.is_for_others(address, routine) => false,
            Some(entry) => {
                self.nodes[node].entry = Some(*entry);
                true
            }
            None => false,
        }
    }

    /// Whether an exported function is there for others. What a program, or Rust with its unstable
    /// ABI, exports is there for its own parts; and what the file itself uses through a pointer is
    /// an implementation that is exported only as everything is.
    pub(super) fn is_for_others(&self, address: u64, routine: u32) -> bool {
        self.program.is_library
            && !self.is_rust(routine)
            && to(&self.sweep.taken, address).is_empty()
            && to(&self.program.pointers, address).is_empty()
    }

    fn is_rust(&self, routine: u32) -> bool {
        let names = &self.program.routines[routine as usize].names;
        names
            .iter()
            .any(|name| rustc_demangle::try_demangle(name).is_ok())
    }

    /// A direct call or jump to a node.
    fn caller(&mut self, node: usize, caller: u32, at: u64, softness: u8) {
        let start = self.program.routines[caller as usize].start;
        let way = Way::of(&self.nodes[node]);
        if let Some(gate) = self.named(self.nodes[node].routine, caller, at, way.need) {
            return self.add_gate(node, gate);
        }
        if self.is_stretch(caller) {
            self.nodes[node].doubt = Some(Doubt::Stretch(caller));
            return;
        }
        let entries = self.entries(caller);
        if self.is_passed(caller) && entries.len() <= ENTRIES {
            for &entry in &*entries {
                let place = Place {
                    routine: caller,
                    entry,
                    at,
                    to: Some(self.nodes[node].address),
                };
                if let Some(gate) = self.kept(place, way) {
                    self.add_gate(node, gate);
                    continue;
                }
                let up = self.expose(entry, caller, softness, way.without_arguments());
                self.lead_up(node, Up::by(up, at, None));
            }
            return;
        }
        let reading = self.reading(caller);
        let Some(reading) = reading.filter(|_| entries.len() <= ENTRIES) else {
            for up in self.unseen(caller, softness + 1, way) {
                self.lead_up(node, Up::by(up, at, Some(Soft::Large)));
            }
            return;
        };
        let mut unreached = true;
        for &entry in &*entries {
            let place = Place {
                routine: caller,
                entry,
                at,
                to: Some(self.nodes[node].address),
            };
            let step = self.judge(&reading, place, way);
            let step = self.or_kept(step, place, way);
            let is_open = matches!(step, Step::Open(..) | Step::Soft(_));
            let equal = match is_open {
                true => self.by_equal(node, place, way, softness),
                false => Equal::Nothing,
            };
            let step = match equal {
                Equal::Nothing => step,
                Equal::Perhaps(at) => Step::Soft(Soft::Flag(at)),
                Equal::Leads => {
                    unreached = false;
                    continue;
                }
            };
            let (way, asked, soft) = match step {
                Step::Unreached => continue,
                Step::Covered(gate) => {
                    self.add_gate(node, gate);
                    unreached = false;
                    continue;
                }
                Step::Open(way, asked) => (way, asked, None),
                Step::Soft(soft) => (way.without_arguments(), None, Some(soft)),
            };
            let up = self.expose(entry, caller, softness + u8::from(soft.is_some()), way);
            let up = Up {
                short: asked,
                ..Up::by(up, at, soft)
            };
            self.lead_up(node, up);
            unreached = false;
        }
        if unreached {
            let up = self.expose(start, caller, softness + 1, way.without_arguments());
            self.lead_up(node, Up::by(up, at, Some(Soft::Unclear)));
        }
    }
}
