//! The blocks of a routine gone through, to the fixed point.

use super::convention::Convention;
use super::graph::Flow;
use super::order::Queue;
use super::state::{State, Value};

/// Calls `go` with a block and the state before it, which it makes that behind it, until no
/// state changes any more: the last time that a block is gone through it is with the state that
/// holds there. None if the fixed point is too far: what is known before it may be wrong.
pub fn fixed_point(
    flow: &Flow,
    convention: &Convention,
    mut go: impl FnMut(u32, &mut State),
) -> Option<()> {
    let count = flow.blocks.len();
    let mut states: Vec<Option<State>> = vec![None; count];
    let mut queue = Queue::by_address(flow);
    let mut entry = State::entry(convention);
    if count > 0 {
        states[0] = Some(entry.clone());
        queue.insert(0);
    }
    // Blocks that only the unwinder or another routine enters: in C++ there are many.
    entry.values = [Value::Unknown; 16];
    let reached = flow.reach(&[0], |_| false, &[]);
    for block in 1..count as u32 {
        if !reached.has(block) {
            states[block as usize] = Some(entry.clone());
            queue.insert(block);
        }
    }
    let mut budget = count * 30 + 1000;
    while let Some(block) = queue.pop_first() {
        budget = budget.checked_sub(1)?;
        let Some(mut state) = states[block as usize].clone() else {
            continue;
        };
        go(block, &mut state);
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
    Some(())
}
