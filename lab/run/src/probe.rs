//! Unmeasured runs during which the core clock is read.
//!
//! They warm caches and file systems before the first round, and a second pass
//! after the last round shows whether the machine changed meanwhile.

use crate::RunError;
use crate::events::{Event, Sink, Stage};
use crate::measure::Bench;
use karat_model::measure::{Arm, ClockReading, Role, Sample};

/// Clock readings of one arm on one workload, in GHz.
#[derive(Clone, Debug, Default)]
struct Readings {
    before: Vec<f64>,
    during: Vec<f64>,
}

/// Clock readings by workload and arm.
#[derive(Clone, Debug)]
pub(crate) struct Probe(Vec<Vec<Readings>>);

impl Probe {
    pub(crate) fn new(bench: &Bench<'_>) -> Self {
        Self(vec![
            vec![Readings::default(); bench.arms.len()];
            bench.workloads.len()
        ])
    }

    /// Runs every arm on every workload `times` times, the last time with the
    /// clock read on the same core. Only arms of the first `layouts[workload]` layouts are
    /// measured later.
    pub(crate) fn pass(
        &mut self,
        bench: &Bench<'_>,
        times: u32,
        layouts: &[u32],
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let _stays = bench.executor.stay();
        sink.event(&Event::StageStarted {
            stage: Stage::Clock,
            steps: (0..bench.workloads.len())
                .map(|w| {
                    bench
                        .arms
                        .iter()
                        .filter(|a| a.layout < u64::from(layouts[w]))
                        .count() as u64
                })
                .sum(),
        })?;
        for (w, workload) in bench.workloads.iter().enumerate() {
            let measured = |arm: &Arm| arm.layout < u64::from(layouts[w]);
            for (a, arm) in bench.arms.iter().enumerate().filter(|(_, a)| measured(a)) {
                for _ in 1..times {
                    bench.unmeasured(w, a)?;
                }
                let readings = &mut self.0[w][a];
                let mut result = Ok(true);
                let clock = bench
                    .executor
                    .with_clock(&mut || result = bench.unmeasured(w, a));
                result?;
                readings.before.push(clock.before);
                readings.during.extend(clock.during);
                sink.event(&Event::StepDone {
                    message: format!("{} · {}", workload.name, arm.variant),
                    notable: false,
                })?;
            }
        }
        Ok(())
    }

    /// The readings for the evidence: by workload, one for each variant.
    pub(crate) fn readings(&self, bench: &Bench<'_>, samples: &[Sample]) -> Vec<Vec<ClockReading>> {
        let after = |w: usize, a: usize| -> Vec<f64> {
            let own = |s: &&Sample| (s.workload as usize, s.arm as usize) == (w, a);
            samples.iter().filter(own).map(|s| s.clock).collect()
        };
        let reading = |w: usize, a: usize| {
            Some(ClockReading {
                variant: bench.arms[a].variant.clone(),
                before: karat_judge::median(&self.0[w][a].before)?,
                during: karat_judge::median(&self.0[w][a].during)?,
                after: karat_judge::median(&after(w, a))?,
                samples: self.0[w][a].during.len() as u32,
            })
        };
        // The A/A arm is the baseline's program once more.
        let arms: Vec<usize> = (0..bench.arms.len())
            .filter(|a| bench.arms[*a].role != Role::Again)
            .collect();
        (0..bench.workloads.len())
            .map(|w| arms.iter().filter_map(|a| reading(w, *a)).collect())
            .collect()
    }
}
