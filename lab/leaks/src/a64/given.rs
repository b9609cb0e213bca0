//! What a routine is handed behind its arguments: frames of those who call it.

use super::features::Set;
use super::sorted::Sorted;
use super::value::{OPAQUE, Val};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The own frame, what the arguments in x0 to x8 are addresses of, and an object on the heap.
pub(super) const REGIONS: usize = 11;
/// The last object that the routine allocated.
pub(super) const HEAP: u8 = 10;

/// A place in a frame: whose it is, and how far from its beginning.
pub(super) type Place = (u8, i64);

/// Places in callers' frames that are noted as written, at most. A routine that calls itself with
/// another address each time would note more and more of them.
const WRITTEN: usize = 256;

/// Notes places in callers' frames as written; returns whether that is new. Where there are too
/// many, all of the frame may have been.
pub(super) fn note_written<'p>(
    written: &mut Rc<BTreeSet<Place>>,
    shared: &mut [i64; REGIONS],
    places: impl IntoIterator<Item = &'p Place>,
) -> bool {
    let mut is_new = false;
    for place in places {
        let shared = &mut shared[usize::from(place.0)];
        if written.contains(place) {
            continue;
        }
        if written.len() < WRITTEN {
            is_new |= Rc::make_mut(written).insert(*place);
        } else if *shared != i64::MIN {
            *shared = i64::MIN;
            is_new = true;
        }
    }
    is_new
}

/// What is behind the arguments that are addresses of callers' frames.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub slots: Sorted<Place, (u32, Val)>,
    /// From there up others may write.
    pub shared: [i64; REGIONS],
    /// What the routine may have written there.
    pub written: Rc<BTreeSet<Place>>,
}

impl Default for Given {
    fn default() -> Self {
        Self {
            slots: Sorted::default(),
            shared: [i64::MAX; REGIONS],
            written: Rc::default(),
        }
    }
}

impl Given {
    /// Where a routine comes back in more than one place.
    pub fn join(&mut self, other: &Self, mine: Set, theirs: Set) {
        let mut slots = Vec::with_capacity(self.slots.len());
        for (at, (size, value)) in self.slots.iter() {
            let value = match other.slots.get(at) {
                Some((known, value_there)) if known == size => value
                    .under(mine, false)
                    .join(&value_there.under(theirs, false)),
                _ => OPAQUE,
            };
            slots.push((*at, (*size, value)));
        }
        for (at, (size, _)) in other.slots.iter() {
            if self.slots.get(at).is_none() {
                slots.push((*at, (*size, OPAQUE)));
            }
        }
        slots.sort_by_key(|(at, _)| *at);
        self.slots = slots.into_iter().collect();
        for (mine, theirs) in self.shared.iter_mut().zip(&other.shared) {
            *mine = (*mine).min(*theirs);
        }
        note_written(&mut self.written, &mut self.shared, &*other.written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_frame_with_too_many_places_all_may_be_written() {
        let (mut written, mut shared) = (Rc::default(), [i64::MAX; REGIONS]);
        let many: Vec<Place> = (0..WRITTEN as i64).map(|at| (1, at * 8)).collect();
        assert!(note_written(&mut written, &mut shared, &many));
        assert!(!note_written(&mut written, &mut shared, &many));
        assert_eq!(shared, [i64::MAX; REGIONS]);
        assert!(note_written(&mut written, &mut shared, [&(2, 0)]));
        assert!(!note_written(&mut written, &mut shared, [&(2, 8)]));
        assert_eq!((written.len(), shared[2]), (WRITTEN, i64::MIN));
        assert_eq!(shared[1], i64::MAX);
    }
}
