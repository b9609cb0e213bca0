//! One number in digits of 52 bits, spread over registers.

use crate::digits::portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use crate::digits::{IFMA, avx512ifma};
use crate::lanes::Lanes;
use crate::{TooLarge, Uint};
use karat_cpu::{Implementation, IsaSet, Kernel};

/// What an implementation is. Slices of digits are whole vectors of eight, zeros above a
/// number's digits. Unsafe: the CPU must have the implementation's ISAs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    /// The product of the second and the third argument, which have no more digits than the
    /// last says. The first has room for twice as many, and not for more vectors than that
    /// takes.
    sums: unsafe fn(&mut [Lanes], &[Lanes], &[Lanes], usize),
    /// The same and then [`Body::carry`].
    product: unsafe fn(&mut [Lanes], &[Lanes], &[Lanes], usize),
    /// Digits from sums, as many of the one as of the other.
    carry: unsafe fn(&mut [Lanes], &[Lanes]),
    /// Digits from limbs. What does not fit is left out.
    from_limbs: unsafe fn(&mut [Lanes], &[u64]),
    /// Limbs from digits. What does not fit is left out.
    to_limbs: unsafe fn(&mut [u64], &[Lanes]),
}

/// Products of one number by another, in digits.
pub(crate) static KERNEL: Kernel<Body> = Kernel::new(
    "bigint-one",
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512ifma",
            IFMA,
            Body {
                sums: avx512ifma::multiplied::<false>,
                product: avx512ifma::multiplied::<true>,
                carry: avx512ifma::carry,
                from_limbs: avx512ifma::from_limbs,
                to_limbs: avx512ifma::to_limbs,
            },
            "a number over several registers, up to 40 digits",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            Body {
                sums: portable::sums,
                // Its sums are carried.
                product: portable::sums,
                carry: portable::carry,
                from_limbs: portable::from_limbs,
                to_limbs: portable::to_limbs,
            },
            "plain Rust, column by column",
        ),
    ],
);

/// A number of at most `8 V` digits of 52 bits: 2 for 512 bits, 3 for 1024, 5 for 2048. It
/// stays in this form from one product to the next.
///
/// A product can be a sum of digits that are not carried ([`Sums`]). To carry them later is a
/// step of its own, which the last product before limbs needs too. It takes no constant time.
///
/// ```
/// use karat_bigint::{Digits, Sums, Uint};
///
/// let number = &(&Uint::<16>::ONE << 500) + &Uint::from_u64(3);
/// let digits = Digits::<2>::new(&number)?;
/// let mut sums = Sums::<3>::ZERO;
/// sums.assign_product(&digits, &digits);
/// let mut square = Digits::<3>::ZERO;
/// square.assign_sums(&sums);
/// let mut out = Uint::ZERO;
/// square.write(&mut out)?;
/// assert_eq!(out, number.square());
/// # Ok::<(), karat_bigint::TooLarge>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Digits<const V: usize> {
    /// The least significant first. Zeros from `len` on in the vectors in use, and anything
    /// above.
    vectors: [Lanes; V],
    len: usize,
}

/// A product in digits that are not carried yet.
#[derive(Clone, Copy, Debug)]
pub struct Sums<const V: usize> {
    vectors: [Lanes; V],
    len: usize,
}

/// Vectors of so many digits.
const fn vectors(digits: usize) -> usize {
    digits.div_ceil(8)
}

impl<const V: usize> Digits<V> {
    /// Zero.
    pub const ZERO: Self = Self {
        vectors: [Lanes::ZERO; V],
        len: 0,
    };

    /// This number.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn new<const N: usize>(number: &Uint<N>) -> Result<Self, TooLarge> {
        let mut new = Self::ZERO;
        new.assign(number)?;
        Ok(new)
    }

    /// Becomes this number.
    ///
    /// # Errors
    /// When it does not fit.
    #[inline]
    pub fn assign<const N: usize>(&mut self, number: &Uint<N>) -> Result<(), TooLarge> {
        let len = number.bits().div_ceil(52);
        let out = self.vectors.get_mut(..vectors(len)).ok_or(TooLarge)?;
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { (KERNEL.get().from_limbs)(out, number.limbs()) };
        self.len = len;
        Ok(())
    }

    /// Becomes the number that sums are.
    ///
    /// # Panics
    /// When there is no room for as many digits.
    #[inline]
    pub fn assign_sums<const W: usize>(&mut self, sums: &Sums<W>) {
        let used = vectors(sums.len);
        assert!(used <= V, "{} digits do not fit into {}", sums.len, 8 * V);
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { (KERNEL.get().carry)(&mut self.vectors[..used], &sums.vectors[..used]) };
        self.len = sums.len;
    }

    /// Becomes a product, carried. It is faster than [`Sums::assign_product`] and
    /// [`assign_sums`](Self::assign_sums), one after the other. Which factor should be the first,
    /// see there.
    ///
    /// # Panics
    /// When there is no room for twice the digits of the longer factor.
    #[inline]
    pub fn assign_product<const A: usize, const B: usize>(&mut self, a: &Digits<A>, b: &Digits<B>) {
        let digits = a.len.max(b.len);
        let used = vectors(2 * digits);
        assert!(used <= V, "{} digits do not fit into {}", 2 * digits, 8 * V);
        let (a, b) = (&a.vectors[..vectors(a.len)], &b.vectors[..vectors(b.len)]);
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { (KERNEL.get().product)(&mut self.vectors[..used], a, b, digits) };
        self.len = 2 * digits;
    }

    /// Becomes the lowest bits of a number, so many.
    ///
    /// # Panics
    /// When there is no room for them.
    #[inline]
    pub fn assign_low<const W: usize>(&mut self, other: &Digits<W>, bits: usize) {
        let len = bits.div_ceil(52).min(other.len);
        let used = vectors(len);
        assert!(used <= V, "{bits} bits do not fit into {} digits", 8 * V);
        self.vectors[..used].copy_from_slice(&other.vectors[..used]);
        let last = bits / 52;
        for place in last..8 * used {
            let kept = if place == last {
                (1 << (bits % 52)) - 1
            } else {
                0
            };
            self.vectors[place / 8].0[place % 8] &= kept;
        }
        self.len = len;
    }

    /// Writes the number.
    ///
    /// # Errors
    /// When it does not fit.
    #[inline]
    pub fn write<const N: usize>(&self, number: &mut Uint<N>) -> Result<(), TooLarge> {
        let limbs = (52 * self.len).div_ceil(64);
        let room = limbs.min(N);
        if 52 * self.len > 64 * N && self.bits() > 64 * N {
            return Err(TooLarge);
        }
        let used = &self.vectors[..vectors(self.len)];
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { (KERNEL.get().to_limbs)(&mut number.buffer()[..room], used) };
        number.set_len(room);
        Ok(())
    }

    /// Length in bits.
    fn bits(&self) -> usize {
        let digit = |place: usize| self.vectors[place / 8].0[place % 8];
        let top = (0..self.len).rev().find(|place| digit(*place) != 0);
        top.map_or(0, |place| {
            52 * place + 64 - digit(place).leading_zeros() as usize
        })
    }
}

impl<const V: usize> Sums<V> {
    /// Zero.
    pub const ZERO: Self = Self {
        vectors: [Lanes::ZERO; V],
        len: 0,
    };

    /// Becomes a product. Where one factor was written just before, that should be the first:
    /// its digits are read one by one, those of the other eight at a time.
    ///
    /// # Panics
    /// When there is no room for twice the digits of the longer factor.
    #[inline]
    pub fn assign_product<const A: usize, const B: usize>(&mut self, a: &Digits<A>, b: &Digits<B>) {
        let digits = a.len.max(b.len);
        let used = vectors(2 * digits);
        assert!(used <= V, "{} digits do not fit into {}", 2 * digits, 8 * V);
        let (a, b) = (&a.vectors[..vectors(a.len)], &b.vectors[..vectors(b.len)]);
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { (KERNEL.get().sums)(&mut self.vectors[..used], a, b, digits) };
        self.len = 2 * digits;
    }
}

#[cfg(test)]
mod tests;
