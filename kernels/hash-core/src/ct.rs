//! Comparison of secrets, in time that does not depend on where they differ.
//!
//! `==` on slices and arrays may end at the first difference. If an attacker sends
//! guesses of a MAC and measures the answers, that tells how many bytes were right.
//! [`eq`] always looks at all bytes. The keyed hashers compare by it in their method
//! `verify`.
//!
//! ```
//! use karat_hash_core::ct;
//!
//! let mac = [1, 2, 3, 4];
//! assert!(ct::eq(&mac, &[1, 2, 3, 4]));
//! assert!(!ct::eq(&mac, &[1, 2, 3, 5]));
//!
//! // A shortened MAC is not accepted.
//! assert!(!ct::eq(&mac[..2], &mac));
//! ```
//!
//! # Limits
//!
//! - The lengths are not secret: slices of different lengths are unequal at once.
//! - The result is not secret: a caller branches on it.
//! - Neither Rust nor LLVM promises constant time. The loop has no branch that depends
//!   on a byte, and [`core::hint::black_box`] hides its result from the optimizer, which
//!   the documentation of `black_box` calls best effort. This is not checked in the
//!   machine code of every target.
//! - It says nothing about power, emissions or faults.
//!
//! The hashes themselves have neither branches nor table lookups that depend on the
//! content of messages and keys. Their time depends on lengths. Keys and states stay in
//! memory after use, unless the feature `zeroize` of their crate is on. It wipes hashers,
//! prepared keys and readers of output when they are dropped, but neither copies that the
//! compiler makes on the stack and in registers nor what a function leaves there.

use core::hint::black_box;

/// Whether `a` and `b` have the same length and the same bytes. The time depends on the
/// lengths, but not on the bytes.
///
/// The module documentation tells [the limits](self#limits).
// Not inlined: in the caller, bytes may be known, and the comparison could be simplified.
#[inline(never)]
#[must_use]
pub fn eq(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut differing = 0;
    for (a, b) in a.iter().zip(b) {
        differing |= a ^ b;
    }
    // The optimizer must give the exact byte, not only whether it is zero. So it needs
    // every pair, and cannot turn the loop into a comparison that ends early.
    black_box(differing) == 0
}

#[cfg(test)]
mod tests {
    use super::eq;

    /// Around words, vectors and blocks.
    const LENGTHS: [usize; 14] = [0, 1, 2, 7, 8, 9, 15, 16, 20, 31, 32, 33, 64, 131];

    #[test]
    fn equal_bytes_are_equal() {
        let bytes: [u8; 131] = core::array::from_fn(|i| (i * 7) as u8);
        let copy = bytes;
        for length in LENGTHS {
            assert!(eq(&bytes[..length], &copy[..length]), "{length} bytes");
            assert!(eq(&bytes[..length], &bytes[..length]), "{length} bytes");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of comparisons")]
    fn every_single_bit_counts() {
        let bytes: [u8; 131] = core::array::from_fn(|i| (i * 7) as u8);
        for length in LENGTHS {
            for bit in 0..8 * length {
                let mut other = bytes;
                other[bit / 8] ^= 1 << (bit % 8);
                assert!(
                    !eq(&bytes[..length], &other[..length]),
                    "{length}, bit {bit}"
                );
                assert!(
                    !eq(&other[..length], &bytes[..length]),
                    "{length}, bit {bit}"
                );
            }
        }
    }

    /// Differences that would cancel out in a sum or in an exclusive-or of all bytes.
    #[test]
    fn differences_do_not_cancel_out() {
        assert!(!eq(&[1, 1], &[0, 0]));
        assert!(!eq(&[1, 2], &[2, 1]));
        assert!(!eq(&[0x80, 0x80], &[0, 0]));
        assert!(!eq(&[0xff; 32], &[0; 32]));
    }

    #[test]
    fn different_lengths_are_unequal() {
        let zeros = [0; 131];
        for a in LENGTHS {
            for b in LENGTHS {
                assert_eq!(eq(&zeros[..a], &zeros[..b]), a == b, "{a} and {b} bytes");
            }
        }
    }
}
