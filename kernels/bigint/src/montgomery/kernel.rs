//! The table of implementations of Montgomery's product.

use super::{Montgomery, Residue};
use crate::reduction::{self, Modulus};
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Most limbs of a modulus.
pub(super) const LIMBS: usize = 64;

/// Where a double product is made.
pub(super) struct Scratch(pub(super) [u64; 2 * LIMBS]);

impl Scratch {
    pub(super) const fn new() -> Self {
        Self([0; 2 * LIMBS])
    }
}

/// Takes a double product `t` of `2 n` limbs to `t / 2^(64 n)` in its upper half, not
/// above the modulus of `n` limbs, for `t` below the modulus times `2^(64 n)`. Unsafe: the
/// CPU must have the implementation's ISAs.
pub(crate) type Reduce = unsafe fn(t: &mut [u64], modulus: Modulus<'_>);

/// Montgomery's reduction.
pub(crate) static KERNEL: Kernel<Reduce> = Kernel::new(
    "bigint-montgomery",
    &[
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Implementation::new(
            "adx",
            crate::product::ADX,
            crate::adx::reduce as Reduce,
            "blocks of eight limbs, two chains of carries",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            reduction::by_rows as Reduce,
            "plain Rust, row by row",
        ),
    ],
);

impl<const N: usize> Montgomery<N> {
    /// `a *= b`.
    #[inline]
    pub(super) fn multiply(&self, a: &mut Residue<N>, b: &Residue<N>, scratch: &mut Scratch) {
        let len = self.modulus.limbs().len();
        let t = &mut scratch.0[..2 * len];
        crate::product::mul(t, &a.limbs[..len], &b.limbs[..len]);
        self.reduce(a, t);
    }

    /// `a *= a`.
    #[inline]
    pub(super) fn square_in_place(&self, a: &mut Residue<N>, scratch: &mut Scratch) {
        let len = self.modulus.limbs().len();
        let t = &mut scratch.0[..2 * len];
        crate::product::square(t, &a.limbs[..len]);
        self.reduce(a, t);
    }

    #[inline]
    fn reduce(&self, out: &mut Residue<N>, t: &mut [u64]) {
        let modulus = Modulus {
            limbs: self.modulus.limbs(),
            inverse: self.inverse,
        };
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { (KERNEL.get())(t, modulus) };
        let len = modulus.limbs.len();
        out.limbs[..len].copy_from_slice(&t[len..]);
    }
}
