//! Branches that end loops (Aho, Lam, Sethi and Ullman, *Compilers*, 2nd edition, 9.6).

use crate::machine::Machine;
use karat_flow::graph::Flow;

/// Blocks of a routine whose loops are looked for, at most.
const BLOCKS: usize = 1000;

impl Machine<'_> {
    /// Whether one side of a branch leaves a loop that the other stays in: a program that goes on
    /// goes both, one time or another.
    pub fn ends_loop(&mut self, at: u64) -> bool {
        if let Some(known) = self.ends.get(&at) {
            return *known;
        }
        let program = self.image.program;
        let routine = program.routine_at(at);
        let flow = routine.and_then(|routine| Flow::of(program, self.sweep, routine));
        let ends = flow.is_some_and(|flow| ends(&flow, at));
        self.ends.insert(at, ends);
        ends
    }
}

fn ends(flow: &Flow, at: u64) -> bool {
    let Some(block) = flow.block_at(at).filter(|_| flow.blocks.len() <= BLOCKS) else {
        return false;
    };
    let sides: Vec<u32> = flow.blocks[block as usize].next.iter().copied().collect();
    // Blocks that each way from the beginning to another goes through, but for that one.
    let dominators = |of: u32, among: &[u32]| -> Vec<u32> {
        let is_between = |one: &u32| *one != of && !flow.reach(&[0], |it| it == *one, &[]).has(of);
        among.iter().copied().filter(is_between).collect()
    };
    let all: Vec<u32> = (0..flow.blocks.len() as u32).collect();
    let mut heads = dominators(block, &all);
    heads.push(block);
    // The loop of a head is what comes back to it without what leads to it.
    heads.iter().any(|head| {
        let before = dominators(*head, &heads);
        let comes_back = |side: &&u32| {
            let is_before = |it: u32| before.contains(&it);
            *side == head || !is_before(**side) && flow.reach(&[**side], is_before, &[]).has(*head)
        };
        sides.len() == 2 && sides.iter().filter(comes_back).count() == 1
    })
}
