//! Where the shards of a code lie in its field.
//!
//! All four codes are generalised Reed-Solomon codes: shard i has a point a(i) of the field
//! and a weight w(i), and byte for byte the shards are w(i) * g(a(i)) of a polynomial g with
//! fewer coefficients than there are data shards.
//!
//! - A: point i, weight 1: a Vandermonde matrix times its upper inverse.
//! - D: point i. The sum over data j of d(j) / (a + a(j)) is g(a) / P(a) with P the product
//!   of all (x + a(j)), where g takes the value d(j) * P'(a(j)) at a(j).
//! - B, C: parity shards are at 0, 1, .., data shards from the next power of two on, and all
//!   points behind them hold shards of zeros (as `LeopardEncode` in catid/leopard has it).

use crate::Code;
use core::ops::Range;

/// Points of a code's shards.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    /// A power of two above all points.
    pub(crate) count: usize,
    /// Number of data shards.
    pub(crate) data: usize,
    /// Number of parity shards.
    pub(crate) parity: usize,
    /// Point of the first data shard.
    pub(crate) first_data: usize,
    /// Point of the first parity shard.
    pub(crate) first_parity: usize,
}

impl Points {
    pub(crate) fn new(code: Code, data: usize, parity: usize) -> Self {
        let (first_data, first_parity) = match code {
            Code::A | Code::D => (0, data),
            Code::B | Code::C => (parity.next_power_of_two(), 0),
        };
        let end = (first_data + data).max(first_parity + parity);
        Self {
            count: end.next_power_of_two(),
            data,
            parity,
            first_data,
            first_parity,
        }
    }

    /// The point of a shard: data shards first.
    pub(crate) fn of(&self, shard: usize) -> usize {
        if shard < self.data {
            self.first_data + shard
        } else {
            self.first_parity + (shard - self.data)
        }
    }

    /// Points at which a shard of zeros is.
    pub(crate) fn zeros(&self) -> Range<usize> {
        match self.first_data {
            0 => self.count..self.count,
            first => first + self.data..self.count,
        }
    }

    /// Number of rows of a transform of the parity shards.
    pub(crate) fn parity_rows(&self) -> usize {
        self.parity.next_power_of_two()
    }
}
