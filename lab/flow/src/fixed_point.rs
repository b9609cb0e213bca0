//! The states before all blocks of a routine, to the fixed point.

use super::graph::{Bits, Flow};
use super::order::Queue;
use super::state::{State, Value};
use super::walk::Walk;

/// The state before each block; none for one that is not reached. `decided` are the blocks
/// that gates decide, `after` those behind gates. None at all if the fixed point is too far:
/// what is known before it may be wrong.
pub fn fixed_point(
    flow: &Flow,
    walk: &mut Walk<'_>,
    decided: Option<&Bits>,
    after: Option<&Bits>,
) -> Option<Vec<Option<State>>> {
    let convention = walk.known.program.convention;
    let count = flow.blocks.len();
    let mut states: Vec<Option<State>> = vec![None; count];
    let mut queue = Queue::by_address(flow);
    if count > 0 {
        states[0] = Some(State::entry(convention));
        queue.insert(0);
    }
    // Blocks that only the unwinder or another routine enters.
    let reached = flow.reach(&[0], |_| false, &[]);
    for block in 1..count as u32 {
        if !reached.has(block) {
            let mut state = State::entry(convention);
            state.values = [Value::Unknown; 16];
            states[block as usize] = Some(state);
            queue.insert(block);
        }
    }
    let mut budget = count * 30 + 1000;
    while let Some(block) = queue.pop_first() {
        budget = budget.checked_sub(1)?;
        let Some(mut state) = states[block as usize].clone() else {
            continue;
        };
        walk.decided = decided.is_some_and(|decided| decided.has(block));
        walk.is_after = after.is_some_and(|after| after.has(block));
        for instruction in flow.of_block(block) {
            walk.step(&mut state, instruction);
        }
        for &next in &flow.blocks[block as usize].next {
            let new = match &mut states[next as usize] {
                Some(known) => known.join(&state),
                slot => {
                    *slot = Some(state.clone());
                    true
                }
            };
            if new {
                queue.insert(next);
            }
        }
    }
    Some(states)
}
