//! How many instructions are followed, at most.

use super::Oracle;
use crate::sweep::Sweep;
use std::cell::Cell;

/// Instructions that are read until most of what was read of the file's bytes may be given back, at
/// least, and the part of the file's that are.
const READ: usize = 4000;
const PART: usize = 400;
/// Those of a routine, at least: pages are read for the smallest too.
const LEAST: usize = 200;

/// How many they are.
pub(super) fn often(sweep: &Sweep) -> usize {
    let all = sweep.facts.iter().map(|facts| facts.instructions as usize);
    READ.max(all.sum::<usize>() / PART)
}

impl Oracle<'_> {
    /// Whether the program was too large: what variables hold is not known.
    #[must_use]
    pub fn is_blind(&self) -> bool {
        self.is_blind
    }

    /// Whether routines are not looked into any more.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Counts instructions that are followed; none when no more may be.
    pub(in crate::facts) fn spend(&self, instructions: usize) -> Option<()> {
        let left = self.left.get().saturating_sub(instructions as u64);
        self.left.set(left);
        self.reads(instructions);
        (left > 0).then_some(())
    }

    /// Notes that instructions of a routine are read: what was read before is given back now and
    /// then.
    pub fn reads(&self, instructions: usize) {
        self.read.set(self.read.get() + instructions.max(LEAST));
        if self.read.get() >= self.often {
            self.read.set(0);
            (self.let_go)();
        }
    }

    /// Looks into functions above the baseline, within a limit of its own: what is not told of
    /// them leaves who calls them to be asked.
    pub fn starting<T>(&self, look: impl FnOnce() -> T) -> T {
        let left = self.left.replace(self.for_starts.get());
        let out = look();
        self.for_starts.set(self.left.replace(left));
        if self.for_starts.get() == 0 {
            self.told.borrow_mut().forget_refused();
        }
        out
    }

    /// Looks at what runs whenever the file is loaded; where all is spent, within a limit of its
    /// own.
    pub fn beginning(&self, look: impl FnOnce()) {
        if !self.is_spent() {
            return look();
        }
        self.left.set(self.for_begins.get());
        look();
        self.for_begins.set(self.left.replace(0));
    }

    /// Asks something about words of flags, within their own limit.
    pub fn apart<T>(&self, ask: impl FnOnce() -> T) -> Option<T> {
        self.within(&self.for_words, ask)
    }

    /// The same about numbers that are made of words.
    pub fn numbering<T>(&self, ask: impl FnOnce() -> T) -> Option<T> {
        self.within(&self.for_numbers, ask)
    }

    /// Asks something within a limit of its own.
    pub(in crate::facts) fn within<T>(
        &self,
        limit: &Cell<u64>,
        ask: impl FnOnce() -> T,
    ) -> Option<T> {
        if self.is_spent() || limit.get() == 0 {
            return None;
        }
        let left = self.left.replace(limit.get());
        let out = ask();
        limit.set(self.left.replace(left));
        if limit.get() == 0 {
            // What was not looked into for that may be yet.
            self.told.borrow_mut().forget_refused();
        }
        Some(out)
    }
}
