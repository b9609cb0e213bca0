//! A thread's magazines, which the fast ways of `malloc` and `free` use.

use crate::classes::{self, COUNT, LAST, NONE};
use crate::{arena, config};
use core::cell::Cell;
use core::ptr;

/// An object that is free.
pub type Object = *mut u8;

/// The magazines of all classes: stacks of free objects, the last freed on top. Between
/// `base` and `top` are objects; `end` is where a magazine is full.
#[repr(C)]
pub struct Front {
    /// Where the arena begins: here, because that is one load less in `free`.
    pub arena: Cell<usize>,
    /// The object that was freed last, if it was held, and its class; at first null, and a
    /// class whose magazine is empty and full at once.
    held: Cell<Object>,
    held_class: Cell<u8>,
    /// Objects of so many classes are held: see [`crate::holding`].
    pub holds: Cell<u8>,
    pub top: [Cell<*mut Object>; COUNT],
    pub base: [Cell<*mut Object>; COUNT],
    pub end: [Cell<*mut Object>; COUNT],
}

// SAFETY: a front is used by the thread that has its heap; the shared `EMPTY` is only read.
unsafe impl Sync for Front {}

impl Front {
    pub const fn new() -> Self {
        Self {
            arena: Cell::new(arena::NOWHERE),
            held: Cell::new(ptr::null_mut()),
            held_class: Cell::new(NONE as u8),
            holds: Cell::new(0),
            top: [const { Cell::new(ptr::null_mut()) }; COUNT],
            base: [const { Cell::new(ptr::null_mut()) }; COUNT],
            end: [const { Cell::new(ptr::null_mut()) }; COUNT],
        }
    }

    pub fn count(&self, class: usize) -> usize {
        (self.top[class].get().addr() - self.base[class].get().addr()) / size_of::<Object>()
    }

    pub fn limit(&self, class: usize) -> usize {
        (self.end[class].get().addr() - self.base[class].get().addr()) / size_of::<Object>()
    }

    /// The object on top, if there is one.
    #[inline(always)]
    pub fn pop(&self, class: usize) -> Option<Object> {
        let top = self.top[class].get();
        if top == self.base[class].get() {
            return None;
        }
        // SAFETY: between base and top are initialised entries of the magazine.
        unsafe {
            let top = top.sub(1);
            self.top[class].set(top);
            Some(*top)
        }
    }

    /// Whether freed objects of this class are held.
    #[inline(always)]
    pub fn holds(&self, class: usize) -> bool {
        (class as u8).wrapping_sub(1) < self.holds.get()
    }

    /// Holds an object, and gives the one that was held before.
    #[inline(always)]
    pub fn exchange(&self, class: usize, object: Object) -> (usize, Object) {
        let class = usize::from(self.held_class.replace(class as u8));
        // SAFETY: only classes are written there.
        unsafe { core::hint::assert_unchecked(class < COUNT) };
        (class, self.held.replace(object))
    }

    /// Puts an object on top, if there is room.
    #[inline(always)]
    pub fn push(&self, class: usize, object: Object) -> bool {
        let top = self.top[class].get();
        if top == self.end[class].get() {
            return false;
        }
        // SAFETY: between top and end is room of the magazine.
        unsafe {
            *top = object;
            self.top[class].set(top.add(1));
        }
        true
    }
}

/// Entries that a class's magazine has room for.
pub const fn entries(class: usize) -> usize {
    let objects = config::MAGAZINE_MOST / classes::compute_size(class);
    if objects > 256 {
        256
    } else if objects < 4 {
        4
    } else {
        objects
    }
}

/// Entries of all magazines.
pub const ENTRIES: usize = {
    let (mut class, mut sum) = (1, 0);
    while class <= LAST {
        sum += entries(class);
        class += 1;
    }
    sum
};
