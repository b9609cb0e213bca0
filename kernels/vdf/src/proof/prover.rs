//! From a form to its result with the proof.

use super::blocks::blocks;
use super::challenge::challenge;
use super::kept::Kept;
use super::multiply::Factors;
use super::plan::Plan;
use super::{Proof, log};
use crate::{Discriminant, Error, Form, square_many};
use alloc::vec::Vec;

/// A computation with what its proof will need.
///
/// It goes on by as many squarings as its user wants at a time, and writes a log of
/// checkpoints from which it can be resumed. Kept forms take at most 128 MiB.
///
/// ```
/// use karat_vdf::{Discriminant, Form, Prover, verify};
///
/// let discriminant = Discriminant::from_seed(b"a seed", 256)?;
/// let x = Form::generator(&discriminant);
/// let mut prover = Prover::new(&x, 1000, &discriminant);
/// while prover.done() < prover.iterations() {
///     prover.advance(300);
/// }
/// let proof = prover.prove(1)?;
/// assert_eq!(verify(&x, &proof, 1000, &discriminant), Ok(()));
/// # Ok::<(), karat_vdf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prover {
    discriminant: Discriminant,
    x: Form,
    y: Form,
    iterations: u64,
    done: u64,
    plan: Plan,
    kept: Kept,
}

impl Prover {
    /// Nothing done yet of `iterations` squarings.
    #[must_use]
    pub fn new(x: &Form, iterations: u64, discriminant: &Discriminant) -> Self {
        let mut kept = Kept::new(discriminant.bits());
        kept.push(x);
        Self {
            discriminant: discriminant.clone(),
            x: *x,
            y: *x,
            iterations,
            done: 0,
            plan: Plan::of(iterations, discriminant.bits()),
            kept,
        }
    }

    /// All squarings.
    #[must_use]
    pub const fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Squarings that are done.
    #[must_use]
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Does at most so many squarings, and none beyond the last.
    pub fn advance(&mut self, squarings: u64) {
        let mut left = squarings.min(self.iterations - self.done);
        while left > 0 {
            let spacing = self.plan.spacing();
            let run = (spacing - self.done % spacing).min(left);
            self.y = square_many(&self.y, run, &self.discriminant);
            self.done += run;
            left -= run;
            if self.done.is_multiple_of(spacing) && self.done < self.iterations {
                self.kept.push(&self.y);
            }
        }
    }

    /// The result and its proof, after all squarings that are left. The proof is made on
    /// so many threads; without the feature `std` on one.
    ///
    /// # Errors
    /// None: the forms are those of the discriminant.
    pub fn prove(&mut self, threads: usize) -> Result<Proof, Error> {
        self.advance(u64::MAX);
        let challenge = challenge(&self.x, &self.y, &self.discriminant);
        let factors = Factors {
            kept: &self.kept,
            blocks: &blocks(self.iterations, &challenge, self.plan.bits),
            plan: self.plan,
            discriminant: &self.discriminant,
        };
        Ok(Proof {
            y: self.y,
            pi: factors.product(threads)?,
        })
    }

    /// The beginning of a log, to be written before any checkpoint.
    #[must_use]
    pub fn log_header(&self) -> Vec<u8> {
        log::header(&self.discriminant, &self.x, self.iterations, self.plan)
    }

    /// How many checkpoints there are so far. The first is the beginning.
    #[must_use]
    pub fn checkpoints(&self) -> u64 {
        self.kept.len() as u64
    }

    /// The checkpoints from this number on, to be added to the log.
    #[must_use]
    pub fn log_checkpoints(&self, from: u64) -> Vec<u8> {
        let header = self.log_header();
        let new = from as usize..self.kept.len();
        let entry = |index| log::entry(&header, index as u64, self.kept.limbs(index));
        new.flat_map(entry).collect()
    }

    /// Goes on from a log. What stands behind the last whole checkpoint is not looked at,
    /// because a process may end while it writes; the second result is where that begins
    /// and the log must go on.
    ///
    /// # Errors
    /// [`Error::LogHeader`], [`Error::LogOfOther`], [`Error::LogDamaged`].
    pub fn resume(
        x: &Form,
        iterations: u64,
        discriminant: &Discriminant,
        log: &[u8],
    ) -> Result<(Self, usize), Error> {
        let mut prover = Self::new(x, iterations, discriminant);
        let header = prover.log_header();
        log::check_header(log, &header)?;
        let words = prover.kept.limbs(0).len();
        let mut kept = Kept::new(discriminant.bits());
        let mut end = header.len();
        for (index, entry) in log[end..].chunks_exact(log::entry_bytes(words)).enumerate() {
            let damaged = Error::LogDamaged {
                checkpoint: index as u64,
            };
            let limbs = log::limbs(&header, index as u64, entry).ok_or(damaged)?;
            kept.push_limbs(&limbs, discriminant).map_err(|_| damaged)?;
            end += entry.len();
        }
        if let Some(last) = kept.len().checked_sub(1) {
            prover.done = last as u64 * prover.plan.spacing();
            prover.y = kept.form(last, discriminant)?;
            if kept.limbs(0) != prover.kept.limbs(0) || prover.done > iterations {
                return Err(Error::LogOfOther);
            }
            prover.kept = kept;
        }
        Ok((prover, end))
    }
}
