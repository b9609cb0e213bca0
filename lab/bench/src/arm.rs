//! Something that is measured, with the loop around it.

use super::BenchError;
use super::timer::Timer;
use std::hint::black_box;

/// What is compared.
///
/// The loop over a batch is behind the trait, not each call: the indirect call comes
/// once a batch, and a kernel can be inlined in its loop.
pub(super) trait Work<I> {
    /// Inputs are new: those that are timed, and those of the untimed run before.
    fn prepare(&mut self, inputs: &[I], warm_up: &[I]) -> Result<(), BenchError>;

    /// The untimed run, once over its inputs.
    fn warm_up(&mut self, inputs: &[I]) -> Result<(), BenchError>;

    /// Whether it works on this thread's core.
    fn is_here(&self) -> bool {
        true
    }

    /// Nanoseconds of `passes` over the inputs.
    fn time(&mut self, timer: Timer, inputs: &[I], passes: u64) -> Result<f64, BenchError>;
}

/// A [`Work`] with its name.
pub(super) struct Arm<'a, I> {
    pub(super) name: String,
    pub(super) work: Box<dyn Work<I> + 'a>,
}

impl<'a, I> Arm<'a, I> {
    /// A function of the input as it is.
    pub(super) fn direct<R>(name: String, kernel: impl FnMut(&I) -> R + 'a) -> Self {
        Self {
            name,
            work: Box::new(Direct(kernel)),
        }
    }

    /// A function of a form of its own, which `prepare` makes of each input.
    pub(super) fn prepared<P: 'a, R>(
        name: String,
        prepare: impl FnMut(&I) -> P + 'a,
        kernel: impl FnMut(&mut P) -> R + 'a,
    ) -> Self {
        Self {
            name,
            work: Box::new(Prepared {
                prepare,
                kernel,
                inputs: Vec::new(),
                warm_up: Vec::new(),
            }),
        }
    }

    /// A function that makes so many calls and returns their nanoseconds.
    pub(super) fn timed(name: String, batch: impl FnMut(u64) -> f64 + 'a) -> Self {
        Self {
            name,
            work: Box::new(Timed(batch)),
        }
    }

    /// An arm without work: what the loop and `black_box` take.
    pub(super) fn empty() -> Self {
        Self::direct("empty".to_owned(), |_| ())
    }
}

/// Nanoseconds of `work`.
fn timed(timer: Timer, work: impl FnOnce()) -> f64 {
    let start = timer.ns();
    work();
    (timer.ns() - start) as f64
}

struct Direct<K>(K);

impl<K> Direct<K> {
    fn pass<I, R>(&mut self, inputs: &[I])
    where
        K: FnMut(&I) -> R,
    {
        for input in inputs {
            black_box((self.0)(black_box(input)));
        }
    }
}

impl<I, R, K: FnMut(&I) -> R> Work<I> for Direct<K> {
    fn prepare(&mut self, _: &[I], _: &[I]) -> Result<(), BenchError> {
        Ok(())
    }

    fn warm_up(&mut self, inputs: &[I]) -> Result<(), BenchError> {
        self.pass(inputs);
        Ok(())
    }

    fn time(&mut self, timer: Timer, inputs: &[I], passes: u64) -> Result<f64, BenchError> {
        Ok(timed(timer, || (0..passes).for_each(|_| self.pass(inputs))))
    }
}

struct Prepared<F, K, P> {
    prepare: F,
    kernel: K,
    inputs: Vec<P>,
    warm_up: Vec<P>,
}

fn pass<P, R>(kernel: &mut impl FnMut(&mut P) -> R, inputs: &mut [P]) {
    for input in inputs {
        black_box(kernel(black_box(input)));
    }
}

impl<I, P, R, F: FnMut(&I) -> P, K: FnMut(&mut P) -> R> Work<I> for Prepared<F, K, P> {
    fn prepare(&mut self, inputs: &[I], warm_up: &[I]) -> Result<(), BenchError> {
        self.inputs = inputs.iter().map(&mut self.prepare).collect();
        self.warm_up = warm_up.iter().map(&mut self.prepare).collect();
        Ok(())
    }

    fn warm_up(&mut self, _: &[I]) -> Result<(), BenchError> {
        pass(&mut self.kernel, &mut self.warm_up);
        Ok(())
    }

    fn time(&mut self, timer: Timer, _: &[I], passes: u64) -> Result<f64, BenchError> {
        let Self { kernel, inputs, .. } = self;
        Ok(timed(timer, || {
            (0..passes).for_each(|_| pass(kernel, inputs));
        }))
    }
}

struct Timed<F>(F);

impl<I, F: FnMut(u64) -> f64> Work<I> for Timed<F> {
    fn is_here(&self) -> bool {
        false
    }

    fn prepare(&mut self, _: &[I], _: &[I]) -> Result<(), BenchError> {
        Ok(())
    }

    fn warm_up(&mut self, inputs: &[I]) -> Result<(), BenchError> {
        (self.0)(inputs.len() as u64);
        Ok(())
    }

    fn time(&mut self, _: Timer, inputs: &[I], passes: u64) -> Result<f64, BenchError> {
        Ok((self.0)(passes * inputs.len() as u64))
    }
}
