//! What [`product`](super::product) wants of a vector.

use crate::lanes::Lanes;

/// Eight numbers of 64 bits.
///
/// # Safety
/// The CPU must have the ISAs of the type. So must the functions that call these: all are
/// inlined into them.
pub(crate) trait Eight: Copy {
    unsafe fn splat(number: u64) -> Self;
    unsafe fn load(from: &Lanes) -> Self;
    unsafe fn store(self, to: &mut Lanes);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn and(self, other: Self) -> Self;
    /// Each number without its lower 52 bits.
    unsafe fn shr_52(self) -> Self;
    /// `self` and the lower 52 bits of `a b`, of which only the lower 52 bits count.
    unsafe fn add_low(self, a: Self, b: Self) -> Self;
    /// `self` and the bits from 52 to 103 of that.
    unsafe fn add_high(self, a: Self, b: Self) -> Self;
}

/// The lower 52 bits.
pub(crate) const MASK: u64 = (1 << 52) - 1;

/// Plain Rust: so that tests on every machine see what computes in lanes.
#[cfg(test)]
#[derive(Clone, Copy)]
pub(crate) struct Plain([u64; 8]);

#[cfg(test)]
impl Plain {
    fn each(self, other: Self, function: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|i| function(self.0[i], other.0[i])))
    }
}

#[cfg(test)]
impl Eight for Plain {
    unsafe fn splat(number: u64) -> Self {
        Self([number; 8])
    }

    unsafe fn load(from: &Lanes) -> Self {
        Self(from.0)
    }

    unsafe fn store(self, to: &mut Lanes) {
        to.0 = self.0;
    }

    unsafe fn add(self, other: Self) -> Self {
        // A sum that overflows is a mistake here.
        self.each(other, |a, b| a + b)
    }

    unsafe fn and(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }

    unsafe fn shr_52(self) -> Self {
        self.each(self, |a, _| a >> 52)
    }

    unsafe fn add_low(self, a: Self, b: Self) -> Self {
        let low = a.each(b, |a, b| (a & MASK).wrapping_mul(b & MASK) & MASK);
        self.each(low, |a, b| a + b)
    }

    unsafe fn add_high(self, a: Self, b: Self) -> Self {
        let high = a.each(b, |a, b| {
            ((u128::from(a & MASK) * u128::from(b & MASK)) >> 52) as u64
        });
        self.each(high, |a, b| a + b)
    }
}

#[cfg(test)]
super::lanes::powers!(Plain, 6 10 15 20 30 40);

#[cfg(test)]
impl super::lanes::Product for Plain {
    const BITS: usize = 52;

    unsafe fn multiply<const L: usize>(
        a: &super::lanes::Number<L>,
        b: &super::lanes::Number<L>,
        moduli: &super::lanes::Moduli<L>,
        double: &Lanes,
    ) -> super::lanes::Number<L> {
        // SAFETY: plain Rust needs no ISA.
        unsafe { super::product::multiply::<Self, L>(a, b, moduli, double) }
    }
}
