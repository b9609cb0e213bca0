//! The processor to measure on, and what is known of its core.

use super::{Neighbours, quietest, survey};
use crate::pin;
use std::sync::OnceLock;
use std::time::Duration;

/// Time for looking at the processors before one is chosen: longer than neighbours usually
/// hold on for.
const SURVEY: Duration = Duration::from_millis(400);

/// Where runs are measured.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// The processor that runs are pinned to; `None` when there is no choice.
    pub processor: Option<u32>,
    /// What is known of the core; `None` when runs may be anywhere, so that a probe of
    /// karat's own processor says nothing of theirs.
    pub neighbours: Option<Neighbours>,
}

impl Host {
    /// Looks at the processors and takes the quietest, once in a process; with `pin` off,
    /// none.
    pub fn choose(pin: bool) -> Self {
        static CHOSEN: OnceLock<Host> = OnceLock::new();
        let allowed = pin::allowed();
        if !pin && allowed.len() > 1 {
            return Self::default();
        }
        CHOSEN
            .get_or_init(|| {
                let surveys = survey(&allowed, SURVEY);
                let mut known = Neighbours::default();
                for (_, width) in surveys.iter().flat_map(|s| &s.looks) {
                    known.remember(*width);
                }
                Self {
                    processor: quietest(&surveys).filter(|_| allowed.len() > 1),
                    neighbours: Some(known),
                }
            })
            .clone()
    }
}
