//! The product that a proof is.

use super::kept::Kept;
use super::plan::Plan;
use crate::{Discriminant, Error, Form, square_many};
use alloc::vec::Vec;
use core::ops::Range;

/// What the product is made of.
#[derive(Clone, Copy)]
pub(super) struct Factors<'a> {
    pub(super) kept: &'a Kept,
    pub(super) blocks: &'a [u16],
    pub(super) plan: Plan,
    pub(super) discriminant: &'a Discriminant,
}

/// A product so far, where nothing stands for one.
fn times(product: Option<Form>, factor: &Form, discriminant: &Discriminant) -> Form {
    match product {
        Some(product) => product.compose(factor, discriminant),
        None => *factor,
    }
}

impl Factors<'_> {
    /// `x` to the power of all blocks, on so many threads (algorithm 5 of Wesolowski's
    /// paper).
    ///
    /// # Errors
    /// None for kept forms of the discriminant.
    pub(super) fn product(&self, threads: usize) -> Result<Form, Error> {
        let mut product = None;
        for round in (0..self.plan.every).rev() {
            if let Some(form) = &product {
                product = Some(square_many(form, self.plan.bits.into(), self.discriminant));
            }
            for part in self.parts(round, threads)?.into_iter().flatten() {
                product = Some(times(product, &part, self.discriminant));
            }
        }
        Ok(product.unwrap_or_else(|| Form::identity(self.discriminant)))
    }

    /// The product of one round's blocks, in as many parts as there are threads.
    #[cfg(feature = "std")]
    fn parts(&self, round: u64, threads: usize) -> Result<Vec<Option<Form>>, Error> {
        let share = self.kept.len().div_ceil(threads.max(1)).max(1);
        let starts = (0..self.kept.len()).step_by(share);
        let ranges = starts.map(|start| start..(start + share).min(self.kept.len()));
        let ranges: Vec<Range<usize>> = ranges.collect();
        let [first, others @ ..] = &ranges[..] else {
            return Ok(Vec::new());
        };
        std::thread::scope(|scope| {
            let part = |range: &Range<usize>| {
                let range = range.clone();
                scope.spawn(move || self.part(round, range))
            };
            let threads: Vec<_> = others.iter().map(part).collect();
            let mut parts = alloc::vec![self.part(round, first.clone())?];
            for thread in threads {
                let part = thread.join();
                parts.push(part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(parts)
        })
    }

    /// The same without threads.
    #[cfg(not(feature = "std"))]
    fn parts(&self, round: u64, _: usize) -> Result<Vec<Option<Form>>, Error> {
        self.part(round, 0..self.kept.len())
            .map(|part| alloc::vec![part])
    }

    /// The product of some kept forms, each to the power of its block in this round.
    fn part(&self, round: u64, range: Range<usize>) -> Result<Option<Form>, Error> {
        let discriminant = self.discriminant;
        let mut buckets: Vec<Option<Form>> = alloc::vec![None; 1 << self.plan.bits];
        for index in range {
            let place = index as u64 * self.plan.every + round;
            let block = self.blocks.get(place as usize).copied().unwrap_or(0);
            if block != 0 {
                let bucket = &mut buckets[usize::from(block)];
                let form = self.kept.form(index, discriminant)?;
                *bucket = Some(times(*bucket, &form, discriminant));
            }
        }
        // Each bucket to the power of its number: the product of all products from the top.
        let (mut above, mut product) = (None, None);
        for bucket in buckets[1..].iter().rev() {
            if let Some(form) = bucket {
                above = Some(times(above, form, discriminant));
            }
            if let Some(form) = &above {
                product = Some(times(product, form, discriminant));
            }
        }
        Ok(product)
    }
}
