//! The pipeline: build, audit, parity, measure, judge; evidence at the end.

mod again;
mod assemble;
mod auditing;
mod building;
mod costs;
mod identity;
mod layouts;
mod measuring;
mod stretch;
mod time;

use crate::events::{Event, Sink, Stage};
use crate::measure::Program;
use crate::parity::ParityError;
use crate::plan::{self, Plan};
use crate::{RunError, findings, parity};
use costs::Costs;
use karat_build::Built;
use karat_build::compilers;
use karat_host::neighbours::Host;
use karat_model::audit::BinaryAudit;
use karat_model::evidence::{Evidence, Look, ParityCheck};
use karat_model::finding::Finding;
use karat_model::layout::LayoutEvidence;
use karat_model::measure::{Arm, ClockReading, Neighbours, Sample, Stretch};
use karat_model::study::{Builder, Located, Study};
use karat_process::{Failure, executable};
use karat_verdict::judging::Judged;
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use time::Promise;

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
    /// What an earlier run left, to go on with.
    pub prior: Option<Prior>,
    /// The command that takes this run up again, for the report's advice.
    pub resume: String,
}

/// What an earlier run left: one that was interrupted, or one that ended undecided.
#[derive(Clone, Debug)]
pub struct Prior {
    /// Its fingerprint; samples of other binaries are refused.
    pub fingerprint: String,
    /// The layouts it had chosen.
    pub layouts: LayoutEvidence,
    /// Its samples.
    pub samples: Vec<Sample>,
    /// Its looks, and the stretch that goes on or begins.
    pub stretch: Stretch,
    /// The finished run that this one goes on from, if it does.
    pub continues: Option<String>,
    /// How often it had been taken up after an interruption.
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
        machine: if study.variants.iter().all(exists) {
            karat_host::machine::probe()
        } else {
            compilers::probe()
        },
        options,
        all_cached: false,
        unaudited: Vec::new(),
        identical: Vec::new(),
        costs: Costs::default(),
        promise: Cell::new(Promise::new(study.measure.time, plan.smoke)),
        processor: None,
        neighbours: None,
    };
    let (built, auditor, waiting) = run.build(sink)?;
    let audits = run.audit(auditor, &waiting, &built, sink)?;
    // What was built and audited before was no part of the promise.
    run.promise
        .set(Promise::new(study.measure.time, plan.smoke));
    run.identical = identity::of(study, &built);
    let (parity, mut found) = run.parity(&built, sink)?;
    let passed = |name: &str| parity.iter().all(|p| p.variant != name || p.passed);
    let roles = plan::roles(study, |i| {
        built[i].is_some() && !run.is_settled(i) && passed(&study.variants[i].name.value)
    });
    // Nothing to compare when every variant behaves differently.
    let measured = if roles.len() > 2 && !study.workloads.is_empty() {
        sink.event(&Event::StageStarted {
            stage: Stage::Clock,
            steps: 0,
        })?;
        let host = Host::choose(study.measure.pin);
        run.processor = host.processor;
        // A smoke run judges nothing, so it waits for nobody and repeats nothing for them.
        let probed = host.neighbours.filter(|_| !plan.smoke);
        run.neighbours = probed.map(RefCell::new);
        let drawn = run.layouts(&roles, &built, &audits, sink)?;
        let mut costs = Costs::default();
        let measured = run.measure(&roles, &built, drawn, &mut costs, sink)?;
        run.costs.0.append(&mut costs.0);
        measured
    } else {
        Measured::default()
    };
    found.append(&mut run.unaudited);
    found.extend(findings::of_audit(study, &audits));
    found.extend(findings::of_builds(study, &built));
    Ok(run.evidence(built, audits, parity, measured, found))
}

/// Whether a variant is a program that exists: then no compiler is asked, whose
/// answer would say nothing and may not come.
fn exists(variant: &karat_model::study::Variant) -> bool {
    matches!(variant.builder, Builder::Binary(_))
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
    /// Per variant: whether its program and how it is run are the baseline's.
    identical: Vec<bool>,
    costs: Costs,
    /// The time for all that comes after the audit.
    promise: Cell<Promise>,
    /// The processor that runs are pinned to, and what is known of its core.
    processor: Option<u32>,
    neighbours: Option<RefCell<karat_host::neighbours::Neighbours>>,
}

#[derive(Default)]
struct Measured {
    /// Seconds of measuring before an interruption.
    before: f64,
    layouts: LayoutEvidence,
    arms: Vec<Arm>,
    samples: Vec<Sample>,
    clock: Vec<Vec<ClockReading>>,
    /// One for each workload and metric.
    judged: Vec<Judged>,
    looks: Vec<Look>,
    neighbours: Option<Neighbours>,
    /// How often a finished run was gone on with.
    stretch: u32,
    /// Seconds of this stretch before an interruption.
    used_before: f64,
    /// Seconds that would decide what is open.
    more: Option<f64>,
    processor: Option<u32>,
}

/// A path of the study, with its place there.
type Place = Located<PathBuf>;

/// Per variant of the study: its build, unless it is left out.
type Builds = Vec<Option<Built>>;
type Audits = Vec<Option<BinaryAudit>>;

impl Run<'_> {
    /// Whether identity says all about a variant. A smoke run tries everything all the same.
    fn is_settled(&self, variant: usize) -> bool {
        self.identical[variant] && !self.plan.smoke
    }

    fn name(&self, variant: usize) -> &str {
        &self.study.variants[variant].name.value
    }

    /// The study file's folder, to which its paths are relative.
    fn folder(&self) -> &Path {
        self.options.study_file.parent().unwrap_or(Path::new(""))
    }

    /// What a variant runs, if it was built.
    fn program(&self, variant: usize, builds: &Builds) -> Option<Program> {
        Some(Program {
            binary: builds[variant].as_ref()?.binary.clone(),
            args: self.study.variants[variant].args.clone(),
            run: self.study.variants[variant].run.clone(),
            environment: None,
        })
    }

    fn parity(
        &mut self,
        builds: &Builds,
        sink: &mut dyn Sink,
    ) -> Result<(Vec<ParityCheck>, Vec<Finding>), RunError> {
        let start = Instant::now();
        let others: Vec<usize> = (0..builds.len())
            .filter(|i| *i != self.study.baseline && builds[*i].is_some() && !self.is_settled(*i))
            .collect();
        sink.event(&Event::StageStarted {
            stage: Stage::Parity,
            steps: (others.len() * self.study.parity.len()) as u64,
        })?;
        let (mut checks, mut found) = (Vec::new(), Vec::new());
        let interrupt = self.options.interrupt;
        let folder = self.folder();
        for plan in &self.study.parity {
            let Some(baseline) = self.program(self.study.baseline, builds) else {
                break;
            };
            let fail = |variant: usize, e: ParityError| {
                let refused = match &e {
                    ParityError::Run(Failure::Interrupted) => return RunError::Interrupted,
                    ParityError::Run(Failure::Start(error)) => self
                        .program(variant, builds)
                        .and_then(|p| Some((executable::refused(&p.binary, error)?, p.binary))),
                    _ => None,
                };
                let (variant, check) = (self.name(variant).to_owned(), plan.name.clone());
                match refused {
                    Some((what, binary)) => RunError::Execute {
                        variant,
                        binary,
                        what,
                    },
                    None => RunError::Parity {
                        check,
                        variant,
                        what: e.to_string(),
                    },
                }
            };
            let expected = parity::expect(plan, &baseline, folder, interrupt)
                .map_err(|e| fail(self.study.baseline, e))?;
            if let Some(failure) = expected.failure() {
                found.push(findings::baseline_fails(plan, &failure));
            }
            for &i in &others {
                let Some(program) = self.program(i, builds) else {
                    continue;
                };
                let check =
                    parity::check(plan, self.name(i), &program, &expected, folder, interrupt)
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
}
