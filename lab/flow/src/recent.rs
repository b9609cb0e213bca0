//! The graphs that were made last: a routine is read, and then what it tells is asked for, so
//! that both go by one graph.

use super::graph::Flow;
use std::cell::RefCell;
use std::collections::VecDeque;

/// So many are kept, of so many bytes together.
const KEPT: usize = 64;
const BYTES: usize = 3 << 19;
/// Larger ones are not.
const LARGE: usize = 180_000;

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
        if flow.size() <= LARGE {
            let mut kept = self.0.borrow_mut();
            let mut all: usize = kept.iter().map(|(_, flow)| flow.size()).sum();
            all += flow.size();
            while kept.len() >= KEPT || all > BYTES {
                let Some((_, first)) = kept.pop_front() else {
                    break;
                };
                all -= first.size();
            }
            kept.push_back((routine, flow.clone()));
        }
        Some(flow)
    }
}
