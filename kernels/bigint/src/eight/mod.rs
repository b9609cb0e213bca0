//! Eight numbers side by side, which stay in digits of some 50 bits.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512ifma;
mod portable;
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
mod product;

use crate::lanes::{self, Lanes};
use crate::{TooLarge, Uint};
use karat_cpu::{Implementation, IsaSet, Kernel};

/// How many numbers stand side by side.
pub const LANES: usize = 8;

/// The product of eight numbers by eight others. The first argument is as long as both
/// others together, which are of the same length and not empty. Unsafe: the CPU must have
/// the implementation's ISAs.
type Product = unsafe fn(&mut [Lanes], &[Lanes], &[Lanes]);

/// What an implementation is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    /// Bits of a digit, at most 52.
    bits: usize,
    product: Product,
}

/// Products of eight numbers by eight others.
pub(crate) static KERNEL: Kernel<Body> = Kernel::new(
    "bigint-eight",
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512ifma",
            IsaSet::of(&["avx512f", "avx512ifma"]),
            Body {
                bits: 52,
                product: avx512ifma::multiply,
            },
            "digits of 52 bits",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            IsaSet::of(&["avx2", "fma"]),
            Body {
                bits: 50,
                product: avx2::multiply,
            },
            "digits of 50 bits as floating point numbers",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            Body {
                bits: 52,
                product: |out, a, b| portable::multiply(out, a, b),
            },
            "digits of 52 bits, one number after the other",
        ),
    ],
);

/// Eight numbers side by side, of at most `D` digits each. They stay in this form from one
/// operation to the next, because to bring numbers into it and out of it costs as much as a
/// product.
///
/// Digits have 50 or 52 bits, as the implementation has them that is chosen: numbers of two
/// implementations do not go together. It takes no constant time.
///
/// ```
/// use karat_bigint::{Eight, Uint};
///
/// let numbers: [Uint<4>; 8] = core::array::from_fn(|i| Uint::from_u64(i as u64 + 10));
/// let eight = Eight::<2>::new(&numbers)?;
/// let mut squares = Eight::<4>::ZERO;
/// squares.assign_product(&eight, &eight);
/// let mut out = [Uint::<4>::ZERO; 8];
/// squares.write(&mut out)?;
/// assert_eq!(out[7], Uint::from_u64(17 * 17));
/// # Ok::<(), karat_bigint::TooLarge>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Eight<const D: usize> {
    /// The least significant first. Those from `len` on mean nothing.
    digits: [Lanes; D],
    len: usize,
}

impl<const D: usize> Eight<D> {
    /// Zeros.
    pub const ZERO: Self = Self {
        digits: [Lanes::ZERO; D],
        len: 0,
    };

    /// These numbers.
    ///
    /// # Errors
    /// When the longest has more digits than there is room for.
    pub fn new<const N: usize>(numbers: &[Uint<N>; LANES]) -> Result<Self, TooLarge> {
        let mut new = Self::ZERO;
        new.assign(numbers)?;
        Ok(new)
    }

    /// Becomes these numbers.
    ///
    /// # Errors
    /// When the longest has more digits than there is room for.
    pub fn assign<const N: usize>(&mut self, numbers: &[Uint<N>; LANES]) -> Result<(), TooLarge> {
        let bits = KERNEL.get().bits;
        let longest = numbers.iter().map(Uint::bits).max().unwrap_or(0);
        let len = longest.div_ceil(bits);
        let digits = self.digits.get_mut(..len).ok_or(TooLarge)?;
        for (lane, number) in numbers.iter().enumerate() {
            lanes::pack(digits, lane, bits, number.limbs());
        }
        self.len = len;
        Ok(())
    }

    /// Writes the numbers.
    ///
    /// # Errors
    /// When one does not fit.
    pub fn write<const N: usize>(&self, numbers: &mut [Uint<N>; LANES]) -> Result<(), TooLarge> {
        let bits = KERNEL.get().bits;
        let limbs = (bits * self.len).div_ceil(64);
        for (lane, number) in numbers.iter_mut().enumerate() {
            // The digits of the longest may reach into a limb that no number has.
            let room = limbs.min(N);
            lanes::unpack(
                &self.digits[..self.len],
                lane,
                bits,
                &mut number.buffer()[..room],
            );
            let above = self.digits[..self.len].iter().enumerate().rev();
            let top = above
                .map(|(i, digit)| (i, digit.0[lane]))
                .find(|(_, d)| *d != 0);
            let used = top.map_or(0, |(i, digit)| {
                bits * i + 64 - digit.leading_zeros() as usize
            });
            if used > 64 * N {
                return Err(TooLarge);
            }
            number.set_len(room);
        }
        Ok(())
    }

    /// Becomes the products of numbers lane by lane, for twice as much room.
    ///
    /// # Panics
    /// When there is no room for the digits of both factors, or the factors differ in their
    /// numbers of digits: give shorter ones the length of the longer ones
    /// ([`Eight::extend`]).
    #[inline]
    pub fn assign_product<const F: usize>(&mut self, a: &Eight<F>, b: &Eight<F>) {
        assert_eq!(a.len, b.len, "factors have the same number of digits");
        let len = a.len + b.len;
        assert!(len <= D, "a product of {len} digits does not fit into {D}");
        if len > 0 {
            let product = KERNEL.get().product;
            let out = &mut self.digits[..len];
            // SAFETY: the kernel gives only what this CPU can run.
            unsafe { product(out, &a.digits[..a.len], &b.digits[..b.len]) };
        }
        self.len = len;
    }

    /// Digits in use, of the longest of the numbers.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether all numbers are zero.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds digits of zero up to so many.
    ///
    /// # Panics
    /// When there is no room.
    pub fn extend(&mut self, len: usize) {
        assert!(len <= D, "{len} digits do not fit into {D}");
        if len > self.len {
            self.digits[self.len..len].fill(Lanes::ZERO);
            self.len = len;
        }
    }

    /// Becomes the lowest digits of longer numbers, so many.
    ///
    /// # Panics
    /// When there are not as many, or no room for them.
    pub fn assign_low<const F: usize>(&mut self, other: &Eight<F>, len: usize) {
        assert!(
            len <= other.len,
            "there are {} digits and not {len}",
            other.len
        );
        assert!(len <= D, "{len} digits do not fit into {D}");
        self.digits[..len].copy_from_slice(&other.digits[..len]);
        self.len = len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::powers::vector::Plain;
    use std::vec::Vec;

    /// Numbers with digits of all kinds, zeros and ones alone among them.
    fn digits(state: &mut u64, len: usize, bits: usize, kind: usize) -> Vec<Lanes> {
        let mut number = || {
            *state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let random = *state >> (64 - bits);
            match (kind, *state >> 3 & 3) {
                (1, _) | (2, 1) => (1 << bits) - 1,
                (2, 2) => 0,
                _ => random,
            }
        };
        (0..len)
            .map(|_| Lanes(core::array::from_fn(|_| number())))
            .collect()
    }

    fn agree(bits: usize, found: Product, name: &str) {
        let state = &mut 7;
        for len in [1, 2, 10, 11, 13, 20, 21, 41] {
            for kind in 0..3 {
                let (a, b) = (
                    digits(state, len, bits, kind),
                    digits(state, len, bits, kind / 2),
                );
                let mut out = std::vec![Lanes([9; 8]); 2 * len];
                // SAFETY: the callers give what this CPU has.
                unsafe { found(&mut out, &a, &b) };
                for lane in 0..LANES {
                    // By another way: limbs.
                    let number = |digits: &[Lanes]| {
                        let mut limbs = [0; 96];
                        lanes::unpack(digits, lane, bits, &mut limbs);
                        Uint::<96>::from_limbs(&limbs).expect("it fits")
                    };
                    let product = &number(&a) * &number(&b);
                    assert_eq!(number(&out), product, "{name}: {len} digits, {kind}");
                }
                assert!(out.iter().all(|d| d.0.iter().all(|d| *d < 1 << bits)));
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes there")]
    fn products_in_lanes_agree_with_those_of_limbs() {
        agree(52, portable::multiply, "portable");
        // SAFETY: plain Rust needs no ISA.
        agree(
            52,
            |out, a, b| unsafe { product::multiply::<Plain>(out, a, b) },
            "plain",
        );
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
            agree(50, avx2::multiply, "avx2");
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        if std::is_x86_feature_detected!("avx512ifma") {
            agree(52, avx512ifma::multiply, "avx512ifma");
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let numbers = [&Uint::<4>::ONE << 200; LANES];
        assert!(Eight::<3>::new(&numbers).is_err());
        let eight = Eight::<5>::new(&numbers).expect("five digits are enough");
        assert!(eight.write(&mut [Uint::<3>::ZERO; LANES]).is_err());
        let mut back = [Uint::<4>::ZERO; LANES];
        assert!(eight.write(&mut back).is_ok());
        assert_eq!(back, numbers);
    }
}
