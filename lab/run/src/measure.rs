//! The measured rounds.

use crate::events::{Event, Sink};
use crate::metric;
use crate::pin;
use crate::process::{self, Ending, Finished};
use crate::{RunError, clock};
use karat_judge::Rng;
use karat_model::measure::{Arm, Sample};
use karat_model::study::Workload;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What an arm runs: a binary and the variant's own arguments.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) binary: PathBuf,
    pub(crate) args: Vec<String>,
}

impl Program {
    /// A command without a workload's arguments.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(&self.args);
        command
    }
}

/// Arms, workloads and where to run them.
pub(crate) struct Bench<'a> {
    pub(crate) arms: &'a [Arm],
    /// The arms' programs.
    pub(crate) programs: &'a [Program],
    pub(crate) workloads: &'a [Workload],
    pub(crate) processor: Option<u32>,
    pub(crate) seed: u64,
    pub(crate) interrupt: &'a AtomicBool,
}

impl Bench<'_> {
    /// Runs one arm on one workload and gives its value.
    pub(crate) fn once(&self, workload: usize, arm: usize) -> Result<(Finished, f64), RunError> {
        let plan = &self.workloads[workload];
        let fail = |what: String| RunError::Measure {
            variant: self.arms[arm].variant.clone(),
            workload: plan.name.clone(),
            command: self.shown(workload, arm),
            what,
        };
        let run = process::run(
            self.programs[arm].command().args(&plan.args),
            Duration::from_secs_f64(plan.timeout),
            self.interrupt,
        )
        .map_err(|e| fail(format!("cannot be started: {e}")))?;
        match run.ending {
            Ending::Exit(0) => {}
            Ending::Interrupted => return Err(RunError::Interrupted),
            Ending::TimedOut => {
                return Err(fail(format!(
                    "still running after {} s; a longer `timeout` in the workload would allow it",
                    plan.timeout
                )));
            }
            ending => {
                let said = run.last_lines(10);
                let said = said.lines().map(|l| format!("\n    {l}"));
                return Err(fail(format!("{ending}{}", said.collect::<String>())));
            }
        }
        let value = metric::value(plan, &run).map_err(|e| fail(e.to_string()))?;
        Ok((run, value))
    }

    fn shown(&self, workload: usize, arm: usize) -> String {
        let program = &self.programs[arm];
        let mut words = vec![program.binary.display().to_string()];
        words.extend(program.args.iter().cloned());
        words.extend(self.workloads[workload].args.iter().cloned());
        words.join(" ")
    }

    /// The order of arms in one round of one workload: drawn from the seed, so
    /// that a resumed run goes on exactly where it stopped.
    fn order(&self, round: u32, workload: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        let stream = u64::from(round) << 32 | workload as u64;
        Rng::new(self.seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)).shuffle(&mut order);
        order
    }

    /// Measures one round: all workloads, all arms. Runs that `samples` holds
    /// already (of an interrupted run) are not made again. `before` is how long
    /// measuring had gone on before `start`.
    pub(crate) fn round(
        &self,
        round: u32,
        start: Instant,
        before: f64,
        samples: &mut Vec<Sample>,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let _pinned = self.processor.map(pin::Pinned::to);
        for workload in 0..self.workloads.len() {
            for (position, arm) in self.order(round, workload).into_iter().enumerate() {
                let key = (round, workload as u32, arm as u32);
                if samples.iter().any(|s| (s.round, s.workload, s.arm) == key) {
                    continue;
                }
                let (run, value) = self.once(workload, arm)?;
                let clock = clock::ghz();
                let sample = Sample {
                    workload: workload as u32,
                    round,
                    position: position as u32,
                    arm: arm as u32,
                    value,
                    wall: run.wall,
                    cpu: run.cpu,
                    switches: run.switches,
                    clock,
                    at: before + start.elapsed().as_secs_f64(),
                };
                sink.event(&Event::Sample(&sample))?;
                samples.push(sample);
            }
        }
        Ok(())
    }
}
