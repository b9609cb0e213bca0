//! Why a state is not known.

use super::States;
use crate::a64::features::sold;
use crate::a64::program::Entry;
use crate::a64::walk::Offence;
use std::collections::{HashSet, VecDeque};

impl States<'_, '_> {
    /// Why a state is not known, and what stands in the way.
    pub(super) fn why(&self, open: &[&(u64, usize, Offence)]) -> (String, String) {
        let program = self.whole.program;
        let need = open.first().map_or(0, |(.., o)| o.need);
        let mut seen = HashSet::new();
        let nodes = open.iter().map(|(node, ..)| *node);
        let mut queue: VecDeque<u64> = nodes.filter(|node| seen.insert(*node)).collect();
        while let Some(address) = queue.pop_front() {
            let Some(node) = self.whole.nodes.get(&address) else {
                continue;
            };
            let name = program.name(address);
            if let Some(at) = node.walked.opaque.first() {
                return (
                    format!("the branch at {at:#x} in {name} may ask: which feature is not known"),
                    format!("the branch at {at:#x} in {name}"),
                );
            }
            if let Some((_, soft)) = &node.soft {
                return (
                    format!("{name} is called through a pointer: {soft}"),
                    soft.clone(),
                );
            }
            if let Some(at) = node.walked.unclear {
                return (
                    format!("the jump at {at:#x} in {name} is not followed"),
                    format!("the jump at {at:#x} in {name}"),
                );
            }
            if let Some(at) = node.walked.orphans.first() {
                return (
                    format!("no branch of {name} leads to its code at {at:#x}"),
                    format!("the code at {at:#x} in {name}"),
                );
            }
            if node.entry == Some(Entry::Exported) {
                return (
                    format!("{name} is exported: its callers may ask"),
                    format!("callers of {name}"),
                );
            }
            for &(caller, block, at) in self.callers.get(&address).into_iter().flatten() {
                let call = &self.whole.nodes[&caller].walked.blocks[block].calls[at];
                if need & !sold(call.has) != 0 && seen.insert(caller) {
                    queue.push_back(caller);
                }
            }
        }
        let name = open
            .first()
            .map_or(String::new(), |(node, ..)| program.name(*node));
        (
            format!("a call before {name} may not come back"),
            format!("the way to {name}"),
        )
    }
}
