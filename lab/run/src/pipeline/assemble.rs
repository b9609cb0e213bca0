//! From what the stages left to the evidence.

use super::costs::Bound;
use super::{Audits, Builds, Measured, Run};
use crate::findings;
use karat_model::evidence::{
    Evidence, ParityCheck, RunInfo, SCHEMA, StudyInfo, Time, VariantEvidence, WorkloadEvidence,
};
use karat_model::finding::Finding;
use karat_model::study::Variant;
use karat_verdict::{causes, judging, verdicts};

/// What makes a variant, to be followed by hand.
fn commands(variant: &Variant) -> Vec<String> {
    let mut lines = karat_build::reproduce(variant);
    lines.extend(karat_build::run_with(variant));
    lines
}

impl Run<'_> {
    pub(super) fn evidence(
        mut self,
        builds: Builds,
        audits: Audits,
        parity: Vec<ParityCheck>,
        measured: Measured,
        mut found: Vec<Finding>,
    ) -> Evidence {
        let study = self.study;
        let workloads = self.workloads(&measured, &audits);
        found.extend(findings::of_measuring(
            study,
            &workloads,
            &measured.arms,
            &measured.samples,
        ));
        found.extend(findings::not_told(study, &workloads));
        let smoke = self.plan.smoke.then_some(self.plan.max_rounds);
        let withheld = verdicts::withheld(smoke, &workloads);
        let mut variants = Vec::new();
        for (i, (built, audit)) in builds.into_iter().zip(audits).enumerate() {
            let variant = &study.variants[i];
            let name = &variant.name.value;
            let judged = built.is_some() && i != study.baseline;
            variants.push(VariantEvidence {
                name: name.clone(),
                baseline: i == study.baseline,
                why: variant.why.clone(),
                settings: karat_build::settings(variant),
                reproduce: commands(variant),
                left_out: self.plan.left_out[i].clone(),
                build: built.map(|b| b.evidence),
                audit,
                verdict: judged.then(|| {
                    let withheld = withheld.is_some();
                    if self.identical[i] {
                        verdicts::identical(withheld)
                    } else {
                        let pilots = &measured.layouts.pilots;
                        verdicts::variant(name, study, &workloads, pilots, &parity, withheld)
                    }
                }),
            });
        }
        found.sort_by_key(|f| std::cmp::Reverse(f.severity));
        let seconds = measured.before + self.start.elapsed().as_secs_f64();
        let budget = match (self.plan.smoke, self.all_cached) {
            (true, true) => study.budget.smoke,
            (true, false) => None,
            (false, true) => study.budget.cached,
            (false, false) => study.budget.clean,
        };
        let name = if self.all_cached {
            "whole run, builds cached"
        } else {
            "whole run"
        };
        self.costs.bounded(
            name,
            seconds,
            "s",
            budget.map_or(Bound::None, Bound::AtMost),
        );
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
                resumed: self.options.prior.as_ref().map_or(0, |p| p.resumed),
                continues: self
                    .options
                    .prior
                    .as_ref()
                    .and_then(|p| p.continues.clone()),
                time: Time {
                    promised: self.promise.get().seconds(),
                    used: measured.used_before + self.promise.get().used(),
                    stretch: measured.stretch,
                    more: measured.more,
                    resume: self.options.resume,
                },
                pinned: measured.processor,
            },
            verdict: verdicts::study(study, &variants, &parity, withheld),
            machine: self.machine,
            variants,
            parity,
            layouts: measured.layouts,
            arms: measured.arms,
            workloads,
            samples: measured.samples,
            findings: found,
            neighbours: measured.neighbours,
            costs: self.costs.0,
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
        let judged = if measured.judged.is_empty() {
            judging::unmeasured(&study.workloads)
        } else {
            measured.judged.clone()
        };
        for mut judged in judged {
            let w = judged.workload;
            let plan = &study.workloads[w];
            let clock = measured.clock.get(w).cloned().unwrap_or_default();
            let known = causes::Known {
                workload: &plan.name,
                baseline,
                clock: &clock,
                expect: &study.expect,
                pilot: measured
                    .layouts
                    .pilots
                    .iter()
                    .find(|p| p.workload == judged.name),
                probed: measured.neighbours.is_some(),
            };
            let (arms, samples) = (&measured.arms, &measured.samples);
            for i in 0..judged.comparisons.len() {
                let quiet = judging::quiet_runs(&judged, &judged.comparisons[i], arms, samples);
                let comparison = &mut judged.comparisons[i];
                comparison.causes = causes::of(
                    comparison,
                    &known,
                    &quiet,
                    audit_of(&comparison.variant),
                    audit_of(baseline),
                );
            }
            out.push(WorkloadEvidence {
                name: judged.name,
                run: w as u32,
                value: judged.value as u32,
                why: plan.why.clone(),
                args: plan.args.clone(),
                metric: judged.metric,
                rounds: judged.rounds,
                looks: measured.looks.clone(),
                again: judged.again,
                again_passed: judged.rounds == 0 || judged.again_passed,
                noise_floor: judged.noise_floor,
                comparisons: judged.comparisons,
                pairs: judged.pairs,
                layout_tax: judged.layout_tax,
                oddities: judged.oddities,
                clock,
            });
        }
        out
    }
}
