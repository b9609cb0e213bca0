//! One reserved range of addresses, cut into slabs, with a byte for each slab that says
//! what is in it. The range begins with that map:
//!
//! ```text
//! map │ slabs in use, slabs with frames, those of the tick before │ metadata │ slabs
//! ```
//!
//! What `free` needs is one subtraction, one comparison and one byte. The metadata lie
//! apart from the objects: an object that is written beyond its end does not reach them.

use crate::classes;
pub use crate::classes::{SHIFT, SLAB};
use crate::lock::{Guard, Lock};
use crate::meta::Meta;
use crate::sys;
use core::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// Slabs of the largest arena: 64 GiB. The map is as long in smaller ones.
pub const MOST: usize = 1 << 20;
const WORDS: usize = MOST / 64;
/// Bytes before the metadata.
const TABLES: usize = MOST + 3 * WORDS * 8;
/// The smallest arena worth having.
const LEAST: usize = 64;
/// Slabs made usable at once, at first and at most.
const GROWTH: (usize, usize) = (64, 4096);
/// So many more free slabs keep their frames in a small arena that misses what it gave back.
const MISSED_MOST: usize = 64;

/// A byte that is missed raises the reserve by so many. What goes up and down at random goes
/// a little farther now and then: to keep no more than what was missed costs a call each time.
pub const MISSED_WEIGHT: usize = 16;

/// No address of a program is less than 64 GiB behind this one.
pub const NOWHERE: usize = 1 << 63;

/// Where the arena begins.
static BASE: AtomicUsize = AtomicUsize::new(NOWHERE);

/// Bytes given back to the kernel, all in all.
pub static DISCARDED: AtomicU64 = AtomicU64::new(0);

static ARENA: Lock<Arena> = Lock::new(Arena {
    slabs: 0,
    first: 0,
    usable: 0,
    low: 0,
    high: 0,
    growth: GROWTH.0,
    in_use: 0,
    most_in_use: 0,
    missed: 0,
});

/// What the lock guards, with the three bit tables.
pub struct Arena {
    /// Slabs of the range; 0: there is no arena.
    slabs: usize,
    /// The first slab that does not hold tables.
    first: usize,
    /// Slabs before this one are usable memory.
    usable: usize,
    /// No slab before this one is free.
    low: usize,
    /// No slab from this one on was ever used.
    high: usize,
    growth: usize,
    in_use: usize,
    most_in_use: usize,
    /// What slabs whose frames were given back and then needed again raise the reserve by.
    missed: usize,
}

#[derive(Clone, Copy)]
enum Table {
    Used = 0,
    /// Free, and may have frames.
    Dirty = 1,
    /// Was dirty at the last tick already.
    Aged = 2,
}

/// The slab of an address, or a number of [`MOST`] or more for one that is not in the
/// arena.
#[inline(always)]
pub fn index(address: usize) -> usize {
    address.wrapping_sub(BASE.load(Ordering::Relaxed)) >> SHIFT
}

/// Where the arena begins; [`NOWHERE`] if there is none.
pub fn base() -> usize {
    BASE.load(Ordering::Relaxed)
}

/// What the map says about an address: [`classes::NONE`] for all that is not in the arena.
pub fn class(address: usize) -> usize {
    let slab = index(address);
    if slab >= MOST {
        return classes::NONE;
    }
    // SAFETY: an address so near to the base means that there is an arena.
    unsafe { class_at(base(), slab) }
}

/// What the map says about a slab.
///
/// # Safety
/// There is an arena, `base` is its begin, and `slab` is below [`MOST`].
#[inline(always)]
pub unsafe fn class_at(base: usize, slab: usize) -> usize {
    // SAFETY: the map has `MOST` bytes.
    let byte = unsafe { AtomicU8::from_ptr((base + slab) as *mut u8) };
    let class = usize::from(byte.load(Ordering::Relaxed));
    // SAFETY: only classes are written into the map.
    unsafe { core::hint::assert_unchecked(class < classes::COUNT) };
    class
}

/// Whether an address is in the arena's range.
pub fn contains(address: usize) -> bool {
    index(address) < MOST
}

/// The address of a slab.
pub fn address(slab: usize) -> usize {
    BASE.load(Ordering::Relaxed) + (slab << SHIFT)
}

/// What is known of a slab in use.
pub fn meta(slab: usize) -> &'static Meta {
    let start = BASE.load(Ordering::Relaxed) + TABLES;
    // SAFETY: metadata of slabs that were ever in use are zeroed memory at first, which is
    // valid, and stay mapped.
    unsafe { &*(start as *const Meta).add(slab) }
}

/// The slab whose metadata these are.
pub fn index_of(meta: &Meta) -> usize {
    let start = BASE.load(Ordering::Relaxed) + TABLES;
    (core::ptr::from_ref(meta).addr() - start) / size_of::<Meta>()
}

/// Writes a slab's byte of the map.
pub fn set_class(slab: usize, class: usize) {
    let byte = BASE.load(Ordering::Relaxed) + slab;
    // SAFETY: the map has a byte for every slab.
    unsafe { AtomicU8::from_ptr(byte as *mut u8) }.store(class as u8, Ordering::Relaxed);
}

/// Reserves the range. False: there is no room for even a small one.
pub fn ensure() -> bool {
    let mut arena = ARENA.lock();
    arena.slabs != 0 || arena.reserve()
}

pub fn lock() -> Guard<'static, Arena> {
    ARENA.lock()
}

/// For a fork.
pub fn acquire() {
    ARENA.acquire();
}

/// For a fork.
pub fn release() {
    ARENA.release();
}

impl Arena {
    fn reserve(&mut self) -> bool {
        let mut slabs = MOST.min(allowed() >> SHIFT);
        while slabs >= LEAST {
            let tables = (TABLES + slabs * size_of::<Meta>()).div_ceil(SLAB);
            // One more, because mappings begin at any page.
            if let Some(start) = sys::map((slabs + 1) * SLAB, false) {
                let base = start.addr().next_multiple_of(SLAB);
                // SAFETY: the range was just reserved, and nobody knows of it.
                if slabs > tables && unsafe { sys::protect(base as *mut u8, TABLES, true) } {
                    BASE.store(base, Ordering::Relaxed);
                    (self.slabs, self.first) = (slabs, tables);
                    (self.usable, self.low, self.high) = (tables, tables, tables);
                    return true;
                }
                // SAFETY: as above.
                unsafe { sys::unmap(start, (slabs + 1) * SLAB) };
            }
            slabs /= 2;
        }
        false
    }

    fn word(&self, table: Table, word: usize) -> &AtomicU64 {
        let start = BASE.load(Ordering::Relaxed) + MOST + table as usize * WORDS * 8;
        // SAFETY: the tables are usable since the arena is there, and hold zeros at first.
        unsafe { &*(start as *const AtomicU64).add(word) }
    }

    fn set(&self, table: Table, slabs: core::ops::Range<usize>, to: bool) {
        let mut slab = slabs.start;
        while slab < slabs.end {
            let count = (64 - slab % 64).min(slabs.end - slab);
            let mask = (!0_u64 >> (64 - count)) << (slab % 64);
            let word = self.word(table, slab / 64);
            let old = word.load(Ordering::Relaxed);
            word.store(if to { old | mask } else { old & !mask }, Ordering::Relaxed);
            slab += count;
        }
    }

    /// The first slab from `from` on, before `end`, whose bit is `bit`.
    fn find(&self, table: Table, bit: bool, from: usize, end: usize) -> Option<usize> {
        let mut slab = from;
        while slab < end {
            let word = self.word(table, slab / 64).load(Ordering::Relaxed);
            let wanted = if bit { word } else { !word } >> (slab % 64);
            if wanted != 0 {
                let found = slab + wanted.trailing_zeros() as usize;
                return (found < end).then_some(found);
            }
            slab = (slab / 64 + 1) * 64;
        }
        None
    }

    /// How many bits are set.
    fn count(&self, table: Table) -> usize {
        (self.first / 64..self.high.div_ceil(64))
            .map(|word| self.word(table, word).load(Ordering::Relaxed).count_ones() as usize)
            .sum()
    }

    /// Takes `count` slabs, the first at a multiple of `align` bytes. Also says whether
    /// they hold zeros only.
    pub fn take(&mut self, count: usize, align: usize) -> Option<(usize, bool)> {
        if self.slabs == 0 {
            return None;
        }
        let mut from = self.low;
        let mut lowest_free = None;
        loop {
            let free =
                (self.find(Table::Used, false, from, self.high)).unwrap_or(self.high.max(from));
            let lowest_free = *lowest_free.get_or_insert(free);
            let start = index(address(free).checked_next_multiple_of(align)?);
            if start.checked_add(count)? > self.slabs {
                return None;
            }
            let Some(used) = self.find(Table::Used, true, start, start + count) else {
                return self.take_at(start, count, lowest_free);
            };
            from = used + 1;
        }
    }

    fn take_at(&mut self, start: usize, count: usize, lowest_free: usize) -> Option<(usize, bool)> {
        let end = start + count;
        if !self.grow(end) {
            return None;
        }
        let clean = self.find(Table::Dirty, true, start, end).is_none();
        if clean {
            self.missed += self.high.min(end).saturating_sub(start) * MISSED_WEIGHT;
        }
        self.set(Table::Used, start..end, true);
        self.set(Table::Dirty, start..end, false);
        self.set(Table::Aged, start..end, false);
        if count == 1 {
            // A search for one slab saw the first free one.
            self.low = lowest_free;
        }
        self.high = self.high.max(end);
        self.in_use += count;
        self.most_in_use = self.most_in_use.max(self.in_use);
        Some((start, clean))
    }

    /// Makes slabs before `end` usable.
    fn grow(&mut self, end: usize) -> bool {
        if end <= self.usable {
            return true;
        }
        let generous = end.max(self.usable + self.growth).min(self.slabs);
        for to in [generous, end] {
            if self.make_usable(to) {
                self.growth = (self.growth * 2).min(GROWTH.1);
                return true;
            }
        }
        false
    }

    fn make_usable(&mut self, to: usize) -> bool {
        let base = BASE.load(Ordering::Relaxed);
        let meta_end = |slab: usize| (TABLES + slab * size_of::<Meta>()).next_multiple_of(SLAB);
        let from = if self.usable == self.first {
            TABLES / SLAB * SLAB
        } else {
            meta_end(self.usable)
        };
        let metas = meta_end(to).saturating_sub(from);
        // SAFETY: both ranges are the arena's, and become usable only.
        unsafe {
            if metas > 0 && !sys::protect((base + from) as *mut u8, metas, true) {
                return false;
            }
            let start = self.usable << SHIFT;
            if !sys::protect((base + start) as *mut u8, (to << SHIFT) - start, true) {
                return false;
            }
        }
        self.usable = to;
        true
    }

    /// Gives slabs back.
    pub fn give(&mut self, start: usize, count: usize) {
        for slab in start..start + count {
            set_class(slab, classes::NONE);
        }
        self.set(Table::Used, start..start + count, false);
        self.set(Table::Dirty, start..start + count, true);
        self.low = self.low.min(start);
        self.in_use -= count;
    }

    /// Takes the slabs behind a run, if they are free.
    pub fn extend(&mut self, start: usize, old: usize, new: usize) -> bool {
        let (from, to) = (start + old, start + new);
        if to > self.slabs || self.find(Table::Used, true, from, to).is_some() {
            return false;
        }
        let low = self.low;
        let taken = self.take_at(from, to - from, low).is_some();
        self.low = low;
        taken
    }

    /// So many free slabs keep their frames: an eighth of what is in use, a mebibyte at least.
    /// Frames that were given back too soon raise it, at most to twice as much, or by
    /// [`MISSED_MOST`].
    fn kept(&self) -> usize {
        let least = (self.in_use / 8).max(16);
        least + self.missed.min(least.max(MISSED_MOST))
    }

    /// Discards the free slabs that were free at the last call already, but for a reserve;
    /// all, if asked to. Gives the bytes.
    pub fn discard(&mut self, all: bool) -> usize {
        let which = if all { Table::Dirty } else { Table::Aged };
        let reserve = if all { 0 } else { self.kept() };
        let mut surplus = self.count(Table::Dirty).saturating_sub(reserve);
        let (mut at, mut bytes) = (self.first, 0);
        while surplus > 0
            && let Some(start) = self.find(which, true, at, self.high)
        {
            let end = (self.find(which, false, start, self.high)).unwrap_or(self.high);
            let end = end.min(start + surplus);
            surplus -= end - start;
            let length = (end - start) << SHIFT;
            // SAFETY: these slabs are free, and the lock is held.
            if unsafe { sys::discard(address(start) as *mut u8, length) } {
                bytes += length;
                self.set(Table::Dirty, start..end, false);
            }
            self.set(Table::Aged, start..end, false);
            at = end;
        }
        for word in self.first / 64..self.high.div_ceil(64) {
            let dirty = self.word(Table::Dirty, word).load(Ordering::Relaxed);
            self.word(Table::Aged, word).store(dirty, Ordering::Relaxed);
        }
        DISCARDED.fetch_add(bytes as u64, Ordering::Relaxed);
        bytes
    }

    /// Bytes of the range, in use, most in use.
    pub fn bytes(&self) -> [usize; 3] {
        [self.slabs, self.in_use, self.most_in_use].map(|slabs| slabs << SHIFT)
    }
}

/// Half of the addresses that this process may use.
fn allowed() -> usize {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the structure is there.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) } == 0;
    if known && limit.rlim_cur != libc::RLIM_INFINITY {
        (limit.rlim_cur / 2) as usize
    } else {
        usize::MAX
    }
}
