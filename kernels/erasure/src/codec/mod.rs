//! A code of one shape, and what can be done with it.

pub(crate) mod check;
mod encode;
mod incremental;
mod locate;
mod plan;
mod reconstruct;
mod verify;

pub use incremental::Incremental;
pub use plan::Plan;

use crate::body::Bodies;
use crate::field::{self, Logs, Tables};
use crate::points::Points;
use crate::products::Products;
use crate::{Code, Error, cost, kernel};
use alloc::vec::Vec;

/// A code with so many data and so many parity shards.
///
/// To make one costs n log n for n shards, and with a matrix, which is chosen for small
/// shapes, the product of both numbers. Keep it.
#[derive(Clone, Debug)]
pub struct Codec {
    code: Code,
    points: Points,
    logs: Logs,
    tables: &'static Tables,
    products: Products,
    /// For each point the logarithm of the shard's weight.
    weights: Vec<u32>,
    /// For each point the logarithm of its differences from all points of data and zeros.
    known: Vec<u32>,
    /// For each data shard a constant for each parity shard, where parity is not made by
    /// transforms.
    matrix: Option<Vec<u32>>,
    /// Of code D, what a shard is multiplied by around the transforms. Empty otherwise.
    scale: Vec<u32>,
}

impl Codec {
    /// A codec for `data` data shards and `parity` parity shards.
    ///
    /// # Errors
    /// [`Error::Shape`] when the code has no such shape, see [`Code::fits`].
    pub fn new(code: Code, data: usize, parity: usize) -> Result<Self, Error> {
        if !code.fits(data, parity) {
            return Err(Error::Shape { code, data, parity });
        }
        let points = Points::new(code, data, parity);
        let (logs, tables) = match code {
            Code::A | Code::D => (field::logs_standard(), &field::STANDARD),
            Code::B => (field::logs_cantor(), &field::CANTOR),
            Code::C => (field::logs16(), &field::SUBFIELD),
        };
        let products = Products::new(&logs, points.count);
        let zeros = points.zeros();
        let first = points.first_data;
        let given = first..first + data;
        let known = products.of(|p| given.contains(&p) || zeros.contains(&p));
        let weights = match code {
            Code::A => alloc::vec![0; points.count],
            Code::B | Code::C => products.of(|p| zeros.contains(&p)),
            Code::D => known.iter().map(|l| logs.modulus() - l).collect(),
        };
        let mut codec = Self {
            code,
            points,
            logs,
            tables,
            products,
            weights,
            known,
            matrix: None,
            scale: Vec::new(),
        };
        if !codec.transforms() {
            codec.matrix = Some((0..data).flat_map(|shard| codec.column(shard)).collect());
        } else if code == Code::D {
            // One over the weight of data shards, and that of parity shards.
            let modulus = codec.logs.modulus();
            let constant = |shard| match codec.weights[codec.points.of(shard)] {
                weight if shard < data => codec.packed(modulus - weight),
                weight => codec.packed(weight),
            };
            codec.scale = (0..codec.total()).map(constant).collect();
        }
        Ok(codec)
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// Number of data shards.
    #[must_use]
    pub fn data(&self) -> usize {
        self.points.data
    }

    /// Number of parity shards.
    #[must_use]
    pub fn parity(&self) -> usize {
        self.points.parity
    }

    /// Number of all shards.
    #[must_use]
    pub fn total(&self) -> usize {
        self.points.data + self.points.parity
    }

    /// The constants by which a data shard goes into the parity shards.
    pub(crate) fn column(&self, shard: usize) -> Vec<u32> {
        let parity = self.data()..self.total();
        let constants = parity.map(|p| self.constant(p, shard, &self.known));
        constants.collect()
    }

    /// The constant by which shard `from` goes into shard `to`, where for each point
    /// `known` has the logarithm of its differences from all known points, among them that
    /// of `from`.
    ///
    /// It is Lagrange's formula. Zeros are known points besides, so weights are those of
    /// code D alone.
    fn constant(&self, to: usize, from: usize, known: &[u32]) -> u32 {
        let (to, from) = (self.points.of(to), self.points.of(from));
        let modulus = self.logs.modulus();
        let weight = |point: usize| match self.code {
            Code::D => self.weights[point],
            Code::A | Code::B | Code::C => 0,
        };
        let above = known[to] + weight(to);
        let below = known[from] + weight(from) + self.logs.log(to ^ from);
        self.packed(above + 3 * modulus - below)
    }

    /// The element of a logarithm as the bodies take it.
    fn packed(&self, log: u32) -> u32 {
        let constant = self.logs.exp(log);
        match self.code {
            Code::C => field::tower(constant),
            Code::A | Code::B | Code::D => constant.into(),
        }
    }

    /// Whether parity is made by transforms.
    fn transforms(&self) -> bool {
        self.encode_cost() < cost::combine(self.data(), self.parity())
    }

    /// What [`Codec::encode_column`] costs, where it can be done.
    fn encode_cost(&self) -> u64 {
        let (data, parity) = (self.data(), self.parity());
        match self.code {
            Code::A | Code::D if data.is_power_of_two() => {
                cost::encode_low(self.code, data, parity)
            }
            Code::A | Code::D => u64::MAX,
            Code::B | Code::C => cost::encode_high(self.code, data, parity),
        }
    }

    /// The functions of the chosen implementation.
    fn bodies(&self) -> &'static Bodies {
        match self.code {
            Code::C => kernel::GF16.get(),
            Code::A | Code::B | Code::D => kernel::GF8.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Small enough for Miri, which sees pointers out of their place: every way to encode
    /// and to reconstruct, with an end that is no block.
    #[test]
    fn all_ways_stay_inside_of_their_shards() {
        for (code, data, parity) in [
            (Code::A, 3, 2),
            (Code::A, 16, 20),
            (Code::B, 5, 3),
            (Code::B, 20, 16),
            (Code::B, 15, 16),
            (Code::C, 18, 16),
            (Code::D, 16, 9),
        ] {
            let codec = Codec::new(code, data, parity).unwrap();
            let shard = |i: usize| (0..70).map(|b| (i * 31 + b * b / 3) as u8).collect();
            let given: Vec<Vec<u8>> = (0..data).map(shard).collect();
            let mut made = vec![vec![0; 70]; parity];
            codec.encode(&given, &mut made).unwrap();
            assert_eq!(codec.verify(&given, &made), Ok(true));
            let all = [given, made].concat();
            for lost in [1, parity / 2 + 1, parity] {
                let mut shards = all.clone();
                let present: Vec<bool> = (0..all.len()).map(|i| i >= lost).collect();
                for shard in &mut shards[..lost] {
                    shard.fill(0);
                }
                codec.reconstruct(&mut shards, &present).unwrap();
                assert!(shards == all, "{code} {data}+{parity} without {lost}");
            }
        }
    }
}
