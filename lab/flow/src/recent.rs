//! The graphs that were made last: a routine is read, and then what it tells is asked for, so
//! that both go by one graph.

use super::graph::Flow;
use std::cell::RefCell;

/// So many are kept.
const KEPT: usize = 8;
/// Of routines with more instructions none is.
const LARGE: usize = 4096;

/// Graphs by their routine.
#[derive(Default)]
pub struct Recent(RefCell<Vec<(u32, Flow)>>);

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
            if kept.len() >= KEPT {
                kept.remove(0);
            }
            kept.push((routine, flow.clone()));
        }
        Some(flow)
    }
}
