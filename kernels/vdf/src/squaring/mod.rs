//! Squaring again and again.

mod kernel;

pub(crate) use kernel::KERNEL;

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

/// Squares a form.
pub(crate) fn square(form: &mut Form, discriminant: &Discriminant) {
    // SAFETY: the kernel gives only what this CPU can run.
    unsafe { (KERNEL.get())(form, 1, discriminant) };
}
