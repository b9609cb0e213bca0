//! The table of implementations of products.

use crate::choices::CHOICES;
use crate::limbs;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// The functions of an implementation. Unsafe: the CPU must have its ISAs.
///
/// The first writes the product of its second and third argument to the first, which is
/// as long as both together. The second writes the square. No argument is empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    mul: unsafe fn(&mut [u64], &[u64], &[u64]),
    square: unsafe fn(&mut [u64], &[u64]),
}

/// What the body of mulx, adcx and adox needs.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) const ADX: IsaSet = IsaSet::of(&["adx", "bmi2"]);

/// Products and squares. AVX-512 IFMA stands behind: its products are faster, and programs whose
/// products are short or wait for each other may not be, so it is chosen where a record has such a
/// program too (docs/decisions/704-choices-by-record.md).
pub(crate) static KERNEL: Kernel<Body> = Kernel::measured(
    "bigint-mul",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Implementation::new(
            "adx",
            ADX,
            Body {
                mul: crate::adx::mul,
                square: crate::adx::square,
            },
            "blocks of eight limbs, two chains of carries",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512ifma",
            crate::ifma::ISAS,
            Body {
                mul: crate::ifma::mul,
                square: crate::ifma::square,
            },
            "to digits of 52 bits and back in registers, up to 32 limbs",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            Body {
                mul: |out, a, b| limbs::mul(out, a, b),
                square: |out, a| limbs::square(out, a),
            },
            "plain Rust, row by row",
        ),
    ],
);

/// From so many limbs on, both numbers, a call through the table is worth it.
const MANY: usize = 8;

/// `out = a * b`, for `out` as long as both together; neither is empty.
#[inline]
pub(crate) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    let shorter = a.len().min(b.len());
    if shorter < MANY {
        return limbs::mul(out, a, b);
    }
    // SAFETY: the kernel gives only what this CPU can run.
    unsafe { (KERNEL.get_for(8 * shorter).mul)(out, a, b) }
}

/// `out = a * a`, for `out` twice as long as `a`.
#[inline]
pub(crate) fn square(out: &mut [u64], a: &[u64]) {
    if a.len() < MANY {
        return limbs::square(out, a);
    }
    // SAFETY: the kernel gives only what this CPU can run.
    unsafe { (KERNEL.get_for(8 * a.len()).square)(out, a) }
}
