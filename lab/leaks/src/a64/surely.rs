//! Whether a place is reached whatever decides the branches that are not understood.
//!
//! A game on the blocks of a routine: at a branch that is understood, or that has nothing to
//! do with the CPU, the program's input may choose; at one that is not understood both sides
//! must lead there. Ways on which what is needed is known to be there are closed.

use super::features::{Set, sold};
use super::walk::Walked;
use super::whole::Whole;
use std::collections::HashSet;

/// What counts for a way.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    /// What must not be there; nothing closes no way.
    pub need: Set,
    /// Routines that surely come back.
    pub back: &'a HashSet<u64>,
    /// Whether calls to other libraries are taken to come back, and memory in which no answer
    /// was seen to have none.
    pub may_doubt: bool,
}

impl Rules<'_> {
    pub fn is_closed(self, has: Set) -> bool {
        self.need != 0 && self.need & !sold(has) == 0
    }
}

/// Whether a routine's beginning surely leads to one of some blocks.
pub(super) fn leads(walked: &Walked, is_goal: impl Fn(usize) -> bool, rules: Rules<'_>) -> bool {
    let blocks = &walked.blocks;
    let mut wins: Vec<bool> = (0..blocks.len())
        .map(|number| {
            blocks[number].is_reached && is_goal(number) && !rules.is_closed(blocks[number].has)
        })
        .collect();
    loop {
        let mut changed = false;
        for number in (0..blocks.len()).rev() {
            let block = &blocks[number];
            if wins[number] || !block.is_reached || rules.is_closed(block.has) {
                continue;
            }
            let is_way = |way: &super::walk::Way| {
                wins[way.to]
                    && !rules.is_closed(way.has)
                    && (rules.may_doubt || !way.doubt)
                    && way.over.is_none_or(|at| {
                        let mut calls = block.calls.iter().filter(|call| call.at == at);
                        calls.all(|call| rules.back.contains(&call.to))
                    })
            };
            let is_opaque =
                (block.ways.iter()).any(|way| way.opaque || way.vague && !rules.may_doubt);
            let is_won = match is_opaque {
                // A way of its own that is not understood at all is no proof.
                true => block.ways.len() > 1 && block.ways.iter().all(is_way),
                false => block.ways.iter().any(is_way),
            };
            if is_won {
                wins[number] = true;
                changed = true;
            }
        }
        if !changed {
            return wins.first().copied().unwrap_or(false);
        }
    }
}

/// Routines that surely come back.
pub(super) fn backs(whole: &Whole<'_>) -> HashSet<u64> {
    let mut back = HashSet::new();
    loop {
        let before = back.len();
        for (address, node) in &whole.nodes {
            let blocks = &node.walked.blocks;
            if back.contains(address) || node.walked.unclear.is_some() {
                continue;
            }
            let is_goal = |number: usize| {
                let block = &blocks[number];
                block.returns
                    || block.tail.is_some_and(|at| {
                        let mut calls = block.calls.iter().filter(|call| call.at == at);
                        calls.all(|call| back.contains(&call.to) && !call.opaque)
                    })
            };
            let rules = Rules {
                need: 0,
                back: &back,
                may_doubt: true,
            };
            if leads(&node.walked, is_goal, rules) {
                back.insert(*address);
            }
        }
        if back.len() == before {
            return back;
        }
    }
}
