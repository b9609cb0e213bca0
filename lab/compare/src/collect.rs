//! What is kept of the logs of one side.

use super::doctests::DocTests;
use super::normalise::Normaliser;
use super::seen::{
    ByFile, CrashSeen, FactSeen, FigureSeen, Kept, MessageSeen, RunSeen, TestSeen, UnreadSeen,
    figure_key, join, level,
};
use karat_model::compare::LogFile;
use karat_model::log::{Event, Figure, Line, Message, Outcome, Test};
use karat_model::units::quantity;
use karat_readers::log::{Confidence, LONGEST, Summary, Use};

/// Repetitions of a figure in one file that are kept.
const REPETITIONS: usize = 10_000;
/// Distinct lines of a message, and values of a fact, that are kept.
const NOTED: usize = 8;

/// All that the logs of a side tell, one entry for each thing told.
#[derive(Clone, Default)]
pub struct Side {
    files: Vec<LogFile>,
    problems: Vec<String>,
    cut: Vec<String>,
    /// A sum of all bytes behind what was read of lines that are too long.
    cut_rest: u64,
    unknown: Vec<String>,
    doc_tests: DocTests,
    pub(super) tests: Kept<TestSeen>,
    pub(super) messages: Kept<MessageSeen>,
    pub(super) crashes: Kept<CrashSeen>,
    pub(super) figures: Kept<FigureSeen>,
    pub(super) facts: Kept<FactSeen>,
    pub(super) unread: Kept<UnreadSeen>,
}

impl Side {
    /// The files read so far.
    #[must_use]
    pub fn files(&self) -> &[LogFile] {
        &self.files
    }

    /// Whether nothing at all was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|f| f.events == 0)
    }

    /// Things that could not be kept because there were too many kinds of them.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.tests.left_out()
            + self.messages.left_out()
            + self.crashes.left_out()
            + self.figures.left_out()
            + self.facts.left_out()
            + self.unread.left_out()
    }

    /// Why these logs may tell more than was found in them, each as a sentence without
    /// its capital: behaviour cannot be called the same then.
    #[must_use]
    pub fn not_read(&self) -> Vec<String> {
        let problems = self.problems.iter();
        let mut out: Vec<String> = problems
            .map(|problem| format!("not all was read: {problem}"))
            .collect();
        let unknown = self.unknown.iter();
        out.extend(unknown.map(|path| format!("nothing known was found in {path}")));
        match self.left_out() {
            0 => {}
            n => out.push(format!(
                "{n} events were of more kinds than are kept, so nothing can be said of them"
            )),
        }
        out
    }

    /// Says that the log that was ended is one by itself, not a stream that may as well
    /// hold nothing of interest: if no reader knew a line of it, it is not read. An
    /// empty file is no such log, since all of it was read.
    pub fn must_be_known(&mut self) {
        if let Some(file) = self.files.last()
            && file.bytes > 0
            && file.readers.is_empty()
        {
            self.unknown.push(file.path.clone());
        }
    }

    /// Begins a log; what is added from now on is of it.
    pub fn begin(&mut self, file: LogFile) {
        self.files.push(file);
    }

    /// Ends the log that was begun.
    pub(super) fn end(&mut self, summary: &Summary, normaliser: &Normaliser) {
        let Some(file) = self.files.last_mut() else {
            return;
        };
        file.bytes = summary.bytes;
        file.lines = summary.lines;
        // One that the user named may have known nothing.
        let knew = |u: &&Use| u.confidence == Confidence::Document || u.events + u.lines > 0;
        let used = summary.used.iter().filter(knew);
        file.readers = used.map(|u| u.reader.to_owned()).collect();
        file.readers.dedup();
        file.unread = summary.unread;
        file.prefix = summary.prefix.map(str::to_owned);
        let problems = summary.problems.iter();
        self.problems
            .extend(problems.map(|problem| format!("{}: {problem}", file.path)));
        let cut = summary.cut;
        if cut.lines > 0 {
            let lines = match cut.lines {
                1 => format!("line {} has {} bytes", cut.first, cut.length),
                n => format!(
                    "{n} lines are too long, line {} with {} bytes first",
                    cut.first, cut.length
                ),
            };
            self.cut.push(format!(
                "{}: {lines}; of each line {} KiB are read",
                file.path,
                LONGEST >> 10
            ));
            self.cut_rest = self.cut_rest.wrapping_add(cut.rest);
        }
        let file = self.files.len() as u32 - 1;
        for test in self.doc_tests.named() {
            normaliser.count_doc_test();
            self.test(file, test);
        }
    }

    /// Ends a folder that was begun as a log.
    pub(super) fn end_folder(&mut self, bytes: u64, reader: &str) {
        if let Some(file) = self.files.last_mut() {
            file.bytes = bytes;
            file.readers = vec![reader.to_owned()];
        }
    }

    /// What could not be read, and why.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// Logs with lines of which only the beginning was read.
    #[must_use]
    pub fn cut(&self) -> &[String] {
        &self.cut
    }

    /// Why lines that are too long may hide a difference between two sides, if they may.
    pub(super) fn cut_otherwise(&self, other: &Self) -> Option<String> {
        let first = self.cut.first().or(other.cut.first())?;
        let differs = self.cut_rest != other.cut_rest;
        differs.then(|| format!("lines are too long, and their ends are not the same: {first}"))
    }

    /// Takes what a reader found.
    pub fn add(&mut self, event: Event, normaliser: &Normaliser) {
        let Some(file) = self.files.last_mut() else {
            return;
        };
        file.events += u64::from(!matches!(event, Event::Unread(_)));
        let file = self.files.len() as u32 - 1;
        match event {
            Event::Test(test) => {
                if let Some(test) = self.doc_tests.take(test) {
                    self.test(file, test);
                }
            }
            Event::Figure(figure) => self.figure(file, figure),
            Event::Message(message) => self.message(file, message, normaliser),
            Event::Crash(crash) => {
                let text = normaliser.normalise(&crash.text);
                let key = join(&[&crash.kind, &text]);
                let new = || CrashSeen {
                    kind: crash.kind,
                    text,
                    by_file: Vec::new(),
                };
                if let Some(seen) = self.crashes.entry(key, new) {
                    count(&mut seen.by_file, file, 1);
                }
            }
            Event::Unread(line) => self.unread(file, &line, normaliser),
            Event::Fact(fact) => {
                let new = || FactSeen {
                    key: fact.key.clone(),
                    values: Vec::new(),
                };
                if let Some(seen) = self.facts.entry(fact.key.clone(), new) {
                    note(&mut seen.values, fact.value);
                }
            }
        }
    }

    fn unread(&mut self, file: u32, line: &Line, normaliser: &Normaliser) {
        let text = normaliser.normalise(&line.text);
        let new = || UnreadSeen {
            shape: line.shape,
            text: text.clone(),
            by_file: Vec::new(),
        };
        if let Some(seen) = self.unread.entry(text.clone(), new) {
            count(&mut seen.by_file, file, 1);
        }
    }

    fn test(&mut self, file: u32, test: Test) {
        if let Some(seconds) = test.seconds {
            self.figure(file, super::test_times::of_test(&test, seconds));
        }
        let key = join(&[&test.suite, &test.name]);
        let new = || TestSeen {
            suite: test.suite,
            name: test.name,
            passed: 0,
            failed: 0,
            skipped: 0,
            reason: None,
            by_file: Vec::new(),
        };
        if let Some(seen) = self.tests.entry(key, new) {
            *match test.outcome {
                Outcome::Passed => &mut seen.passed,
                Outcome::Failed => &mut seen.failed,
                Outcome::Skipped => &mut seen.skipped,
            } += 1;
            if seen.reason.is_none() {
                seen.reason = test.reason;
            }
            count(&mut seen.by_file, file, 1);
        }
    }

    fn message(&mut self, file: u32, message: Message, normaliser: &Normaliser) {
        let text = normaliser.normalise(&message.text);
        let source = message.file.as_deref().unwrap_or_default();
        let key = join(&[level(message.level), source, &text]);
        let new = || MessageSeen {
            level: message.level,
            file: message.file,
            text,
            lines: Vec::new(),
            by_file: Vec::new(),
        };
        if let Some(seen) = self.messages.entry(key, new) {
            if let Some(line) = message.line {
                note(&mut seen.lines, line);
            }
            count(&mut seen.by_file, file, message.count);
        }
    }

    fn figure(&mut self, file: u32, figure: Figure) {
        if !figure.value.is_finite() {
            return;
        }
        let class = quantity(&figure.unit).class;
        let key = figure_key(
            &figure.section,
            &figure.name,
            &figure.parameters,
            &class,
            figure.statistic,
        );
        let new = || FigureSeen {
            section: figure.section,
            name: figure.name,
            parameters: figure.parameters,
            unit: figure.unit.clone(),
            better: figure.better,
            statistic: figure.statistic,
            runs: Vec::new(),
        };
        let Some(seen) = self.figures.entry(key, new) else {
            return;
        };
        let unit = seen.unit.clone();
        let convert = |value: f64| {
            let value = karat_model::units::convert(value, &figure.unit, &unit).unwrap_or(value);
            value.is_finite().then_some(value)
        };
        if seen.runs.last().is_none_or(|(last, _)| *last != file) {
            seen.runs.push((file, RunSeen::default()));
        }
        let Some((_, run)) = seen.runs.last_mut() else {
            return;
        };
        if run.values.len() < REPETITIONS {
            run.values.extend(convert(figure.value));
        }
        let room = REPETITIONS.saturating_sub(run.samples.len());
        let samples = figure.samples.iter().copied().filter_map(convert);
        run.samples.extend(samples.take(room));
    }

    /// The log that was ended is the same run as an earlier one: its figures are no
    /// values of another run.
    pub(super) fn repeats(&mut self, original: usize) {
        let copy = self.files.len().saturating_sub(1);
        let Some(path) = self.files.get(original).map(|file| file.path.clone()) else {
            return;
        };
        for seen in self.figures.iter_mut() {
            let has = |file: usize| seen.runs.iter().any(|(f, _)| *f as usize == file);
            if has(original) {
                seen.runs.retain(|(file, _)| *file as usize != copy);
            }
        }
        self.files[copy].copy_of = Some(path);
    }
}

fn count(by_file: &mut ByFile, file: u32, times: u64) {
    match by_file.last_mut() {
        Some((last, sum)) if *last == file => *sum = sum.saturating_add(times),
        _ => by_file.push((file, times)),
    }
}

fn note<T: PartialEq>(noted: &mut Vec<T>, value: T) {
    if noted.len() < NOTED && !noted.contains(&value) {
        noted.push(value);
    }
}
