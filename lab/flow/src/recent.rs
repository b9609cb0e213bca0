//! The graphs that were asked for last: a routine is read, and then what it tells is asked for, so
//! that both go by one graph. What is asked for often is kept longest.

use super::graph::Flow;
use std::cell::RefCell;
use std::collections::VecDeque;

/// So many are kept, of so many bytes together.
const KEPT: usize = 64;
const BYTES: usize = 3 << 19;
/// What is among so many of the last stays where it is.
const NEAR: usize = 16;
/// Larger ones are not.
const LARGE: usize = 180_000;

/// Graphs by their routine.
#[derive(Default)]
pub struct Recent(RefCell<VecDeque<(u32, Flow)>>);

impl Recent {
    /// The graph of a routine, if it is kept; it is then the last that goes.
    fn find(&self, routine: u32) -> Option<Flow> {
        let mut kept = self.0.borrow_mut();
        let at = kept.iter().rposition(|(of, _)| *of == routine)?;
        if at + NEAR < kept.len()
            && let Some(found) = kept.remove(at)
        {
            kept.push_back(found);
            return kept.back().map(|(_, flow)| flow.clone());
        }
        Some(kept[at].1.clone())
    }

    /// The graph of a routine, made if it is not kept.
    pub fn get(&self, routine: u32, make: impl FnOnce() -> Option<Flow>) -> Option<Flow> {
        if let Some(flow) = self.find(routine) {
            return Some(flow);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use std::rc::Rc;

    #[test]
    fn what_is_asked_for_again_goes_last() {
        let recent = Recent::default();
        let make = || {
            let blocks = Rc::default();
            let code = Code::Gone;
            Some(Flow { blocks, code })
        };
        for routine in 0..KEPT as u32 {
            recent.get(routine, make);
        }
        assert!(recent.find(0).is_some());
        for routine in 0..KEPT as u32 - 1 {
            recent.get(1000 + routine, make);
        }
        assert!(recent.find(0).is_some() && recent.find(1).is_none());
        assert!(recent.find(KEPT as u32 - 1).is_none());
    }
}
