//! The pipeline: build, audit, parity, measure, judge; evidence at the end.

mod assemble;
mod costs;

use crate::build::{self, BuildError, Built, Context};
use crate::events::{Event, Sink, Stage};
use crate::files::NotSources;
use crate::judging::{self, Judged};
use crate::measure::{Bench, Program};
use crate::plan::{self, Plan};
use crate::probe::Probe;
use crate::{RunError, findings, machine, parity, pin};
use costs::{CENSUS_RATE, Costs, OWN_TIME};
use karat_model::audit::BinaryAudit;
use karat_model::evidence::{Evidence, Look, ParityCheck};
use karat_model::finding::Finding;
use karat_model::measure::{Arm, ClockReading, Sample};
use karat_model::study::{Builder, Study};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
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
    /// The study file; the paths in it are relative to its folder.
    pub study_file: PathBuf,
    /// Folder of the build cache, inside of the folder of runs.
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
        all_cached: false,
        unaudited: Vec::new(),
        costs: Costs::default(),
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
    found.append(&mut run.unaudited);
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
    all_cached: bool,
    /// Findings about programs that could not be audited.
    unaudited: Vec<Finding>,
    costs: Costs,
}

#[derive(Default)]
struct Measured {
    /// Seconds of measuring before an interruption.
    before: f64,
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

    /// What a variant runs, if it was built.
    fn program(&self, variant: usize, builds: &Builds) -> Option<Program> {
        Some(Program {
            binary: builds[variant].as_ref()?.binary.clone(),
            args: self.study.variants[variant].args.clone(),
        })
    }

    /// All builds; one that fails does not stop the others.
    fn build(&mut self, sink: &mut dyn Sink) -> Result<Builds, RunError> {
        let start = Instant::now();
        sink.event(&Event::StageStarted {
            stage: Stage::Build,
            steps: self.plan.active().count() as u64,
        })?;
        let study_dir = self.options.study_file.parent().unwrap_or(Path::new(""));
        let runs = self.options.cache.parent().unwrap_or(Path::new(""));
        let context = Context {
            study_dir,
            not_sources: &NotSources::new(&[&self.options.study_file, runs]),
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
        self.all_cached = builds.iter().flatten().all(|b| b.evidence.cached);
        self.costs
            .note(Stage::Build.word(), start.elapsed().as_secs_f64(), "s");
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
            let outcome = karat_audit::audit_timed(
                &image,
                &karat_audit::Options {
                    expected: &expected,
                    baseline: audits[self.study.baseline].as_ref(),
                    top_functions: TOP_FUNCTIONS,
                },
            );
            let (audit, phases) = match outcome {
                Ok(audited) => audited,
                // A script or a foreign binary can be measured all the same.
                Err(e) if self.may_go_unaudited(i) => {
                    self.unaudited
                        .push(findings::unaudited(self.name(i), &e.to_string()));
                    continue;
                }
                Err(e) => return Err(fail(e.to_string())),
            };
            bytes += audit.code_bytes;
            seconds += phases.census;
            sink.event(&Event::StepDone {
                message: self.name(i).to_owned(),
                notable: false,
            })?;
            audits[i] = Some(audit);
        }
        self.costs
            .note(Stage::Audit.word(), start.elapsed().as_secs_f64(), "s");
        if seconds > 0.0 {
            let rate = bytes as f64 / 1e6 / seconds;
            self.costs
                .bounded("decoding and counting of code", rate, "MB/s", CENSUS_RATE);
        }
        Ok(audits)
    }

    /// Whether a variant is a program that exists, of which nothing is expected.
    fn may_go_unaudited(&self, variant: usize) -> bool {
        let builder = &self.study.variants[variant].builder;
        matches!(builder, Builder::Binary(_)) && self.study.expect.is_empty()
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
            let Some(baseline) = self.program(self.study.baseline, builds) else {
                break;
            };
            let fail = |variant: usize, e: std::io::Error| RunError::Parity {
                check: plan.name.clone(),
                variant: self.name(variant).to_owned(),
                what: e.to_string(),
            };
            let expected = parity::expect(plan, &baseline, interrupt)
                .map_err(|e| fail(self.study.baseline, e))?;
            if let Some(failure) = expected.failure() {
                found.push(findings::baseline_fails(plan, &failure));
            }
            for &i in &others {
                let Some(program) = self.program(i, builds) else {
                    continue;
                };
                let check = parity::check(plan, self.name(i), &program, &expected, interrupt)
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
        self.costs
            .note(Stage::Parity.word(), start.elapsed().as_secs_f64(), "s");
        Ok((checks, found))
    }

    fn measure(
        &mut self,
        arms: &[Arm],
        builds: &Builds,
        sink: &mut dyn Sink,
    ) -> Result<Measured, RunError> {
        let study = self.study;
        let programs: Vec<Program> = arms
            .iter()
            .filter_map(|arm| {
                let variants = &study.variants;
                let i = variants.iter().position(|v| v.name.value == arm.variant)?;
                self.program(i, builds)
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
            programs: &programs,
            workloads: &study.workloads,
            processor: study.measure.pin.then(pin::choose).flatten(),
            seed: self.options.seed,
            interrupt: self.options.interrupt,
        };
        let start = Instant::now();
        let mut probe = Probe::new(&bench);
        probe.pass(&bench, study.measure.warmup.max(1), sink)?;
        let mut probing = start.elapsed().as_secs_f64();

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
        let before = samples.iter().map(|s| s.at).fold(0.0, f64::max);
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
                bench.round(rounds, start, before, &mut samples, sink)?;
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
        if !self.plan.smoke {
            let start = Instant::now();
            probe.pass(&bench, 1, sink)?;
            probing += start.elapsed().as_secs_f64();
        }
        self.costs.note(Stage::Clock.word(), probing, "s");
        self.costs.note(Stage::Measure.word(), total, "s");
        let new = &samples[processes_before..];
        if !new.is_empty() {
            let running: f64 = new.iter().map(|s| s.wall).sum();
            let own = (total - running) / new.len() as f64 * 1e3;
            self.costs
                .bounded("karat's own time per measured process", own, "ms", OWN_TIME);
        }
        self.costs.note(Stage::Judge.word(), judging, "s");
        Ok(Measured {
            before,
            clock: probe.readings(&bench, &samples),
            samples,
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
            hash.update(format!("{:?}", i.map(|i| &study.variants[i].args)));
        }
        for workload in &study.workloads {
            hash.update(format!("{workload:?}"));
        }
        hash.update(format!("{} {}", self.machine.cpu_id, self.options.seed));
        crate::files::hex(&hash.finalize()[..8])
    }
}
