//! Squaring again and again.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod eight;
mod kernel;

pub(crate) use kernel::{KERNEL, MANY};

use crate::{Discriminant, Form};

/// Squares a form so many times: the delay function itself.
///
/// ```
/// use karat_vdf::{Discriminant, Form, square_many};
///
/// let discriminant = Discriminant::from_seed(b"a seed", 256)?;
/// let x = Form::generator(&discriminant);
/// let y = square_many(&x, 1000, &discriminant);
/// assert_eq!(square_many(&y, 10, &discriminant), square_many(&x, 1010, &discriminant));
/// # Ok::<(), karat_vdf::Error>(())
/// ```
#[must_use]
pub fn square_many(x: &Form, times: u64, discriminant: &Discriminant) -> Form {
    let mut y = *x;
    // SAFETY: the kernel gives only what this CPU can run.
    unsafe { (KERNEL.get())(&mut y, times, discriminant) };
    y
}

/// A form that is squared among others, and its discriminant.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'d> {
    /// The form.
    pub form: Form,
    /// What it belongs to.
    pub discriminant: &'d Discriminant,
}

/// Squares many forms, each so many times. It is for throughput: a chain takes longer than
/// by [`square_many`], and all of them less than one after the other. Chains go in groups
/// of eight, of discriminants of about the same length at best.
///
/// ```
/// use karat_vdf::{Chain, Discriminant, Form, square_all, square_many};
///
/// let discriminants = [b"one", b"two"].map(|seed| Discriminant::from_seed(seed, 512));
/// let [one, two] = discriminants;
/// let (one, two) = (one?, two?);
/// let mut chains = [&one, &two].map(|discriminant| Chain {
///     form: Form::generator(discriminant),
///     discriminant,
/// });
/// square_all(&mut chains, 100);
/// assert_eq!(chains[1].form, square_many(&Form::generator(&two), 100, &two));
/// # Ok::<(), karat_vdf::Error>(())
/// ```
pub fn square_all(chains: &mut [Chain<'_>], times: u64) {
    // SAFETY: the kernel gives only what this CPU can run.
    unsafe { (MANY.get())(chains, times) };
}

/// Squares a form.
pub(crate) fn square(form: &mut Form, discriminant: &Discriminant) {
    // SAFETY: the kernel gives only what this CPU can run.
    unsafe { (KERNEL.get())(form, 1, discriminant) };
}
