//! The measured rounds.

use super::Batch;
use super::arm::Arm;
use super::timer::Timer;
use crate::clock;
use karat_judge::Rng;

/// Runs of an arm in a round.
pub(super) const TIMES: usize = 2;

/// What a run was: which arm, and whether it is the one that is judged (0) or the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) arm: usize,
    pub(super) time: usize,
}

/// Measured batches by arm, first or second run, and round.
pub(super) struct Rounds {
    seed: u64,
    timer: Timer,
    len: usize,
    /// Nanoseconds per call.
    ns: Vec<[Vec<f64>; TIMES]>,
    /// Place in the order of the round.
    places: Vec<[Vec<u32>; TIMES]>,
    /// Core clock in GHz: mean of the readings before and after the batch.
    ghz: Vec<[Vec<f64>; TIMES]>,
}

impl Rounds {
    pub(super) fn new(arms: usize, seed: u64, timer: Timer) -> Self {
        Self {
            seed,
            timer,
            len: 0,
            ns: vec![Default::default(); arms],
            places: vec![Default::default(); arms],
            ghz: vec![Default::default(); arms],
        }
    }

    /// Rounds made.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Nanoseconds per call, by round.
    pub(super) fn ns(&self, arm: usize, time: usize) -> &[f64] {
        &self.ns[arm][time]
    }

    /// Places in the order of the round, by round.
    pub(super) fn places(&self, arm: usize, time: usize) -> &[u32] {
        &self.places[arm][time]
    }

    /// Core cycles per call, by round.
    pub(super) fn cycles(&self, arm: usize, time: usize) -> Vec<f64> {
        let ghz = &self.ghz[arm][time];
        self.ns[arm][time]
            .iter()
            .zip(ghz)
            .map(|(ns, ghz)| ns * ghz)
            .collect()
    }

    /// All clocks, in GHz.
    pub(super) fn clocks(&self) -> impl Iterator<Item = f64> {
        self.ghz.iter().flatten().flatten().copied()
    }

    /// Makes one round.
    pub(super) fn one<I>(
        &mut self,
        arms: &mut [Arm<'_, I>],
        fresh: &mut impl FnMut(&mut Rng) -> I,
        batch: &Batch,
    ) {
        let round = self.len as u64;
        // Not the generator of the order: how much is drawn depends on the calibration.
        let mut rng = Rng::new(stream(self.seed, 2 * round + 1));
        let (mut inputs, mut others) = (Vec::new(), Vec::new());
        draw(&mut inputs, batch.inputs as usize, fresh, &mut rng);
        draw(&mut others, batch.warm_up as usize, fresh, &mut rng);
        let mut before = clock::ghz();
        for (place, slot) in (0..).zip(order(self.seed, round, arms.len())) {
            let Slot { arm, time } = slot;
            arms[arm].warm(&others);
            let ns = arms[arm].time(self.timer, &inputs, batch.passes);
            let after = clock::ghz();
            self.ns[arm][time].push(ns / batch.calls as f64);
            self.places[arm][time].push(place);
            self.ghz[arm][time].push(f64::midpoint(before, after));
            before = after;
        }
        self.len += 1;
    }
}

/// The order of runs in a round.
pub(super) fn order(seed: u64, round: u64, arms: usize) -> Vec<Slot> {
    let mut order: Vec<Slot> = (0..arms)
        .flat_map(|arm| (0..TIMES).map(move |time| Slot { arm, time }))
        .collect();
    Rng::new(stream(seed, 2 * round)).shuffle(&mut order);
    order
}

/// The seed of one of many generators.
pub(super) fn stream(seed: u64, number: u64) -> u64 {
    seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Replaces `inputs` by as many fresh ones.
pub(super) fn draw<I>(
    inputs: &mut Vec<I>,
    count: usize,
    fresh: &mut impl FnMut(&mut Rng) -> I,
    rng: &mut Rng,
) {
    inputs.clear();
    inputs.extend((0..count).map(|_| fresh(rng)));
}
