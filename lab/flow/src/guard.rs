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
    /// The entry does not lead there by jumps that are understood: exception
    /// handlers, or code of another entry.
    Unreached,
}

/// Where the edges of one gate lead.
struct Edges {
    gate: Gate,
    /// (first block, blocks up to this gate, blocks up to any gate, whether the
    /// routine can be left without coming back).
    sides: Vec<(u32, Bits, Bits, bool)>,
}

/// The gates of a routine with where they lead.
pub struct Guards {
    edges: Vec<Edges>,
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
        let edges = gates
            .iter()
            .map(|gate| {
                let sides = flow.blocks[gate.block as usize].next.iter().map(|&next| {
                    let own = flow.reach(&[next], |block| block == gate.block, &[]);
                    let any = flow.reach(&[next], |b| b == gate.block || is_gate.has(b), &[]);
                    let out = (0..flow.blocks.len() as u32)
                        .any(|b| b != gate.block && own.has(b) && flow.blocks[b as usize].leaves);
                    (next, own, any, out)
                });
                Edges {
                    gate: *gate,
                    sides: sides.collect(),
                }
            })
            .collect();
        Self { edges, is_whole }
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

    /// How a block stands, from a block where the routine is entered.
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
        if !self.reached(entry, block) {
            return Guarding::Unreached;
        }
        for strong in [true, false] {
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

impl Edges {
    /// The first blocks of the edges that decide `block`.
    fn deciding(&self, block: u32) -> impl Iterator<Item = u32> + '_ {
        self.sides
            .iter()
            .filter_map(move |(next, own, any, leaves)| {
                let others = || self.sides.iter().filter(|(other, ..)| other != next);
                // A branch that leaves the routine on its other side has one side here.
                let decides = |get: fn(&(u32, Bits, Bits, bool)) -> &Bits, mine: &Bits| {
                    mine.has(block) && !others().any(|other| get(other).has(block))
                };
                let is_loop_exit = || *leaves && others().any(|(_, _, _, out)| !out);
                let is_one = decides(|side| &side.1, own) || decides(|side| &side.2, any);
                (is_one && !is_loop_exit()).then_some(*next)
            })
    }
}

impl Reading {
    /// Blocks that one side of a certain gate leads to and another does not.
    pub fn decided(&self) -> Bits {
        let mut out = Bits::new(self.flow.blocks.len());
        let guards = Guards::new(&self.flow, &self.gates);
        for edges in guards.edges.iter().filter(|edges| edges.gate.is_strong()) {
            for block in 0..self.flow.blocks.len() as u32 {
                if edges.deciding(block).next().is_some() {
                    out.insert(block);
                }
            }
        }
        out
    }
}
