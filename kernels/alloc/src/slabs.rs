//! The slabs that a heap owns: where its objects come from, and when a slab, or pages of it,
//! are given up.

use crate::classes::{self, LAST};
use crate::front::Object;
use crate::heap::{Heap, add};
use crate::meta::Meta;
use crate::{arena, sys, thread};
use core::ptr;
use core::sync::atomic::Ordering;

/// Where pages are larger, those of slabs in use are not given back.
const PAGE: usize = 4096;

/// So much more stays in a small heap that misses what it gave back: all of it, at last.
const MISSED_MOST: usize = 8 << 20;

impl Heap {
    /// Objects from slabs, up to `want`.
    pub fn take(&self, class: usize, want: usize, mut each: impl FnMut(Object)) {
        let mut got = 0;
        while got < want {
            let Some(slab) = self.find_slab(class) else {
                return;
            };
            let start = arena::address(arena::index_of(slab));
            let size = classes::size(class);
            let hint = slab.hint.get();
            let words = hint..classes::capacity(class).div_ceil(64);
            let (mut first, mut last) = (usize::MAX, 0);
            let taken = slab.free.take(words, want - got, |number| {
                (first, last) = (first.min(number), number);
                each((start + number * size) as Object);
            });
            if taken > 0 && slab.discarded.get() != 0 {
                // All that was free between them was taken.
                self.touched(slab, first * size..(last + 1) * size);
            }
            got += taken;
            slab.busy.set(true);
            slab.looked.set(0);
            if got == want {
                slab.hint.set(last / 64);
            } else if hint != 0 {
                slab.hint.set(0);
            } else if slab.free.detach() {
                self.unlink(slab);
            }
        }
    }

    /// The program will write to these bytes of a slab.
    fn touched(&self, slab: &Meta, bytes: core::ops::Range<usize>) {
        let (from, to) = (bytes.start / PAGE, (bytes.end - 1) / PAGE);
        let pages = (from..=to).fold(0, |mask, page| mask | 1 << page);
        let again = slab.returned.get() & pages;
        slab.discarded.set(slab.discarded.get() & !pages);
        slab.returned.set(slab.returned.get() & !pages);
        let missed = again.count_ones() as usize * PAGE * arena::MISSED_WEIGHT;
        self.missed.set(self.missed.get() + missed);
    }

    pub fn first(&self, class: usize) -> Option<&'static Meta> {
        // SAFETY: lists hold slabs, whose metadata stay mapped.
        unsafe { self.lists[class].get().as_ref() }
    }

    fn link(&self, slab: &'static Meta) {
        let list = &self.lists[slab.class.get()];
        slab.before.set(ptr::null());
        slab.after.set(list.get());
        // SAFETY: as in `first`.
        if let Some(after) = unsafe { list.get().as_ref() } {
            after.before.set(slab);
        }
        list.set(slab);
        slab.listed.set(true);
    }

    fn unlink(&self, slab: &'static Meta) {
        // SAFETY: as in `first`.
        let (before, after) = unsafe { (slab.before.get().as_ref(), slab.after.get().as_ref()) };
        match before {
            Some(before) => before.after.set(slab.after.get()),
            None => self.lists[slab.class.get()].set(slab.after.get()),
        }
        if let Some(after) = after {
            after.before.set(slab.before.get());
        }
        slab.listed.set(false);
    }

    /// A slab that may have free objects: the heap's own, one from an idle heap, or a
    /// fresh one.
    fn find_slab(&self, class: usize) -> Option<&'static Meta> {
        if let Some(slab) = self.first(class) {
            return Some(slab);
        }
        self.read_inbox();
        if let Some(slab) = self.first(class) {
            return Some(slab);
        }
        if let Some(slab) = thread::steal(class) {
            slab.set_owner(&self.inbox);
            self.count_owned(1);
            self.link(slab);
            add(&self.counters.slabs_stolen, 1);
            return Some(slab);
        }
        self.new_slab(class)
    }

    fn new_slab(&self, class: usize) -> Option<&'static Meta> {
        let mut arena = arena::lock();
        let (index, clean) = arena.take(1, 1)?;
        drop(arena);
        let slab = arena::meta(index);
        slab.class.set(class);
        slab.hint.set(0);
        slab.looked.set(0);
        slab.discarded.set(if clean { !0 } else { 0 });
        slab.returned.set(0);
        slab.set_owner(&self.inbox);
        slab.free.reset(classes::capacity(class));
        arena::set_class(index, class);
        self.count_owned(1);
        self.link(slab);
        add(&self.counters.slabs_fresh, 1);
        Some(slab)
    }

    /// Takes a slab of a class out of this heap, which the caller has alone.
    pub fn part_with(&self, class: usize) -> Option<&'static Meta> {
        self.read_inbox();
        let slab = self.first(class)?;
        self.unlink(slab);
        self.count_owned(-1);
        Some(slab)
    }

    pub fn read_inbox(&self) {
        self.inbox.drain(|free| {
            // SAFETY: only slabs' bits are put into inboxes.
            let slab = unsafe { Meta::of_free(free) };
            slab.hint.set(0);
            self.link(slab);
            self.retire_if_spare(slab);
        });
    }

    /// Gives an empty slab to the arena, unless it is its class's only one here.
    fn retire_if_empty(&self, slab: &'static Meta) {
        let class = slab.class.get();
        let alone = self.first(class).is_some_and(|first| ptr::eq(first, slab))
            && slab.after.get().is_null();
        if !alone && slab.is_empty() {
            self.retire(slab);
        }
    }

    /// Gives an empty slab to the arena, if the next of its class is empty too. One empty
    /// slab is kept between two ticks: a class whose objects come home in bursts needs it
    /// again at once.
    fn retire_if_spare(&self, slab: &'static Meta) {
        // SAFETY: as in `first`.
        let after = unsafe { slab.after.get().as_ref() };
        if slab.is_empty() && after.is_some_and(Meta::is_empty) {
            self.retire(slab);
        }
    }

    pub fn retire(&self, slab: &'static Meta) {
        self.unlink(slab);
        self.count_owned(-1);
        arena::lock().give(arena::index_of(slab), 1);
        add(&self.counters.slabs_retired, 1);
    }

    /// After objects came back to a slab of this heap.
    pub fn received(&self, slab: &'static Meta, tell: bool, first_word: usize) {
        if tell {
            slab.hint.set(first_word);
            self.link(slab);
        } else if slab.listed.get() {
            slab.hint.set(slab.hint.get().min(first_word));
        }
        if slab.listed.get() {
            self.retire_if_spare(slab);
        }
    }

    /// Gives empty slabs up. Says how many have free objects, and how many bytes of frames
    /// those hold.
    pub fn sweep(&self) -> (usize, usize) {
        self.read_inbox();
        let (mut slabs, mut idle) = (0, 0);
        self.each_slab(|slab| {
            slabs += 1;
            self.retire_if_empty(slab);
            if slab.listed.get() {
                let free = slab.free.free() * classes::size(slab.class.get());
                let without = slab.discarded.get().count_ones() as usize * PAGE;
                idle += free.saturating_sub(without);
            }
        });
        (slabs, idle)
    }

    /// Gives the free pages of slabs back from which nothing was taken since the last call,
    /// or of all.
    pub fn discard(&self, all: bool) {
        self.each_slab(|slab| {
            if !slab.busy.replace(false) || all {
                discard_pages(slab);
            }
        });
    }

    /// What is used again and again is not given back: so many bytes of free frames stay.
    /// Working sets that come and go by less need no call of the kernel. Frames that were
    /// given back too soon raise it, at most to twice as much, or by [`MISSED_MOST`].
    pub fn reserve(&self) -> usize {
        let least = (self.owned.get() * arena::SLAB / 4).max(1 << 20);
        least + self.missed.get().min(least.max(MISSED_MOST))
    }

    /// Calls a function, which may give the slab up, with all slabs that have free objects.
    fn each_slab(&self, mut call: impl FnMut(&'static Meta)) {
        for class in 1..=LAST {
            let mut next = self.first(class);
            while let Some(slab) = next {
                // SAFETY: as in `first`.
                next = unsafe { slab.after.get().as_ref() };
                call(slab);
            }
        }
    }

    fn count_owned(&self, more: isize) {
        self.owned.set(self.owned.get().wrapping_add_signed(more));
    }
}

/// Gives the frames of a slab's pages back on which all objects are free. Only for the
/// owner: nobody else takes objects from it.
fn discard_pages(slab: &'static Meta) {
    let class = slab.class.get();
    let size = classes::size(class);
    let free = slab.free.free();
    let looked = slab.looked.replace(free);
    if sys::page() != PAGE || free * size < PAGE || free <= looked {
        return;
    }
    let start = arena::address(arena::index_of(slab));
    let capacity = classes::capacity(class);
    let whole = |page: usize| {
        let first = page * PAGE / size;
        let last = (((page + 1) * PAGE - 1) / size).min(capacity - 1);
        (first..=last).all(|object| slab.free.is_free(object))
    };
    let mut page = 0;
    while page < 16 {
        let wanted = |page: usize| slab.discarded.get() >> page & 1 == 0 && whole(page);
        if !wanted(page) {
            page += 1;
            continue;
        }
        let from = page;
        while page < 16 && wanted(page) {
            page += 1;
        }
        let bytes = (page - from) * PAGE;
        // SAFETY: all objects on these pages are free, and only this thread takes them.
        if unsafe { sys::discard((start + from * PAGE) as *mut u8, bytes) } {
            let mask = (from..page).fold(0, |mask, page| mask | 1 << page);
            slab.discarded.set(slab.discarded.get() | mask);
            slab.returned.set(slab.returned.get() | mask);
            arena::DISCARDED.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }
}
