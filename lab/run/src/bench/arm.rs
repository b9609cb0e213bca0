//! A kernel with the loop around it.

use super::timer::Timer;
use std::hint::black_box;

/// Runs a kernel over all inputs, so many times. Boxed around the loop, not around the
/// kernel: the indirect call comes once a batch, and the kernel can be inlined in its loop.
pub(super) type Body<'a, I> = Box<dyn FnMut(&[I], u64) + 'a>;

/// What is compared.
pub(super) struct Arm<'a, I> {
    pub(super) name: String,
    body: Body<'a, I>,
}

impl<'a, I> Arm<'a, I> {
    pub(super) fn new<R>(name: String, mut kernel: impl FnMut(&I) -> R + 'a) -> Self {
        let body = move |inputs: &[I], passes: u64| {
            for _ in 0..passes {
                for input in inputs {
                    black_box(kernel(black_box(input)));
                }
            }
        };
        Self {
            name,
            body: Box::new(body),
        }
    }

    /// An arm without work: what the loop and `black_box` take.
    pub(super) fn empty() -> Self {
        Self::new("empty".to_owned(), |_| ())
    }

    /// Runs a batch untimed.
    pub(super) fn warm(&mut self, inputs: &[I]) {
        (self.body)(inputs, 1);
    }

    /// Nanoseconds of a batch of `passes` over `inputs`.
    pub(super) fn time(&mut self, timer: Timer, inputs: &[I], passes: u64) -> f64 {
        let start = timer.ns();
        (self.body)(inputs, passes);
        (timer.ns() - start) as f64
    }
}
