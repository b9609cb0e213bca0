//! Copies of at most 128 bytes.

use core::cmp::Ordering;

/// Copies `from` to the beginning of `to`.
///
/// It does two moves of a fixed size that may overlap, as memcpy does, but inlined. A
/// call would be a noticeable part of a short message's time. The C library also
/// chooses the width of its stores, and wider loads of the copy would wait until those
/// reach the cache.
///
/// # Panics
/// When `from` is longer than `to`, or longer than 128 bytes.
#[inline(always)]
pub fn copy<const N: usize>(to: &mut [u8; N], from: &[u8]) {
    assert!(from.len() <= N, "a short copy fits");
    // SAFETY: `to` has at least that many bytes.
    unsafe { copy_to(to.as_mut_ptr(), from) }
}

/// [`copy`] to any place.
///
/// # Panics
/// When `from` is longer than 128 bytes.
///
/// # Safety
/// `to` must be writable for the length of `from`, and must not overlap it.
#[inline(always)]
pub unsafe fn copy_to(to: *mut u8, from: &[u8]) {
    assert!(from.len() <= 128, "a short copy is of 128 bytes at most");
    let (len, from) = (from.len(), from.as_ptr());
    // SAFETY: `from` and `to` have at least `len` bytes, and each move is at most that
    // long.
    unsafe {
        match len {
            64.. => ends::<64>(to, from, len),
            33.. => ends::<32>(to, from, len),
            17.. => ends::<16>(to, from, len),
            8.. => ends::<8>(to, from, len),
            4.. => ends::<4>(to, from, len),
            2.. => ends::<2>(to, from, len),
            1 => *to = *from,
            0 => {}
        }
    }
}

/// Copies the first and the last `W` of `len` bytes.
///
/// # Safety
/// `from` must be readable and `to` writable for `len` bytes. `len` must be at least
/// `W`. The two must not overlap.
#[inline(always)]
unsafe fn ends<const W: usize>(to: *mut u8, from: *const u8, len: usize) {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        let last = from.add(len - W).cast::<[u8; W]>().read();
        to.cast::<[u8; W]>().write(from.cast::<[u8; W]>().read());
        to.add(len - W).cast::<[u8; W]>().write(last);
    }
}

/// `from` with zeros behind it.
///
/// Each byte is stored once: a load that follows two stores to the same place, or half of
/// it, waits until they reach the cache.
///
/// # Panics
/// When `from` is longer than 128 bytes.
#[inline(always)]
pub fn padded(from: &[u8]) -> [[u8; 16]; 8] {
    assert!(from.len() <= 128, "a block is of 128 bytes at most");
    let (lanes, _) = from.as_chunks();
    let end = end(from).to_le_bytes();
    core::array::from_fn(|i| match i.cmp(&lanes.len()) {
        Ordering::Less => lanes[i],
        Ordering::Equal => end,
        Ordering::Greater => [0; 16],
    })
}

/// The bytes behind the last whole sixteen, the first lowest.
#[inline(always)]
fn end(from: &[u8]) -> u128 {
    match (from.len() % 16, from.last_chunk()) {
        (0, _) => 0,
        (count, Some(last)) => u128::from_le_bytes(*last) >> (128 - 8 * count),
        (8.., None) => both::<8>(from),
        (4.., None) => both::<4>(from),
        (2.., None) => both::<2>(from),
        (1, None) => from[0].into(),
    }
}

/// All of up to twice `W` bytes.
#[inline(always)]
fn both<const W: usize>(from: &[u8]) -> u128 {
    let number = |bytes: &[u8]| {
        let mut wide = [0; 16];
        wide[..W].copy_from_slice(bytes);
        u128::from_le_bytes(wide)
    };
    let rest = from.len() - W;
    number(&from[..W]) | number(&from[rest..]) << (8 * rest)
}

#[cfg(test)]
mod tests {
    use super::{copy, padded};

    #[test]
    fn every_length_is_copied_and_nothing_else() {
        let from: [u8; 128] = core::array::from_fn(|i| i as u8 + 1);
        for len in 0..=128 {
            let mut to = [0; 130];
            copy(&mut to, &from[..len]);
            assert_eq!(to[..len], from[..len]);
            assert!(to[len..].iter().all(|b| *b == 0), "{len}");
        }
    }

    #[test]
    fn every_length_is_padded() {
        let from: [u8; 128] = core::array::from_fn(|i| i as u8 + 1);
        for len in 0..=128 {
            let to = padded(&from[..len]);
            let to = to.as_flattened();
            assert_eq!(to[..len], from[..len]);
            assert!(to[len..].iter().all(|b| *b == 0), "{len}");
        }
    }
}
