//! Builds on threads of their own, and audits of what is built meanwhile.
//!
//! Two cargo builds go on at a time. One alone leaves processors idle: its first crates wait
//! for each other, and the optimisation across crates at its end has one thread. Other build
//! commands go alone, since two of them may write to the same folder.

use super::auditing::Auditor;
use super::{Builds, Run};
use crate::RunError;
use crate::events::{Event, Sink, Stage};
use karat_build::files::NotSources;
use karat_build::{BuildError, Built, Context};
use karat_model::study::{Builder, Study};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Cargo builds at a time.
const AT_ONCE: usize = 2;

/// What a thread that builds says about a variant.
enum News {
    Begun(usize),
    Ended(usize, Result<Built, BuildError>),
}

/// What came of the builds.
struct Outcome<'a> {
    builds: Builds,
    failed: Vec<BuildError>,
    /// Builds that have not ended.
    left: usize,
    /// Variants that are built and not yet audited.
    waiting: VecDeque<usize>,
    auditor: Auditor<'a>,
    /// The first audit that failed; there are no more after it.
    unread: Option<RunError>,
    /// When the last build ended.
    last: Instant,
}

impl<'a> Run<'a> {
    /// All builds, and audits of the first of them; one build that fails does not
    /// stop the others. Returns the variants that are still to be audited.
    pub(super) fn build(
        &mut self,
        sink: &mut dyn Sink,
    ) -> Result<(Builds, Auditor<'a>, Vec<usize>), RunError> {
        let start = Instant::now();
        let study = self.study;
        // The baseline first: the audits of the others are compared with its audit.
        let mut order: Vec<usize> = self.plan.active().collect();
        order.sort_by_key(|i| *i != study.baseline);
        sink.event(&Event::StageStarted {
            stage: Stage::Build,
            steps: order.len() as u64,
        })?;
        let runs = self.options.cache.parent().unwrap_or(Path::new(""));
        let not_sources = NotSources::new(&[&self.options.study_file, runs]);
        let context = Context {
            study_dir: self.folder(),
            not_sources: &not_sources,
            cache: &self.options.cache,
            wrapper: &self.options.wrapper,
            interrupt: self.options.interrupt,
        };
        let mut outcome = Outcome {
            builds: vec![None; study.variants.len()],
            failed: Vec::new(),
            left: order.len(),
            waiting: VecDeque::new(),
            auditor: Auditor::new(study),
            unread: None,
            last: start,
        };
        let queue = Queue::new(study, &order);
        std::thread::scope(|threads| {
            let (say, hear) = channel();
            threads.spawn(|| queue.work(study, &context, say));
            outcome.follow(study, &hear, sink)
        })?;
        if !outcome.failed.is_empty() {
            return Err(RunError::Build(outcome.failed));
        }
        if let Some(error) = outcome.unread {
            return Err(error);
        }
        let (builds, mut auditor) = (outcome.builds, outcome.auditor);
        self.all_cached = builds.iter().flatten().all(|b| b.evidence.cached);
        self.costs.note(
            Stage::Build.word(),
            (outcome.last - start).as_secs_f64(),
            "s",
        );
        if !self.all_cached {
            auditor.so_far_beside_compilers();
        }
        Ok((builds, auditor, outcome.waiting.into()))
    }
}

/// What is to be built, in groups: variants that are built alike (they differ in arguments)
/// share a folder of cargo's, so the first one builds and the others find its result.
struct Queue {
    /// Cargo's builds, which go on beside each other.
    beside: Mutex<VecDeque<Vec<usize>>>,
    /// All others, one after the other.
    alone: Vec<Vec<usize>>,
}

impl Queue {
    fn new(study: &Study, order: &[usize]) -> Self {
        let mut groups: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
        for variant in order {
            let how = karat_build::reproduce(&study.variants[*variant]);
            match groups.iter_mut().find(|(other, _)| *other == how) {
                Some((_, group)) => group.push(*variant),
                None => groups.push((how, vec![*variant])),
            }
        }
        let is_cargo = |group: &Vec<usize>| {
            let builder = &study.variants[group[0]].builder;
            matches!(builder, Builder::Cargo(_))
        };
        let groups = groups.into_iter().map(|(_, group)| group);
        let (beside, alone): (Vec<_>, Vec<_>) = groups.partition(is_cargo);
        Self {
            beside: Mutex::new(beside.into()),
            alone,
        }
    }

    /// Builds until nothing is left, the user interrupts, or nobody listens any more.
    fn work(&self, study: &Study, context: &Context<'_>, say: Sender<News>) {
        std::thread::scope(|threads| {
            for _ in 0..AT_ONCE {
                let say = say.clone();
                threads.spawn(
                    move || while self.next().is_some_and(|g| group(study, g, context, &say)) {},
                );
            }
        });
        for variants in &self.alone {
            if !group(study, variants.clone(), context, &say) {
                return;
            }
        }
    }

    fn next(&self) -> Option<Vec<usize>> {
        // A panic elsewhere ends the run anyway.
        let mut groups = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        groups.pop_front()
    }
}

/// Builds the variants of a group; whether to go on.
fn group(study: &Study, variants: Vec<usize>, context: &Context<'_>, say: &Sender<News>) -> bool {
    for variant in variants {
        if say.send(News::Begun(variant)).is_err() {
            return false;
        }
        let result = karat_build::build(&study.variants[variant], context);
        let interrupted = matches!(result, Err(BuildError::Interrupted));
        if say.send(News::Ended(variant, result)).is_err() || interrupted {
            return false;
        }
    }
    true
}

impl Outcome<'_> {
    /// Passes news on to the sink, and audits while there are none.
    fn follow(
        &mut self,
        study: &Study,
        hear: &Receiver<News>,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        while self.left > 0 {
            let news = match hear.try_recv() {
                Err(TryRecvError::Empty) if self.audit_one(study.baseline) => continue,
                Err(TryRecvError::Empty) => hear.recv().ok(),
                other => other.ok(),
            };
            // Without a builder (it panicked) there is nothing to wait for.
            let Some(news) = news else { break };
            match news {
                News::Begun(variant) => sink.event(&Event::StepStarted {
                    name: study.variants[variant].name.value.clone(),
                })?,
                News::Ended(_, Err(BuildError::Interrupted)) => return Err(RunError::Interrupted),
                News::Ended(variant, result) => {
                    self.left -= 1;
                    self.last = Instant::now();
                    self.ended(study, variant, result, sink)?;
                }
            }
        }
        Ok(())
    }

    fn ended(
        &mut self,
        study: &Study,
        variant: usize,
        result: Result<Built, BuildError>,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
        let name = &study.variants[variant].name.value;
        let (message, notable) = match result {
            Ok(built) => {
                let cached = built.evidence.cached;
                let how = if cached {
                    "unchanged".to_owned()
                } else {
                    karat_model::units::seconds(built.evidence.seconds)
                };
                sink.event(&Event::Log {
                    name: format!("build-{name}.log"),
                    text: &built.log,
                })?;
                self.builds[variant] = Some(built);
                if variant == study.baseline {
                    self.waiting.push_front(variant);
                } else {
                    self.waiting.push_back(variant);
                }
                (format!("{name}: {how}"), !cached)
            }
            Err(error) => {
                self.failed.push(error);
                (format!("{name}: FAILED"), true)
            }
        };
        sink.event(&Event::StepDone { message, notable })?;
        Ok(())
    }

    /// Audits the next binary; false if there is none, as long as the baseline is not
    /// built, or if audits are of no use because the run will end with an error.
    fn audit_one(&mut self, baseline: usize) -> bool {
        let useless = !self.failed.is_empty() || self.unread.is_some();
        if useless || self.builds[baseline].is_none() {
            return false;
        }
        let Some(variant) = self.waiting.pop_front() else {
            return false;
        };
        if let Some(built) = &self.builds[variant] {
            self.unread = self.auditor.audit(variant, built).err();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_that_are_alike_follow_each_other_and_commands_go_alone() {
        let study = Study::parse(
            r#"
            schema = 1
            name = "s"
            title = "Which builds go on at the same time?"
            baseline = "base"
            [subject]
            cargo = "subject"
            bin = "b"
            [[variant]]
            name = "base"
            [[variant]]
            name = "native"
            rustflags = ["-Ctarget-cpu=native"]
            [[variant]]
            name = "base-with-arguments"
            args = ["--fast"]
            [[workload]]
            name = "w"
            metric = "cpu"
            "#,
        )
        .unwrap();
        let queue = Queue::new(&study, &[0, 1, 2]);
        let next = || queue.next();
        assert_eq!(
            (next(), next(), next()),
            (Some(vec![0, 2]), Some(vec![1]), None)
        );
        assert!(queue.alone.is_empty());
        let mut study = study;
        study.variants[1].builder = Builder::Binary(karat_model::study::Located {
            value: "prog".into(),
            span: 0..0,
        });
        assert_eq!(Queue::new(&study, &[0, 1, 2]).alone, [vec![1]]);
    }
}
