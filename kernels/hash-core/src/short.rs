//! Copies of at most 128 bytes.

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
    let len = from.len();
    assert!(
        len <= N && len <= 128,
        "a short copy is of 128 bytes at most"
    );
    let (to, from) = (to.as_mut_ptr(), from.as_ptr());
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

#[cfg(test)]
mod tests {
    use super::copy;

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
}
