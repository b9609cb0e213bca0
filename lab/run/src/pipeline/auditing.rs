//! The audits of the binaries, in the order in which they are built.

use super::costs::{CENSUS_RATE, Costs};
use super::{Audits, Builds, Run};
use crate::events::{Event, Sink, Stage};
use crate::{RunError, findings};
use karat_build::Built;
use karat_host::mapped::Mapped;
use karat_model::finding::Finding;
use karat_model::study::{Builder, Study};
use std::time::Instant;

/// Functions an audit lists; a report shows fewer, a reader of the JSON more.
const TOP_FUNCTIONS: usize = 40;

/// Audits binaries and keeps what was found.
pub(super) struct Auditor<'a> {
    study: &'a Study,
    expected: Vec<String>,
    audits: Audits,
    /// Findings about programs that could not be audited.
    unaudited: Vec<Finding>,
    /// Bytes of code that were counted.
    bytes: u64,
    /// Seconds of counting.
    counting: f64,
    /// Seconds of all audits.
    seconds: f64,
    /// Whether compilers were at work at the same time: then the times are not the
    /// audit's alone.
    disturbed: bool,
}

impl<'a> Auditor<'a> {
    pub(super) fn new(study: &'a Study) -> Self {
        Self {
            study,
            expected: study.expect.iter().map(|e| e.function.clone()).collect(),
            audits: vec![None; study.variants.len()],
            unaudited: Vec::new(),
            bytes: 0,
            counting: 0.0,
            seconds: 0.0,
            disturbed: false,
        }
    }

    /// Audits the binary of a variant. The baseline must come first: the others are
    /// compared with it.
    pub(super) fn audit(&mut self, variant: usize, built: &Built) -> Result<(), RunError> {
        let start = Instant::now();
        let study = self.study;
        let name = &study.variants[variant].name.value;
        let fail = |what: String| RunError::Audit {
            variant: name.clone(),
            binary: built.binary.clone(),
            what,
        };
        let baseline = self.audits[study.baseline].as_ref();
        let image = Mapped::open(&built.binary).map_err(|e| fail(e.to_string()))?;
        let outcome = karat_audit::audit_timed(
            &image,
            &karat_audit::Options {
                expected: &self.expected,
                baseline,
                // All of them until bloat is known by function.
                top_functions: usize::MAX,
                ..Default::default()
            },
        );
        match outcome {
            Ok((mut audit, phases)) => {
                audit.bloat =
                    baseline.map(|b| karat_audit::bloat(&audit, b, study.bloat, TOP_FUNCTIONS));
                self.bytes += audit.code_bytes;
                self.counting += phases.census;
                self.audits[variant] = Some(audit);
            }
            // A script or a foreign binary can be measured all the same.
            Err(e) if may_go_unaudited(study, variant, image.starts_with(b"#!")) => {
                self.unaudited
                    .push(findings::unaudited(name, &e.to_string()));
            }
            Err(e) => return Err(fail(e.to_string())),
        }
        self.seconds += start.elapsed().as_secs_f64();
        Ok(())
    }

    /// Says that compilers were at work beside the audits made so far, if there are
    /// any.
    pub(super) fn so_far_beside_compilers(&mut self) {
        self.disturbed = self.seconds > 0.0;
    }

    fn finish(mut self, costs: &mut Costs) -> (Audits, Vec<Finding>) {
        for audit in self.audits.iter_mut().flatten() {
            audit.functions.truncate(TOP_FUNCTIONS);
        }
        let beside = if self.disturbed {
            ", some of it beside builds"
        } else {
            ""
        };
        let name = format!("{}{beside}", Stage::Audit.word());
        costs.note(&name, self.seconds, "s");
        if self.counting > 0.0 {
            let name = "decoding and counting of code";
            let rate = self.bytes as f64 / 1e6 / self.counting;
            // Beside a compiler the rate says nothing about the decoder.
            if self.disturbed {
                costs.note(&format!("{name}{beside}"), rate, "MB/s");
            } else {
                costs.bounded(name, rate, "MB/s", CENSUS_RATE);
            }
        }
        (self.audits, self.unaudited)
    }
}

/// Whether a variant is a program that exists, or a script that a command wrote, and nothing
/// is expected of it.
fn may_go_unaudited(study: &Study, variant: usize, is_script: bool) -> bool {
    let builder = &study.variants[variant].builder;
    let may = match builder {
        Builder::Binary(_) => true,
        Builder::Command(_) => is_script,
        Builder::Cargo(_) => false,
    };
    may && study.expect.is_empty()
}

impl Run<'_> {
    /// Audits the binaries in `waiting`, which the builds left over.
    pub(super) fn audit(
        &mut self,
        mut auditor: Auditor<'_>,
        waiting: &[usize],
        builds: &Builds,
        sink: &mut dyn Sink,
    ) -> Result<Audits, RunError> {
        sink.event(&Event::StageStarted {
            stage: Stage::Audit,
            steps: waiting.len() as u64,
        })?;
        for &variant in waiting {
            let Some(built) = &builds[variant] else {
                continue;
            };
            auditor.audit(variant, built)?;
            sink.event(&Event::StepDone {
                message: self.name(variant).to_owned(),
                notable: false,
            })?;
        }
        let (audits, unaudited) = auditor.finish(&mut self.costs);
        self.unaudited = unaudited;
        Ok(audits)
    }
}
