//! Which branch decides whether a place is reached.
//!
//! An edge of a gate *decides* a place when the place can be reached over it and
//! not over the gate's other edges; all deciding edges together *guard* it when
//! the entry no longer leads there without them. Edges are compared twice, up to
//! the same gate and up to any gate, since compilers copy gates. The way out of a
//! loop decides nothing: the other edge comes back to the loop's test.

use super::graph::{Bits, Flow};
use super::reading::Reading;
use super::state::Source;

/// Gates of a routine that are compared with each place, at least.
const LEAST: usize = 64;
/// Gates times blocks up to which all are: the work grows with that.
const WORK: usize = 1_000_000;

/// A branch on an answer, or on what may be one.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// The block that ends with it.
    pub block: u32,
    /// Its address.
    pub at: u64,
    /// Where the answer came from.
    pub source: Source,
}

impl Gate {
    /// Whether the answer is the CPU's for certain.
    pub fn is_strong(&self) -> bool {
        self.source != Source::Flag
    }
}

/// How a place stands to the gates of its routine.
#[derive(Clone, Copy, Debug)]
pub enum Guarding {
    /// The entry leads there without a gate.
    Open,
    /// This gate decides, alone or as the last of several.
    Guarded(Gate),
    /// Only what may be a flag decides.
    Perhaps(Gate),
    /// No gate decides of those that were compared, and there are more.
    Unclear,
}

/// What the edges of one gate decide.
struct Edges {
    gate: Gate,
    /// By first block: the blocks that the edge decides, if it decides any.
    sides: Vec<(u32, Bits)>,
}

/// The gates of a routine with what they decide.
pub struct Guards {
    edges: Vec<Edges>,
    /// The blocks that any of them decides: most blocks are not.
    decided: Bits,
    /// Whether that is all of them.
    is_whole: bool,
}

impl Guards {
    fn new(flow: &Flow, all: &[Gate]) -> Self {
        let mut is_gate = Bits::new(flow.blocks.len());
        let strong = all.iter().filter(|gate| gate.is_strong());
        let weak = all.iter().filter(|gate| !gate.is_strong());
        let most = LEAST.max(WORK / flow.blocks.len().max(1));
        let gates: Vec<Gate> = strong.take(most).chain(weak.take(most)).copied().collect();
        let is_whole = gates.len() == all.len();
        for gate in &gates {
            if gate.is_strong() {
                is_gate.insert(gate.block);
            }
        }
        let mut leaves = Bits::new(flow.blocks.len());
        for (number, block) in (0..).zip(&*flow.blocks) {
            if block.leaves {
                leaves.insert(number);
            }
        }
        let edges: Vec<Edges> = gates
            .iter()
            .map(|gate| Edges::of(flow, *gate, &is_gate, &leaves))
            .collect();
        let mut decided = Bits::new(flow.blocks.len());
        let sides = edges.iter().flat_map(|edges| &edges.sides);
        sides.for_each(|(_, decides)| decided.add(decides));
        Self {
            edges,
            decided,
            is_whole,
        }
    }
}

impl Edges {
    /// Of the blocks that gates are in, and of those where the routine is left.
    fn of(flow: &Flow, gate: Gate, is_gate: &Bits, leaves: &Bits) -> Self {
        let next = &flow.blocks[gate.block as usize].next;
        let own = |next: &u32| flow.reach(&[*next], |block| block == gate.block, &[]);
        let any = |next: &u32| {
            let wall = |block| block == gate.block || is_gate.has(block);
            flow.reach(&[*next], wall, &[])
        };
        // Up to this gate, and up to any.
        let mut own: Vec<Bits> = next.iter().map(own).collect();
        let mut any: Vec<Bits> = next.iter().map(any).collect();
        // Whether the routine can be left without coming back.
        let mut out = Vec::with_capacity(own.len());
        for side in &mut own {
            let comes_back = side.has(gate.block);
            side.remove(gate.block);
            out.push(side.meets(leaves));
            if comes_back {
                side.insert(gate.block);
            }
        }
        keep_alone(&mut own);
        keep_alone(&mut any);
        let is_loop_exit = |side: usize| {
            let mut others = (0..out.len()).filter(|other| *other != side);
            out[side] && others.any(|other| !out[other])
        };
        let sides = next.iter().zip(own).zip(any).enumerate();
        let sides = sides.filter(|(side, _)| !is_loop_exit(*side));
        let sides = sides.map(|(_, ((next, mut own), any))| {
            own.add(&any);
            (*next, own)
        });
        let sides = sides.filter(|(_, decides)| decides.next(0).is_some());
        Self {
            gate,
            sides: sides.collect(),
        }
    }

    /// The first blocks of the edges that decide `block`.
    fn deciding(&self, block: u32) -> impl Iterator<Item = u32> + '_ {
        let sides = self.sides.iter();
        let sides = sides.filter(move |(_, decides)| decides.has(block));
        sides.map(|(next, _)| *next)
    }
}

/// Leaves in each set what no other has. A branch that leaves the routine on its other side has
/// one side.
fn keep_alone(sides: &mut [Bits]) {
    let Some((first, others)) = sides.split_first() else {
        return;
    };
    let (mut all, mut shared) = (first.clone(), first.clone());
    shared.clear();
    for side in others {
        let mut both = side.clone();
        both.keep(&all);
        shared.add(&both);
        all.add(side);
    }
    for side in sides {
        side.take(&shared);
    }
}

impl Reading {
    fn guards(&self) -> &Guards {
        self.guards
            .get_or_init(|| Guards::new(&self.flow, &self.gates))
    }

    /// Whether a block is reached from another, however.
    pub fn reached(&self, entry: u32, block: u32) -> bool {
        let mut known = self.reached.borrow_mut();
        match &*known {
            Some((from, reached)) if *from == entry => reached.has(block),
            _ => {
                let reached = self.flow.reach(&[entry], |_| false, &[]);
                let has = reached.has(block);
                *known = Some((entry, reached));
                has
            }
        }
    }

    /// How a block stands that is [reached](Self::reached) from one where the routine is entered.
    pub fn guarding(&self, entry: u32, block: u32) -> Guarding {
        // Many ways come to one block.
        if let Some(known) = self.guarding.borrow().get(&(entry, block)) {
            return *known;
        }
        let guarding = self.find_guarding(entry, block);
        self.guarding.borrow_mut().insert((entry, block), guarding);
        guarding
    }

    fn find_guarding(&self, entry: u32, block: u32) -> Guarding {
        let flow = &self.flow;
        let is_decided = self.guards().decided.has(block);
        for strong in [true, false].into_iter().filter(|_| is_decided) {
            let mut cut = Vec::new();
            let mut nearest: Option<Gate> = None;
            for edges in &self.guards().edges {
                if strong && !edges.gate.is_strong() {
                    continue;
                }
                for next in edges.deciding(block) {
                    cut.push((edges.gate.block, next));
                    let start = flow.blocks[block as usize].start;
                    let nearer = nearest
                        .is_none_or(|old| start.abs_diff(edges.gate.at) < start.abs_diff(old.at));
                    // Of a mixed set, show what may be a flag: it is the doubt.
                    if nearer || !strong && nearest.is_some_and(|old| old.is_strong()) {
                        nearest = Some(edges.gate);
                    }
                }
            }
            if let Some(gate) = nearest
                && !flow.reach(&[entry], |_| false, &cut).has(block)
            {
                return if strong {
                    Guarding::Guarded(gate)
                } else {
                    Guarding::Perhaps(gate)
                };
            }
        }
        match self.guards().is_whole {
            true => Guarding::Open,
            false => Guarding::Unclear,
        }
    }
}

impl Reading {
    /// The gates that decide a block, those on what may be a flag too.
    pub fn deciding(&self, block: u32) -> Vec<Gate> {
        let edges = self.guards().edges.iter();
        edges
            .filter(|edges| edges.deciding(block).next().is_some())
            .map(|edges| edges.gate)
            .collect()
    }
}

impl Reading {
    /// Blocks that one side of a certain gate leads to and another does not.
    pub fn decided(&self) -> Bits {
        let mut out = Bits::new(self.flow.blocks.len());
        let guards = Guards::new(&self.flow, &self.gates);
        for edges in guards.edges.iter().filter(|edges| edges.gate.is_strong()) {
            edges.sides.iter().for_each(|(_, decides)| out.add(decides));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, keep_alone};

    /// Of all ways to give three blocks to up to three sets.
    #[test]
    fn what_two_sets_have_none_keeps() {
        for count in 0..=3usize {
            for choice in 0..1u32 << (3 * count) {
                let has = |set: usize, block: u32| choice >> (set as u32 * 3 + block) & 1 == 1;
                let sets = (0..count).map(|set| {
                    let mut bits = Bits::new(70);
                    (0..3).filter(|block| has(set, *block)).for_each(|block| {
                        bits.insert(block * 32);
                    });
                    bits
                });
                let mut sets: Vec<Bits> = sets.collect();
                keep_alone(&mut sets);
                for (set, block) in (0..count).flat_map(|set| (0..3).map(move |it| (set, it))) {
                    let mut others = (0..count).filter(|other| *other != set);
                    let is_alone = has(set, block) && !others.any(|other| has(other, block));
                    assert_eq!(sets[set].has(block * 32), is_alone);
                }
            }
        }
    }
}
