//! What guards a function.

use super::{GATES, States};
use crate::a64::features::{SVE, SVE2, Set, names, sold, told};
use crate::a64::program::Entry;
use crate::a64::walk::Offence;
use karat_model::leaks::{AboveBaseline, Certainty, GateKind, GuardedBy, Reach};
use std::collections::{HashSet, VecDeque};

impl States<'_, '_> {
    pub(super) fn guarded(&self, out: &mut AboveBaseline, reached: &[(u64, usize, Offence)]) {
        out.reach = Reach::Guarded;
        // Not by the architecture, but by all CPUs that are sold; and the encodings of SVE are
        // told from those of SVE2 in part only.
        let is_sure = reached.iter().all(|(.., offence)| {
            let is_sve = offence.need & SVE != 0 && offence.has & SVE2 == 0;
            offence.need & !offence.has == 0 && !is_sve
        });
        out.confidence = match is_sure {
            true => Certainty::High,
            false => Certainty::Medium,
        };
        let mut gates = Vec::new();
        for (node, _, offence) in reached {
            self.gates(*node, offence.need, &mut gates);
        }
        if gates.is_empty() {
            gates.extend(reached.iter().filter_map(|(node, _, offence)| {
                let name = self.whole.program.said.whose(offence.has)?;
                Some(GuardedBy {
                    kind: GateKind::Pointer,
                    function: self.whole.program.name(*node),
                    address: offence.at,
                    asks: format!("what is said of {name}"),
                    features: names(offence.has),
                    confidence: Certainty::Medium,
                })
            }));
        }
        gates.truncate(GATES);
        for gate in &mut gates {
            gate.confidence = out.confidence;
        }
        out.gates = gates;
    }

    /// Gates above a routine that ask for some of what is needed.
    fn gates(&self, node: u64, need: Set, out: &mut Vec<GuardedBy>) {
        let mut seen = HashSet::from([node]);
        let mut queue = VecDeque::from([node]);
        while let Some(node) = queue.pop_front() {
            if out.len() >= GATES || seen.len() > 64 {
                return;
            }
            let Some(known) = self.whole.nodes.get(&node) else {
                continue;
            };
            let mut is_found = false;
            for gate in &known.walked.gates {
                if sold(gate.has) & need == 0 || out.iter().any(|known| known.address == gate.at) {
                    is_found |= sold(gate.has) & need != 0;
                    continue;
                }
                is_found = true;
                out.push(GuardedBy {
                    kind: GateKind::Branch,
                    function: self.whole.program.name(node),
                    address: gate.at,
                    asks: self.asks(gate.has),
                    features: names(gate.has),
                    confidence: Certainty::High,
                });
            }
            if is_found {
                continue;
            }
            for &(caller, block, at) in self.callers.get(&node).into_iter().flatten() {
                let call = &self.whole.nodes[&caller].walked.blocks[block].calls[at];
                if call.is_pointer
                    && told(call.has) & need != 0
                    && !out.iter().any(|g| g.address == call.at)
                {
                    out.push(GuardedBy {
                        kind: GateKind::Pointer,
                        function: self.whole.program.name(caller),
                        address: call.at,
                        asks: "which pointer was chosen".into(),
                        features: names(call.has),
                        confidence: Certainty::High,
                    });
                } else if seen.insert(caller) {
                    queue.push_back(caller);
                }
            }
            if !self.callers.contains_key(&node)
                && let Some(resolver) = self.resolver(node)
            {
                out.push(GuardedBy {
                    kind: GateKind::Ifunc,
                    function: self.whole.program.name(resolver),
                    address: resolver,
                    asks: "which function a resolver returns".into(),
                    features: names(need),
                    confidence: Certainty::High,
                });
            }
        }
    }

    /// Where the answer of a branch comes from.
    pub(super) fn asks(&self, has: Set) -> String {
        match self.whole.program.said.whose(has) {
            Some(name) => format!("what is said of {name}"),
            None => "what the kernel tells of the CPU".into(),
        }
    }

    /// The resolver that returns a routine.
    fn resolver(&self, node: u64) -> Option<u64> {
        let resolvers = self
            .whole
            .program
            .entries
            .iter()
            .filter(|(_, e)| **e == Entry::Resolver);
        let mut returning = resolvers.filter(|(address, _)| {
            let result = self
                .whole
                .nodes
                .get(address)
                .and_then(|n| n.walked.result.as_ref());
            let alts = result.and_then(|result| result.values[0].as_alts());
            alts.is_some_and(|alts| alts.iter().any(|alt| alt.value == node))
        });
        returning.next().map(|(address, _)| *address)
    }
}
