//! Gates that are only guessed, before one that shows them to be wrong.

use super::reach::{Found, Own};
use super::writer::Writer;
use karat_model::leaks::Certainty;
use std::collections::HashSet;

/// Nodes that are looked at for one function, at most.
const NODES: usize = 200;

impl Writer<'_> {
    /// A gate that asks for a part of what is lacking, before which there are only gates of
    /// which nothing is known: who knew by one of these that all is there would not ask for a
    /// part of it.
    pub(super) fn disproved(&self, own: &Own) -> Option<Found> {
        let mut open: Vec<usize> = own.nodes().collect();
        let mut seen = HashSet::new();
        while let Some(number) = open.pop() {
            if seen.len() > NODES || !seen.insert(number) {
                continue;
            }
            let node = &self.search.nodes[number];
            let mut short = node.short.iter();
            let gate =
                short.find(|(up, gate)| self.asks_for_part(number, gate) && self.is_guessed(*up));
            if let Some((_, gate)) = gate {
                return Some(*gate);
            }
            open.extend(node.up.iter().map(|(up, ..)| *up));
        }
        None
    }

    /// Whether all gates on the ways to a node are ones of which nothing is known.
    fn is_guessed(&self, node: usize) -> bool {
        let mut open = vec![node];
        let mut seen = HashSet::new();
        while let Some(number) = open.pop() {
            if seen.len() > NODES {
                return false;
            }
            if !seen.insert(number) {
                continue;
            }
            let node = &self.search.nodes[number];
            let is_guess =
                |gate: &Found| gate.confidence == Certainty::Low && gate.features.is_none();
            if !node.gates.iter().all(is_guess) {
                return false;
            }
            open.extend(node.up.iter().map(|(up, ..)| *up));
        }
        true
    }
}
