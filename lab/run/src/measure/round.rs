//! One round: all workloads, in all layouts, all arms in random order.

use super::Bench;
use crate::disturbance::{Disturbance, Watch};
use crate::events::{Event, Sink};
use crate::metric::Reading;
use crate::{RunError, clock, frames, pin};
use karat_judge::Rng;
use karat_model::measure::Sample;
use std::time::Instant;

/// How often a disturbed group is measured again.
const ATTEMPTS: u32 = 2;

/// Runs of a workload that say what is usual.
const RECENT: usize = 200;

/// Of all runs, the share that may be repetitions. More than that is no
/// disturbance but the machine's usual state, which repeating does not cure.
const AGAIN: f64 = 0.2;

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
    /// is close in time. If one of them was disturbed, all of them are measured
    /// again, in another order: a rule that repeated single runs would repeat
    /// those of slow arms more often, which meet more disturbances.
    pub(crate) fn round(
        &self,
        round: u32,
        progress: &mut Progress<'_>,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let _pinned = self.processor.map(pin::Pinned::to);
        // Only what came before counts, so that a resumed run, which holds samples of
        // later rounds as well, decides as it did before.
        let before = &progress.samples[..first_of(round, progress.samples)];
        let mut runs = before.len();
        let mut made_again = before.iter().filter(|s| s.attempt > 0).count();
        for workload in 0..self.workloads.len() {
            for layout in self.layouts(round, workload) {
                for attempt in 0..=ATTEMPTS {
                    let group = Group {
                        round,
                        workload,
                        layout,
                        attempt,
                    };
                    let disturbed = self.group(group, progress, sink)?;
                    let arms = self.arms.iter().filter(|a| a.layout == layout).count();
                    runs += arms;
                    made_again += if attempt > 0 { arms } else { 0 };
                    if !disturbed || made_again as f64 >= AGAIN * runs as f64 {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Draws new frames of memory for the programs; to be done before each round.
    pub(crate) fn redraw(&self, round: u32) {
        let files = self.programs.iter().map(|p| p.binary.as_path());
        let mut rng = self.rng([u64::from(round), u64::MAX, u64::MAX, 0]);
        frames::redraw(files, rng.next_u64());
    }

    /// Runs all arms of one layout once; whether one of the runs was disturbed.
    fn group(
        &self,
        group: Group,
        progress: &mut Progress<'_>,
        sink: &mut dyn Sink,
    ) -> Result<bool, RunError> {
        let mut disturbed = false;
        let first = first_of(group.round, progress.samples);
        for (position, arm) in self.order(group).into_iter().enumerate() {
            let of_round = progress.samples[first..].iter();
            let kept = of_round.take_while(|s| s.round == group.round).find(|s| {
                (s.workload, s.attempt) == (group.workload as u32, group.attempt)
                    && s.arm == arm as u32
            });
            if let Some(kept) = kept {
                disturbed |= kept.disturbed;
                continue;
            }
            let sample = self.measure(group, arm, position, progress)?;
            sink.event(&Event::Sample(&sample))?;
            disturbed |= sample.disturbed;
            progress.samples.push(sample);
        }
        Ok(disturbed)
    }

    /// The layouts of one round of one workload, in random order. All that is
    /// random is drawn from the seed, so that a resumed run goes on exactly where
    /// it stopped.
    fn layouts(&self, round: u32, workload: usize) -> Vec<u64> {
        let mut layouts: Vec<u64> = self.arms.iter().map(|a| a.layout).collect();
        layouts.sort_unstable();
        layouts.dedup();
        self.rng([u64::from(round), workload as u64, u64::MAX, 0])
            .shuffle(&mut layouts);
        layouts
    }

    /// The arms of a group, in random order.
    fn order(&self, group: Group) -> Vec<usize> {
        let mut arms: Vec<usize> = (0..self.arms.len())
            .filter(|a| self.arms[*a].layout == group.layout)
            .collect();
        let Group {
            round,
            workload,
            layout,
            attempt,
        } = group;
        self.rng([
            u64::from(round),
            workload as u64,
            layout,
            u64::from(attempt),
        ])
        .shuffle(&mut arms);
        arms
    }

    /// A generator of its own for each purpose.
    fn rng(&self, purpose: [u64; 4]) -> Rng {
        let mixed = purpose.iter().fold(self.seed, |seed, part| {
            (seed ^ part.wrapping_add(1))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        });
        Rng::new(mixed)
    }

    /// Whether the processor was this thread's all the time.
    fn held(&self) -> Result<bool, RunError> {
        let Some(processor) = self.processor else {
            return Ok(true);
        };
        match pin::hold(processor) {
            pin::Held::Yes => Ok(true),
            pin::Held::Again => Ok(false),
            pin::Held::Lost(why) => Err(RunError::ProcessorGone { processor, why }),
        }
    }

    fn measure(
        &self,
        group: Group,
        arm: usize,
        position: usize,
        progress: &Progress<'_>,
    ) -> Result<Sample, RunError> {
        let watch = Watch::start(self.processor).ok();
        self.held()?;
        let (run, readings) = self.once(group.workload, arm)?;
        let moved = !self.held()?;
        let disturbance = watch.and_then(|w| w.end(&run).ok());
        let disturbance = disturbance.unwrap_or_default();
        let clock = clock::ghz();
        let several = readings.iter().any(|r| r.repetitions.len() > 1);
        Ok(Sample {
            workload: group.workload as u32,
            round: group.round,
            position: position as u32,
            arm: arm as u32,
            attempt: group.attempt,
            values: readings.iter().map(Reading::value).collect(),
            repetitions: if several {
                readings.into_iter().map(|r| r.repetitions).collect()
            } else {
                Vec::new()
            },
            wall: run.wall,
            cpu: run.cpu,
            rss: run.peak_rss,
            faults: run.minor_faults + run.major_faults,
            waits: run.waits,
            switches: run.switches,
            steal: disturbance.steal,
            throttled: disturbance.throttled,
            paused: disturbance.paused,
            left_running: run.left_running,
            disturbed: moved || disturbance.is_disturbed(&usual(group.workload, progress.samples)),
            clock,
            at: progress.before + progress.start.elapsed().as_secs_f64(),
        })
    }
}

/// One attempt at all arms of a layout.
#[derive(Clone, Copy)]
struct Group {
    round: u32,
    workload: usize,
    layout: u64,
    attempt: u32,
}

/// Index of the first sample of `round`: samples are kept in the order of measuring.
fn first_of(round: u32, samples: &[Sample]) -> usize {
    samples.partition_point(|s| s.round < round)
}

/// What happened to the latest runs of a workload, whatever the arm.
fn usual(workload: usize, samples: &[Sample]) -> Vec<Disturbance> {
    samples
        .iter()
        .rev()
        .filter(|s| s.workload as usize == workload)
        .take(RECENT)
        .map(|s| Disturbance {
            steal: s.steal,
            throttled: s.throttled,
            paused: s.paused,
            switches: s.switches,
        })
        .collect()
}
