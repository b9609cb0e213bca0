//! Objects with mappings of their own, in a table by address.

use crate::lock::Lock;
use crate::sys;
use crate::table::Table;

/// The mapping of an object.
#[derive(Clone, Copy)]
struct Mapped {
    /// Bytes from the object's address on that are its.
    bytes: usize,
    base: usize,
    length: usize,
}

struct Large {
    objects: Table<Mapped>,
    bytes: usize,
}

static LARGE: Lock<Large> = Lock::new(Large {
    objects: Table::new(),
    bytes: 0,
});

/// For a fork.
pub fn acquire() {
    LARGE.acquire();
}

/// For a fork.
pub fn release() {
    LARGE.release();
}

/// Objects and their mapped bytes.
pub fn totals() -> (usize, usize) {
    let large = LARGE.lock();
    (large.objects.len(), large.bytes)
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
    let mapped = Mapped {
        bytes,
        base,
        length,
    };
    if LARGE.lock().insert(address, mapped) {
        return Some(address as *mut u8);
    }
    // SAFETY: nobody knows of the mapping.
    unsafe { sys::unmap(base as *mut u8, length) };
    None
}

/// Gives an object back. False: there is none at that address.
pub fn free(address: usize) -> bool {
    let Some(mapped) = LARGE.lock().remove(address) else {
        return false;
    };
    // SAFETY: the mapping was this object's.
    unsafe { sys::unmap(mapped.base as *mut u8, mapped.length) };
    true
}

/// Bytes of the object at that address.
pub fn size(address: usize) -> Option<usize> {
    LARGE.lock().objects.get(address).map(|mapped| mapped.bytes)
}

/// Changes an object's length without copying it; it may move.
pub fn resize(address: usize, bytes: usize) -> Option<*mut u8> {
    let bytes = bytes.checked_next_multiple_of(sys::page())?;
    let mut large = LARGE.lock();
    let old = large.objects.get(address)?;
    if old.base != address || old.bytes != old.length {
        return None;
    }
    // SAFETY: the mapping is this object's, and the program uses it no more.
    let moved = unsafe { sys::remap(address as *mut u8, old.length, bytes)? };
    large.remove(address);
    // There is room: one was just removed.
    large.insert(
        moved.addr(),
        Mapped {
            bytes,
            base: moved.addr(),
            length: bytes,
        },
    );
    Some(moved)
}

impl Large {
    fn insert(&mut self, address: usize, mapped: Mapped) -> bool {
        let entered = self.objects.insert(address, mapped);
        if entered {
            self.bytes += mapped.length;
        }
        entered
    }

    fn remove(&mut self, address: usize) -> Option<Mapped> {
        let mapped = self.objects.remove(address)?;
        self.bytes -= mapped.length;
        Some(mapped)
    }
}
