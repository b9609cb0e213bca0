//! Running an arm and reading its metrics.

mod round;

pub(crate) use round::{Progress, RoundEnd};

use crate::executor::{Executor, Observed, Trouble};
use crate::metric::{self, Extras, Reading};
use crate::{RunError, cachegrind};
use karat_build::layout::Environment;
use karat_model::layout::Pilot;
use karat_model::measure::{Arm, Sample};
use karat_model::study::{Located, MetricPlan, MetricSource, Surroundings, Workload};
use karat_model::units::Metric;
use karat_process::{
    Command, Ending, Failure, Finished, Setup, Stdout, counters, executable, quote,
};
use karat_verdict::judging::{self, Sequence};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How much longer a run may take under Valgrind.
const SLOWER: f64 = 60.0;

/// What an arm runs: a binary and the variant's own arguments.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) binary: PathBuf,
    pub(crate) args: Vec<String>,
    pub(crate) run: Surroundings,
    /// How its stack is placed, when that is what its layout is.
    pub(crate) environment: Option<Environment>,
}

impl Program {
    /// A command without a workload's arguments.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(&self.args);
        command
    }

    /// What is put round a run of it, beyond what `base` says. Paths are relative
    /// to `folder`.
    pub(crate) fn setup(&self, base: &Surroundings, folder: &Path) -> Setup {
        let around = self.run.over(base);
        let path = |p: &Located<PathBuf>| folder.join(&p.value);
        Setup {
            stdin: around.stdin.as_ref().map(path),
            stdout: Stdout::Read,
            dir: around.dir.as_ref().map(path),
            env: around.env.into_iter().collect(),
            setup: around.setup,
            cleanup: around.cleanup,
            counters: None,
        }
    }
}

/// Arms, workloads and where to run them.
pub(crate) struct Bench<'a> {
    pub(crate) arms: &'a [Arm],
    /// The arms' programs.
    pub(crate) programs: &'a [Program],
    pub(crate) workloads: &'a [Workload],
    /// Folder of the study file, to which its paths are relative.
    pub(crate) base: &'a Path,
    /// Where runs are made.
    pub(crate) executor: &'a dyn Executor,
    /// When the promised time ends for good, by the executor's time: no run goes on beyond it.
    pub(crate) end: Cell<Option<Duration>>,
    pub(crate) seed: u64,
    pub(crate) interrupt: &'a AtomicBool,
    /// By workload: the metrics that its first run gave. All others must give the
    /// same.
    pub(crate) metrics: Vec<OnceCell<Vec<Metric>>>,
    /// Instructions by cachegrind, by workload and arm.
    pub(crate) cachegrind: RefCell<HashMap<(usize, usize), u64>>,
    /// Hardware counters, if a workload asks for them.
    pub(crate) counters: Option<counters::Set>,
}

impl Bench<'_> {
    /// Runs one arm on one workload by `make`, which gives the run and what it knows of it,
    /// and reads its metrics. `None` when the promised time ended meanwhile.
    fn once<T>(
        &self,
        workload: usize,
        arm: usize,
        make: impl FnOnce(&mut Command, &Setup, Duration) -> Result<T, Trouble>,
        finished: impl Fn(&T) -> &Finished,
    ) -> Result<Option<(T, Vec<Reading>)>, RunError> {
        match self.whole(workload, arm, make, finished) {
            Ok(run) => Ok(Some(run)),
            // Cut short by the promise, not by the study's own limit.
            Err(RunError::Measure { .. }) if self.is_out_of_time() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn whole<T>(
        &self,
        workload: usize,
        arm: usize,
        make: impl FnOnce(&mut Command, &Setup, Duration) -> Result<T, Trouble>,
        finished: impl Fn(&T) -> &Finished,
    ) -> Result<(T, Vec<Reading>), RunError> {
        let plan = &self.workloads[workload];
        let fail = |what: String| self.failed(workload, arm, what);
        let setup = self.setup(workload, arm);
        let here = PathBuf::from(".");
        let dir = setup.dir.as_deref().unwrap_or(&here);
        let stamps = metric::stamps(plan, dir);
        let timeout = self.timeout(plan);
        let mut command = self.command(workload, arm);
        let made = make(&mut command, &setup, timeout).map_err(|e| match e {
            Trouble::Gone(error) => error,
            Trouble::Run(Failure::Interrupted) => RunError::Interrupted,
            Trouble::Run(Failure::Start(error)) => self
                .refused(arm, &error)
                .unwrap_or_else(|| fail(Failure::Start(error).to_string())),
            Trouble::Run(other) => fail(other.to_string()),
        })?;
        let run = finished(&made);
        match run.ending {
            Ending::Exit(0) => {}
            Ending::Interrupted => return Err(RunError::Interrupted),
            Ending::TimedOut => {
                return Err(fail(format!(
                    "still running after {} s; a longer `timeout` would allow it",
                    plan.timeout
                )));
            }
            ending => {
                let said = run.last_lines(10);
                let said = said.lines().map(|l| format!("\n    {l}"));
                let given = !plan.args.is_empty()
                    || !self.programs[arm].args.is_empty()
                    || setup.stdin.is_some();
                let hint = match given {
                    true => "",
                    false => {
                        "\n  it is given neither `args` nor `stdin`; the workload may name them"
                    }
                };
                return Err(fail(format!("{ending}{}{hint}", said.collect::<String>())));
            }
        }
        stamps.check().map_err(|e| fail(e.to_string()))?;
        let extras = Extras {
            dir,
            cachegrind: self.cachegrind(workload, arm, &setup)?,
        };
        let readings = metric::read(plan, run, &extras).map_err(|e| fail(e.to_string()))?;
        let first = self.metrics[workload]
            .get_or_init(|| readings.iter().map(|r| r.metric.clone()).collect());
        let readings = metric::ordered(first, readings).map_err(|e| fail(e.to_string()))?;
        Ok((made, readings))
    }

    /// Runs one arm on one workload without measuring it; whether the promised time was
    /// enough.
    pub(crate) fn unmeasured(&self, workload: usize, arm: usize) -> Result<bool, RunError> {
        let make = |command: &mut Command, setup: &Setup, timeout| {
            self.executor.run(command, setup, timeout)
        };
        let run = self.once(workload, arm, make, |run| run)?;
        Ok(run.is_some())
    }

    /// Runs one arm on one workload and says what was seen around it; `None` when the
    /// promised time ended meanwhile.
    fn observed(
        &self,
        workload: usize,
        arm: usize,
    ) -> Result<Option<(Observed, Vec<Reading>)>, RunError> {
        let make = |command: &mut Command, setup: &Setup, timeout| {
            self.executor.observe(command, setup, timeout)
        };
        self.once(workload, arm, make, |seen| &seen.run)
    }

    /// Whether the promised time has ended for good.
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.end.get().is_some_and(|end| self.executor.now() >= end)
    }

    /// The longest that a run may take now.
    fn timeout(&self, plan: &Workload) -> Duration {
        let own = Duration::from_secs_f64(plan.timeout);
        match self.end.get() {
            Some(end) => own.min(end.saturating_sub(self.executor.now())),
            None => own,
        }
    }

    /// The claims of the study; all workloads must have been run once. `pairs` are compared
    /// besides, and `layouts` has how many layouts each workload is measured in.
    pub(crate) fn claims(&self, pairs: &[(String, String)], layouts: &[u32]) -> Sequence<'_> {
        let metrics = self.known_metrics();
        Sequence::new(self.workloads, &metrics, self.arms, pairs, layouts)
    }

    /// What the samples of a pilot on layouts say.
    pub(crate) fn pilots(&self, samples: &[Sample], rounds: u32, most: u32) -> Vec<Pilot> {
        let metrics = self.known_metrics();
        judging::pilots(self.workloads, &metrics, self.arms, samples, rounds, most)
    }

    /// By workload: the metrics that its runs give, as far as it has been run.
    pub(crate) fn known_metrics(&self) -> Vec<Vec<Metric>> {
        let known = |m: &OnceCell<Vec<Metric>>| m.get().cloned().unwrap_or_default();
        self.metrics.iter().map(known).collect()
    }

    fn command(&self, workload: usize, arm: usize) -> Command {
        let mut command = self.programs[arm].command();
        command.args(&self.workloads[workload].args);
        if let Some(environment) = self.programs[arm].environment {
            environment.apply(&mut command);
        }
        command
    }

    /// What the study puts round a run.
    fn setup(&self, workload: usize, arm: usize) -> Setup {
        Setup {
            counters: self.counters.clone(),
            stdout: if self.workloads[workload].null_stdout {
                Stdout::Null
            } else {
                Stdout::Read
            },
            ..self.programs[arm].setup(&self.workloads[workload].run, self.base)
        }
    }

    /// Instructions by cachegrind, if the workload asks for them: counted once for
    /// each arm, since they are the same in every run.
    fn cachegrind(
        &self,
        workload: usize,
        arm: usize,
        setup: &Setup,
    ) -> Result<Option<u64>, RunError> {
        let asks = |m: &MetricPlan| m.source == MetricSource::Cachegrind;
        if !self.workloads[workload].metrics.iter().any(asks) {
            return Ok(None);
        }
        let known = self.cachegrind.borrow().get(&(workload, arm)).copied();
        if known.is_some() {
            return Ok(known);
        }
        // Valgrind takes five to fifty times as long.
        let timeout = Duration::from_secs_f64(self.workloads[workload].timeout * SLOWER);
        let command = self.command(workload, arm);
        let count = cachegrind::instructions(&command, setup, timeout, self.interrupt)
            .map_err(|e| self.failed(workload, arm, e.to_string()))?;
        self.cachegrind.borrow_mut().insert((workload, arm), count);
        Ok(Some(count))
    }

    /// The error for a program that the system does not execute.
    fn refused(&self, arm: usize, error: &std::io::Error) -> Option<RunError> {
        let binary = &self.programs[arm].binary;
        Some(RunError::Execute {
            variant: self.arms[arm].variant.clone(),
            binary: binary.clone(),
            what: executable::refused(binary, error)?,
        })
    }

    fn failed(&self, workload: usize, arm: usize, what: String) -> RunError {
        RunError::Measure {
            variant: self.arms[arm].variant.clone(),
            workload: self.workloads[workload].name.clone(),
            command: self.shown(workload, arm),
            what,
        }
    }

    fn shown(&self, workload: usize, arm: usize) -> String {
        let program = &self.programs[arm];
        let mut words = vec![program.binary.display().to_string()];
        words.extend(program.args.iter().cloned());
        words.extend(self.workloads[workload].args.iter().cloned());
        let words: Vec<String> = words.iter().map(|w| quote(w)).collect();
        words.join(" ")
    }
}
