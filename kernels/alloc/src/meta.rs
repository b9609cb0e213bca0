//! What is known of a slab, apart from the slab.

use crate::classes::{self, SLAB};
use crate::slab::{Free, Inbox};
use core::cell::Cell;
use core::mem::offset_of;
use core::sync::atomic::{AtomicPtr, Ordering};

/// Words for the free bits of a slab of the smallest objects.
pub const WORDS: usize = SLAB / 16 / 64;

/// A slab's metadata. Zeroed memory is valid. The cells are the owner's alone.
///
/// What the owner alone uses lies together, and what others write begins the next line of
/// the cache.
#[repr(C, align(64))]
pub struct Meta {
    /// Where in its heap's list it is.
    pub before: Cell<*const Meta>,
    pub after: Cell<*const Meta>,
    pub class: Cell<usize>,
    /// No word of free bits before this one was seen with any.
    pub hint: Cell<usize>,
    /// Free objects when pages were last looked at; 0 after some were taken.
    pub looked: Cell<usize>,
    /// Slabs of the run that begins here, for a slab of [`crate::classes::SPAN`].
    pub run: Cell<usize>,
    /// Pages without frames, a bit each.
    pub discarded: Cell<u16>,
    /// Those of them that its owner gave back and has not needed since.
    pub returned: Cell<u16>,
    pub listed: Cell<bool>,
    /// Objects were taken since the last tick: its pages are soon needed again.
    pub busy: Cell<bool>,
    _rest_of_line: [u64; 1],
    owner: AtomicPtr<Inbox<WORDS>>,
    pub free: Free<WORDS>,
}

const _: () = assert!(offset_of!(Meta, owner) == 64);

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

    /// The metadata that these bits are a part of.
    ///
    /// # Safety
    /// The bits are those of a slab's metadata.
    pub unsafe fn of_free(free: *const Free<WORDS>) -> &'static Self {
        // SAFETY: so far behind the start of its metadata it lies, and those stay mapped.
        unsafe { &*free.byte_sub(offset_of!(Self, free)).cast::<Self>() }
    }
}
