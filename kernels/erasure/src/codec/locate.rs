//! Which shards are corrupt.
//!
//! A corrupt shard is wrong in some of its symbols. A place at which shards do not fit is a
//! word of the code with errors: its syndromes are power sums of the points of the wrong
//! shards, from which the Berlekamp-Massey algorithm makes the polynomial with these points
//! as roots (Massey, "Shift-Register Synthesis and BCH Decoding", IEEE Trans. Inf. Theory
//! 15(1), 1969). Shards that are found count as lost at the next place.

use super::{Codec, check};
use crate::body::BLOCK;
use crate::{Error, Shards};
use alloc::vec;
use alloc::vec::Vec;

impl Codec {
    /// Indices of the corrupt shards, data shards from 0 on, then parity; none when all fit.
    /// Up to half as many as there are parity shards are always found.
    ///
    /// # Errors
    /// [`Error::TooManyCorrupt`] when there are more and it shows. It may not show: shards
    /// that fit each other can outvote the right ones. Otherwise as [`Codec::encode`].
    pub fn locate<S: AsRef<[u8]>>(&self, shards: &[S]) -> Result<Vec<usize>, Error> {
        self.locate_present(shards, &vec![true; self.total()])
    }

    /// [`Codec::locate`] among the shards that are `present`. Up to half as many as are
    /// there beyond the number of data shards are always found. The others must have the
    /// same length, but are not read.
    ///
    /// # Errors
    /// When there are not as many flags as shards, or too few shards are present; otherwise
    /// as [`Codec::locate`].
    pub fn locate_present<S: AsRef<[u8]>>(
        &self,
        shards: &[S],
        present: &[bool],
    ) -> Result<Vec<usize>, Error> {
        check::count(Shards::All, self.total(), shards.len())?;
        check::count(Shards::Flags, self.total(), present.len())?;
        let shards: Vec<&[u8]> = shards.iter().map(AsRef::as_ref).collect();
        check::length(self.code, shards.iter().map(|s| s.len()).enumerate())?;
        let count = present.iter().filter(|p| **p).count();
        let limit = count.saturating_sub(self.data()) / 2;
        let mut trusted = present.to_vec();
        let mut found = Vec::new();
        while let Some(place) = self.misfit(&shards, &trusted)? {
            let wrong = self.wrong_at(&shards, &trusted, place);
            found.extend(&wrong);
            if wrong.is_empty() || found.len() > limit {
                return Err(Error::TooManyCorrupt { limit });
            }
            for shard in wrong {
                trusted[shard] = false;
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// A byte at which the trusted shards do not fit each other.
    fn misfit(&self, shards: &[&[u8]], trusted: &[bool]) -> Result<Option<usize>, Error> {
        let mut kept = (0..self.total()).filter(|i| trusted[*i]);
        let given: Vec<(usize, &[u8])> = (kept.by_ref())
            .take(self.data())
            .map(|i| (i, shards[i]))
            .collect();
        let others: Vec<usize> = kept.collect();
        let mut made = vec![vec![0; shards[0].len()]; others.len()];
        let mut wanted: Vec<(usize, &mut [u8])> = others
            .iter()
            .copied()
            .zip(made.iter_mut().map(Vec::as_mut_slice))
            .collect();
        self.reconstruct_from(&given, &mut wanted)?;
        let differing = |(i, made): (&usize, &Vec<u8>)| {
            let mut pairs = shards[*i].iter().zip(made);
            pairs.position(|(is, should)| is != should)
        };
        Ok(others.iter().zip(&made).find_map(differing))
    }

    /// The shards that are wrong at a byte, as far as the trusted ones say. None when there
    /// are too many.
    fn wrong_at(&self, shards: &[&[u8]], trusted: &[bool], place: usize) -> Vec<usize> {
        let logs = &self.logs;
        let kept: Vec<usize> = (0..self.total()).filter(|i| trusted[*i]).collect();
        let mut among = vec![false; self.points.count];
        for shard in &kept {
            among[self.points.of(*shard)] = true;
        }
        let product = self.products.of(|point| among[point]);
        let mut syndromes = vec![0; kept.len() - self.data()];
        for shard in &kept {
            let point = self.points.of(*shard);
            let symbol = self.symbol(shards[*shard], place);
            // One over the weight and over the differences from all other points.
            let below = product[point] + self.weights[point];
            let mut term = logs.mul(symbol, logs.exp(2 * logs.modulus() - below));
            for syndrome in &mut syndromes {
                *syndrome ^= term;
                term = logs.mul(term, point as u16);
            }
        }
        let (mut locator, errors) = self.shortest_register(&syndromes);
        if 2 * errors > syndromes.len() {
            return Vec::new();
        }
        // Its reciprocal has the points as roots. An error at point 0 lowers the degree.
        locator.resize(errors + 1, 0);
        let value = |point: u16| locator.iter().fold(0, |sum, c| logs.mul(sum, point) ^ c);
        let mut wrong = kept;
        wrong.retain(|shard| value(self.points.of(*shard) as u16) == 0);
        if wrong.len() != errors {
            wrong.clear();
        }
        wrong
    }

    /// The symbol that a byte of a shard is in.
    fn symbol(&self, shard: &[u8], place: usize) -> u16 {
        if self.code.symbol() == 1 {
            return shard[place].into();
        }
        let start = place / BLOCK * BLOCK;
        let half = (shard.len() - start).min(BLOCK) / 2;
        let low = start + (place - start) % half;
        u16::from_le_bytes([shard[low], shard[low + half]])
    }

    /// The shortest linear-feedback shift register that makes a sequence: its polynomial,
    /// from the constant 1 on, and its length.
    fn shortest_register(&self, sequence: &[u16]) -> (Vec<u16>, usize) {
        let logs = &self.logs;
        let (mut current, mut before) = (vec![1], vec![1]);
        let (mut length, mut shift, mut last) = (0, 1, 1);
        for n in 0..sequence.len() {
            let terms = current.iter().zip(sequence[..=n].iter().rev());
            let discrepancy = terms.fold(0, |sum, (c, s)| sum ^ logs.mul(*c, *s));
            if discrepancy == 0 {
                shift += 1;
                continue;
            }
            let kept = current.clone();
            let factor = logs.mul(discrepancy, logs.inverse(last));
            if current.len() < before.len() + shift {
                current.resize(before.len() + shift, 0);
            }
            for (c, b) in current[shift..].iter_mut().zip(&before) {
                *c ^= logs.mul(factor, *b);
            }
            if 2 * length <= n {
                (length, before, last, shift) = (n + 1 - length, kept, discrepancy, 1);
            } else {
                shift += 1;
            }
        }
        (current, length)
    }
}
