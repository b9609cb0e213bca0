//! Leaks: a way from an entry on which what is needed is not asked for, or not enough.

use super::{GATES, States};
use crate::a64::features::{OTHER, Set, WORDS, names, said_by_name, sold};
use crate::a64::program::Entry;
use crate::a64::surely::{Rules, backs, leads};
use crate::a64::walk::Offence;
use karat_model::leaks::{AboveBaseline, Certainty, GateKind, GuardedBy, Reach, Step};
use std::collections::{BTreeMap, VecDeque};

/// Ways that are looked at from one instruction, at most.
const WAYS: usize = 4000;

/// A routine, and the number of a block in it.
type Place = (u64, usize);

/// A way from an entry to an instruction above the baseline.
pub(super) struct Found {
    /// Outermost first.
    path: Vec<(u64, u64)>,
    /// What is asked for on it.
    asked: Set,
    confidence: Certainty,
}

impl Found {
    /// Where the way begins.
    pub fn entry(&self) -> u64 {
        self.path.first().map_or(0, |(node, _)| *node)
    }
}

impl States<'_, '_> {
    pub(super) fn leak(&self, out: &mut AboveBaseline, offence: &Offence, found: Found) {
        let program = self.whole.program;
        out.reach = match found.asked {
            0 => Reach::Leak,
            _ => Reach::Insufficient,
        };
        out.confidence = found.confidence;
        out.first = super::offence(offence.word, offence.at);
        out.path = (found.path.iter())
            .map(|(node, at)| Step {
                function: program.name(*node),
                address: *at,
                location: None,
            })
            .collect();
        if found.asked == 0 {
            return;
        }
        for (node, _) in found.path.iter().rev() {
            let Some(known) = self.whole.nodes.get(node) else {
                continue;
            };
            for gate in known
                .walked
                .gates
                .iter()
                .filter(|gate| gate.has & found.asked != 0)
            {
                if out.gates.len() < GATES && !out.gates.iter().any(|g| g.address == gate.at) {
                    out.gates.push(GuardedBy {
                        kind: GateKind::Branch,
                        function: program.name(*node),
                        address: gate.at,
                        asks: self.asks(gate.has),
                        features: names(gate.has),
                        confidence: found.confidence,
                    });
                }
            }
        }
        if out.gates.is_empty() {
            out.gates.push(GuardedBy {
                kind: GateKind::Pointer,
                function: program.name(found.path.first().map_or(0, |(node, _)| *node)),
                address: found.path.first().map_or(0, |(_, at)| *at),
                asks: "which pointer was chosen".into(),
                features: names(found.asked),
                confidence: found.confidence,
            });
        }
    }

    /// A way from an exported function that is for callers who asked.
    pub(super) fn exported(&self, out: &mut AboveBaseline, found: &Found) {
        let entry = found.entry();
        let name = self.whole.program.name(entry);
        let name = match self.tabled.contains(&entry) {
            true => format!("{name}, which tables of pointers have,"),
            false => name,
        };
        out.reach = Reach::Exported;
        out.confidence = Certainty::Medium;
        out.reason = format!("{name} is exported: to ask is its caller's duty");
    }

    /// Whether a function's name says that it is for CPUs that have all that is needed.
    pub(super) fn is_named(&self, node: u64, need: Set) -> bool {
        let mut names = self.whole.program.names(node).iter();
        names.any(|name| need & !sold(said_by_name(name)) == 0)
    }

    /// A way from an entry on which what is needed is surely not asked for.
    ///
    /// Exported functions in tables of pointers, and those whose names say that they are for such
    /// CPUs, count `with_theirs` only: who picks from the table asks, or who calls them.
    pub(super) fn way(
        &self,
        node: u64,
        block: usize,
        need: Set,
        with_theirs: bool,
    ) -> Option<Found> {
        for may_doubt in [false, true] {
            let rules = Rules {
                need,
                back: self.back.get_or_init(|| backs(self.whole)),
                may_doubt,
            };
            // By node and block: where it leads on to, and what is known on it.
            let mut before: BTreeMap<Place, Option<(Place, u64)>> = BTreeMap::new();
            before.insert((node, block), None);
            let mut queue = VecDeque::from([((node, block), 0, false)]);
            while let Some(((node, block), asked, is_pointer)) = queue.pop_front() {
                if before.len() > WAYS {
                    return None;
                }
                let known = self.whole.nodes.get(&node)?;
                if !leads(&known.walked, |number| number == block, rules) {
                    continue;
                }
                let asked = asked | known.walked.blocks[block].has;
                let is_theirs = known.entry == Some(Entry::Exported)
                    && (self.tabled.contains(&node) || self.is_named(node, need));
                if let Some(entry) = known.entry.filter(|_| with_theirs || !is_theirs) {
                    let mut path = Vec::new();
                    let mut at = (node, block);
                    while let Some(Some((next, place))) = before.get(&at) {
                        path.push((at.0, *place));
                        at = *next;
                    }
                    let end = &self.whole.nodes[&at.0].walked.blocks[at.1];
                    let last = end.offences.iter().find(|o| o.need & !sold(o.has) != 0);
                    path.push((at.0, last.map_or(end.start, |o| o.at)));
                    // What another feature implies is not known, nor what somebody says.
                    let is_sure = !may_doubt
                        && !is_pointer
                        && !matches!(entry, Entry::Exported | Entry::Handed)
                        && asked & (OTHER | WORDS) == 0;
                    return Some(Found {
                        path,
                        asked,
                        confidence: match is_sure {
                            true => Certainty::High,
                            false => Certainty::Medium,
                        },
                    });
                }
                for &(caller, from, at) in self.callers.get(&node).into_iter().flatten() {
                    let call = &self.whole.nodes[&caller].walked.blocks[from].calls[at];
                    if call.opaque
                        || rules.is_closed(call.has)
                        || before.contains_key(&(caller, from))
                    {
                        continue;
                    }
                    before.insert((caller, from), Some(((node, block), call.at)));
                    queue.push_back((
                        (caller, from),
                        asked | call.has,
                        is_pointer || call.is_pointer,
                    ));
                }
            }
        }
        None
    }
}
