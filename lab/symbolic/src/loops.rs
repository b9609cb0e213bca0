//! Branches that end loops (Aho, Lam, Sethi and Ullman, *Compilers*, 2nd edition, 9.6; dominators
//! by Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm*, 2001).

use super::machine::Machine;
use karat_flow::graph::{Bits, Flow};
use karat_flow::order::Order;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where blocks whose branches end loops begin and end, in order.
pub(crate) type Ends = Rc<[(u64, u64)]>;

impl Machine<'_> {
    /// Whether one side of a branch leaves a loop that the other stays in: a program that goes on
    /// goes both, one time or another.
    pub fn ends_loop(&mut self, at: u64) -> bool {
        let program = self.image.program;
        let Some(routine) = program.routine_at(at) else {
            return false;
        };
        let sweep = self.sweep;
        let ends = self.ends.entry(routine).or_insert_with(|| {
            let flow = Flow::of(program, sweep, routine);
            let flow = flow.filter(|flow| flow.blocks.len() <= BLOCKS);
            flow.map_or_else(|| [].into(), |flow| ends(&flow))
        });
        let next = ends.partition_point(|(_, end)| *end <= at);
        ends.get(next).is_some_and(|(start, _)| *start <= at)
    }
}

/// Routines with more blocks are not looked into: none of their branches is known to end a loop.
const BLOCKS: usize = 10_000;

/// What nothing leads to is led to by it, so that all blocks have one beginning.
const ROOT: usize = 0;

/// Blocks by the order in which they are come to, from 1 on.
struct Ranked {
    next: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
    /// The numbers of the blocks.
    blocks: Vec<usize>,
}

impl Ranked {
    fn of(flow: &Flow) -> Self {
        let order = Order::of(flow);
        let count = flow.blocks.len() + 1;
        let rank = |block: usize| order.rank(block) as usize + 1;
        let mut out = Self {
            next: vec![Vec::new(); count],
            before: vec![Vec::new(); count],
            blocks: vec![0; count],
        };
        for (number, block) in flow.blocks.iter().enumerate() {
            let from = rank(number);
            out.blocks[from] = number;
            for next in &block.next {
                let to = rank(*next as usize);
                out.next[from].push(to);
                out.before[to].push(from);
            }
        }
        for at in 1..count {
            if out.before[at].iter().all(|from| *from >= at) {
                out.before[at].push(ROOT);
            }
        }
        out
    }

    /// By block: the last one that each way there goes through.
    fn dominators(&self) -> Vec<usize> {
        let mut known: Vec<Option<usize>> = vec![None; self.next.len()];
        known[ROOT] = Some(ROOT);
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for at in 1..known.len() {
                let mut found = None;
                for &from in &self.before[at] {
                    if known[from].is_some() {
                        found = Some(found.map_or(from, |one| common(&known, one, from)));
                    }
                }
                is_changed |= found != known[at];
                known[at] = found;
            }
        }
        known.into_iter().map(|one| one.unwrap_or(ROOT)).collect()
    }
}

/// The last block that all ways to both go through.
fn common(known: &[Option<usize>], mut one: usize, mut other: usize) -> usize {
    while one != other {
        let later = if one > other { &mut one } else { &mut other };
        *later = known[*later].unwrap_or(ROOT);
    }
    one
}

fn ends(flow: &Flow) -> Ends {
    let ranked = Ranked::of(flow);
    let blocks = leaving(&ranked).into_iter();
    let blocks = blocks.map(|at| &flow.blocks[ranked.blocks[at]]);
    let mut out: Vec<(u64, u64)> = blocks.map(|block| (block.start, block.end())).collect();
    out.sort_unstable();
    out.into()
}

/// Blocks one of whose two sides leaves a loop that the other stays in.
fn leaving(ranked: &Ranked) -> Vec<usize> {
    let dominators = ranked.dominators();
    let dominates = |head: usize, mut at: usize| {
        while at > head {
            at = dominators[at];
        }
        at == head
    };
    // By where loops begin: what is in them.
    let mut loops: BTreeMap<usize, Bits> = BTreeMap::new();
    for at in 1..ranked.next.len() {
        for &head in ranked.next[at].iter().filter(|head| dominates(**head, at)) {
            let all = loops.entry(head).or_insert_with(|| {
                let mut all = Bits::new(ranked.next.len());
                all.insert(head as u32);
                all
            });
            let mut open = vec![at];
            while let Some(one) = open.pop() {
                if all.insert(one as u32) {
                    open.extend(&ranked.before[one]);
                }
            }
        }
    }
    let is_end = |at: &usize| {
        let sides = &ranked.next[*at];
        let stay = |all: &Bits| sides.iter().filter(|to| all.has(**to as u32)).count();
        let mut around = loops.values().filter(|all| all.has(*at as u32));
        sides.len() == 2 && around.any(|all| stay(all) == 1)
    };
    (1..ranked.next.len()).filter(is_end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks that follow each, the first of which is number 1.
    fn found(next: &[&[usize]]) -> Vec<usize> {
        let next: Vec<Vec<usize>> = next.iter().map(|to| to.to_vec()).collect();
        let next = [vec![vec![]], next].concat();
        let mut before = vec![vec![]; next.len()];
        for (from, all) in next.iter().enumerate() {
            all.iter().for_each(|to: &usize| before[*to].push(from));
        }
        before[1].push(ROOT);
        let blocks = (0..next.len()).collect();
        leaving(&Ranked {
            next,
            before,
            blocks,
        })
    }

    #[test]
    fn a_branch_that_leaves_a_loop_ends_it() {
        // Asked first, asked last, and a block that is its own loop.
        assert_eq!(found(&[&[2], &[3, 4], &[2], &[]]), [2]);
        assert_eq!(found(&[&[2], &[3], &[2, 4], &[]]), [3]);
        assert_eq!(found(&[&[2], &[2, 3], &[]]), [2]);
        // Both ends of loops in one another.
        assert_eq!(found(&[&[2], &[3, 6], &[4, 5], &[3], &[2], &[]]), [2, 3]);
    }

    #[test]
    fn other_branches_end_none() {
        // No loop; two ways in a loop; one of them goes back at once.
        assert_eq!(found(&[&[2, 3], &[4], &[4], &[]]), []);
        let ways: [&[usize]; 7] = [&[2], &[3, 7], &[4, 5], &[6], &[6], &[2], &[]];
        assert_eq!(found(&ways), [2]);
        assert_eq!(found(&[&[2], &[3, 5], &[2, 4], &[2], &[]]), [2]);
        // What is entered at two places has no beginning.
        assert_eq!(found(&[&[2, 3], &[3, 4], &[2], &[]]), []);
    }
}
