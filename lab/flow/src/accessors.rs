//! Small routines whose result may be a flag, such as C++'s `Cpu::get().avx2()`.
//!
//! What a branch on such a result asks for is not known, but it may be the CPU: a way over it
//! proves no leak. They are looked into only when a routine is read that calls them.

use super::reading::{Known, Reading};
use karat_binary::numbers::NumberMap;
use std::cell::{Cell, RefCell};

/// Instructions of such a routine at most.
const SMALL: u32 = 64;
/// Calls that are followed inwards.
const DEEP: u8 = 5;

/// What is known of them.
#[derive(Default)]
pub struct Accessors {
    /// Before the file's variables and routines with answers are known nothing is asked.
    is_open: bool,
    known: RefCell<NumberMap<u32, bool>>,
    depth: Cell<u8>,
}

impl Accessors {
    /// From here on it may be asked.
    pub(crate) fn open(&mut self) {
        self.is_open = true;
    }

    /// Whether results of calls that are not followed count as flags.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether the result of a routine may be a flag.
    pub(crate) fn has(&self, known: Known<'_>, routine: u32) -> bool {
        if !self.is_open || known.sweep.facts[routine as usize].instructions > SMALL {
            return false;
        }
        if let Some(is_one) = self.known.borrow().get(&routine) {
            return *is_one;
        }
        let depth = self.depth.get();
        if depth >= DEEP {
            return true;
        }
        // One that calls itself adds nothing.
        self.known.borrow_mut().insert(routine, false);
        self.depth.set(depth + 1);
        let is_one = Reading::of(known, routine).is_some_and(|reading| reading.may_flag);
        self.depth.set(depth);
        self.known.borrow_mut().insert(routine, is_one);
        is_one
    }
}
