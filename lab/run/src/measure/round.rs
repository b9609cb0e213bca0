//! One round: all workloads, in all layouts, all arms in random order.

use super::Bench;
use crate::events::{Event, Sink};
use crate::{RunError, clock, disturbance, pin};
use karat_judge::Rng;
use karat_model::measure::Sample;
use std::time::Instant;

/// How often a disturbed run is made again.
const ATTEMPTS: u32 = 2;

/// Runs of a workload that say what is usual.
const RECENT: usize = 200;

/// Of all runs, the share that may be made again. More than that is no
/// disturbance but the machine's usual state, which repeating does not cure.
const AGAIN: f64 = 0.1;

/// Where measuring stands.
pub(crate) struct Progress<'a> {
    /// Everything measured so far, earlier runs of a resumed study included.
    pub(crate) samples: &'a mut Vec<Sample>,
    /// When this measuring began.
    pub(crate) start: Instant,
    /// Seconds of measuring before that.
    pub(crate) before: f64,
}

impl Bench<'_> {
    /// Measures one round. Runs that `progress` holds already (of an interrupted
    /// run) are not made again.
    ///
    /// The arms of one layout run one after the other, so that what is compared
    /// is close in time. A run that was disturbed is made again when its layout
    /// is through. What counts as disturbed is told by the kernel's accounts of
    /// the processor; neither the arm nor the value is looked at.
    pub(crate) fn round(
        &self,
        round: u32,
        progress: &mut Progress<'_>,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let _pinned = self.processor.map(pin::Pinned::to);
        let mut position = 0;
        for workload in 0..self.workloads.len() {
            for arms in self.order(round, workload) {
                let mut due = arms;
                for attempt in 0..=ATTEMPTS {
                    let mut again = Vec::new();
                    for arm in due {
                        let key = (round, workload as u32, arm as u32);
                        let made = |s: &Sample| {
                            (s.round, s.workload, s.arm) == key && s.attempt >= attempt
                        };
                        if !progress.samples.iter().rev().any(made) {
                            let place = Place {
                                round,
                                workload,
                                arm,
                                position,
                                attempt,
                            };
                            self.measure(place, progress, sink)?;
                            position += 1;
                            let sample = progress.samples.last();
                            if sample.is_some_and(|s| is_disturbed(s, progress.samples)) {
                                again.push(arm);
                            }
                        }
                    }
                    let made_again = progress.samples.iter().filter(|s| s.attempt > 0).count();
                    if made_again as f64 > AGAIN * progress.samples.len() as f64 {
                        break;
                    }
                    due = again;
                }
            }
        }
        Ok(())
    }

    /// The arms of one round of one workload, layout by layout: drawn from the
    /// seed, so that a resumed run goes on exactly where it stopped.
    fn order(&self, round: u32, workload: usize) -> Vec<Vec<usize>> {
        let stream = u64::from(round) << 32 | workload as u64;
        let mut rng = Rng::new(self.seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut layouts: Vec<u64> = self.arms.iter().map(|a| a.layout).collect();
        layouts.sort_unstable();
        layouts.dedup();
        rng.shuffle(&mut layouts);
        layouts
            .into_iter()
            .map(|layout| {
                let mut arms: Vec<usize> = (0..self.arms.len())
                    .filter(|a| self.arms[*a].layout == layout)
                    .collect();
                rng.shuffle(&mut arms);
                arms
            })
            .collect()
    }

    fn measure(
        &self,
        place: Place,
        progress: &mut Progress<'_>,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let watch = disturbance::Watch::start(self.processor);
        let (run, readings) = self.once(place.workload, place.arm)?;
        let steal = watch.steal();
        let clock = clock::ghz();
        let several = readings.iter().any(|r| r.repetitions.len() > 1);
        let sample = Sample {
            workload: place.workload as u32,
            round: place.round,
            position: place.position,
            arm: place.arm as u32,
            attempt: place.attempt,
            values: readings.iter().map(|r| r.value()).collect(),
            repetitions: if several {
                readings.into_iter().map(|r| r.repetitions).collect()
            } else {
                Vec::new()
            },
            wall: run.wall,
            cpu: run.cpu,
            rss: run.rss,
            faults: run.faults,
            waits: run.waits,
            switches: run.switches,
            steal,
            clock,
            at: progress.before + progress.start.elapsed().as_secs_f64(),
        };
        sink.event(&Event::Sample(&sample))?;
        progress.samples.push(sample);
        Ok(())
    }
}

/// Which run.
#[derive(Clone, Copy)]
struct Place {
    round: u32,
    workload: usize,
    arm: usize,
    position: u32,
    attempt: u32,
}

/// Whether a run was disturbed, by what is usual for its workload in all arms.
fn is_disturbed(sample: &Sample, all: &[Sample]) -> bool {
    let usual: Vec<_> = all
        .iter()
        .rev()
        .filter(|s| s.workload == sample.workload)
        .take(RECENT)
        .map(disturbance::of)
        .collect();
    disturbance::of(sample).is_disturbed(&usual)
}
