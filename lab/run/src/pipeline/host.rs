//! The processor to measure on, and what is known of its core.

use crate::neighbours::{self, Neighbours};
use crate::pin;
use std::cell::RefCell;
use std::time::Duration;

/// Time for looking at the processors before one is chosen: longer than neighbours usually
/// hold on for.
const SURVEY: Duration = Duration::from_millis(400);

/// Where runs are measured.
pub(super) struct Host {
    /// The processor that runs are pinned to, if they are.
    pub(super) processor: Option<u32>,
    /// What is known of the core; `None` when runs may be anywhere, so that a probe of
    /// karat's own processor says nothing of theirs.
    pub(super) neighbours: Option<RefCell<Neighbours>>,
}

impl Host {
    /// Looks at the processors and takes the quietest; with `pin` off, none.
    pub(super) fn choose(pin: bool) -> Self {
        let allowed = pin::allowed();
        if !pin && allowed.len() > 1 {
            return Self {
                processor: None,
                neighbours: None,
            };
        }
        let surveys = neighbours::survey(&allowed, SURVEY);
        let mut known = Neighbours::default();
        for (_, width) in surveys.iter().flat_map(|s| &s.looks) {
            known.remember(*width);
        }
        Self {
            processor: neighbours::quietest(&surveys).filter(|_| allowed.len() > 1),
            neighbours: Some(RefCell::new(known)),
        }
    }
}
