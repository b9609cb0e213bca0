//! The XML of Catch2 (`-r xml`) and doctest (`-r=xml`): a `TestCase` with its result, and
//! Catch2's benchmarks with their means.

use super::reader::Sink;
use super::scan::{figure, number, short, test};
use super::xml_reader::{Attributes, Elements, XmlReader, get};
use karat_model::log::{Event, Outcome, Statistic, Test};

pub static CATCH2_XML: XmlReader = XmlReader {
    name: "catch2",
    reads: "Catch2's XML (-r xml)",
    root: "<Catch",
    start: || Box::new(Report::default()),
};

pub static DOCTEST_XML: XmlReader = XmlReader {
    name: "doctest",
    reads: "doctest's XML (-r=xml)",
    root: "<doctest ",
    start: || Box::new(Report::default()),
};

#[derive(Default)]
struct Report {
    suite: String,
    test: Option<Test>,
    benchmark: String,
    text: String,
}

impl Elements for Report {
    fn start(&mut self, path: &[String], attributes: &Attributes, out: &mut Sink<'_>) {
        self.text.clear();
        match path.last().map_or("", String::as_str) {
            "TestSuite" => self.suite = short(get(attributes, "name")),
            "TestCase" => {
                let outcome = match get(attributes, "skipped") {
                    "true" => Outcome::Skipped,
                    _ => Outcome::Passed,
                };
                self.test = Some(test(&self.suite, get(attributes, "name"), outcome));
            }
            // Of a test case: Catch2's and doctest's.
            "OverallResult" | "OverallResultsAsserts" => {
                let failed = get(attributes, "success") == "false"
                    || get(attributes, "test_case_success") == "false";
                if let Some(test) = &mut self.test {
                    let time = get(attributes, "durationInSeconds");
                    test.seconds = number(time).or_else(|| number(get(attributes, "duration")));
                    if failed {
                        test.outcome = Outcome::Failed;
                    }
                    if number(get(attributes, "skips")).is_some_and(|skips| skips > 0.0) && !failed
                    {
                        test.outcome = Outcome::Skipped;
                    }
                }
            }
            "BenchmarkResults" => self.benchmark = short(get(attributes, "name")),
            "mean" if !self.benchmark.is_empty() => {
                if let Some(value) = number(get(attributes, "value")) {
                    let mut figure = figure("", &self.benchmark, value, "ns");
                    figure.statistic = Some(Statistic::Mean);
                    out(Event::Figure(figure));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, _: &[String], text: &str) {
        if self.text.len() < 4096 {
            self.text.push_str(text);
        }
    }

    fn end(&mut self, path: &[String], out: &mut Sink<'_>) {
        let Some((name, above)) = path.split_last() else {
            return;
        };
        match name.as_str() {
            "TestCase" => {
                if let Some(test) = self.test.take() {
                    out(Event::Test(test));
                }
            }
            "TestSuite" => self.suite.clear(),
            "BenchmarkResults" => self.benchmark.clear(),
            "Original" if above.last().is_some_and(|name| name == "Expression") => {
                if let Some(test) = &mut self.test
                    && test.reason.is_none()
                {
                    test.reason = Some(short(&self.text));
                }
            }
            "FatalErrorCondition" => {
                if let Some(test) = &mut self.test {
                    test.reason = Some(short(&self.text));
                }
            }
            _ => {}
        }
        self.text.clear();
    }
}
