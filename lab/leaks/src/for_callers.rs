//! Functions that only exported ones lead to which need as much themselves: whoever calls these has
//! asked, whatever they do then.

use super::reach::{Doubt, Node, Own};
use super::writer::Writer;
use karat_flow::facts::Facts;
use karat_flow::names::{is_for_extension, said_by_name};
use karat_flow::program::{Entry, Program};
use std::collections::HashMap;

/// By node: whether something else leads there, or may; and whether such a function does.
pub(super) struct ForCallers {
    others: Vec<bool>,
    theirs: Vec<bool>,
}

impl Writer<'_> {
    /// Whether the way to a node begins at a function that a library exports for callers who
    /// asked, as far as its name or its neighbours tell: it names an extension, or others
    /// that are exported are above the baseline themselves.
    pub(super) fn is_for_callers(&self, node: usize) -> bool {
        if !self.program.is_library || !self.is_exported(node) {
            return false;
        }
        let begin = self.begin(node);
        let routine = &self.program.routines[self.search.nodes[begin].routine as usize];
        let is_tagged = routine.names.iter().any(|name| is_for_extension(name));
        is_tagged
            || *self.exports_above.get_or_init(|| {
                self.verdicts.named.contains(&true)
                    || self.program.entries.iter().any(|(at, entry)| {
                        let routine = self.program.routine_at(*at);
                        entry.is_exported()
                            && routine.is_some_and(|n| self.sweep.facts[n as usize].above() > 0)
                    })
            })
    }

    /// Whether all ways to a function's own instructions begin at exported functions of a library
    /// that need as much. A pointer that is taken there is called behind what they need, as is
    /// what they call behind a branch that is not understood.
    pub(super) fn is_for_callers_alone(&self, own: &Own) -> bool {
        if !self.program.is_library {
            return false;
        }
        let all = self.for_callers.get_or_init(|| self.find_for_callers());
        own.nodes().any(|node| all.theirs[node]) && own.nodes().all(|node| !all.others[node])
    }

    /// Whether a library exports a function and nothing in it refers to it: only others call it.
    /// Rust exports so what its own crates might call.
    pub(super) fn is_for_others_alone(&self, own: &Own) -> bool {
        let nodes = &self.search.nodes;
        let is_one = |node: usize| {
            let node = &nodes[node];
            node.doubt == Some(Doubt::Exported) && node.up.is_empty() && node.gates.is_empty()
        };
        self.program.is_library && own.soft.is_empty() && own.nodes().all(is_one)
    }

    fn find_for_callers(&self) -> ForCallers {
        let nodes = &self.search.nodes;
        let is_less = |number: usize| {
            let node = &nodes[number];
            let needed = self.needs.get(&node.address);
            needed.is_some_and(|all| node.need.without(*all).is_none())
                || is_named(self.program, node)
        };
        let is_theirs = |number: usize| {
            let node = &nodes[number];
            let entry = self.program.entries.get(&node.address);
            entry == Some(&Entry::Exported)
                && self.search.is_for_others(node.address, node.routine)
                && is_less(number)
                && self.verdicts.leak[number].is_none()
        };
        let ends: Vec<bool> = (0..nodes.len()).map(is_theirs).collect();
        // What leads to a function that is judged itself need not be followed for those that it
        // leads to, where it needs as much.
        let mut down: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        let mut is_judged = vec![false; nodes.len()];
        for (number, node) in (0..).zip(nodes) {
            node.up.iter().for_each(|(up, ..)| down[*up].push(number));
            let own = self.origins.get(&node.address);
            let own = own.filter(|_| is_less(number as usize));
            for origin in own.into_iter().flatten() {
                if *origin != number {
                    down[*origin as usize].push(number);
                    is_judged[number as usize] = true;
                }
            }
        }
        let is_other = |number: &usize| {
            let (node, number) = (&nodes[*number], *number);
            let is_open = node.doubt.is_some_and(Doubt::is_open) || node.entry.is_some();
            let is_blank = node.up.is_empty() && node.gates.is_empty() && node.doubt.is_none();
            let is_cut = is_blank || self.search.is_resting(number);
            !ends[number] && (is_open || is_cut && !is_judged[number])
        };
        let others = (0..nodes.len()).filter(is_other).collect();
        let theirs = (0..nodes.len()).filter(|number| ends[*number]).collect();
        ForCallers {
            others: below(&down, others, &ends),
            theirs: below(&down, theirs, &[]),
        }
    }
}

/// By node: whether a way, of whatever kind, leads there from one of `list`, past none of `ends`.
fn below(down: &[Vec<u32>], mut list: Vec<usize>, ends: &[bool]) -> Vec<bool> {
    let mut out = vec![false; down.len()];
    list.iter().for_each(|one| out[*one] = true);
    while let Some(above) = list.pop() {
        for &below in &down[above] {
            let below = below as usize;
            let is_end = ends.get(below) == Some(&true);
            if !is_end && !std::mem::replace(&mut out[below], true) {
                list.push(below);
            }
        }
    }
    out
}

/// By address where a function is entered: the nodes by which it is judged.
pub(super) fn origins(nodes: &[Node], found: &[(u32, Own)]) -> HashMap<u64, Vec<u32>> {
    let mut out: HashMap<u64, Vec<u32>> = HashMap::new();
    for node in found.iter().flat_map(|(_, own)| own.nodes()) {
        let known = out.entry(nodes[node].address).or_default();
        if !known.contains(&(node as u32)) {
            known.push(node as u32);
        }
    }
    out
}

/// By address where a function is entered: what its own instructions that are reached from there
/// need. It has a node for each need that its callers leave open.
pub(super) fn needs<'f>(
    nodes: &[Node],
    found: impl Iterator<Item = &'f (u32, Own)>,
) -> HashMap<u64, Facts> {
    let mut out = HashMap::new();
    for (node, ..) in found.flat_map(|(_, own)| &own.open) {
        let node = &nodes[*node];
        let known = out.entry(node.address).or_insert(Facts::NONE);
        *known |= node.need;
    }
    out
}

/// Whether the name of a library's function says that the CPU has all that is needed where it is
/// entered.
pub(super) fn is_named(program: &Program<'_>, node: &Node) -> bool {
    let says = |name: &&str| {
        let said = Facts::of(said_by_name(name).iter().copied());
        node.need.without(said.together()).is_none()
    };
    let mut names = program.routines[node.routine as usize].names.iter();
    program.is_library && names.any(says)
}
