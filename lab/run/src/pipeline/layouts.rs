//! In how many layouts to measure, and the programs for them.

use super::{Audits, Builds, Run};
use crate::events::{Event, Sink, Stage};
use crate::executor::Executor;
use crate::measure::{Program, Progress, RoundEnd};
use crate::plan::SMOKE_LAYOUTS;
use crate::{RunError, plan};
use karat_build::layout::{self, Environment, Kit, LayoutError, Method};
use karat_model::layout::{HotFunction, LayoutEvidence, Moved, Pilot, PilotDecision};
use karat_model::measure::{Arm, Role, Sample};
use karat_model::study::{Builder, Layouts, Study, Workload};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// Layouts of a pilot, the linker's own among them.
const PILOT: u32 = 4;

/// Rounds of a pilot at most, and after how many it is looked at: it ends when it knows.
const PILOT_ROUNDS: u32 = 40;
const PILOT_LOOK: u32 = 8;

/// Layouts that a pilot may ask for at most: each one costs as much measuring as
/// a study in one layout.
const MOST: u32 = 8;

/// Rounds that several layouts must leave room for in the promised time: with fewer, nothing
/// is decided in any of them.
const LEAST_ROUNDS: f64 = 40.0;

/// What the arms run in each layout.
#[derive(Default)]
pub(super) struct Drawn {
    pub(super) evidence: LayoutEvidence,
    /// The binary of a variant in a layout other than the linker's own.
    links: BTreeMap<(usize, u64), PathBuf>,
    /// Whether a layout is a place of the stack.
    environment: bool,
}

/// How layouts of a study's variants can be had.
enum Means {
    Links(BTreeMap<usize, Kit>),
    Environment,
}

/// Why they cannot, in words for the report.
struct NoMeans(String);

impl Drawn {
    /// One layout of each variant.
    fn single(note: impl Into<String>) -> Self {
        Self {
            evidence: LayoutEvidence {
                note: note.into(),
                layouts: 1,
                ..LayoutEvidence::default()
            },
            ..Self::default()
        }
    }

    /// In how many layouts each workload is measured: one that its pilot found
    /// insensitive in one, so that time goes to the others.
    pub(super) fn by_workload(&self, study: &Study) -> Vec<u32> {
        let evidence = &self.evidence;
        let of = |w: &Workload| {
            let own = evidence.pilots.iter().filter(|p| is_of(p, w));
            let asked = own.map(wanted).max();
            asked
                .unwrap_or(evidence.layouts)
                .clamp(1, evidence.layouts.max(1))
        };
        study.workloads.iter().map(of).collect()
    }

    /// What a variant runs in a layout.
    pub(super) fn place(&self, variant: usize, layout: u64, program: Program) -> Program {
        let mut program = program;
        if let Some(binary) = self.links.get(&(variant, layout)) {
            program.binary.clone_from(binary);
        }
        program.environment = self.environment.then_some(Environment { seed: layout });
        program
    }
}

impl Run<'_> {
    /// Decides in how many layouts to measure, and links them.
    ///
    /// A study that names a number gets it or an error; "auto" measures a pilot
    /// on the baseline, and goes on with one layout, saying why, where layouts
    /// cannot be had.
    pub(super) fn layouts(
        &mut self,
        roles: &[(usize, Role)],
        builds: &Builds,
        audits: &Audits,
        sink: &mut dyn Sink,
    ) -> Result<Drawn, RunError> {
        let prior = self.options.prior.as_ref().map(|p| p.layouts.clone());
        let start = Instant::now();
        let drawn = match (prior, self.study.measure.layouts) {
            (Some(prior), _) if prior.layouts > 1 => {
                let mut drawn = self.draw(roles, builds, audits, prior.layouts)?;
                drawn.evidence = prior;
                drawn
            }
            (Some(prior), _) => Drawn {
                evidence: prior,
                ..Drawn::default()
            },
            (None, Layouts::Count(1)) => Drawn::single(""),
            (None, Layouts::Count(n)) => {
                let n = if self.plan.smoke {
                    SMOKE_LAYOUTS.min(n)
                } else {
                    n
                };
                self.draw(roles, builds, audits, n)?
            }
            (None, Layouts::Auto) if self.plan.smoke => {
                Drawn::single("A smoke run tries no other layouts.")
            }
            (None, Layouts::Auto) => self.auto(roles, builds, audits, sink)?,
        };
        let seconds = start.elapsed().as_secs_f64();
        self.costs.note(Stage::Layout.word(), seconds, "s");
        Ok(drawn)
    }

    fn auto(
        &self,
        roles: &[(usize, Role)],
        builds: &Builds,
        audits: &Audits,
        sink: &mut dyn Sink,
    ) -> Result<Drawn, RunError> {
        let means = match self.means(roles, builds) {
            Ok(Means::Links(kits)) => kits,
            Ok(Means::Environment) => return Ok(Drawn::single(existing())),
            Err(NoMeans(why)) => return Ok(Drawn::single(sentence(&why))),
        };
        let baseline = self.study.baseline;
        let pilot = match self.link(&means, &[baseline], audits, PILOT) {
            Ok(pilot) => pilot,
            Err(LayoutError::Interrupted) => return Err(RunError::Interrupted),
            Err(why) => return Ok(Drawn::single(sentence(&why.to_string()))),
        };
        let (pilots, runs) = self.pilot(&pilot, builds, sink)?;
        let asked = |w: &Workload| {
            let own = pilots.iter().filter(|p| is_of(p, w));
            own.map(wanted).max().unwrap_or(1)
        };
        let asked: Vec<u32> = self.study.workloads.iter().map(asked).collect();
        let most = affordable(&runs, &asked, roles.len(), self.promise.get().left());
        let wanted = asked.iter().copied().max().unwrap_or(1);
        let (wanted, short) = (wanted.min(most), most < wanted);
        let out_of_reach = pilots
            .iter()
            .any(|p| p.decision == PilotDecision::OutOfReach);
        let mut drawn = if wanted > 1 {
            self.draw(roles, builds, audits, wanted)?
        } else {
            let mut single = Drawn::single("");
            single.evidence.method = pilot.evidence.method;
            single.evidence.moved = pilot.evidence.moved;
            single
        };
        if out_of_reach {
            drawn.evidence.note = format!(
                "More than {MOST} layouts would be needed on some workload, so its effects below \
                 the spread of layouts stay undecided."
            );
        }
        if short {
            drawn.evidence.note = format!(
                "Some workload asks for more layouts than the promised time has room for \
                 ({wanted}); --max-time gives more."
            );
        }
        drawn.evidence.pilots = pilots;
        Ok(drawn)
    }

    /// Links all variants in `count` layouts.
    fn draw(
        &self,
        roles: &[(usize, Role)],
        builds: &Builds,
        audits: &Audits,
        count: u32,
    ) -> Result<Drawn, RunError> {
        let refused = |why: String| RunError::Layout(why);
        let mut variants: Vec<usize> = roles.iter().map(|(i, _)| *i).collect();
        variants.dedup();
        match self.means(roles, builds) {
            Err(NoMeans(why)) => Err(refused(why)),
            Ok(Means::Links(kits)) => match self.link(&kits, &variants, audits, count) {
                Ok(drawn) => Ok(drawn),
                Err(LayoutError::Interrupted) => Err(RunError::Interrupted),
                Err(why) => Err(refused(why.to_string())),
            },
            Ok(Means::Environment) => {
                let seeds: Vec<u64> = (0..u64::from(count)).collect();
                layout::verify_environment(&self.options.wrapper, &seeds)
                    .map_err(|e| refused(e.to_string()))?;
                Ok(Drawn {
                    evidence: LayoutEvidence {
                        method: "the size of the environment, which moves the stack, with address \
                                 randomisation off"
                            .into(),
                        layouts: count,
                        ..LayoutEvidence::default()
                    },
                    environment: true,
                    ..Drawn::default()
                })
            }
        }
    }

    fn means(&self, roles: &[(usize, Role)], builds: &Builds) -> Result<Means, NoMeans> {
        let existing = |i: usize| matches!(self.study.variants[i].builder, Builder::Binary(_));
        if roles.iter().all(|(i, _)| existing(*i)) {
            return Ok(Means::Environment);
        }
        let mut kits = BTreeMap::new();
        for (i, _) in roles {
            if let Some(built) = &builds[*i] {
                let kit = Kit::of(&built.binary)
                    .map_err(|e| NoMeans(format!("variant `{}`: {e}", self.name(*i))))?;
                kits.insert(*i, kit);
            }
        }
        Ok(Means::Links(kits))
    }

    /// Links `variants` in `count` layouts and makes sure that code moved.
    fn link(
        &self,
        kits: &BTreeMap<usize, Kit>,
        variants: &[usize],
        audits: &Audits,
        count: u32,
    ) -> Result<Drawn, LayoutError> {
        let mut drawn = Drawn::default();
        for &variant in variants {
            let Some(kit) = kits.get(&variant) else {
                continue;
            };
            let mut images = Vec::new();
            for seed in 0..u64::from(count) {
                let path = kit.link(seed, self.options.interrupt)?;
                let image = std::fs::read(&path).map_err(|source| LayoutError::Io {
                    path: path.clone(),
                    source,
                })?;
                images.push((seed, image));
                if seed > 0 {
                    drawn.links.insert((variant, seed), path);
                }
            }
            let images: Vec<(u64, &[u8])> = images.iter().map(|(s, i)| (*s, &i[..])).collect();
            let moved = layout::moved(&images, &self.hot(&audits[variant]))?;
            drawn
                .evidence
                .moved
                .push(describe(self.name(variant), moved));
            drawn.evidence.method = match kit.method() {
                Method::ShuffledSections => {
                    format!("the linker's shuffling of sections ({})", kit.linker())
                }
                Method::OrderedScript => {
                    format!("a linker script that orders sections ({})", kit.linker())
                }
            };
        }
        drawn.evidence.layouts = count;
        Ok(drawn)
    }

    /// The functions that the study expects and that are there.
    fn hot(&self, audit: &Option<karat_model::audit::BinaryAudit>) -> Vec<String> {
        let Some(audit) = audit else {
            return Vec::new();
        };
        let present = karat_model::audit::SurvivalState::Present;
        let changed = karat_model::audit::SurvivalState::Changed;
        audit
            .survival
            .iter()
            .filter(|s| s.state == present || s.state == changed)
            .map(|s| s.function.clone())
            .collect()
    }

    /// Measures the baseline in a few layouts. Returns also the seconds of one run of each
    /// workload, what was waited for and repeated included.
    fn pilot(
        &self,
        drawn: &Drawn,
        builds: &Builds,
        sink: &mut dyn Sink,
    ) -> Result<(Vec<Pilot>, Vec<f64>), RunError> {
        let study = self.study;
        // Each layout twice: what one layout scatters by is what layouts must exceed.
        let roles = [
            (study.baseline, Role::Baseline),
            (study.baseline, Role::Again),
        ];
        let arms: Vec<Arm> = plan::arms(study, &roles, PILOT);
        let programs = self.programs(&arms, builds, drawn)?;
        let local = self.executor();
        let bench = self.bench(&arms, &programs, &local)?;
        sink.event(&Event::StageStarted {
            stage: Stage::Layout,
            steps: u64::from(PILOT_ROUNDS) * (arms.len() * study.workloads.len()) as u64,
        })?;
        let mut samples: Vec<Sample> = Vec::new();
        let mut quiet = Quietly(sink);
        let start = local.now();
        let mut pilots = Vec::new();
        for round in 0..PILOT_ROUNDS {
            let mut progress = Progress {
                samples: &mut samples,
                start,
                before: 0.0,
            };
            bench.redraw(round);
            let end = bench.round(round, &|_, _| true, &mut progress, &mut quiet)?;
            if end == RoundEnd::OutOfTime {
                break;
            }
            let rounds = round + 1;
            let passed = (local.now() - start).as_secs_f64();
            let out_of_time = passed > self.promise.get().for_pilots();
            if rounds == PILOT_ROUNDS || out_of_time || rounds.is_multiple_of(PILOT_LOOK) {
                pilots = bench.pilots(&samples, rounds, MOST);
            }
            let known = |p: &Pilot| p.decision != PilotDecision::NotKnown;
            if out_of_time || (!pilots.is_empty() && pilots.iter().all(known)) {
                break;
            }
        }
        let seconds = |workload: usize| {
            let own = samples.iter().filter(|s| s.workload as usize == workload);
            let needed = own.clone().filter(|s| s.attempt == 0).count().max(1);
            own.map(|s| s.wall + s.waited).sum::<f64>() / needed as f64
        };
        let runs = (0..study.workloads.len()).map(seconds).collect();
        Ok((pilots, runs))
    }
}

/// The layouts that a pilot asks for. What is not known may matter, so it asks for all of them,
/// as far as there is time.
fn wanted(pilot: &Pilot) -> u32 {
    match (pilot.decision, pilot.needed) {
        (PilotDecision::Insensitive, _) => 1,
        (PilotDecision::Layouts, Some(n)) => (n.min(u64::from(MOST)) as u32).max(PILOT),
        (PilotDecision::Layouts, None)
        | (PilotDecision::OutOfReach | PilotDecision::NotKnown, _) => MOST,
    }
}

/// The most layouts that leave room for [`LEAST_ROUNDS`] rounds of `roles` arms in `left`
/// seconds; `runs` and `asked` are the seconds of a run and the layouts of each workload.
fn affordable(runs: &[f64], asked: &[u32], roles: usize, left: f64) -> u32 {
    let round = |most: u32| {
        let of = runs.iter().zip(asked);
        let seconds = of.map(|(run, asked)| run * f64::from((*asked).min(most)));
        seconds.sum::<f64>() * roles as f64
    };
    let fits = |most: &u32| round(*most) * LEAST_ROUNDS <= left;
    (PILOT..=MOST).rev().find(fits).unwrap_or(1)
}

/// Whether a pilot is of a workload, by whatever metric.
fn is_of(pilot: &Pilot, workload: &Workload) -> bool {
    let name = &workload.name;
    pilot.workload == *name || pilot.workload.starts_with(&format!("{name} · "))
}

fn describe(variant: &str, moved: layout::Moved) -> Moved {
    Moved {
        variant: variant.to_owned(),
        by_64: moved.by_64,
        by_4096: moved.by_4096,
        functions: moved.functions as u64,
        hot: moved
            .hot
            .into_iter()
            .map(|h| HotFunction {
                function: h.name,
                addresses: h.addresses,
            })
            .collect(),
    }
}

/// Why existing binaries are measured as they are.
fn existing() -> String {
    let stack = match layout::randomised() {
        Some(true) => {
            "Where its stack lies is drawn anew in every run, by the system's randomisation of \
             addresses."
        }
        Some(false) => {
            "The system's randomisation of addresses is off: all runs have the same stack; ask \
             for several layouts to move it."
        }
        None => "",
    };
    format!("A binary that exists already cannot be linked in another order. {stack}")
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    let mut out: String = first.into_iter().flatten().chain(chars).collect();
    if !out.ends_with('.') {
        out.push('.');
    }
    out
}

/// A pilot's samples are no part of the study: their progress is shown and they
/// are not kept.
struct Quietly<'a>(&'a mut dyn Sink);

impl Sink for Quietly<'_> {
    fn event(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        match event {
            Event::Sample(_) => self.0.event(&Event::StepDone {
                message: String::new(),
                notable: false,
            }),
            other => self.0.event(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_leave_room_for_rounds() {
        // Ten arms of 20 ms in one layout and of 20 ms in eight: 1.8 s a round.
        let most = |left| affordable(&[0.02, 0.02], &[1, 8], 10, left);
        assert_eq!(most(f64::INFINITY), 8);
        assert_eq!(most(73.0), 8);
        assert_eq!(most(60.0), 6);
        assert_eq!(most(40.5), 4);
        assert_eq!(most(30.0), 1);
    }

    #[test]
    fn a_pilot_asks_for_layouts_unless_it_knows_that_they_do_not_matter() {
        let pilot = |decision, needed| Pilot {
            workload: "w".into(),
            layouts: 4,
            rounds: 20,
            sd: 0.016,
            sd_low: 0.0,
            sd_high: 0.155,
            decision,
            needed,
        };
        assert_eq!(wanted(&pilot(PilotDecision::Insensitive, None)), 1);
        assert_eq!(wanted(&pilot(PilotDecision::NotKnown, None)), 8);
        assert_eq!(wanted(&pilot(PilotDecision::Layouts, Some(2))), 4);
        assert_eq!(wanted(&pilot(PilotDecision::Layouts, Some(6))), 6);
        assert_eq!(wanted(&pilot(PilotDecision::OutOfReach, Some(99))), 8);
    }
}
