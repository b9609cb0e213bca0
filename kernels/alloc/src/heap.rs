//! A thread's heap: magazines, and the slabs it takes objects from.

use crate::classes::{self, COUNT, LAST};
use crate::meta::{Meta, WORDS};
use crate::slab::Inbox;
use crate::{arena, config, fail, sys, thread};
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

/// An object that is free.
pub type Object = *mut u8;

/// The magazines of all classes: stacks of free objects, the last freed on top. Between
/// `base` and `top` are objects; `end` is where a magazine is full.
#[repr(C)]
pub struct Front {
    /// Where the arena begins: here, because that is one load less in `free`.
    pub arena: Cell<usize>,
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
            top: [const { Cell::new(ptr::null_mut()) }; COUNT],
            base: [const { Cell::new(ptr::null_mut()) }; COUNT],
            end: [const { Cell::new(ptr::null_mut()) }; COUNT],
        }
    }

    fn count(&self, class: usize) -> usize {
        (self.top[class].get().addr() - self.base[class].get().addr()) / size_of::<Object>()
    }

    fn limit(&self, class: usize) -> usize {
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

/// What the slow ways of a heap did. Only its thread adds; anyone reads.
#[derive(Default)]
pub struct Counters {
    pub refills: AtomicU64,
    pub flushes: AtomicU64,
    pub objects_given: AtomicU64,
    pub objects_remote: AtomicU64,
    pub slabs_fresh: AtomicU64,
    pub slabs_retired: AtomicU64,
    pub slabs_stolen: AtomicU64,
    pub ticks: AtomicU64,
}

fn add(counter: &AtomicU64, n: usize) {
    counter.store(
        counter.load(Ordering::Relaxed) + n as u64,
        Ordering::Relaxed,
    );
}

/// Zeroed memory and [`Heap::start`] make one. They are never given back, only used again.
#[repr(C)]
pub struct Heap {
    pub front: Front,
    /// Slabs with free objects by class; objects are taken from the first.
    lists: [Cell<*const Meta>; COUNT],
    /// Flushes since the last refill.
    flushed: [Cell<u8>; COUNT],
    /// Was refilled since the last tick.
    refilled: [Cell<bool>; COUNT],
    inbox: Inbox<WORDS>,
    /// Objects that went through the slow ways since the last tick, and when the next is.
    work: Cell<usize>,
    next_tick: Cell<usize>,
    /// The setting by which the magazines are limited.
    limited_by: Cell<u64>,
    /// State of a generator of random numbers, for hardening.
    random: Cell<u64>,
    pub counters: Counters,
    /// The next of all heaps, and the next without a thread; under the lock of `thread`.
    pub next: Cell<*const Heap>,
    pub next_idle: Cell<*const Heap>,
}

/// A class that was flushed so often in a row is taken to be freed only. A magazine that
/// fills and empties at random does that one time in eight.
const DRAINING: u8 = 3;

/// Entries that a class's magazine has room for.
const fn room(class: usize) -> usize {
    let objects = config::MAGAZINE_MOST / class_size(class);
    if objects > 256 {
        256
    } else if objects < 4 {
        4
    } else {
        objects
    }
}

const fn class_size(class: usize) -> usize {
    if class <= 64 {
        16 * class
    } else {
        (1024 << ((class - 65) / 8)) / 8 * (9 + (class - 65) % 8)
    }
}

const ROOM: usize = {
    let (mut class, mut sum) = (1, 0);
    while class <= LAST {
        sum += room(class);
        class += 1;
    }
    sum
};

/// Bytes of a heap with its magazines.
pub const BYTES: usize = size_of::<Heap>() + ROOM * size_of::<Object>();

/// Where a flush's objects go that are not this heap's: see [`give_back`].
type Taker<'a> = Option<&'a Heap>;

impl Heap {
    /// Makes a heap of zeroed memory of [`BYTES`].
    pub fn start(&self) {
        let mut base = ptr::from_ref(self)
            .cast_mut()
            .wrapping_add(1)
            .cast::<Object>();
        for class in 1..=LAST {
            self.front.base[class].set(base);
            self.front.top[class].set(base);
            base = base.wrapping_add(room(class));
        }
        self.front.arena.set(arena::base());
        self.random.set(base.addr() as u64 | 1);
        self.limit();
    }

    /// Limits the magazines as the settings say.
    fn limit(&self) {
        let bytes = config::magazine_bytes();
        self.limited_by.set(config::changes());
        self.next_tick.set(config::tick());
        for class in 1..=LAST {
            let most = (bytes / classes::size(class)).clamp(2, room(class));
            if self.front.count(class) > most {
                self.flush(class, self.front.count(class));
            }
            let base = self.front.base[class].get();
            self.front.end[class].set(base.wrapping_add(most));
        }
    }

    /// An object of a class; nothing if there is no memory.
    pub fn allocate(&self, class: usize) -> Option<Object> {
        if let Some(object) = self.front.pop(class) {
            return Some(object);
        }
        self.refill(class);
        self.front.pop(class)
    }

    /// Takes an object of a class that was freed.
    pub fn free(&self, class: usize, object: Object) {
        if self.front.push(class, object) {
            return;
        }
        // While a program only frees, all goes home: a slab with one object in a magazine
        // cannot be given back.
        let draining = config::decay() > 0 && self.flushed[class].get() >= DRAINING;
        let all = self.front.count(class);
        self.flush(class, if draining { all } else { all.div_ceil(2) });
        self.work(all);
        self.front.push(class, object);
    }

    fn refill(&self, class: usize) {
        if self.limited_by.get() != config::changes() {
            self.limit();
        }
        let want = self.front.limit(class).div_ceil(2);
        let base = self.front.base[class].get();
        let mut got = 0;
        self.take(class, want, |object| {
            // SAFETY: the magazine is empty and has room for `want`.
            unsafe { *base.add(got) = object };
            got += 1;
        });
        // The lowest address is used first: fresh pages are touched one by one.
        // SAFETY: so many entries were just written.
        unsafe { core::slice::from_raw_parts_mut(base, got) }.reverse();
        self.front.top[class].set(base.wrapping_add(got));
        self.refilled[class].set(true);
        self.flushed[class].set(0);
        add(&self.counters.refills, 1);
        self.work(got);
    }

    /// One object straight from a slab, at a random place: for checks and hardening.
    pub fn allocate_directly(&self, class: usize) -> Option<Object> {
        let mut random = self.random.get();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        self.random.set(random);
        if let Some(slab) = self.first(class) {
            let words = classes::capacity(class).div_ceil(64);
            slab.hint.set((random >> 32) as usize % words);
        }
        let mut found = None;
        self.take(class, 1, |object| found = Some(object));
        self.work(1);
        found
    }

    /// Objects from slabs, up to `want`.
    fn take(&self, class: usize, want: usize, mut each: impl FnMut(Object)) {
        let mut got = 0;
        while got < want {
            let Some(slab) = self.find_slab(class) else {
                return;
            };
            let start = arena::address(arena::index_of(slab));
            let size = classes::size(class);
            let hint = slab.hint.get();
            let mut last = 0;
            let taken = slab.free.take(hint, want - got, |number| {
                last = number;
                each((start + number * size) as Object);
                if slab.discarded.get() != 0 {
                    let pages = (number * size) >> 12..=((number + 1) * size - 1) >> 12;
                    let touched = pages.fold(0, |mask, page| mask | 1 << page);
                    slab.discarded.set(slab.discarded.get() & !touched);
                }
            });
            got += taken;
            slab.busy.set(true);
            if got == want {
                slab.hint.set(last / 64);
            } else if hint != 0 {
                slab.hint.set(0);
            } else if slab.free.detach() {
                self.unlink(slab);
            }
        }
    }

    fn first(&self, class: usize) -> Option<&'static Meta> {
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
            slab.set_owner(self);
            self.link(slab);
            add(&self.counters.slabs_stolen, 1);
            return Some(slab);
        }
        self.fresh(class)
    }

    fn fresh(&self, class: usize) -> Option<&'static Meta> {
        let mut arena = arena::lock();
        let (index, clean) = arena.take(1, 1)?;
        drop(arena);
        let slab = arena::meta(index);
        slab.class.set(class);
        slab.hint.set(0);
        slab.looked.set(0);
        slab.discarded.set(if clean { !0 } else { 0 });
        slab.set_owner(self);
        slab.free.reset(classes::capacity(class));
        arena::set_class(index, class);
        self.link(slab);
        add(&self.counters.slabs_fresh, 1);
        Some(slab)
    }

    /// Takes a slab of a class out of this heap, which the caller has alone.
    pub fn part_with(&self, class: usize) -> Option<&'static Meta> {
        self.read_inbox();
        let slab = self.first(class)?;
        self.unlink(slab);
        Some(slab)
    }

    fn read_inbox(&self) {
        self.inbox.drain(|free| {
            // SAFETY: only slabs' bits are put into inboxes.
            let slab = unsafe { Meta::of_free(free) };
            slab.hint.set(0);
            self.link(slab);
            self.retire_if_empty(slab);
        });
    }

    /// Gives an empty slab to the arena, unless it is its class's only one here.
    fn retire_if_empty(&self, slab: &'static Meta) {
        let class = slab.class.get();
        let alone = self.first(class).is_some_and(|first| ptr::eq(first, slab))
            && slab.after.get().is_null();
        if !alone && slab.free.free() == classes::capacity(class) {
            self.retire(slab);
        }
    }

    fn retire(&self, slab: &'static Meta) {
        self.unlink(slab);
        arena::lock().give(arena::index_of(slab), 1);
        add(&self.counters.slabs_retired, 1);
    }

    /// Sends the `count` objects home that are longest in the magazine.
    fn flush(&self, class: usize, count: usize) {
        let base = self.front.base[class].get();
        let rest = self.front.count(class) - count;
        // SAFETY: the magazine has that many entries.
        unsafe {
            give_back(Some(self), core::slice::from_raw_parts_mut(base, count));
            ptr::copy(base.add(count), base, rest);
        }
        self.front.top[class].set(base.wrapping_add(rest));
        self.flushed[class].set(self.flushed[class].get().saturating_add(1));
        add(&self.counters.flushes, 1);
        add(&self.counters.objects_given, count);
    }

    /// After objects came back to a slab of this heap.
    fn received(&self, slab: &'static Meta, tell: bool, first_word: usize) {
        if tell {
            slab.hint.set(first_word);
            self.link(slab);
        } else if slab.listed.get() {
            slab.hint.set(slab.hint.get().min(first_word));
        }
        if slab.listed.get() {
            self.retire_if_empty(slab);
        }
    }

    fn work(&self, objects: usize) {
        self.work.set(self.work.get() + objects);
        if self.work.get() >= self.next_tick.get() {
            self.tick(config::decay() > 0);
        }
    }

    /// What is done now and then: empty slabs go to the arena; with `discard`, classes
    /// that were not refilled give up their magazines, and free pages go to the kernel.
    fn tick(&self, discard: bool) {
        self.work.set(0);
        add(&self.counters.ticks, 1);
        let mut draining = discard;
        if discard {
            for class in 1..=LAST {
                let refilled = self.refilled[class].replace(false);
                draining &= !refilled;
                let count = self.front.count(class);
                if count > 0 && !refilled {
                    self.flush(class, count);
                }
            }
        }
        let slabs = self.sweep(discard);
        // So much work again that looking at every slab costs little beside it. A program
        // that only frees may soon stop, and what came after the last tick stays.
        let next = if draining {
            (config::tick() / 16).max(slabs)
        } else {
            config::tick().max(slabs * 8)
        };
        self.next_tick.set(next);
        if discard {
            arena::lock().discard(false);
        }
    }

    /// Looks at all slabs with free objects, and counts them.
    fn sweep(&self, discard: bool) -> usize {
        self.read_inbox();
        let mut seen = 0;
        for class in 1..=LAST {
            let mut next = self.first(class);
            while let Some(slab) = next {
                // SAFETY: as in `first`.
                next = unsafe { slab.after.get().as_ref() };
                seen += 1;
                self.retire_if_empty(slab);
                if discard && slab.listed.get() && !slab.busy.replace(false) {
                    discard_pages(slab);
                }
            }
        }
        seen
    }

    /// Sends all magazines home and gives up all that is empty. Gives nothing up for good:
    /// the heap can be used again.
    pub fn empty(&self, discard: bool) {
        for class in 1..=LAST {
            let count = self.front.count(class);
            if count > 0 {
                self.flush(class, count);
            }
        }
        self.sweep(discard);
        for class in 1..=LAST {
            if let Some(slab) = self.first(class)
                && slab.free.free() == classes::capacity(class)
            {
                self.retire(slab);
            }
        }
    }
}

/// Gives the frames of a slab's pages back on which all objects are free. Only for the
/// owner: nobody else takes objects from it.
fn discard_pages(slab: &'static Meta) {
    const PAGE: usize = 4096;
    let class = slab.class.get();
    let size = classes::size(class);
    let free = slab.free.free();
    if sys::page() != PAGE || free * size < PAGE || free <= slab.looked.get() {
        slab.looked.set(free);
        return;
    }
    slab.looked.set(free);
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
            arena::DISCARDED.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }
}

/// Gives free objects of one class back to their slabs. They are sorted first, so that
/// neighbours go in one step and every slab is counted once.
pub fn give_back(heap: Taker<'_>, objects: &mut [Object]) {
    objects.sort_unstable();
    let mut rest = &objects[..];
    while let Some(&first) = rest.first() {
        let index = arena::index(first.addr());
        let slab = arena::meta(index);
        let class = arena::class(first.addr());
        let start = arena::address(index);
        let here = (rest.iter()).take_while(|o| o.addr() - start < arena::SLAB);
        let (mut count, mut word, mut mask, mut first_word) = (0, 0, 0, usize::MAX);
        let set = |word, mask| {
            if mask != 0 && slab.free.give(word, mask).is_err() {
                fail::double_free(first.addr());
            }
        };
        for object in here {
            let Some(number) = classes::number(class, object.addr() - start) else {
                fail::inside(object.addr());
            };
            if number / 64 != word {
                set(word, mask);
                (word, mask) = (number / 64, 0);
            }
            let bit = 1 << (number % 64);
            if mask & bit != 0 {
                fail::double_free(object.addr());
            }
            mask |= bit;
            first_word = first_word.min(word);
            count += 1;
        }
        set(word, mask);
        rest = &rest[count..];
        hand_over(heap, slab, count, first_word);
    }
}

fn hand_over(heap: Taker<'_>, slab: &'static Meta, count: usize, first_word: usize) {
    // Before the count: afterwards its owner may give the slab away.
    let owner = slab.owner();
    let own = heap.filter(|heap| ptr::eq(*heap, owner));
    let tell = slab.free.count(count);
    match own {
        Some(heap) => heap.received(slab, tell, first_word),
        None => {
            if let Some(heap) = heap {
                add(&heap.counters.objects_remote, count);
            }
            if tell {
                // Whoever is told holds the slab: its owner stays.
                // SAFETY: heaps are never given back.
                unsafe { (*slab.owner()).inbox.put(&slab.free) };
            }
        }
    }
}
