//! What the nodes of the search lead to.

use super::reach::{Doubt, Found, Node, Soft};
use karat_flow::facts::Facts;
use karat_flow::program::Entry;
use karat_model::leaks::Certainty;
use std::collections::{HashMap, VecDeque};

/// The node where a way ends, and the soft step before it that says most.
pub(crate) type End = (usize, Option<(u64, Soft)>);

/// The ways between nodes, downwards: in one list, by the node above.
struct Down<'n> {
    nodes: &'n [Node],
    /// By node: where its ways begin in the list; and where the last end.
    starts: Vec<u32>,
    /// (node below, number of the way there).
    ways: Vec<(u32, u32)>,
}

impl<'n> Down<'n> {
    fn of(nodes: &'n [Node]) -> Self {
        let mut starts = vec![0u32; nodes.len() + 1];
        for (up, ..) in nodes.iter().flat_map(|node| &node.up) {
            starts[up + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut ways = vec![(0, 0); sum as usize];
        for (number, node) in (0..).zip(nodes) {
            for (way, (up, ..)) in (0..).zip(&node.up) {
                ways[next[*up] as usize] = (number, way);
                next[*up] += 1;
            }
        }
        Self {
            nodes,
            starts,
            ways,
        }
    }

    /// The nodes below one, the places there, and what makes the ways soft.
    fn from(&self, number: usize) -> impl Iterator<Item = (usize, u64, Option<Soft>)> + '_ {
        let range = self.starts[number] as usize..self.starts[number + 1] as usize;
        self.ways[range].iter().map(|&(below, way)| {
            let (_, at, soft) = self.nodes[below as usize].up[way as usize];
            (below as usize, at, soft)
        })
    }

    /// By node: whether a way leads there from one of some.
    fn below(&self, roots: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut out = vec![false; self.nodes.len()];
        let mut list: Vec<usize> = roots.collect();
        list.iter().for_each(|root| out[*root] = true);
        while let Some(number) = list.pop() {
            for (next, _, soft) in self.from(number) {
                if Soft::is_way(soft) && !std::mem::replace(&mut out[next], true) {
                    list.push(next);
                }
            }
        }
        out
    }
}

/// Why it is for the callers of an exported function to ask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Duty {
    None,
    /// It is above the baseline itself, or goes by what it is given.
    Own,
    /// Its name says what the CPU has.
    Named,
}

/// What the nodes lead to, all taken together.
pub(crate) struct Verdicts {
    /// By node: the next node and place on an unguarded way from an entry.
    pub leak: Vec<Option<(usize, u64)>>,
    /// Whether that way proves less: it goes through a pointer, or into a function that is
    /// exported for callers who ask.
    pub doubtful: Vec<bool>,
    /// Reached from an exported function that is above the baseline itself.
    pub exported: Vec<bool>,
    /// Reached from one whose name says that the CPU has what is needed.
    pub named: Vec<bool>,
    /// A gate that does not imply enough, on the way of `leak` or `unknown`.
    pub short: Vec<Option<Found>>,
    /// The node whose doubt makes the state unknown, and what is soft before it.
    pub unknown: Vec<Option<End>>,
    /// The node with the least certain of all gates on the ways to it.
    worst: Vec<Option<u32>>,
}

/// By node: where the least certain of all gates on the ways to it is.
fn worst(down: &Down<'_>) -> Vec<Option<u32>> {
    let mut out: Vec<Option<u32>> = vec![None; down.nodes.len()];
    for sure in [Certainty::Low, Certainty::Medium, Certainty::High] {
        for number in 0..down.nodes.len() {
            let mut gates = down.nodes[number].gates.iter();
            if out[number].is_some() || !gates.any(|gate| gate.confidence == sure) {
                continue;
            }
            out[number] = Some(number as u32);
            let mut list = vec![number];
            while let Some(above) = list.pop() {
                for (below, ..) in down.from(above) {
                    if out[below].is_none() {
                        out[below] = out[above];
                        list.push(below);
                    }
                }
            }
        }
    }
    out
}

impl Verdicts {
    /// `above` has the addresses from which a routine's own instructions above the baseline
    /// are reached, `is_named` whether an exported function's name says that what it needs is there.
    pub fn of(
        nodes: &[Node],
        above: &HashMap<u64, Facts>,
        is_named: &dyn Fn(&Node) -> bool,
    ) -> Self {
        let down = Down::of(nodes);
        let mut leak: Vec<Option<(usize, u64)>> = vec![None; nodes.len()];
        let mut short: Vec<Option<Found>> = vec![None; nodes.len()];
        let mut doubtful = vec![false; nodes.len()];
        let mut unknown: Vec<Option<End>> = vec![None; nodes.len()];
        // What goes by a flag that it is given is its callers' to call.
        let duty = |node: &Node| {
            let is_own = above.contains_key(&node.address) || !node.arguments.is_none();
            match node.entry == Some(Entry::Exported) {
                true if is_own => Duty::Own,
                true if is_named(node) => Duty::Named,
                _ => Duty::None,
            }
        };
        let duties: Vec<Duty> = nodes.iter().map(duty).collect();
        let is_duty = |number: usize| duties[number] != Duty::None;
        for root in (0..nodes.len()).filter(|n| nodes[*n].entry.is_some() && !is_duty(*n)) {
            leak[root] = Some((root, 0));
        }
        // Ways that prove all come first, then those that prove less.
        for is_doubtful in [false, true] {
            let found = (0..nodes.len()).filter(|n| leak[*n].is_some());
            let mut queue: VecDeque<usize> = found.collect();
            while let Some(number) = queue.pop_front() {
                for (next, at, soft) in down.from(number) {
                    let proves_less = soft.is_some() || is_duty(next);
                    if Soft::is_way(soft) && (is_doubtful || !proves_less) && leak[next].is_none() {
                        leak[next] = Some((number, at));
                        doubtful[next] = doubtful[number] || proves_less;
                        short[next] = nodes[next].short_of(number).or(short[number]);
                        queue.push_back(next);
                    }
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
                for (next, at, soft) in down.from(number) {
                    if unknown[next].is_none() {
                        if leak[next].is_none() {
                            short[next] = nodes[next].short_of(number).or(short[number]);
                        }
                        // The soft step nearest to the function says most.
                        unknown[next] = Some((end, soft.map(|soft| (at, soft)).or(before)));
                        queue.push_back(next);
                    }
                }
            }
        }
        let below = |duty| {
            let roots = (0..nodes.len()).filter(|number| duties[*number] == duty);
            down.below(roots)
        };
        Self {
            leak,
            doubtful,
            exported: below(Duty::Own),
            named: below(Duty::Named),
            short,
            unknown,
            worst: worst(&down),
        }
    }

    /// The least certain of all gates on the ways to a node.
    pub fn worst<'n>(&self, nodes: &'n [Node], number: usize) -> Option<&'n Found> {
        let gates = nodes[self.worst[number]? as usize].gates.iter();
        gates.min_by_key(|gate| gate.confidence)
    }
}
