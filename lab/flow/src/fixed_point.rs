//! The blocks of a routine gone through, to the fixed point.

use super::entered::{Coming, Entered, Room};
use super::graph::Flow;
use super::order::Queue;
use super::program::Program;
use super::state::{State, Value};
use std::cell::RefCell;

thread_local! {
    /// Room for states, which all routines use.
    static ROOM: RefCell<Room<State>> = RefCell::default();
}

/// Calls `go` with a block and the state before it, which it makes that behind it, until no
/// state changes any more: the last time that a block is gone through it is with the state that
/// holds there. None if the fixed point is too far: what is known before it may be wrong.
pub fn fixed_point(
    flow: &Flow,
    program: &Program<'_>,
    mut go: impl FnMut(u32, &mut State),
) -> Option<()> {
    let count = flow.blocks.len();
    let mut entered: Entered<State> = Entered::of(count, ROOM.take());
    let mut queue = Queue::by_address(flow);
    let mut entry = State::entry(program.convention);
    if count > 0 {
        entered.enter(0, &mut Coming::New(entry.clone()), State::join);
        queue.insert(0);
    }
    // Blocks that only the unwinder or another routine enters: in C++ there are many.
    entry.values = [Value::Unknown; 16];
    let mut entry = Coming::New(entry);
    let reached = flow.reach(&[0], |_| false, &[]);
    for block in 1..count as u32 {
        if !reached.has(block) {
            entered.enter(block, &mut entry, State::join);
            queue.insert(block);
        }
    }
    let mut budget = count * 30 + 1000;
    while let Some(block) = queue.pop_first() {
        let Some(left) = budget.checked_sub(1) else {
            ROOM.set(entered.end(program.code_size()));
            return None;
        };
        budget = left;
        let Some(mut state) = entered.get(block).cloned() else {
            continue;
        };
        go(block, &mut state);
        let mut state = Coming::New(state);
        for &next in &flow.blocks[block as usize].next {
            if entered.enter(next, &mut state, State::join) {
                queue.insert(next);
            }
        }
    }
    ROOM.set(entered.end(program.code_size()));
    Some(())
}
