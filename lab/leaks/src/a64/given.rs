//! What a routine is handed behind its arguments: frames of those who call it.

use super::features::Set;
use super::value::{OPAQUE, Val};
use std::collections::{BTreeMap, BTreeSet};

/// The own frame, what the arguments in x0 to x8 are addresses of, and an object on the heap.
pub(super) const REGIONS: usize = 11;
/// The last object that the routine allocated.
pub(super) const HEAP: u8 = 10;

/// A place in a frame: whose it is, and how far from its beginning.
pub(super) type Place = (u8, i64);

/// What is behind the arguments that are addresses of callers' frames.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub slots: BTreeMap<Place, (u32, Val)>,
    /// From there up others may write.
    pub shared: [i64; REGIONS],
    /// What the routine may have written there.
    pub written: BTreeSet<Place>,
}

impl Default for Given {
    fn default() -> Self {
        Self {
            slots: BTreeMap::new(),
            shared: [i64::MAX; REGIONS],
            written: BTreeSet::new(),
        }
    }
}

impl Given {
    /// Where a routine comes back in more than one place.
    pub fn join(&mut self, other: &Self, mine: Set, theirs: Set) {
        for (at, (size, value)) in &mut self.slots {
            *value = match other.slots.get(at) {
                Some((known, value_there)) if known == size => value
                    .under(mine, false)
                    .join(&value_there.under(theirs, false)),
                _ => OPAQUE,
            };
        }
        for (at, (size, _)) in &other.slots {
            self.slots.entry(*at).or_insert((*size, OPAQUE));
        }
        for (mine, theirs) in self.shared.iter_mut().zip(&other.shared) {
            *mine = (*mine).min(*theirs);
        }
        self.written.extend(&other.written);
    }
}
