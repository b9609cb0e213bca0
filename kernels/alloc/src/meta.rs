//! What is known of a slab, apart from the slab.

use crate::classes::{self, SLAB};
use crate::slab::{Free, Inbox};
use core::cell::Cell;
use core::sync::atomic::{AtomicPtr, Ordering};

/// Words for the free bits of a slab of the smallest objects.
pub const WORDS: usize = SLAB / 16 / 64;

/// A slab's metadata. Zeroed memory is valid. The cells are the owner's alone.
#[repr(C, align(64))]
pub struct Meta {
    pub free: Free<WORDS>,
    owner: AtomicPtr<Inbox<WORDS>>,
    pub class: Cell<usize>,
    /// Slabs of the run that begins here, for a slab of [`crate::classes::SPAN`].
    pub run: Cell<usize>,
    /// Where in its heap's list it is.
    pub before: Cell<*const Meta>,
    pub after: Cell<*const Meta>,
    pub listed: Cell<bool>,
    /// No word of free bits before this one was seen with any.
    pub hint: Cell<usize>,
    /// Pages without frames, a bit each.
    pub discarded: Cell<u16>,
    /// Those of them that its owner gave back and has not needed since.
    pub returned: Cell<u16>,
    /// Free objects when pages were last looked at; 0 after some were taken.
    pub looked: Cell<usize>,
    /// Objects were taken since the last tick: its pages are soon needed again.
    pub busy: Cell<bool>,
}

// SAFETY: the cells are written by the owner only, or under the arena's lock by who makes
// or ends a run; the rest is atomic.
unsafe impl Sync for Meta {}

impl Meta {
    /// The inbox of the heap that takes objects from it, which also says which heap that is.
    pub fn owner(&self) -> *const Inbox<WORDS> {
        self.owner.load(Ordering::Acquire)
    }

    /// Only for who has the slab alone.
    pub fn set_owner(&self, inbox: &Inbox<WORDS>) {
        let inbox = core::ptr::from_ref(inbox).cast_mut();
        self.owner.store(inbox, Ordering::Release);
    }

    /// Whether all of its objects are free.
    pub fn is_empty(&self) -> bool {
        self.free.free() == classes::capacity(self.class.get())
    }

    /// The metadata that these bits are the beginning of.
    ///
    /// # Safety
    /// The bits are those of a slab's metadata.
    pub unsafe fn of_free(free: *const Free<WORDS>) -> &'static Self {
        // SAFETY: `free` is the first field, and metadata stay mapped.
        unsafe { &*free.cast::<Self>() }
    }
}
