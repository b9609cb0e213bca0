//! What the nodes of the search lead to.

use super::reach::{Doubt, Found, Node, Soft};
use karat_flow::graph::Bits;
use karat_flow::program::Entry;
use std::collections::VecDeque;

/// The node where a way ends, and the soft step before it that says most.
pub(crate) type End = (usize, Option<(u64, Soft)>);

/// What the nodes lead to, all taken together.
pub(crate) struct Verdicts {
    /// By node: the next node and place on an unguarded way from an entry.
    pub leak: Vec<Option<(usize, u64)>>,
    /// Whether that way goes through a pointer.
    pub called: Vec<bool>,
    /// Reached from an exported function that is above the baseline itself.
    pub exported: Vec<bool>,
    /// A gate that does not imply enough, on the way of `leak` or `unknown`.
    pub short: Vec<Option<Found>>,
    /// The node whose doubt makes the state unknown, and what is soft before it.
    pub unknown: Vec<Option<End>>,
}

impl Verdicts {
    /// `is_above` tells of a node whether its routine's own instructions are.
    pub fn of(nodes: &[Node], is_above: &[bool]) -> Self {
        let mut down: Vec<Vec<(usize, u64, Option<Soft>)>> = vec![Vec::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            for &(up, at, soft) in &node.up {
                down[up].push((number, at, soft));
            }
        }
        let mut leak: Vec<Option<(usize, u64)>> = vec![None; nodes.len()];
        let mut short: Vec<Option<Found>> = vec![None; nodes.len()];
        let mut called = vec![false; nodes.len()];
        let mut exported = vec![false; nodes.len()];
        let mut unknown: Vec<Option<End>> = vec![None; nodes.len()];
        // What goes by a flag that it is given is its callers' to call.
        let is_duty = |number: usize| {
            nodes[number].entry == Some(Entry::Exported)
                && (is_above[number] || !nodes[number].arguments.is_none())
        };
        let roots = |duty: bool| {
            (0..nodes.len()).filter(move |n| nodes[*n].entry.is_some() && is_duty(*n) == duty)
        };
        let mut seen = Bits::new(nodes.len());
        let mut queue: VecDeque<usize> = roots(false).collect();
        queue.iter().for_each(|root| {
            seen.insert(*root as u32);
            leak[*root] = Some((*root, 0));
        });
        while let Some(number) = queue.pop_front() {
            for &(next, at, soft) in &down[number] {
                if Soft::is_way(soft) && seen.insert(next as u32) {
                    leak[next] = Some((number, at));
                    called[next] = called[number] || soft.is_some();
                    short[next] = nodes[next].short.get(&number).copied().or(short[number]);
                    queue.push_back(next);
                }
            }
        }
        let mut queue: VecDeque<usize> = roots(true).collect();
        queue.iter().for_each(|root| exported[*root] = true);
        while let Some(number) = queue.pop_front() {
            for &(next, _, soft) in &down[number] {
                if Soft::is_way(soft) && !std::mem::replace(&mut exported[next], true) {
                    queue.push_back(next);
                }
            }
        }
        // What nothing refers to explains nothing where something else leads there too.
        for is_idle in [false, true] {
            let is_end = |n: &usize| {
                let node = &nodes[*n];
                let is_some = node.entry.is_some() || node.doubt.is_some();
                is_some && is_idle == (node.doubt == Some(Doubt::Unreferenced))
            };
            let ends: Vec<usize> = (0..nodes.len()).filter(is_end).collect();
            let mut queue: VecDeque<usize> = VecDeque::new();
            for end in ends {
                if unknown[end].is_none() {
                    unknown[end] = Some((end, None));
                    queue.push_back(end);
                }
            }
            while let Some(number) = queue.pop_front() {
                let Some((end, before)) = unknown[number] else {
                    continue;
                };
                for &(next, at, soft) in &down[number] {
                    if unknown[next].is_none() {
                        if leak[next].is_none() {
                            short[next] = nodes[next].short.get(&number).copied().or(short[number]);
                        }
                        // The soft step nearest to the function says most.
                        unknown[next] = Some((end, soft.map(|soft| (at, soft)).or(before)));
                        queue.push_back(next);
                    }
                }
            }
        }
        Self {
            leak,
            called,
            exported,
            short,
            unknown,
        }
    }
}
