//! The table of implementations.

use crate::form::Workspace;
use crate::{Discriminant, Form};
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Squares a form so many times. Unsafe: the CPU must have the implementation's ISAs.
pub(crate) type Square = unsafe fn(&mut Form, u64, &Discriminant);

/// Squarings in a class group, one after the other. A body for AVX-512 IFMA would be one
/// more entry.
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
