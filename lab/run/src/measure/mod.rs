//! Running an arm and reading its metrics.

mod round;

pub(crate) use round::Progress;

use crate::metric::{self, MetricError, Reading};
use crate::process::{self, Ending, Finished};
use crate::{RunError, callgrind, counters};
use karat_model::measure::Arm;
use karat_model::study::{MetricSource, Surroundings, Workload};
use karat_model::units::Metric;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What an arm runs: a binary and the variant's own arguments.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) binary: PathBuf,
    pub(crate) args: Vec<String>,
    pub(crate) run: Surroundings,
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
}
