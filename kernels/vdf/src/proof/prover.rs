//! From a form to its result with the proof.

use super::blocks::blocks;
use super::challenge::challenge;
use super::kept::Kept;
use super::multiply::Factors;
use super::plan::Plan;
use super::{Proof, log};
use crate::{Chain, Discriminant, Error, Form, square_all, square_many};
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
            let run = self.until_kept().min(left);
            let y = square_many(&self.y, run, &self.discriminant);
            self.go_on(y, run);
            left -= run;
        }
    }

    /// Squarings until a form is kept.
    const fn until_kept(&self) -> u64 {
        self.plan.spacing() - self.done % self.plan.spacing()
    }

    /// Takes in what so many squarings have led to.
    fn go_on(&mut self, y: Form, squarings: u64) {
        self.y = y;
        self.done += squarings;
        if self.done.is_multiple_of(self.plan.spacing()) && self.done < self.iterations {
            self.kept.push(&self.y);
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

/// Does at most so many squarings of each computation, side by side ([`square_all`]). It is for
/// throughput, as that is: a computation takes longer than by [`Prover::advance`], and all of
/// them less than one after the other. Those of equal length at equal places are best, because
/// forms are kept at the same time.
///
/// ```
/// use karat_vdf::{Discriminant, Form, Prover, advance_all, verify};
///
/// let discriminant = Discriminant::from_seed(b"a seed", 256)?;
/// let x = Form::generator(&discriminant);
/// let y = x.compose(&x, &discriminant).compose(&x, &discriminant);
/// let mut provers = [&x, &y].map(|x| Prover::new(x, 1000, &discriminant));
/// advance_all(&mut provers, 1000);
/// let proof = provers[1].prove(1)?;
/// assert_eq!(verify(&y, &proof, 1000, &discriminant), Ok(()));
/// # Ok::<(), karat_vdf::Error>(())
/// ```
pub fn advance_all(provers: &mut [Prover], squarings: u64) {
    let ends: Vec<u64> = provers
        .iter()
        .map(|p| p.done.saturating_add(squarings).min(p.iterations))
        .collect();
    loop {
        let left = |(prover, end): (&Prover, &u64)| {
            (prover.done < *end).then(|| prover.until_kept().min(end - prover.done))
        };
        let Some(run) = provers.iter().zip(&ends).filter_map(left).min() else {
            return;
        };
        let going = provers.iter().zip(&ends).filter(|(p, end)| p.done < **end);
        let mut chains: Vec<Chain<'_>> = going
            .map(|(prover, _)| Chain {
                form: prover.y,
                discriminant: &prover.discriminant,
            })
            .collect();
        square_all(&mut chains, run);
        let forms: Vec<Form> = chains.iter().map(|chain| chain.form).collect();
        let going = provers.iter_mut().zip(&ends).filter(|(p, e)| p.done < **e);
        for ((prover, _), form) in going.zip(forms) {
            prover.go_on(form, run);
        }
    }
}
