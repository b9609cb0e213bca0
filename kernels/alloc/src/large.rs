//! Objects with mappings of their own, in a table by address.

use crate::lock::Lock;
use crate::{arena, sys};
use core::ptr;

#[derive(Clone, Copy)]
struct Entry {
    /// What the program has; 0: no entry.
    address: usize,
    /// Bytes from there on that are its.
    bytes: usize,
    /// The mapping.
    base: usize,
    length: usize,
}

/// An open-addressed table with linear probing, half full at most.
struct Table {
    entries: *mut Entry,
    size: usize,
    used: usize,
    bytes: usize,
}

// SAFETY: the pointer is used under the lock only.
unsafe impl Send for Table {}

static TABLE: Lock<Table> = Lock::new(Table {
    entries: ptr::null_mut(),
    size: 0,
    used: 0,
    bytes: 0,
});

/// For a fork.
pub fn acquire() {
    TABLE.acquire();
}

/// For a fork.
pub fn release() {
    TABLE.release();
}

/// Objects and their mapped bytes.
pub fn totals() -> (usize, usize) {
    let table = TABLE.lock();
    (table.used, table.bytes)
}

/// Zeroed memory at a multiple of `align`, a power of two.
pub fn allocate(bytes: usize, align: usize) -> Option<*mut u8> {
    let page = sys::page();
    let bytes = bytes.max(1).checked_next_multiple_of(page)?;
    let slack = align.saturating_sub(page);
    let mapped = bytes
        .checked_add(slack)
        .filter(|&n| isize::try_from(n).is_ok())?;
    let start = sys::map(mapped, true)?;
    let address = start.addr().next_multiple_of(align);
    let (mut base, mut length) = (start.addr(), mapped);
    let before = address - base;
    let behind = mapped - before - bytes;
    // What cannot be cut off stays part of the mapping.
    // SAFETY: both ends are of the new mapping, and nobody uses it.
    unsafe {
        if before > 0 && sys::unmap(start, before) {
            (base, length) = (address, length - before);
        }
        if behind > 0 && sys::unmap((address + bytes) as *mut u8, behind) {
            length -= behind;
        }
    }
    enter(address, bytes, base, length)
}

/// Memory that ends, but for alignment, where an unusable page begins.
pub fn allocate_guarded(bytes: usize, align: usize) -> Option<*mut u8> {
    let page = sys::page();
    if align > page {
        return None;
    }
    let usable = bytes.max(1).checked_next_multiple_of(page)?;
    let length = usable.checked_add(page)?;
    let start = sys::map(length, true)?;
    let base = start.addr();
    // SAFETY: the page is of the new mapping.
    if !unsafe { sys::protect((base + usable) as *mut u8, page, false) } {
        // SAFETY: nobody uses it.
        unsafe { sys::unmap(start, length) };
        return None;
    }
    let address = (base + usable - bytes.max(1)) & !(align - 1);
    enter(address, base + usable - address, base, length)
}

fn enter(address: usize, bytes: usize, base: usize, length: usize) -> Option<*mut u8> {
    let entry = Entry {
        address,
        bytes,
        base,
        length,
    };
    if TABLE.lock().insert(entry) {
        return Some(address as *mut u8);
    }
    // SAFETY: nobody knows of the mapping.
    unsafe { sys::unmap(base as *mut u8, length) };
    None
}

/// Gives an object back. False: there is none at that address.
pub fn free(address: usize) -> bool {
    let Some(entry) = TABLE.lock().remove(address) else {
        return false;
    };
    // SAFETY: the mapping was this object's.
    unsafe { sys::unmap(entry.base as *mut u8, entry.length) };
    true
}

/// Bytes of the object at that address.
pub fn size(address: usize) -> Option<usize> {
    let table = TABLE.lock();
    // SAFETY: `find` gives entries of the table.
    table.find(address).map(|at| unsafe { (*at).bytes })
}

/// Changes an object's length without copying it; it may move.
pub fn resize(address: usize, bytes: usize) -> Option<*mut u8> {
    let bytes = bytes.checked_next_multiple_of(sys::page())?;
    let mut table = TABLE.lock();
    // SAFETY: `find` gives entries of the table.
    let old = unsafe { *table.find(address)? };
    if old.base != address || old.bytes != old.length {
        return None;
    }
    // SAFETY: the mapping is this object's, and the program uses it no more.
    let moved = unsafe { sys::remap(address as *mut u8, old.length, bytes)? };
    table.remove(address);
    // There is room: one was just removed.
    table.insert(Entry {
        address: moved.addr(),
        bytes,
        base: moved.addr(),
        length: bytes,
    });
    Some(moved)
}

impl Table {
    fn slot(&self, address: usize) -> usize {
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
        let hash = (address as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize & (self.size - 1)
    }

    /// The entry of an address.
    fn find(&self, address: usize) -> Option<*mut Entry> {
        if self.size == 0 {
            return None;
        }
        let mut slot = self.slot(address);
        loop {
            // SAFETY: slots are below the size; half of them are empty, so this ends.
            let entry = unsafe { self.entries.add(slot) };
            // SAFETY: as above.
            match unsafe { (*entry).address } {
                0 => return None,
                found if found == address => return Some(entry),
                _ => slot = (slot + 1) & (self.size - 1),
            }
        }
    }

    fn insert(&mut self, entry: Entry) -> bool {
        if self.used * 2 >= self.size && !self.grow() {
            return false;
        }
        let mut slot = self.slot(entry.address);
        // SAFETY: slots are below the size, and at least one is empty.
        unsafe {
            while (*self.entries.add(slot)).address != 0 {
                slot = (slot + 1) & (self.size - 1);
            }
            *self.entries.add(slot) = entry;
        }
        self.used += 1;
        self.bytes += entry.length;
        true
    }

    fn grow(&mut self) -> bool {
        let size = (self.size * 2).max(arena::SLAB / size_of::<Entry>());
        let Some(memory) = sys::map(size * size_of::<Entry>(), true) else {
            // A table that is nearly full is slow, not wrong.
            return self.used + 1 < self.size;
        };
        let old = (self.entries, self.size);
        *self = Self {
            entries: memory.cast(),
            size,
            used: 0,
            bytes: 0,
        };
        for slot in 0..old.1 {
            // SAFETY: slots of the old table.
            let entry = unsafe { *old.0.add(slot) };
            if entry.address != 0 {
                self.insert(entry);
            }
        }
        if old.1 > 0 {
            // SAFETY: the old table is nobody's now.
            unsafe { sys::unmap(old.0.cast(), old.1 * size_of::<Entry>()) };
        }
        true
    }

    fn remove(&mut self, address: usize) -> Option<Entry> {
        let at = self.find(address)?;
        // SAFETY: `find` gives entries of the table; all slots below are of it.
        unsafe {
            let removed = *at;
            let mut hole = at.offset_from(self.entries) as usize;
            (*at).address = 0;
            // Entries behind the hole that a search would no longer reach move into it.
            let mut slot = hole;
            loop {
                slot = (slot + 1) & (self.size - 1);
                let entry = *self.entries.add(slot);
                if entry.address == 0 {
                    break;
                }
                let home = self.slot(entry.address);
                let distance = |from: usize| slot.wrapping_sub(from) & (self.size - 1);
                if distance(home) >= distance(hole) {
                    *self.entries.add(hole) = entry;
                    (*self.entries.add(slot)).address = 0;
                    hole = slot;
                }
            }
            self.used -= 1;
            self.bytes -= removed.length;
            Some(removed)
        }
    }
}
