//! A thread's heap: what happens when a magazine is empty or full, and now and then.

use crate::classes::{self, COUNT, LAST};
use crate::front::{ENTRIES, Front, Object, entries};
use crate::meta::{Meta, WORDS};
use crate::slab::Inbox;
use crate::{arena, config, holding, home};
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

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

pub fn add(counter: &AtomicU64, n: usize) {
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
    pub lists: [Cell<*const Meta>; COUNT],
    /// Flushes since the last refill.
    flushed: [Cell<u8>; COUNT],
    /// Was refilled since the last tick.
    refilled: [Cell<bool>; COUNT],
    pub inbox: Inbox<WORDS>,
    /// Slabs that are this heap's, with free objects or without.
    pub owned: Cell<usize>,
    /// What bytes that were given back to the kernel and then needed again raise the reserve by.
    pub missed: Cell<usize>,
    /// Objects that went through the slow ways since the last tick, and when the next is.
    work: Cell<usize>,
    next_tick: Cell<usize>,
    /// The setting by which the magazines are limited.
    limited_by: Cell<u64>,
    /// State of a generator of random numbers, for hardening and sampling.
    random: Cell<u64>,
    /// Bytes until the next sample of the heap profile; 0: not drawn yet.
    pub until_sample: Cell<usize>,
    /// A sample is being taken.
    pub sampling: Cell<bool>,
    pub counters: Counters,
    /// The next of all heaps, and the next without a thread; under the lock of `thread`.
    pub next: Cell<*const Heap>,
    pub next_idle: Cell<*const Heap>,
}

/// A class that was flushed so often in a row is taken to be freed only. A magazine that
/// fills and empties at random does that one time in eight.
const DRAINING: u8 = 3;

/// Bytes of a heap with its magazines.
pub const BYTES: usize = size_of::<Heap>() + ENTRIES * size_of::<Object>();

/// Gives free objects of one class back to their slabs, whoever owns those. `heap` is whose
/// the caller is.
pub fn give_back(heap: Option<&Heap>, objects: &mut [Object]) {
    home::set_bits(objects, |slab, count, first_word| {
        count_in(heap, slab, count, first_word);
    });
}

/// Counts objects into a slab, and tells its owner if that must know.
fn count_in(heap: Option<&Heap>, slab: &'static Meta, count: usize, first_word: usize) {
    // Before the count: afterwards its owner may give the slab away.
    let owner = slab.owner();
    let own = heap.filter(|heap| ptr::eq(&raw const heap.inbox, owner));
    let tell = slab.free.count(count);
    match own {
        Some(heap) => heap.received(slab, tell, first_word),
        None => {
            if let Some(heap) = heap {
                add(&heap.counters.objects_remote, count);
            }
            if tell {
                // Whoever is told holds the slab: its owner stays.
                // SAFETY: heaps, and their inboxes with them, are never given back.
                unsafe { (*slab.owner()).put(&slab.free) };
            }
        }
    }
}

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
            base = base.wrapping_add(entries(class));
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
        self.front.holds.set(holding::classes());
        for class in 1..=LAST {
            self.limit_class(class, bytes);
        }
    }

    fn limit_class(&self, class: usize, bytes: usize) {
        let most = (bytes / classes::size(class)).clamp(2, entries(class));
        if self.front.count(class) > most {
            self.flush(class, self.front.count(class));
        }
        let base = self.front.base[class].get();
        self.front.end[class].set(base.wrapping_add(most));
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
        // cannot be given back. And it goes early, while it is in the caches.
        let draining = config::decay() > 0 && self.flushed[class].get() >= DRAINING;
        let all = self.front.count(class);
        self.flush(class, if draining { all } else { all.div_ceil(2) });
        if draining {
            self.limit_class(class, config::magazine_bytes() / 2);
        }
        self.work(all);
        self.front.push(class, object);
    }

    fn refill(&self, class: usize) {
        if self.limited_by.get() != config::changes() {
            self.limit();
        }
        if self.flushed[class].get() >= DRAINING {
            self.limit_class(class, config::magazine_bytes());
        }
        let want = self.front.limit(class).div_ceil(2);
        // The lowest address is on top and used first: fresh pages are touched one by one.
        let base = self.front.base[class].get();
        // SAFETY: the magazine is empty and has room for `want`.
        let mut lowest = unsafe { base.add(want) };
        self.take(class, want, |object| {
            // SAFETY: at most `want` times.
            unsafe {
                lowest = lowest.sub(1);
                *lowest = object;
            }
        });
        let missing = (lowest.addr() - base.addr()) / size_of::<Object>();
        let got = want - missing;
        if missing > 0 {
            // SAFETY: so many entries were just written behind `lowest`.
            unsafe { ptr::copy(lowest, base, got) };
        }
        self.front.top[class].set(base.wrapping_add(got));
        self.refilled[class].set(true);
        self.flushed[class].set(0);
        add(&self.counters.refills, 1);
        self.work(got);
    }

    /// xorshift64 (Marsaglia, 2003).
    pub fn random(&self) -> u64 {
        let mut random = self.random.get();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        self.random.set(random);
        random
    }

    /// One object straight from a slab, at a random place: for checks and hardening.
    pub fn allocate_directly(&self, class: usize) -> Option<Object> {
        if let Some(slab) = self.first(class) {
            let words = classes::capacity(class).div_ceil(64);
            slab.hint.set((self.random() >> 32) as usize % words);
        }
        let mut found = None;
        self.take(class, 1, |object| found = Some(object));
        self.work(1);
        found
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
        let (slabs, idle) = self.sweep();
        // A thread that only frees what others own has nothing to give back sooner.
        draining &= slabs > 0;
        // So much work again that looking at every slab costs little beside it. A program
        // that only frees may soon stop, and what came after the last tick stays.
        let next = if draining {
            (config::tick() / 16).max(slabs)
        } else {
            config::tick().max(slabs * 8)
        };
        self.next_tick.set(next);
        if discard {
            if idle > self.reserve() {
                self.discard(false);
            }
            arena::lock().discard(false);
        }
    }

    /// Sends all magazines home and gives up all that is empty; of the frames that are free
    /// then, no more than `keep` bytes stay. Gives nothing up for good: the heap can be used
    /// again.
    pub fn empty(&self, keep: usize) {
        let (class, held) = self.front.exchange(classes::NONE, ptr::null_mut());
        if !held.is_null() {
            self.free(class, held);
        }
        for class in 1..=LAST {
            let count = self.front.count(class);
            if count > 0 {
                self.flush(class, count);
            }
        }
        let (_, idle) = self.sweep();
        if idle > keep {
            self.discard(true);
        }
        for class in 1..=LAST {
            if let Some(slab) = self.first(class)
                && slab.is_empty()
            {
                self.retire(slab);
            }
        }
    }
}
