//! The pipeline: build, audit, parity, measure, judge; evidence at the end.

use crate::build::{self, BuildError, Built, Context};
use crate::events::{Event, Sink, Stage};
use crate::judging::{self, Judged};
use crate::measure::Bench;
use crate::plan::{self, Plan};
use crate::{RunError, causes, findings, machine, parity, pin, verdicts};
use karat_model::audit::BinaryAudit;
use karat_model::evidence::{
    Cost, Evidence, Look, ParityCheck, RunInfo, SCHEMA, StudyInfo, VariantEvidence,
    WorkloadEvidence,
};
use karat_model::finding::Finding;
use karat_model::measure::{Arm, ClockReading, Sample};
use karat_model::study::Study;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Functions an audit lists; a report shows fewer, a reader of the JSON more.
const TOP_FUNCTIONS: usize = 40;

/// Level of the estimates of a smoke run, whose verdict is withheld.
const SMOKE_ALPHA: f64 = 0.05;

/// What a run needs to know besides the study.
pub struct Options<'a> {
    /// Name of the run.
    pub id: String,
    /// The study's text, kept in the evidence.
    pub source: String,
    /// Folder of the study file.
    pub study_dir: PathBuf,
    /// Folder of the build cache.
    pub cache: PathBuf,
    /// The program that serves as rustc wrapper.
    pub wrapper: PathBuf,
    /// Seed of every random choice; a resumed run keeps its first one.
    pub seed: u64,
    /// Becomes true when the user wants to stop.
    pub interrupt: &'a AtomicBool,
    /// What an interrupted run left, to go on with.
    pub prior: Option<Prior>,
}

/// What an interrupted run left.
#[derive(Clone, Debug)]
pub struct Prior {
    /// Its fingerprint; samples of other binaries are refused.
    pub fingerprint: String,
    /// Its samples.
    pub samples: Vec<Sample>,
    /// How often it had been taken up before.
    pub resumed: u32,
}

/// Runs a study from builds to evidence.
///
/// # Errors
/// See [`RunError`]. Finished builds and samples handed to the sink stay.
pub fn run(
    study: &Study,
    plan: &Plan,
    options: Options<'_>,
    sink: &mut dyn Sink,
) -> Result<Evidence, RunError> {
    let mut run = Run {
        study,
        plan,
        start: Instant::now(),
        started: jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        machine: machine::probe(),
        options,
        costs: Vec::new(),
    };
    let built = run.build(sink)?;
    let audits = run.audit(&built, sink)?;
    let (parity, mut found) = run.parity(&built, sink)?;
    let passed = |name: &str| parity.iter().all(|p| p.variant != name || p.passed);
    let arms = plan::arms(study, |i| {
        built[i].is_some() && passed(&study.variants[i].name.value)
    });
    // Nothing to compare when every variant behaves differently.
    let measured = if arms.len() > 2 && !study.workloads.is_empty() {
        run.measure(&arms, &built, sink)?
    } else {
        Measured::default()
    };
    found.extend(findings::of_audit(study, &audits));
    found.extend(findings::of_builds(study, &built));
    Ok(run.evidence(built, audits, parity, arms, measured, found))
}

struct Run<'a> {
    study: &'a Study,
    plan: &'a Plan,
    options: Options<'a>,
    start: Instant,
    started: String,
    machine: karat_model::machine::Machine,
    costs: Vec<Cost>,
}

#[derive(Default)]
struct Measured {
    samples: Vec<Sample>,
    clock: Vec<Vec<ClockReading>>,
    judged: Vec<Judged>,
    looks: Vec<Look>,
    rounds: u32,
    processor: Option<u32>,
}

/// Per variant of the study: its build, unless it is left out.
type Builds = Vec<Option<Built>>;
type Audits = Vec<Option<BinaryAudit>>;

impl Run<'_> {
    fn name(&self, variant: usize) -> &str {
        &self.study.variants[variant].name.value
    }

    /// Notes what a stage took.
    fn spent(&mut self, stage: Stage, since: Instant, bound: &str) {
        self.costs.push(Cost {
            name: stage.word().into(),
            value: since.elapsed().as_secs_f64(),
            unit: "s".into(),
            bound: bound.into(),
        });
    }

    /// All builds; one that fails does not stop the others.
    fn build(&mut self, sink: &mut dyn Sink) -> Result<Builds, RunError> {
        let start = Instant::now();
        sink.event(&Event::StageStarted {
            stage: Stage::Build,
            steps: self.plan.active().count() as u64,
        })?;
        let context = Context {
            study_dir: &self.options.study_dir,
            cache: &self.options.cache,
            wrapper: &self.options.wrapper,
            interrupt: self.options.interrupt,
        };
        let mut builds: Builds = vec![None; self.study.variants.len()];
        let mut failed = Vec::new();
        for i in self.plan.active() {
            let variant = &self.study.variants[i];
            let name = &variant.name.value;
            sink.event(&Event::StepStarted { name: name.clone() })?;
            let message = match build::build(variant, &context) {
                Ok(built) => {
                    let how = if built.evidence.cached {
                        "unchanged".to_owned()
                    } else {
                        karat_model::units::seconds(built.evidence.seconds)
                    };
                    sink.event(&Event::Log {
                        name: format!("build-{name}.log"),
                        text: &built.log,
                    })?;
                    builds[i] = Some(built);
                    format!("{name}: {how}")
                }
                Err(BuildError::Interrupted) => return Err(RunError::Interrupted),
                Err(error) => {
                    failed.push(error);
                    format!("{name}: FAILED")
                }
            };
            let notable = builds[i].as_ref().is_none_or(|b| !b.evidence.cached);
            sink.event(&Event::StepDone { message, notable })?;
        }
        if !failed.is_empty() {
            return Err(RunError::Build(failed));
        }
        self.spent(Stage::Build, start, "");
        Ok(builds)
    }

    fn audit(&mut self, builds: &Builds, sink: &mut dyn Sink) -> Result<Audits, RunError> {
        let start = Instant::now();
        sink.event(&Event::StageStarted {
            stage: Stage::Audit,
            steps: builds.iter().flatten().count() as u64,
        })?;
        let expected: Vec<String> = self
            .study
            .expect
            .iter()
            .map(|e| e.function.clone())
            .collect();
        let mut audits: Audits = vec![None; builds.len()];
        // The baseline first: the others are compared with it.
        let mut order: Vec<usize> = self.plan.active().collect();
        order.sort_by_key(|i| *i != self.study.baseline);
        let (mut bytes, mut seconds) = (0, 0.0);
        for i in order {
            let Some(built) = &builds[i] else { continue };
            let fail = |what: String| RunError::Audit {
                variant: self.name(i).to_owned(),
                binary: built.binary.clone(),
                what,
            };
            let image = std::fs::read(&built.binary).map_err(|e| fail(e.to_string()))?;
            let audit = karat_audit::audit(
                &image,
                &karat_audit::Options {
                    expected: &expected,
                    baseline: audits[self.study.baseline].as_ref(),
                    top_functions: TOP_FUNCTIONS,
                },
            )
            .map_err(|e| fail(e.to_string()))?;
            bytes += audit.code_bytes;
            seconds += audit.seconds;
            sink.event(&Event::StepDone {
                message: self.name(i).to_owned(),
                notable: false,
            })?;
            audits[i] = Some(audit);
        }
        self.spent(Stage::Audit, start, "");
        if seconds > 0.0 {
            self.costs.push(Cost {
                name: "audit speed, line tables included".into(),
                value: bytes as f64 / 1e6 / seconds,
                unit: "MB of code/s".into(),
                bound: String::new(),
            });
        }
        Ok(audits)
    }

    fn parity(
        &mut self,
        builds: &Builds,
        sink: &mut dyn Sink,
    ) -> Result<(Vec<ParityCheck>, Vec<Finding>), RunError> {
        let start = Instant::now();
        let others: Vec<usize> = (0..builds.len())
            .filter(|i| *i != self.study.baseline && builds[*i].is_some())
            .collect();
        sink.event(&Event::StageStarted {
            stage: Stage::Parity,
            steps: (others.len() * self.study.parity.len()) as u64,
        })?;
        let (mut checks, mut found) = (Vec::new(), Vec::new());
        let interrupt = self.options.interrupt;
        for plan in &self.study.parity {
            let Some(baseline) = &builds[self.study.baseline] else {
                break;
            };
            let fail = |variant: usize, e: std::io::Error| RunError::Parity {
                check: plan.name.clone(),
                variant: self.name(variant).to_owned(),
                what: e.to_string(),
            };
            let expected = parity::expect(plan, &baseline.binary, interrupt)
                .map_err(|e| fail(self.study.baseline, e))?;
            if let Some(failure) = expected.failure() {
                found.push(findings::baseline_fails(plan, &failure));
            }
            for &i in &others {
                let Some(built) = &builds[i] else { continue };
                let check = parity::check(plan, self.name(i), &built.binary, &expected, interrupt)
                    .map_err(|e| fail(i, e))?;
                if interrupt.load(Ordering::Relaxed) {
                    return Err(RunError::Interrupted);
                }
                let word = if check.passed { "same" } else { "DIFFERENT" };
                sink.event(&Event::StepDone {
                    message: format!("{} · {}: {word}", plan.name, self.name(i)),
                    notable: !check.passed,
                })?;
                checks.push(check);
            }
        }
        found.extend(findings::of_parity(&checks));
        self.spent(Stage::Parity, start, "");
        Ok((checks, found))
    }

    fn measure(
        &mut self,
        arms: &[Arm],
        builds: &Builds,
        sink: &mut dyn Sink,
    ) -> Result<Measured, RunError> {
        let study = self.study;
        let binaries: Vec<PathBuf> = arms
            .iter()
            .filter_map(|arm| {
                let i = study
                    .variants
                    .iter()
                    .position(|v| v.name.value == arm.variant)?;
                Some(builds[i].as_ref()?.binary.clone())
            })
            .collect();
        let hash = self.fingerprint(arms, builds);
        let mut samples = Vec::new();
        if let Some(prior) = &self.options.prior {
            if prior.fingerprint != hash {
                return Err(RunError::Stale);
            }
            samples.clone_from(&prior.samples);
        }
        sink.event(&Event::Fingerprint {
            hash,
            seed: self.options.seed,
        })?;
        let bench = Bench {
            arms,
            binaries: &binaries,
            workloads: &study.workloads,
            processor: study.measure.pin.then(pin::choose).flatten(),
            seed: self.options.seed,
            interrupt: self.options.interrupt,
        };
        let start = Instant::now();
        let clock = bench.warm_up(study.measure.warmup.max(1), sink)?;
        self.spent(Stage::Clock, start, "");

        let schedule = if self.plan.smoke {
            vec![karat_judge::Look {
                rounds: self.plan.max_rounds as usize,
                alpha: SMOKE_ALPHA,
            }]
        } else {
            karat_judge::schedule(self.plan.max_rounds as usize)
        };
        let start = Instant::now();
        let processes_before = samples.len();
        let per_round = (arms.len() * study.workloads.len()) as u64;
        sink.event(&Event::StageStarted {
            stage: Stage::Measure,
            steps: u64::from(self.plan.max_rounds) * per_round,
        })?;
        let mut looks = Vec::new();
        let mut judged = Vec::new();
        let mut judging = 0.0;
        let mut rounds = 0;
        for look in &schedule {
            let mut out_of_time = false;
            while rounds < look.rounds as u32 && !out_of_time {
                bench.round(rounds, start, &mut samples, sink)?;
                rounds += 1;
                out_of_time = start.elapsed().as_secs_f64() > study.measure.max_seconds;
            }
            let began = Instant::now();
            let (alpha, seed) = (look.alpha, self.options.seed);
            judged = judging::judge(&study.workloads, arms, &samples, rounds, alpha, seed);
            judging += began.elapsed().as_secs_f64();
            let undecided = judging::undecided(&judged);
            looks.push(Look {
                rounds,
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
        let total = start.elapsed().as_secs_f64() - judging;
        self.spent(Stage::Measure, start, "");
        let new = &samples[processes_before..];
        if !new.is_empty() {
            let running: f64 = new.iter().map(|s| s.wall).sum();
            self.costs.push(Cost {
                name: "karat's own time per measured process".into(),
                value: (total - running) / new.len() as f64 * 1e3,
                unit: "ms".into(),
                bound: "under 2 ms".into(),
            });
        }
        self.costs.push(Cost {
            name: Stage::Judge.word().into(),
            value: judging,
            unit: "s".into(),
            bound: String::new(),
        });
        Ok(Measured {
            samples,
            clock,
            judged,
            looks,
            rounds,
            processor: bench.processor,
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
        }
        for workload in &study.workloads {
            hash.update(format!("{workload:?}"));
        }
        hash.update(format!("{} {}", self.machine.cpu_id, self.options.seed));
        crate::files::hex(&hash.finalize()[..8])
    }

    fn evidence(
        mut self,
        builds: Builds,
        audits: Audits,
        parity: Vec<ParityCheck>,
        arms: Vec<Arm>,
        measured: Measured,
        mut found: Vec<Finding>,
    ) -> Evidence {
        let study = self.study;
        let workloads = self.workloads(&measured, &audits);
        found.extend(findings::of_measuring(&workloads));
        let withheld = self.withheld(&workloads);
        let mut variants = Vec::new();
        for (i, (built, audit)) in builds.into_iter().zip(audits).enumerate() {
            let variant = &study.variants[i];
            let name = &variant.name.value;
            let judged = built.is_some() && i != study.baseline;
            variants.push(VariantEvidence {
                name: name.clone(),
                baseline: i == study.baseline,
                why: variant.why.clone(),
                settings: build::settings(variant),
                reproduce: build::reproduce(variant),
                left_out: self.plan.left_out[i].clone(),
                build: built.map(|b| b.evidence),
                audit,
                verdict: judged.then(|| {
                    verdicts::variant(name, study, &workloads, &parity, withheld.is_some())
                }),
            });
        }
        found.sort_by_key(|f| std::cmp::Reverse(f.severity));
        let seconds = self.start.elapsed().as_secs_f64();
        self.costs.push(Cost {
            name: "whole run".into(),
            value: seconds,
            unit: "s".into(),
            bound: String::new(),
        });
        Evidence {
            schema: SCHEMA,
            study: StudyInfo {
                name: study.name.clone(),
                title: study.title.clone(),
                description: study.description.clone(),
                margin: study.workloads.iter().map(|w| w.margin).fold(0.0, f64::max),
                source: self.options.source,
            },
            run: RunInfo {
                id: self.options.id,
                karat: env!("CARGO_PKG_VERSION").into(),
                started: self.started,
                seconds,
                seed: self.options.seed,
                smoke: self.plan.smoke,
                resumed: self.options.prior.map_or(0, |p| p.resumed + 1),
                pinned: measured.processor,
            },
            verdict: verdicts::study(study, &variants, &parity, withheld),
            machine: self.machine,
            variants,
            parity,
            arms,
            workloads,
            samples: measured.samples,
            findings: found,
            costs: self.costs,
        }
    }

    fn workloads(&self, measured: &Measured, audits: &Audits) -> Vec<WorkloadEvidence> {
        let study = self.study;
        let baseline = self.name(study.baseline);
        let audit_of = |name: &str| {
            let i = study.variants.iter().position(|v| v.name.value == name)?;
            audits[i].as_ref()
        };
        let mut out = Vec::new();
        for (w, plan) in study.workloads.iter().enumerate() {
            let mut judged = measured.judged.get(w).cloned().unwrap_or_default();
            let clock = measured.clock.get(w).cloned().unwrap_or_default();
            for comparison in &mut judged.comparisons {
                comparison.causes = causes::of(
                    comparison,
                    &plan.name,
                    baseline,
                    &clock,
                    &study.expect,
                    audit_of(&comparison.variant),
                    audit_of(baseline),
                );
            }
            out.push(WorkloadEvidence {
                name: plan.name.clone(),
                why: plan.why.clone(),
                args: plan.args.clone(),
                metric: judging::metric(plan),
                rounds: measured.rounds,
                looks: measured.looks.clone(),
                again: judged.again,
                again_passed: judged.again_passed,
                noise_floor: judged.noise_floor,
                comparisons: judged.comparisons,
                clock,
            });
        }
        out
    }

    fn withheld(&self, workloads: &[WorkloadEvidence]) -> Option<String> {
        if self.plan.smoke {
            return Some(format!(
                "this is a smoke run of {} rounds, which proves that the study works and \
                 nothing else",
                self.plan.max_rounds
            ));
        }
        let failed: Vec<&str> = workloads
            .iter()
            .filter(|w| w.rounds > 0 && !w.again_passed)
            .map(|w| w.name.as_str())
            .collect();
        (!failed.is_empty()).then(|| {
            format!(
                "the baseline came out different from itself on {}: this machine was too \
                 disturbed to judge anything; run again when it is quiet",
                failed.join(", ")
            )
        })
    }
}
