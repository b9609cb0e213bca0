//! `go test -bench`: its text, and the events of `go test -json`.
//!
//! A result line is `BenchmarkName-8  N  value unit  value unit …`, as specified
//! in <https://go.dev/design/14313-benchmark-format>. The metric is the unit:
//! `ns/op`, `B/op`, `MB/s`. The name is that of the package, a dot, and the
//! benchmark as printed; the suffix is GOMAXPROCS and stays, since `-cpu=1,2`
//! differs in nothing else. Lines of one name (`-count`) are repetitions.
//!
//! What a benchmark prints lands between its name and its numbers; numbers alone
//! on a line belong to the last name. All other lines are ignored, except those
//! that say that something failed.

use crate::collect::Collector;
use crate::error::ReadError;
use crate::reader::{Measurement, Reader};
use crate::text::{lines, shown};
use crate::value::parse;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;

/// Benchmarks of `go test`, as text and as JSON.
pub struct Go;

const NAME: &str = "go";
const EXPECTED: &str = "what `go test -bench=.` prints, with or without -json";
const PREFIX: &str = "Benchmark";

/// One line of `go test -json` (`go doc test2json`).
#[derive(Deserialize)]
pub struct Event<'a> {
    /// What happened: `run`, `output`, `pass` and others.
    #[serde(rename = "Action", borrow)]
    pub action: Cow<'a, str>,
    /// The package's path.
    #[serde(rename = "Package", borrow, default)]
    pub package: Cow<'a, str>,
    /// Empty where the event is the package's.
    #[serde(rename = "Test", borrow, default)]
    pub test: Cow<'a, str>,
    /// In seconds.
    #[serde(rename = "Elapsed")]
    pub elapsed: Option<f64>,
    /// A piece of what was printed.
    #[serde(rename = "Output", borrow)]
    pub output: Option<Cow<'a, str>>,
}

impl Reader for Go {
    fn name(&self) -> &'static str {
        NAME
    }

    fn recognises(&self, head: &[u8]) -> bool {
        lines(head).any(|(_, line)| {
            line.starts_with("pkg: ")
                || is_event(&line)
                || numbers_of(&line).is_some_and(|(name, _)| name.is_some())
        })
    }

    fn read(&self, text: &[u8]) -> Result<Vec<Measurement>, ReadError> {
        let mut collector = Collector::new(NAME);
        let mut plain = Package::default();
        let mut packages: HashMap<String, Package> = HashMap::new();
        for (number, line) in lines(text) {
            if !is_event(&line) {
                plain.line(number, &line, &mut collector)?;
                continue;
            }
            let event: Event<'_> = serde_json::from_str(&line).map_err(|error| {
                let problem = format!("{error}; expected an event of `go test -json`");
                ReadError::line(NAME, number, problem)
            })?;
            let Some(output) = event.output else { continue };
            if !packages.contains_key(event.package.as_ref()) {
                packages.insert(event.package.to_string(), Package::of(&event.package));
            }
            // Just made, so it is there.
            if let Some(package) = packages.get_mut(event.package.as_ref()) {
                package.output(number, &output, &mut collector)?;
            }
        }
        collector.finish(EXPECTED)
    }
}

/// test2json writes objects whose first keys are Time and Action.
pub fn is_event(line: &str) -> bool {
    // What a build printed begins with the package that is built.
    let keys = ["{\"Time\":", "{\"Action\":", "{\"ImportPath\":"];
    keys.iter().any(|key| line.starts_with(key))
}

/// What is known of the package whose output is being read.
#[derive(Default)]
struct Package {
    name: String,
    /// A name whose numbers have not come yet.
    pending: Option<String>,
    /// The beginning of a line; an event may end inside of one.
    partial: String,
}

impl Package {
    fn of(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Takes the output of one event.
    fn output(
        &mut self,
        number: usize,
        output: &str,
        collector: &mut Collector,
    ) -> Result<(), ReadError> {
        for piece in output.split_inclusive('\n') {
            self.partial.push_str(piece);
            if piece.ends_with('\n') {
                let line = std::mem::take(&mut self.partial);
                let line = shown(line.trim_end_matches('\n').as_bytes()).into_owned();
                self.line(number, &line, collector)?;
            }
        }
        Ok(())
    }

    fn line(
        &mut self,
        number: usize,
        line: &str,
        collector: &mut Collector,
    ) -> Result<(), ReadError> {
        if let Some(package) = line.strip_prefix("pkg: ") {
            package.trim().clone_into(&mut self.name);
            self.pending = None;
        } else if let Some(what) = failure(line) {
            let problem = format!("`{what}` failed, and a failed run measures nothing; repair it");
            return Err(ReadError::line(NAME, number, problem));
        } else if let Some((name, numbers)) = numbers_of(line) {
            let name = match name {
                Some(name) => {
                    self.pending = None;
                    name.to_owned()
                }
                None => match self.pending.take() {
                    Some(name) => name,
                    None => return Ok(()),
                },
            };
            self.numbers(number, &name, numbers, collector)?;
        } else if let Some((name, _)) = line.split_once('\t')
            && let Some(name) = benchmark_name(name.trim_end())
        {
            self.pending = Some(name.to_owned());
        }
        Ok(())
    }

    fn numbers(
        &self,
        number: usize,
        name: &str,
        numbers: &str,
        collector: &mut Collector,
    ) -> Result<(), ReadError> {
        let name = match self.name.as_str() {
            "" => name.to_owned(),
            package => format!("{package}.{name}"),
        };
        let mut units: Vec<&str> = Vec::new();
        let mut fields = numbers.split_whitespace();
        while let Some(value) = fields.next() {
            let problem = |what: String| ReadError::line(NAME, number, format!("`{name}`: {what}"));
            let value = parse(value).map_err(problem)?;
            let unit = fields.next().ok_or_else(|| {
                problem("the line ends behind a value, expected its unit; is it whole?".to_owned())
            })?;
            if units.contains(&unit) {
                return Err(problem(format!("the line has two values in `{unit}`")));
            }
            units.push(unit);
            collector
                .add(&name, unit, unit, value)
                .map_err(|e| problem(e.to_string()))?;
        }
        Ok(())
    }
}

/// A line's benchmark, if it names one, and its values behind the number of
/// iterations; `None` for other lines.
pub fn numbers_of(line: &str) -> Option<(Option<&str>, &str)> {
    let (first, rest) = word(line)?;
    let (name, iterations, rest) = match benchmark_name(first) {
        Some(name) => {
            let (iterations, rest) = word(rest)?;
            (Some(name), iterations, rest)
        }
        // Only what go prints behind a name: spaces, iterations, a tab.
        None if line.starts_with([' ', '\t']) && rest.starts_with('\t') => (None, first, rest),
        None => return None,
    };
    iterations.parse::<u64>().ok()?;
    // The first value is a number, or this is a sentence.
    let (value, _) = word(rest)?;
    value.parse::<f64>().ok()?;
    Some((name, rest))
}

/// The first word and what follows it.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A word that go takes for a benchmark: no lower-case letter behind the prefix.
pub fn benchmark_name(word: &str) -> Option<&str> {
    let rest = word.strip_prefix(PREFIX)?;
    let sound = !rest.starts_with(char::is_lowercase) && !word.contains(char::is_whitespace);
    sound.then_some(word)
}

/// What failed, if the line says so.
fn failure(line: &str) -> Option<&str> {
    let test = line.trim_start().strip_prefix("--- FAIL: ");
    let what = test.or_else(|| line.strip_prefix("FAIL\t"))?;
    Some(what.split_whitespace().next().unwrap_or("a test"))
}
