//! Where memory comes from and goes back to, by its size: a thread's heap, whole slabs of
//! the arena, or mappings of its own.

use crate::classes::{self, INSIDE, NONE, SMALL_MAX, SPAN};
use crate::front::Object;
use crate::heap::{Heap, give_back};
use crate::{arena, fail, large, thread};

/// Larger objects have mappings of their own, which can grow without being copied.
pub const SPAN_MAX: usize = 32 * 1024 * 1024;
/// What every object is aligned to.
pub const ALIGN: usize = 16;

/// Bytes from an object's start to the end of what was taken for it.
pub fn block(address: usize) -> usize {
    match arena::class(address) {
        NONE => match large::size(address) {
            Some(bytes) => bytes,
            None if arena::contains(address) => fail::not_allocated(address),
            None => fail::foreign(address),
        },
        SPAN => {
            let start = arena::index(address);
            if arena::address(start) != address {
                fail::inside(address);
            }
            arena::meta(start).run.get() * arena::SLAB
        }
        INSIDE => fail::inside(address),
        class => classes::size(class),
    }
}

/// Memory from where its size says. `small` takes it from a heap.
pub fn take(
    bytes: usize,
    align: usize,
    small: impl Fn(&Heap, usize) -> Option<Object>,
) -> Option<(*mut u8, bool)> {
    let class = match align <= ALIGN {
        true if bytes <= SMALL_MAX => Some(classes::of(bytes.max(1))),
        true => None,
        false => classes::aligned(bytes, align),
    };
    if let Some(class) = class
        && let Some(object) = thread::with_heap(|heap| small(heap, class))
    {
        return Some((object, false));
    }
    if isize::try_from(bytes).is_err() {
        return None;
    }
    let mapped = || large::allocate(bytes, align).map(|object| (object, true));
    if class.is_none() && bytes <= SPAN_MAX && align <= SPAN_MAX {
        slabs(bytes, align).or_else(mapped)
    } else {
        mapped().or_else(|| slabs(bytes, align))
    }
}

/// Whole slabs.
fn slabs(bytes: usize, align: usize) -> Option<(*mut u8, bool)> {
    let count = bytes.div_ceil(arena::SLAB).max(1);
    let (start, clean) = arena::lock().take(count, align.max(arena::SLAB))?;
    arena::meta(start).run.set(count);
    arena::set_class(start, SPAN);
    (start + 1..start + count).for_each(|slab| arena::set_class(slab, INSIDE));
    Some((arena::address(start) as *mut u8, clean))
}

/// Gives memory back to where it is from. `small` puts it into a heap.
pub fn put_back(object: *mut u8, small: impl Fn(&Heap, usize, Object)) {
    let address = object.addr();
    match arena::class(address) {
        NONE => {
            if !large::free(address) {
                match arena::contains(address) {
                    true => fail::not_allocated(address),
                    false => fail::foreign(address),
                }
            }
        }
        SPAN => {
            let count = block(address) / arena::SLAB;
            arena::lock().give(arena::index(address), count);
        }
        INSIDE => fail::inside(address),
        class => match thread::heap() {
            Some(heap) => small(heap, class, object),
            None => give_back(None, &mut [object]),
        },
    }
}
