//! Boost.Test's XML: its log (`--log_format=XML`) and its report (`--report_format=XML`).
//!
//! The module's own suite is left out, as in the text.

use super::reader::Sink;
use super::scan::{number, short, test};
use super::xml_reader::{Attributes, Elements, XmlReader, get};
use karat_model::log::{Event, Outcome, Test};

pub static BOOST_LOG: XmlReader = XmlReader {
    name: "boost",
    reads: "Boost.Test's log as XML (--log_format=XML)",
    root: "<TestLog>",
    start: || Box::new(Document::default()),
};

pub static BOOST_REPORT: XmlReader = XmlReader {
    name: "boost",
    reads: "Boost.Test's report as XML (--report_format=XML --report_level=detailed)",
    root: "<TestResult>",
    start: || Box::new(Document::default()),
};

#[derive(Default)]
struct Document {
    suites: Vec<String>,
    test: Option<Test>,
    text: String,
}

impl Elements for Document {
    fn start(&mut self, path: &[String], attributes: &Attributes, _: &mut Sink<'_>) {
        match path.last().map_or("", String::as_str) {
            "TestSuite" => self.suites.push(short(get(attributes, "name"))),
            "TestCase" => {
                let outcome = match (get(attributes, "skipped"), get(attributes, "result")) {
                    ("yes", _) | (_, "skipped") => Outcome::Skipped,
                    (_, "" | "passed") => Outcome::Passed,
                    _ => Outcome::Failed,
                };
                let suites = self.suites.get(1..).unwrap_or_default();
                let mut test = test(&suites.join("/"), get(attributes, "name"), outcome);
                let why = get(attributes, "reason");
                test.reason = (!why.is_empty()).then(|| short(why));
                self.test = Some(test);
            }
            // It stands inside of an exception, behind its text.
            "LastCheckpoint" => self.fail(),
            _ => {}
        }
        self.text.clear();
    }

    fn text(&mut self, _: &[String], text: &str) {
        if self.text.len() < 4096 {
            self.text.push_str(text);
        }
    }

    fn end(&mut self, path: &[String], out: &mut Sink<'_>) {
        match path.last().map_or("", String::as_str) {
            "TestSuite" => drop(self.suites.pop()),
            "TestCase" => {
                if let Some(test) = self.test.take() {
                    out(Event::Test(test));
                }
            }
            "Error" | "FatalError" | "Exception" => self.fail(),
            "TestingTime" => {
                let micros = number(self.text.trim());
                if let Some(test) = &mut self.test {
                    test.seconds = micros.map(|us| us / 1e6);
                }
            }
            _ => {}
        }
        self.text.clear();
    }
}

impl Document {
    fn fail(&mut self) {
        if let Some(test) = &mut self.test {
            test.outcome = Outcome::Failed;
            test.reason.get_or_insert_with(|| short(&self.text));
        }
    }
}
