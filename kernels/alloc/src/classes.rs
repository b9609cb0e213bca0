//! Size classes: 16-byte steps to 1 KiB, then eight steps to each doubling, to 32 KiB.
//!
//! A class is also what the arena's map says of a slab, so the numbers behind the last
//! size are for slabs that hold no small objects.

/// [`SLAB`] is two to this.
pub const SHIFT: u32 = 16;
/// Bytes of a slab.
pub const SLAB: usize = 1 << SHIFT;

/// The slab is free, or no slab at all.
pub const NONE: usize = 0;
/// Sizes up to here have classes in steps of 16 bytes.
pub const STEPS_MAX: usize = 1024;
/// Larger sizes take whole slabs.
pub const SMALL_MAX: usize = 32 * 1024;
/// Classes of small objects are `1..=LAST`.
pub const LAST: usize = 64 + 5 * 8;
/// The first slab of a run that holds one large object.
pub const SPAN: usize = LAST + 1;
/// Another slab of such a run.
pub const INSIDE: usize = LAST + 2;
/// Number of classes, with those that hold no small objects.
pub const COUNT: usize = LAST + 3;

/// Bytes of an object of a class, where a constant is needed.
pub const fn compute_size(class: usize) -> usize {
    if class <= 64 {
        16 * class
    } else {
        let (group, step) = ((class - 65) / 8, (class - 65) % 8);
        (1024 << group) / 8 * (9 + step)
    }
}

/// Bytes of an object of each class; 0 for the classes without objects.
static SIZES: [u32; COUNT] = {
    let mut sizes = [0; COUNT];
    let mut class = 1;
    while class <= LAST {
        sizes[class] = compute_size(class) as u32;
        class += 1;
    }
    sizes
};

/// 2^32 over the size, rounded up: `offset * RECIPROCALS[class] >> 32` is the number of
/// the object at that offset of a slab. The error is below `offset * size / 2^32`, less
/// than one step, because both are at most 2^16 and 2^15.
static RECIPROCALS: [u32; COUNT] = {
    let mut all = [0; COUNT];
    let mut class = 1;
    while class <= LAST {
        all[class] = (1_u64 << 32).div_ceil(compute_size(class) as u64) as u32;
        class += 1;
    }
    all
};

/// The class of objects of so many bytes, 1 to [`SMALL_MAX`].
#[inline]
pub const fn of(bytes: usize) -> usize {
    if bytes <= STEPS_MAX {
        bytes.div_ceil(16)
    } else {
        let last = bytes - 1;
        let doubling = last.ilog2() as usize;
        65 + (doubling - 10) * 8 + ((last >> (doubling - 3)) & 7)
    }
}

/// The smallest class whose objects are large enough and lie at multiples of `align`, a
/// power of two; nothing if no class does.
pub fn aligned(bytes: usize, align: usize) -> Option<usize> {
    let bytes = bytes.max(1).checked_next_multiple_of(align)?;
    if bytes > SMALL_MAX {
        return None;
    }
    (of(bytes)..=LAST).find(|&class| size(class).is_multiple_of(align))
}

/// Bytes of an object.
#[inline]
pub fn size(class: usize) -> usize {
    SIZES[class] as usize
}

/// How many objects a slab holds.
#[inline]
pub fn capacity(class: usize) -> usize {
    SLAB / size(class)
}

/// The number of the object that begins so many bytes behind the slab's start, or nothing
/// if none begins there.
#[inline]
pub fn number(class: usize, offset: usize) -> Option<usize> {
    let number = ((offset as u64 * u64::from(RECIPROCALS[class])) >> 32) as usize;
    (number * size(class) == offset && number < capacity(class)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_the_smallest_class_that_holds_it() {
        assert_eq!(size(LAST), SMALL_MAX);
        for bytes in (1..=SMALL_MAX).step_by(if cfg!(miri) { 97 } else { 1 }) {
            let class = of(bytes);
            assert!(size(class) >= bytes, "{bytes}");
            assert!(class == 1 || size(class - 1) < bytes, "{bytes}");
            assert_eq!(size(class) % 16, 0);
        }
    }

    #[test]
    fn objects_are_numbered_and_nothing_between_them_is() {
        for class in 1..=LAST {
            for offset in (0..SLAB).step_by(if cfg!(miri) { 1040 } else { 16 }) {
                let right = (offset % size(class) == 0 && offset / size(class) < capacity(class))
                    .then(|| offset / size(class));
                assert_eq!(number(class, offset), right, "class {class}, {offset}");
            }
            assert_eq!(number(class, size(class) - 1), None);
        }
    }

    #[test]
    fn aligned_classes_are_large_enough_and_aligned() {
        for shift in 0..=16 {
            let align = 1_usize << shift;
            for bytes in [
                0, 1, 15, 16, 17, 100, 1000, 1025, 5000, 20_000, 32_768, 40_000,
            ] {
                let Some(class) = aligned(bytes, align) else {
                    assert!(bytes.next_multiple_of(align).max(align) > SMALL_MAX);
                    continue;
                };
                assert!(size(class) >= bytes && size(class).is_multiple_of(align));
            }
        }
        assert_eq!(aligned(usize::MAX, 16), None);
    }
}
