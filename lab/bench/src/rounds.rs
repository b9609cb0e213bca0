//! The measured rounds.

use super::arm::Arm;
use super::timer::Timer;
use super::{Batch, BenchError};
use karat_host::clock;
use karat_host::neighbours::{Neighbours, Repeats};
use karat_judge::Rng;
use std::sync::atomic::AtomicBool;

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
    /// Whether the core was karat's alone at both ends of the batch.
    quiet: Vec<[Vec<bool>; TIMES]>,
    /// What is known of the core; `None` when batches may run anywhere.
    neighbours: Option<Neighbours>,
    /// Rounds made, and made again because they were not quiet.
    repeats: Repeats,
}

impl Rounds {
    pub(super) fn new(
        arms: usize,
        seed: u64,
        timer: Timer,
        neighbours: Option<Neighbours>,
    ) -> Self {
        Self {
            seed,
            timer,
            len: 0,
            ns: vec![Default::default(); arms],
            places: vec![Default::default(); arms],
            ghz: vec![Default::default(); arms],
            quiet: vec![Default::default(); arms],
            neighbours,
            repeats: Repeats::default(),
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

    /// Whether each batch was quiet, by round.
    pub(super) fn quiet(&self, arm: usize, time: usize) -> &[bool] {
        &self.quiet[arm][time]
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
    ) -> Result<(), BenchError> {
        let round = self.len as u64;
        // Not the generator of the order: how much is drawn depends on the calibration.
        let mut rng = Rng::new(stream(self.seed, 2 * round + 1));
        let (mut inputs, mut others) = (Vec::new(), Vec::new());
        let mut attempt = 0;
        // A round that was not quiet is made again as a whole, on fresh inputs: an arm that met
        // its inputs once more than the others would know their branches.
        let made = loop {
            draw(&mut inputs, batch.inputs as usize, fresh, &mut rng);
            draw(&mut others, batch.warm_up as usize, fresh, &mut rng);
            for arm in arms.iter_mut() {
                arm.work.prepare(&inputs, &others)?;
            }
            let mut made = Vec::new();
            for slot in order(self.seed, round, arms.len()) {
                let one = self.batch(&mut arms[slot.arm], &inputs, &others, batch)?;
                made.push((slot, one));
            }
            self.repeats.count(1, attempt);
            if made.iter().all(|(_, m)| m.quiet) || !self.repeats.allow(attempt) {
                break made;
            }
            attempt += 1;
        };
        for (place, (Slot { arm, time }, made)) in (0..).zip(made) {
            self.ns[arm][time].push(made.ns / batch.calls as f64);
            self.places[arm][time].push(place);
            self.ghz[arm][time].push(made.ghz);
            self.quiet[arm][time].push(made.quiet);
        }
        self.len += 1;
        Ok(())
    }

    /// One batch, begun in a quiet moment if there is one.
    fn batch<I>(
        &mut self,
        arm: &mut Arm<'_, I>,
        inputs: &[I],
        others: &[I],
        batch: &Batch,
    ) -> Result<Made, BenchError> {
        let never = AtomicBool::new(false);
        let wait = self.neighbours.as_mut().map(|n| n.wait(&never));
        let before = clock::ghz();
        arm.work.warm_up(others)?;
        let ns = arm.work.time(self.timer, inputs, batch.passes)?;
        let width = self.neighbours.as_mut().map(Neighbours::look);
        let ghz = f64::midpoint(before, clock::ghz());
        let threshold = self.neighbours.as_ref().map_or(0.0, Neighbours::threshold);
        let mut widths = wait.iter().map(|w| w.width).chain(width);
        Ok(Made {
            ns,
            ghz,
            quiet: widths.all(|w| w >= threshold),
        })
    }

    /// Share of the kept batches that were quiet at both ends, if the core was probed.
    pub(super) fn quiet_share(&self) -> Option<f64> {
        self.neighbours.as_ref()?;
        let all = || self.quiet.iter().flatten().flatten();
        Some(all().filter(|q| **q).count() as f64 / all().count().max(1) as f64)
    }
}

/// What one batch gave: nanoseconds, the clock in GHz, and whether the core was karat's alone.
struct Made {
    ns: f64,
    ghz: f64,
    quiet: bool,
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
