//! The tables of implementations.

use super::Chain;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::eight;
use crate::form::Workspace;
use crate::{Discriminant, Form};
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Squares a form so many times. Unsafe: the CPU must have the implementation's ISAs.
pub(crate) type Square = unsafe fn(&mut Form, u64, &Discriminant);

/// Squarings in a class group, one after the other.
pub(crate) static KERNEL: Kernel<Square> = Kernel::new(
    "vdf-square",
    &[
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Implementation::new(
            "bmi2",
            IsaSet::of(&["bmi1", "bmi2"]),
            bmi2 as Square,
            "the same with mulx, which leaves flags alone",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            portable as Square,
            "plain Rust; bound by the divisions of two Euclidean algorithms",
        ),
    ],
);

/// Squares many forms, each so many times. Unsafe: the CPU must have the implementation's
/// ISAs.
pub(crate) type SquareAll = unsafe fn(&mut [Chain<'_>], u64);

/// Squarings of many forms.
pub(crate) static MANY: Kernel<SquareAll> = Kernel::new(
    "vdf-square-all",
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512ifma",
            IsaSet::of(&["avx512f", "avx512dq", "avx512ifma", "bmi1", "bmi2"]),
            eight::square as SquareAll,
            "eight forms side by side, in digits of 52 bits",
        ),
        Implementation::new(
            "one-by-one",
            IsaSet::EMPTY,
            one_by_one as SquareAll,
            "vdf-square of one form after the other",
        ),
    ],
);

#[inline(always)]
fn repeat(form: &mut Form, times: u64, discriminant: &Discriminant) {
    let mut space = Workspace::new();
    for _ in 0..times {
        form.square_with(&mut space, discriminant);
    }
}

fn portable(form: &mut Form, times: u64, discriminant: &Discriminant) {
    repeat(form, times, discriminant);
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "bmi1,bmi2")]
fn bmi2(form: &mut Form, times: u64, discriminant: &Discriminant) {
    repeat(form, times, discriminant);
}

fn one_by_one(chains: &mut [Chain<'_>], times: u64) {
    let square = KERNEL.get();
    for chain in chains {
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { square(&mut chain.form, times, chain.discriminant) };
    }
}
