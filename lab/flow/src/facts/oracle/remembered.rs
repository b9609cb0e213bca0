//! What is known of routines, for those who ask again.

use super::Context;
use crate::facts::routine::Told;
use karat_binary::numbers::NumberMap;
use std::rc::Rc;

/// Answers that are kept until those that nobody asked for since go: twice as many are held at
/// most. All at once they went before, and of OpenCV's routines most were looked at three times.
const KEPT: usize = 3000;

/// A routine, and constants that it is given.
type Key = (u32, Context);
type Answers = NumberMap<Key, Option<Rc<Told>>>;

/// Answers, none for a routine that cannot be looked into.
#[derive(Default)]
pub(super) struct Remembered {
    young: Answers,
    /// What nobody asked for since `young` was begun.
    old: Answers,
}

impl Remembered {
    /// What is known, if anything is.
    pub(super) fn get(&mut self, key: &Key) -> Option<Option<Rc<Told>>> {
        if let Some(known) = self.young.get(key) {
            return Some(known.clone());
        }
        let (key, known) = self.old.remove_entry(key)?;
        self.young.insert(key, known.clone());
        Some(known)
    }

    pub(super) fn insert(&mut self, key: Key, told: Option<Rc<Told>>) {
        self.young.insert(key, told);
    }

    /// Forgets what nobody asked for lately, to save memory.
    pub(super) fn age(&mut self) {
        if self.young.len() > KEPT {
            self.old = std::mem::take(&mut self.young);
        }
    }

    /// Forgets which routines could not be looked into.
    pub(super) fn forget_refused(&mut self) {
        self.young.retain(|_, told| told.is_some());
        self.old.retain(|_, told| told.is_some());
    }

    pub(super) fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let mut all = Remembered::default();
        let key = |routine| (routine, Context::new());
        let fill = |all: &mut Remembered, from: u32| {
            (from..=from + KEPT as u32).for_each(|routine| all.insert(key(routine), None));
        };
        all.insert(key(1), None);
        fill(&mut all, 10_000);
        all.age();
        assert!(all.get(&key(1)).is_some());
        fill(&mut all, 20_000);
        all.age();
        assert!(all.get(&key(1)).is_some());
        assert!(all.get(&key(10_000)).is_none());
        assert!(all.get(&key(20_000)).is_some());
        all.forget_refused();
        assert!(all.get(&key(20_001)).is_none());
    }
}
