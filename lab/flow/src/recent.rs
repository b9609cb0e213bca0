//! The graphs that were made last: a routine is read, and then what it tells is asked for, so
//! that both go by one graph.

use super::graph::Flow;
use std::cell::RefCell;
use std::collections::VecDeque;

/// So many are kept, of so many instructions together.
const KEPT: usize = 64;
const INSTRUCTIONS: usize = 32_000;
/// Of routines with more instructions none is.
const LARGE: usize = 4096;

/// Graphs by their routine.
#[derive(Default)]
pub struct Recent(RefCell<VecDeque<(u32, Flow)>>);

impl Recent {
    /// The graph of a routine, made if it is not kept.
    pub fn get(&self, routine: u32, make: impl FnOnce() -> Option<Flow>) -> Option<Flow> {
        let kept = self.0.borrow();
        if let Some((_, flow)) = kept.iter().find(|(of, _)| *of == routine) {
            return Some(flow.clone());
        }
        drop(kept);
        let flow = make()?;
        if flow.instructions.len() <= LARGE {
            let mut kept = self.0.borrow_mut();
            let mut all: usize = kept.iter().map(|(_, flow)| flow.instructions.len()).sum();
            all += flow.instructions.len();
            while kept.len() >= KEPT || all > INSTRUCTIONS {
                let Some((_, first)) = kept.pop_front() else {
                    break;
                };
                all -= first.instructions.len();
            }
            kept.push_back((routine, flow.clone()));
        }
        Some(flow)
    }
}
