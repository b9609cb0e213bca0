//! How lost shards are made again.

use super::{Codec, check};
use crate::{Code, Error, Shards, cost};
use alloc::vec;
use alloc::vec::Vec;

/// What has to be done for one set of present and wanted shards. It can be kept and used for
/// any number of shards with the same losses, such as the rows of a square.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    pub(super) codec: &'a Codec,
    /// The shards that are read, in the order of the workspace's inputs. `None` stands for
    /// a lost one that counts as zeros.
    pub(crate) inputs: Vec<Option<usize>>,
    /// The shards that are written, in the order of the outputs.
    pub(crate) outputs: Vec<usize>,
    pub(super) way: Way,
}

/// The ways; [`crate::cost`] chooses.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// Nothing is wanted.
    Nothing,
    /// Each wanted shard is a sum of as many present ones as there are data shards. There
    /// are as many constants for each input as there are outputs.
    Matrix(Vec<u32>),
    /// Parity of the present data shards is made by transforms. Its difference from
    /// `present` parity shards comes from the lost data shards alone, so that wanted shards
    /// are sums of few differences.
    Differences {
        /// Parity shards that are read, from 0 on. They are the last inputs.
        present: Vec<usize>,
        /// For each of them a constant for each output.
        constants: Vec<u32>,
        /// Parity shards that are written, from 0 on. They are the last outputs.
        wanted: Vec<usize>,
    },
    /// All data shards from so many of the first parity shards, which are a block of points by
    /// themselves: encoding the other way round.
    Turned(usize),
    /// One transform of all points: the shards times the polynomial that is zero at what is
    /// lost, its formal derivative, and back.
    Transform {
        /// For each input the constant before.
        before: Vec<u32>,
        /// For each output the constant after.
        after: Vec<u32>,
        /// Points of the inputs, of the outputs, and of all that are not inputs.
        order: Vec<usize>,
        /// Points that are wanted are below it.
        end: usize,
    },
}

impl Codec {
    /// How to make all shards that are not `present`: a flag for each, data shards first.
    ///
    /// # Errors
    /// When there are not as many flags as shards, or too few shards are present.
    pub fn plan(&self, present: &[bool]) -> Result<Plan<'_>, Error> {
        check::count(Shards::Flags, self.total(), present.len())?;
        let wanted = (0..self.total()).filter(|i| !present[*i]).collect();
        self.planned(present, wanted)
    }

    /// How to make the shards called `wanted` from those called `present`.
    ///
    /// # Errors
    /// When an index is there twice or names no shard, or too few shards are present.
    pub fn plan_for(&self, present: &[usize], wanted: &[usize]) -> Result<Plan<'_>, Error> {
        let mut seen = vec![false; self.total()];
        check::indices(self.total(), present.iter().copied(), &mut seen)?;
        let flags = seen.clone();
        check::indices(self.total(), wanted.iter().copied(), &mut seen)?;
        // Parity last, as the ways want it.
        let mut sorted = wanted.to_vec();
        sorted.sort_unstable();
        self.planned(&flags, sorted)
    }

    /// Parity shards that are values at a block of points as large as that of the data, when
    /// all of them are there and all data shards are wanted. In code D shards have weights.
    fn turned(&self, present: &[bool], wanted: &[usize]) -> Option<usize> {
        let (data, parity) = (self.data(), self.parity());
        let rows = match self.code {
            Code::A => data,
            Code::B | Code::C => self.points.parity_rows(),
            Code::D => return None,
        };
        let fits = rows.is_power_of_two() && data <= rows && rows <= parity;
        let all = wanted.len() == data && wanted.iter().enumerate().all(|(i, w)| i == *w);
        (fits && all && present[data..data + rows].iter().all(|p| *p)).then_some(rows)
    }

    fn check_enough(&self, present: &[bool]) -> Result<(), Error> {
        let (needed, present) = (self.data(), present.iter().filter(|p| **p).count());
        if present < needed {
            return Err(Error::TooFew { needed, present });
        }
        Ok(())
    }

    /// `wanted` is sorted and not `present`.
    fn planned(&self, present: &[bool], wanted: Vec<usize>) -> Result<Plan<'_>, Error> {
        self.check_enough(present)?;
        let data = self.data();
        let mut plan = Plan {
            codec: self,
            inputs: Vec::new(),
            outputs: wanted,
            way: Way::Nothing,
        };
        let lost = present[..data].iter().filter(|p| !**p).count();
        let outputs = plan.outputs.len();
        let matrix = cost::combine(data, outputs);
        let encode = self.encode_cost();
        let differences = encode.saturating_add(cost::combine(lost, outputs));
        let transform = match self.code {
            Code::A | Code::D => u64::MAX,
            Code::B | Code::C => cost::decode(self.code, self.points.count),
        };
        if outputs == 0 {
            return Ok(plan);
        }
        let block = self.turned(present, &plan.outputs);
        let turned = block.map_or(u64::MAX, |rows| cost::turned(self.code, rows));
        if turned <= matrix.min(differences).min(transform) {
            plan.by_turning(block);
        } else if matrix <= differences.min(transform) {
            plan.by_matrix(present);
        } else if differences <= transform {
            plan.by_differences(present, lost);
        } else {
            plan.by_transform(present);
        }
        Ok(plan)
    }
}

#[cfg(feature = "isal")]
impl<'a> Plan<'a> {
    /// All that are not `present` as sums of present ones, with a constant for each output
    /// for each input. The plan has no way of its own.
    pub(crate) fn of_matrix(codec: &'a Codec, present: &[bool]) -> Result<(Self, Vec<u32>), Error> {
        check::count(Shards::Flags, codec.total(), present.len())?;
        codec.check_enough(present)?;
        let mut plan = Plan {
            codec,
            inputs: Vec::new(),
            outputs: (0..codec.total()).filter(|i| !present[*i]).collect(),
            way: Way::Nothing,
        };
        let inputs = plan.enough(present);
        let constants = plan.constants(&inputs, &plan.known(&inputs));
        plan.inputs = inputs.into_iter().map(Some).collect();
        Ok((plan, constants))
    }
}

impl Plan<'_> {
    /// Data shards that are there, and as many parity shards as data shards are lost.
    fn enough(&self, present: &[bool]) -> Vec<usize> {
        let there = (0..present.len()).filter(|i| present[*i]);
        there.take(self.codec.data()).collect()
    }

    /// See [`Codec::constant`].
    fn known(&self, inputs: &[usize]) -> Vec<u32> {
        let points = &self.codec.points;
        let mut known = vec![false; points.count];
        known[points.zeros()].fill(true);
        for input in inputs {
            known[points.of(*input)] = true;
        }
        self.codec.products.of(|point| known[point])
    }

    fn by_matrix(&mut self, present: &[bool]) {
        let inputs = self.enough(present);
        let known = self.known(&inputs);
        self.way = Way::Matrix(self.constants(&inputs, &known));
        self.inputs = inputs.into_iter().map(Some).collect();
    }

    /// For each input a constant for each output.
    fn constants(&self, inputs: &[usize], known: &[u32]) -> Vec<u32> {
        let of_input = |from: &usize| {
            let from = *from;
            let outputs = self.outputs.iter();
            outputs.map(move |to| self.codec.constant(*to, from, known))
        };
        inputs.iter().flat_map(of_input).collect()
    }

    fn by_turning(&mut self, rows: Option<usize>) {
        let (rows, first) = (rows.unwrap_or(0), self.codec.data());
        self.inputs = (first..first + rows).map(Some).collect();
        self.way = Way::Turned(rows);
    }

    fn by_differences(&mut self, present: &[bool], lost: usize) {
        let data = self.codec.data();
        let enough = self.enough(present);
        let known = self.known(&enough);
        let parity = &enough[data - lost..];
        let all_data = (0..data).map(|i| present[i].then_some(i));
        self.inputs = all_data.chain(parity.iter().copied().map(Some)).collect();
        let wanted = self.outputs.iter().filter(|o| **o >= data);
        self.way = Way::Differences {
            present: parity.iter().map(|p| p - data).collect(),
            constants: self.constants(parity, &known),
            wanted: wanted.map(|o| o - data).collect(),
        };
    }

    fn by_transform(&mut self, present: &[bool]) {
        let (codec, points) = (self.codec, &self.codec.points);
        let used = points.zeros().start;
        let mut unknown = vec![false; points.count];
        unknown[..used].fill(true);
        let shards = 0..present.len();
        let inputs: Vec<usize> = shards.filter(|i| present[*i]).collect();
        for input in &inputs {
            unknown[points.of(*input)] = false;
        }
        let product = codec.products.of(|point| unknown[point]);
        let modulus = codec.logs.modulus();
        let of = |i: &usize| points.of(*i);
        let mut order: Vec<usize> = inputs.iter().chain(&self.outputs).map(of).collect();
        let end = self.outputs.iter().map(of).max().map_or(0, |last| last + 1);
        order.extend((0..points.count).filter(|p| *p >= used || unknown[*p]));
        let after = |i| codec.packed(modulus - product[of(i)]);
        self.way = Way::Transform {
            before: inputs
                .iter()
                .map(|i| codec.packed(product[of(i)]))
                .collect(),
            after: self.outputs.iter().map(after).collect(),
            order,
            end,
        };
        self.inputs = inputs.into_iter().map(Some).collect();
    }
}
