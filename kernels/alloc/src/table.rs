//! A table of values by a number, in mappings of its own: open-addressed with linear
//! probing, half full at most.

use crate::classes::SLAB;
use crate::sys;
use core::ptr;

#[derive(Clone, Copy)]
struct Entry<V> {
    /// 0: no entry.
    key: usize,
    value: V,
}

/// Keys are never 0. The caller's lock guards it.
pub struct Table<V> {
    entries: *mut Entry<V>,
    size: usize,
    used: usize,
}

// SAFETY: the entries are the table's own.
unsafe impl<V: Send> Send for Table<V> {}

impl<V: Copy> Table<V> {
    pub const fn new() -> Self {
        Self {
            entries: ptr::null_mut(),
            size: 0,
            used: 0,
        }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.used
    }

    pub fn get(&self, key: usize) -> Option<V> {
        // SAFETY: `find` gives entries of the table.
        self.find(key).map(|at| unsafe { (*at).value })
    }

    pub fn each(&self, mut call: impl FnMut(V)) {
        for slot in 0..self.size {
            // SAFETY: slots are below the size, and were written or are zeros.
            unsafe {
                let entry = self.entries.add(slot);
                if (*entry).key != 0 {
                    call((*entry).value);
                }
            }
        }
    }

    fn slot(&self, key: usize) -> usize {
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
        let hash = (key as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize & (self.size - 1)
    }

    fn find(&self, key: usize) -> Option<*mut Entry<V>> {
        if self.size == 0 {
            return None;
        }
        let mut slot = self.slot(key);
        loop {
            // SAFETY: slots are below the size; some of them are empty, so this ends.
            let entry = unsafe { self.entries.add(slot) };
            // SAFETY: as above.
            match unsafe { (*entry).key } {
                0 => return None,
                found if found == key => return Some(entry),
                _ => slot = (slot + 1) & (self.size - 1),
            }
        }
    }

    /// Enters a value whose key is not there yet. False: there is no memory for it.
    pub fn insert(&mut self, key: usize, value: V) -> bool {
        if self.used * 2 >= self.size && !self.grow() {
            return false;
        }
        let mut slot = self.slot(key);
        // SAFETY: slots are below the size, and at least one is empty.
        unsafe {
            while (*self.entries.add(slot)).key != 0 {
                slot = (slot + 1) & (self.size - 1);
            }
            self.entries.add(slot).write(Entry { key, value });
        }
        self.used += 1;
        true
    }

    fn grow(&mut self) -> bool {
        let first = (SLAB / size_of::<Entry<V>>()).next_power_of_two();
        let size = (self.size * 2).max(first);
        let Some(memory) = sys::map(size * size_of::<Entry<V>>(), true) else {
            // A table that is nearly full is slow, not wrong.
            return self.used + 1 < self.size;
        };
        let old = (self.entries, self.size);
        *self = Self {
            entries: memory.cast(),
            size,
            used: 0,
        };
        for slot in 0..old.1 {
            // SAFETY: slots of the old table.
            unsafe {
                let entry = old.0.add(slot);
                if (*entry).key != 0 {
                    self.insert((*entry).key, (*entry).value);
                }
            }
        }
        if old.1 > 0 {
            // SAFETY: the old table is nobody's now.
            unsafe { sys::unmap(old.0.cast(), old.1 * size_of::<Entry<V>>()) };
        }
        true
    }

    pub fn remove(&mut self, key: usize) -> Option<V> {
        let at = self.find(key)?;
        // SAFETY: `find` gives entries of the table; all slots below are of it.
        unsafe {
            let removed = (*at).value;
            let mut hole = at.offset_from(self.entries) as usize;
            (*at).key = 0;
            // Entries behind the hole that a search would no longer reach move into it.
            let mut slot = hole;
            loop {
                slot = (slot + 1) & (self.size - 1);
                let entry = self.entries.add(slot);
                if (*entry).key == 0 {
                    break;
                }
                let home = self.slot((*entry).key);
                let distance = |from: usize| slot.wrapping_sub(from) & (self.size - 1);
                if distance(home) >= distance(hole) {
                    *self.entries.add(hole) = *entry;
                    (*entry).key = 0;
                    hole = slot;
                }
            }
            self.used -= 1;
            Some(removed)
        }
    }
}
