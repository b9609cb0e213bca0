//! One round: all workloads, in all layouts, all arms in random order.

use super::Bench;
use crate::RunError;
use crate::events::{Event, Sink};
use crate::metric::Reading;
use karat_host::disturbance::Disturbance;
use karat_host::neighbours::Repeats;
use karat_judge::Rng;
use karat_model::measure::Sample;
use std::time::Duration;

/// Runs of a workload that say what is usual.
const RECENT: usize = 200;

/// Where measuring stands.
pub(crate) struct Progress<'a> {
    /// Everything measured so far, earlier runs of a resumed study included.
    pub(crate) samples: &'a mut Vec<Sample>,
    /// When this measuring began, by the executor's time.
    pub(crate) start: Duration,
    /// Seconds of measuring before that.
    pub(crate) before: f64,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoundEnd {
    /// All that was to be measured was.
    Whole,
    /// The time was up before; what it measured counts when measuring goes on.
    OutOfTime,
}

impl Bench<'_> {
    /// Measures one round of the arms for which `needs(workload, arm)` says so. Runs that
    /// `progress` holds already (of an interrupted run) are not made again.
    ///
    /// The arms of one layout run one after the other, so that what is compared
    /// is close in time. If one of them was disturbed, all of them are measured
    /// again, in another order: a rule that repeated single runs would repeat
    /// those of slow arms more often, which meet more disturbances.
    ///
    /// Then the runs that were not quiet at both ends are made again, they alone: where
    /// neighbours come and go within a group, one in which all runs are quiet is rare. The
    /// rule looks at the probe only, and keeps the last run of an arm whatever it cost. So
    /// identical arms stay exchangeable, and a slower arm only takes more attempts.
    pub(crate) fn round(
        &self,
        round: u32,
        needs: &dyn Fn(usize, usize) -> bool,
        progress: &mut Progress<'_>,
        sink: &mut dyn Sink,
    ) -> Result<RoundEnd, RunError> {
        let _stays = self.executor.stay();
        // Only what came before counts, so that a resumed run, which holds samples of
        // later rounds as well, decides as it did before.
        let before = &progress.samples[..first_of(round, progress.samples)];
        let again = before.iter().filter(|s| s.attempt > 0).count();
        let mut repeats = Repeats::after(before.len() as u64, again as u64);
        for workload in 0..self.workloads.len() {
            for layout in self.layouts(round, workload) {
                let mut group = Group {
                    round,
                    workload,
                    layout,
                    attempt: 0,
                };
                let arms: Vec<usize> = (0..self.arms.len())
                    .filter(|a| self.arms[*a].layout == layout && needs(workload, *a))
                    .collect();
                if arms.is_empty() {
                    continue;
                }
                let mut next = arms.clone();
                loop {
                    let end = self.group(group, next.clone(), progress, sink)?;
                    repeats.count(next.len(), group.attempt);
                    match end {
                        GroupEnd::OutOfTime => return Ok(RoundEnd::OutOfTime),
                        GroupEnd::Disturbed => next.clone_from(&arms),
                        GroupEnd::Measured { unquiet } => next = unquiet,
                    }
                    if next.is_empty() || !repeats.allow(group.attempt) {
                        break;
                    }
                    group.attempt += 1;
                }
            }
        }
        Ok(RoundEnd::Whole)
    }

    /// Draws new frames of memory for the programs; to be done before each round.
    pub(crate) fn redraw(&self, round: u32) {
        let mut files = self.programs.iter().map(|p| p.binary.as_path());
        let mut rng = self.rng([u64::from(round), u64::MAX, u64::MAX, 0]);
        self.executor.redraw(&mut files, rng.next_u64());
    }

    /// Runs `arms` once, in random order.
    fn group(
        &self,
        group: Group,
        arms: Vec<usize>,
        progress: &mut Progress<'_>,
        sink: &mut dyn Sink,
    ) -> Result<GroupEnd, RunError> {
        let (mut disturbed, mut unquiet) = (false, Vec::new());
        let first = first_of(group.round, progress.samples);
        // Places go on through the attempts: which attempt of an arm counts may differ.
        let places = group.attempt * self.arms.len() as u32;
        for (place, arm) in (places..).zip(self.order(group, arms)) {
            let of_round = progress.samples[first..].iter();
            let kept = of_round.take_while(|s| s.round == group.round).find(|s| {
                (s.workload, s.attempt) == (group.workload as u32, group.attempt)
                    && s.arm == arm as u32
            });
            let (bad, quiet) = match kept {
                Some(kept) => (kept.disturbed, kept.quiet),
                None => {
                    if self.is_out_of_time() {
                        return Ok(GroupEnd::OutOfTime);
                    }
                    let Some(sample) = self.measure(group, arm, place, progress)? else {
                        return Ok(GroupEnd::OutOfTime);
                    };
                    sink.event(&Event::Sample(&sample))?;
                    let found = (sample.disturbed, sample.quiet);
                    progress.samples.push(sample);
                    found
                }
            };
            disturbed |= bad;
            if !quiet {
                unquiet.push(arm);
            }
        }
        Ok(if disturbed {
            GroupEnd::Disturbed
        } else {
            GroupEnd::Measured { unquiet }
        })
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
    fn order(&self, group: Group, mut arms: Vec<usize>) -> Vec<usize> {
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

    fn measure(
        &self,
        group: Group,
        arm: usize,
        place: u32,
        progress: &Progress<'_>,
    ) -> Result<Option<Sample>, RunError> {
        let Some((seen, readings)) = self.observed(group.workload, arm)? else {
            return Ok(None);
        };
        let (run, disturbance) = (&seen.run, seen.disturbance);
        let disturbed = disturbance.is_disturbed(&usual(group.workload, progress.samples));
        let passed = self.executor.now() - progress.start;
        let several = readings.iter().any(|r| r.repetitions.len() > 1);
        Ok(Some(Sample {
            workload: group.workload as u32,
            round: group.round,
            position: place,
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
            disturbed: seen.moved || disturbed,
            width: seen.width,
            quiet: seen.quiet,
            waited: seen.waited,
            clock: seen.clock,
            at: progress.before + passed.as_secs_f64(),
        }))
    }
}

/// How a group ended.
enum GroupEnd {
    OutOfTime,
    /// One of its runs was disturbed.
    Disturbed,
    /// None was; these were not quiet.
    Measured {
        unquiet: Vec<usize>,
    },
}

/// One attempt at the arms of a layout.
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
