//! The measured rounds: what they need before, and what is left of them.

use super::costs::{Costs, OWN_TIME};
use super::layouts::Drawn;
use super::stretch::{Course, Limits};
use super::{Builds, Measured, Run, again};
use crate::events::{Event, Sink, Stage};
use crate::executor::{Executor, Local};
use crate::measure::{Bench, Program};
use crate::probe::Probe;
use crate::{RunError, plan};
use karat_model::evidence::Look;
use karat_model::measure::{Arm, LookTaken, Neighbours, Role, Sample};
use karat_model::study::{MOST_ROUNDS, MetricSource};
use karat_process::counters;
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::time::Instant;

/// Level of the estimates of a smoke run, whose verdict is withheld.
const SMOKE_ALPHA: f64 = 0.05;

/// Share of the promised time that measuring gets in any case.
const LEAST: f64 = 0.1;

impl Run<'_> {
    /// Measures and judges; what that cost is noted in `costs`.
    pub(super) fn measure(
        &self,
        roles: &[(usize, Role)],
        builds: &Builds,
        drawn: Drawn,
        costs: &mut Costs,
        sink: &mut dyn Sink,
    ) -> Result<Measured, RunError> {
        let study = self.study;
        let arms = plan::arms(study, roles, drawn.evidence.layouts);
        let programs = self.programs(&arms, builds, &drawn)?;
        let hash = self.fingerprint(&arms, builds);
        if let Some(prior) = &self.options.prior
            && prior.fingerprint != hash
        {
            return Err(RunError::Stale);
        }
        sink.event(&Event::Fingerprint {
            hash,
            layouts: &drawn.evidence,
            seed: self.options.seed,
        })?;
        karat_process::lower_floor();
        let smoke = self.plan.smoke;
        let local = self.executor();
        let bench = self.bench(&arms, &programs, &local)?;
        let start = Instant::now();
        let mut probe = Probe::new(&bench);
        let layouts = drawn.by_workload(study);
        probe.pass(&bench, study.measure.warmup.max(1), &layouts, sink)?;
        let probing = start.elapsed().as_secs_f64();
        let one_pass = probing / f64::from(study.measure.warmup.max(1));
        let mut promise = self.promise.get();
        promise.settle(study.measure.time, one_pass, smoke);
        self.promise.set(promise);
        bench.end.set(promise.end().map(|left| local.now() + left));

        let sequence = bench.claims(&self.pairs(), &layouts);
        let mut course = Course::new(sequence, study.workloads.len());
        if let Some(prior) = &self.options.prior {
            course.take_up(prior.samples.clone(), prior.stretch.clone());
        }
        let mut limits = if smoke {
            Limits::smoke(self.plan.max_rounds, SMOKE_ALPHA)
        } else {
            let stretch = course.stretch.number;
            // The study's number of rounds is that of its first stretch.
            let rounds = if stretch > 0 {
                MOST_ROUNDS
            } else {
                self.plan.max_rounds
            };
            Limits::of(&promise, rounds, stretch)
        };
        // The clock is read once more at the end, and what an interrupted run used of its
        // time is used.
        let used = course.before - course.stretch.began;
        limits.seconds = (limits.seconds - one_pass - used).max(LEAST * promise.seconds());
        sink.event(&Event::StageStarted {
            stage: Stage::Measure,
            steps: 0,
        })?;
        let (processes, start) = (course.samples.len(), Instant::now());
        course.go(&bench, &limits, sink)?;
        let total = start.elapsed().as_secs_f64() - course.judging - course.drawing;
        let start = Instant::now();
        if !smoke {
            probe.pass(&bench, 1, &layouts, sink)?;
        }
        let probing = probing + start.elapsed().as_secs_f64();
        let more = course.more(&bench);
        let clock = probe.readings(&bench, &course.samples);
        costs.note(Stage::Clock.word(), probing, "s");
        costs.note(Stage::Measure.word(), total, "s");
        let new = &course.samples[processes..];
        if !new.is_empty() {
            // What was waited for the neighbours to go is theirs.
            let running: f64 = new.iter().map(|s| s.wall + s.waited).sum();
            let own = (total - running) / new.len() as f64 * 1e3;
            costs.bounded("karat's own time per measured process", own, "ms", OWN_TIME);
        }
        costs.note("new frames of memory", course.drawing, "s");
        let Course {
            sequence,
            samples,
            rounds,
            stretch,
            before,
            mut judging,
            ..
        } = course;
        let undecided = sequence.undecided().0;
        let start = Instant::now();
        let judged = sequence.finish(&samples, &rounds);
        judging += start.elapsed().as_secs_f64();
        costs.note(Stage::Judge.word(), judging, "s");
        let look = |l: &LookTaken| Look {
            rounds: l.rounds.iter().copied().max().unwrap_or(0),
            seconds: l.seconds,
            alpha: l.alpha,
            undecided: l.undecided,
        };
        Ok(Measured {
            before,
            layouts: drawn.evidence,
            clock,
            neighbours: self.neighbours(&samples),
            judged,
            looks: stretch.looks.iter().map(look).collect(),
            stretch: stretch.number,
            used_before: before - stretch.began,
            more: more.filter(|_| undecided > 0),
            processor: self.processor,
            samples,
            arms,
        })
    }

    /// The pairs that the study compares besides, by name.
    fn pairs(&self) -> Vec<(String, String)> {
        let name = |i: usize| self.name(i).to_owned();
        let pairs = self.study.pairs.iter();
        pairs
            .map(|(one, other)| (name(*one), name(*other)))
            .collect()
    }

    /// What the probe saw of the neighbours.
    fn neighbours(&self, samples: &[Sample]) -> Option<Neighbours> {
        let known = self.neighbours.as_ref()?.borrow();
        let threshold = known.threshold();
        let probed = samples.iter().filter_map(|s| Some((s, s.width?)));
        let (mut looks, mut quiet) = (0_u32, 0_u32);
        for (_, width) in probed {
            looks += 1;
            quiet += u32::from(width[1] >= threshold);
        }
        if looks == 0 {
            return None;
        }
        // The last attempt of each arm in each round is what counts.
        let mut last = std::collections::HashMap::new();
        for s in samples {
            last.insert((s.workload, s.round, s.arm), s.quiet);
        }
        Some(Neighbours {
            free: known.free(),
            quiet: threshold,
            quiet_share: f64::from(quiet) / f64::from(looks),
            waited: samples.iter().map(|s| s.waited).sum(),
            repeated: samples.iter().filter(|s| s.attempt > 0).count() as u32,
            kept: last.len() as u32,
            kept_quiet: last.values().filter(|quiet| **quiet).count() as u32,
        })
    }

    /// The programs of `arms`, in their layouts.
    pub(super) fn programs(
        &self,
        arms: &[Arm],
        builds: &Builds,
        drawn: &Drawn,
    ) -> Result<Vec<Program>, RunError> {
        let mut programs = Vec::new();
        for arm in arms {
            let variants = &self.study.variants;
            let found = variants.iter().position(|v| v.name.value == arm.variant);
            let Some((i, program)) = found.and_then(|i| Some((i, self.program(i, builds)?))) else {
                continue;
            };
            let mut program = drawn.place(i, arm.layout, program);
            if arm.role == Role::Again {
                program.binary = again::program(&self.options.cache, &program.binary)?;
            }
            programs.push(program);
        }
        Ok(programs)
    }

    /// This machine, as this run uses it.
    pub(super) fn executor(&self) -> Local<'_> {
        Local::new(
            self.processor,
            self.neighbours.as_ref(),
            self.options.interrupt,
        )
    }

    /// Everything that running the arms needs.
    pub(super) fn bench<'b>(
        &'b self,
        arms: &'b [Arm],
        programs: &'b [Program],
        executor: &'b dyn Executor,
    ) -> Result<Bench<'b>, RunError> {
        let study = self.study;
        let counts =
            |m: &karat_model::study::MetricPlan| matches!(m.source, MetricSource::Counter(_));
        let asked = study
            .workloads
            .iter()
            .find(|w| w.metrics.iter().any(counts));
        let counters = match asked {
            None => None,
            Some(workload) => Some(counters::available().map_err(|why| RunError::Measure {
                variant: self.name(study.baseline).to_owned(),
                workload: workload.name.clone(),
                command: "perf_event_open(2)".into(),
                what: format!("it is judged by a hardware counter, and {why}"),
            })?),
        };
        Ok(Bench {
            arms,
            programs,
            workloads: &study.workloads,
            base: self.folder(),
            executor,
            end: Cell::new(self.promise.get().end().map(|left| executor.now() + left)),
            seed: self.options.seed,
            interrupt: self.options.interrupt,
            metrics: vec![Default::default(); study.workloads.len()],
            cachegrind: Default::default(),
            counters,
        })
    }

    /// Hash of all that samples depend on.
    fn fingerprint(&self, arms: &[Arm], builds: &Builds) -> String {
        let mut hash = Sha256::new();
        let study = self.study;
        for arm in arms {
            let i = study
                .variants
                .iter()
                .position(|v| v.name.value == arm.variant);
            let built = i.and_then(|i| builds[i].as_ref());
            hash.update(format!("{arm:?}"));
            hash.update(built.map_or("", |b| b.evidence.sha256.as_str()));
            let variant = i.map(|i| &study.variants[i]);
            hash.update(format!("{:?}", variant.map(|v| (&v.args, &v.run))));
        }
        for workload in &study.workloads {
            hash.update(format!("{workload:?}"));
        }
        hash.update(format!("{} {}", self.machine.cpu_id, self.options.seed));
        karat_build::files::hex(&hash.finalize()[..8])
    }
}
