//! The measured rounds, and the looks at them.

use super::costs::OWN_TIME;
use super::layouts::Drawn;
use super::{Builds, Measured, Run, again};
use crate::events::{Event, Sink, Stage};
use crate::measure::{Bench, Program, Progress};
use crate::probe::Probe;
use crate::{RunError, counters, judging, pin, plan, process};
use karat_model::evidence::Look;
use karat_model::measure::{Arm, Role};
use karat_model::study::MetricSource;
use sha2::{Digest, Sha256};
use std::time::Instant;

/// Level of the estimates of a smoke run, whose verdict is withheld.
const SMOKE_ALPHA: f64 = 0.05;

/// Fewest rounds in each of several layouts.
const LAYOUT_ROUNDS: u32 = 10;

impl Run<'_> {
    pub(super) fn measure(
        &mut self,
        roles: &[(usize, Role)],
        builds: &Builds,
        drawn: Drawn,
        sink: &mut dyn Sink,
    ) -> Result<Measured, RunError> {
        let study = self.study;
        let arms = plan::arms(study, roles, drawn.evidence.layouts);
        let programs = self.programs(&arms, builds, &drawn)?;
        let hash = self.fingerprint(&arms, builds);
        let mut samples = Vec::new();
        if let Some(prior) = &self.options.prior {
            if prior.fingerprint != hash {
                return Err(RunError::Stale);
            }
            samples.clone_from(&prior.samples);
        }
        sink.event(&Event::Fingerprint {
            hash,
            layouts: &drawn.evidence,
            seed: self.options.seed,
        })?;
        let bench = self.bench(&arms, &programs)?;
        process::lower_floor();
        let start = Instant::now();
        let mut probe = Probe::new(&bench);
        probe.pass(&bench, study.measure.warmup.max(1), sink)?;
        let mut probing = start.elapsed().as_secs_f64();

        let schedule = self.schedule(drawn.evidence.layouts);
        let start = Instant::now();
        let processes_before = samples.len();
        let before = samples.iter().map(|s| s.at).fold(0.0, f64::max);
        let per_round = (arms.len() * study.workloads.len()) as u64;
        sink.event(&Event::StageStarted {
            stage: Stage::Measure,
            steps: schedule.last().map_or(0, |l| l.rounds as u64) * per_round,
        })?;
        let mut looks = Vec::new();
        let mut judged = Vec::new();
        let (mut judging, mut drawing) = (0.0, 0.0);
        let mut rounds = 0;
        for look in &schedule {
            let mut out_of_time = false;
            while rounds < look.rounds as u32 && !out_of_time {
                let mut progress = Progress {
                    samples: &mut samples,
                    start,
                    before,
                };
                let began = Instant::now();
                bench.redraw(rounds);
                drawing += began.elapsed().as_secs_f64();
                bench.round(rounds, &mut progress, sink)?;
                rounds += 1;
                out_of_time = start.elapsed().as_secs_f64() > 300.0;
            }
            let began = Instant::now();
            let alpha = look.alpha;
            judged = judging::judge(&bench, &samples, rounds, alpha);
            judging += began.elapsed().as_secs_f64();
            let undecided = judging::undecided(&judged);
            looks.push(Look {
                rounds,
                seconds: start.elapsed().as_secs_f64(),
                alpha,
                undecided,
            });
            sink.event(&Event::Looked {
                rounds,
                undecided,
                comparisons: judged.iter().map(|j| j.comparisons.len() as u32).sum(),
            })?;
            if undecided == 0 || out_of_time {
                break;
            }
        }
        let began = Instant::now();
        judging::note_oddities(&mut judged, &bench, &samples, rounds);
        judging += began.elapsed().as_secs_f64();
        let total = start.elapsed().as_secs_f64() - judging - drawing;
        if !self.plan.smoke {
            let start = Instant::now();
            probe.pass(&bench, 1, sink)?;
            probing += start.elapsed().as_secs_f64();
        }
        let (clock, processor) = (probe.readings(&bench, &samples), bench.processor);
        self.costs.note(Stage::Clock.word(), probing, "s");
        self.costs.note(Stage::Measure.word(), total, "s");
        let new = &samples[processes_before..];
        if !new.is_empty() {
            let running: f64 = new.iter().map(|s| s.wall).sum();
            let own = (total - running) / new.len() as f64 * 1e3;
            self.costs
                .bounded("karat's own time per measured process", own, "ms", OWN_TIME);
        }
        self.costs.note("new frames of memory", drawing, "s");
        self.costs.note(Stage::Judge.word(), judging, "s");
        Ok(Measured {
            before,
            layouts: drawn.evidence,
            clock,
            samples,
            judged,
            looks,
            rounds,
            processor,
            arms,
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

    /// Everything that running the arms needs.
    pub(super) fn bench<'b>(
        &'b self,
        arms: &'b [Arm],
        programs: &'b [Program],
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
            processor: study.measure.pin.then(pin::choose).flatten(),
            seed: self.options.seed,
            interrupt: self.options.interrupt,
            metrics: vec![Default::default(); study.workloads.len()],
            cachegrind: Default::default(),
            counters,
        })
    }

    /// When to look. In several layouts each needs fewer rounds.
    fn schedule(&self, layouts: u32) -> Vec<karat_judge::LookAtRound> {
        if self.plan.smoke {
            return vec![karat_judge::LookAtRound {
                rounds: self.plan.max_rounds as usize,
                alpha: SMOKE_ALPHA,
            }];
        }
        let all = self.plan.max_rounds;
        let rounds = match layouts {
            0 | 1 => all,
            n => (2 * all / n).clamp(LAYOUT_ROUNDS.min(all), all),
        };
        karat_judge::schedule(rounds as usize)
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
        crate::files::hex(&hash.finalize()[..8])
    }
}
