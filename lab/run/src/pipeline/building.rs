//! Builds on a thread of their own, one after the other, since build tools use all
//! processors themselves. What is built is audited meanwhile.

use super::auditing::Auditor;
use super::{Builds, Run};
use crate::RunError;
use crate::build::{self, BuildError, Built, Context};
use crate::events::{Event, Sink, Stage};
use crate::files::NotSources;
use karat_model::study::Study;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Instant;

/// What the thread that builds says about a variant.
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
        std::thread::scope(|threads| {
            let (say, hear) = channel();
            threads.spawn(|| build_all(study, order, &context, say));
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

/// Builds until all are done, the user interrupts, or nobody listens any more.
fn build_all(study: &Study, order: Vec<usize>, context: &Context<'_>, say: Sender<News>) {
    for variant in order {
        if say.send(News::Begun(variant)).is_err() {
            return;
        }
        let result = build::build(&study.variants[variant], context);
        let interrupted = matches!(result, Err(BuildError::Interrupted));
        if say.send(News::Ended(variant, result)).is_err() || interrupted {
            return;
        }
    }
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
                Err(TryRecvError::Empty) if self.audit_one() => continue,
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
                    self.ended(variant, &study.variants[variant].name.value, result, sink)?;
                }
            }
        }
        Ok(())
    }

    fn ended(
        &mut self,
        variant: usize,
        name: &str,
        result: Result<Built, BuildError>,
        sink: &mut dyn Sink,
    ) -> Result<(), RunError> {
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
                self.waiting.push_back(variant);
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

    /// Audits the next binary; false if there is none, or if audits are of no use
    /// because the run will end with an error.
    fn audit_one(&mut self) -> bool {
        if !self.failed.is_empty() || self.unread.is_some() {
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
