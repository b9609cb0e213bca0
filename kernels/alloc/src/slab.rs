//! A slab's objects that are free, and how they come home from other threads.
//!
//! A slab has one *owner*, the only one who takes objects out of it. Anyone gives objects
//! back, by setting their bits. One word says what the owner must know:
//!
//! - The *count* of free objects. Bits are set before they are counted, so the owner can
//!   take an object that is not counted yet, and the count can be below zero for a while.
//! - Whether the slab is *detached*: the owner found nothing left in it and forgot it.
//!   Whoever counts objects into a detached slab clears that and tells the owner. Exactly
//!   one does, as both are one step.
//!
//! A count of all objects means that all of them are free and that nobody who gave some is
//! still under way: each object that was taken was counted again.

use super::sync::{AtomicPtr, AtomicU64, Ordering};
use core::ops::Range;
use core::ptr;

const DETACHED: u64 = 1 << 63;
/// What stands for a count of zero.
const ZERO: u64 = 1 << 31;

/// The free objects of a slab, one bit each. The bits are last: larger objects have few, and
/// those lie beside the rest.
#[repr(C)]
pub struct Free<const WORDS: usize> {
    state: AtomicU64,
    /// The next in an [`Inbox`].
    next: AtomicPtr<Self>,
    bits: [AtomicU64; WORDS],
}

impl<const WORDS: usize> Free<WORDS> {
    /// For tests; slabs of the arena are zeroed memory and [`Free::reset`].
    #[cfg(test)]
    pub fn new(objects: usize) -> Self {
        let free = Self {
            bits: core::array::from_fn(|_| AtomicU64::new(0)),
            state: AtomicU64::new(0),
            next: AtomicPtr::new(ptr::null_mut()),
        };
        free.reset(objects);
        free
    }

    /// Makes so many objects free, and the rest not. Only for who has the slab alone.
    pub fn reset(&self, objects: usize) {
        for (index, word) in self.bits.iter().enumerate() {
            let here = objects.saturating_sub(index * 64).min(64);
            let bits = if here == 64 { !0 } else { (1 << here) - 1 };
            word.store(bits, Ordering::Relaxed);
        }
        self.state.store(ZERO + objects as u64, Ordering::Release);
    }

    /// Sets the bits of objects. [`Free::count`] must follow.
    ///
    /// # Errors
    /// The bits that were set already: those objects were free.
    pub fn give(&self, word: usize, mask: u64) -> Result<(), u64> {
        // Release: what the program wrote into them was before.
        match self.bits[word].fetch_or(mask, Ordering::AcqRel) & mask {
            0 => Ok(()),
            twice => Err(twice),
        }
    }

    /// Counts objects whose bits were set. True: the slab was detached, and the owner must
    /// be told; nobody else tells it.
    #[must_use]
    pub fn count(&self, objects: usize) -> bool {
        let mut before = self.state.load(Ordering::Relaxed);
        loop {
            let after = (before & !DETACHED).wrapping_add(objects as u64);
            match self.state.compare_exchange_weak(
                before,
                after,
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) => return before & DETACHED != 0,
                Err(now) => before = now,
            }
        }
    }

    /// Takes up to `most` objects of the given words and calls `each` with their numbers,
    /// which rise. Only for the owner.
    pub fn take(&self, words: Range<usize>, most: usize, mut each: impl FnMut(usize)) -> usize {
        let mut taken = 0;
        for (index, word) in words.clone().zip(&self.bits[words]) {
            let free = word.load(Ordering::Relaxed);
            if free == 0 {
                continue;
            }
            let mut rest = free;
            while rest != 0 && taken < most {
                each(index * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
                taken += 1;
            }
            // Nobody else clears bits, so all of the chosen are still set.
            word.fetch_and(!(free ^ rest), Ordering::AcqRel);
            if taken == most {
                break;
            }
        }
        if taken > 0 {
            self.state.fetch_sub(taken as u64, Ordering::AcqRel);
        }
        taken
    }

    /// The owner forgets the slab, after it found nothing in it. False: there is something
    /// now. Objects that were taken before they were counted can hide others; whoever
    /// counts those is told that the slab is detached.
    pub fn detach(&self) -> bool {
        let mut state = self.state.load(Ordering::Acquire);
        while state <= ZERO {
            match self.state.compare_exchange_weak(
                state,
                state | DETACHED,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return true,
                Err(now) => state = now,
            }
        }
        false
    }

    /// How many objects are free.
    pub fn free(&self) -> usize {
        (self.state.load(Ordering::Acquire) & !DETACHED).saturating_sub(ZERO) as usize
    }

    /// Whether that object is free.
    pub fn is_free(&self, object: usize) -> bool {
        self.bits[object / 64].load(Ordering::Acquire) >> (object % 64) & 1 == 1
    }
}

/// Slabs that others found detached, for their owner.
pub struct Inbox<const WORDS: usize>(AtomicPtr<Free<WORDS>>);

impl<const WORDS: usize> Inbox<WORDS> {
    /// For tests; a heap is zeroed memory.
    #[cfg(test)]
    pub fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Puts a slab in. Only for who [`Free::count`] told to.
    pub fn put(&self, slab: &Free<WORDS>) {
        let pointer = ptr::from_ref(slab).cast_mut();
        let mut first = self.0.load(Ordering::Relaxed);
        loop {
            slab.next.store(first, Ordering::Relaxed);
            match self
                .0
                .compare_exchange_weak(first, pointer, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }

    /// Takes all out. Only for the owner. All at once: no slab can come back in the
    /// middle of it.
    pub fn drain(&self, mut each: impl FnMut(*mut Free<WORDS>)) {
        if self.0.load(Ordering::Relaxed).is_null() {
            return;
        }
        let mut next = self.0.swap(ptr::null_mut(), Ordering::Acquire);
        while !next.is_null() {
            let slab = next;
            // SAFETY: slabs stay mapped for ever, and this one is nobody else's now.
            next = unsafe { (*slab).next.load(Ordering::Relaxed) };
            each(slab);
        }
    }
}
