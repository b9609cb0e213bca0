//! JUnit XML, as pytest, nextest, Surefire, CTest, Gradle and others write it.
//!
//! The suite of a test is its class name; where that repeats the test's name (CTest)
//! it is empty, and where there is none it is the name of the `testsuite`. A child
//! `failure` or `error` makes a test failed, `skipped` skipped; reasons are their
//! message or the first line of their text. A run that was repeated
//! (`flakyFailure`, `rerunFailure`) counts as its last one. Source: the files these
//! tools write; there is no standard.

use super::reader::{Confidence, DocumentState, LogReader, Sink, State};
use super::scan::{fact, number, short, test};
use super::xml::{Token, Tokenizer};
use crate::error::ReadError;
use crate::text::{first_byte, has_all};
use karat_model::log::{Event, Outcome, Test};

/// The deepest nesting that is read.
const DEEPEST: usize = 256;

const NAME: &str = "junit";

pub struct Junit;

impl LogReader for Junit {
    fn name(&self) -> &'static str {
        NAME
    }

    fn reads(&self) -> &'static str {
        "JUnit XML"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match first_byte(head) == Some(b'<') && has_all(head, &["<testsuite"]) {
            true => Confidence::Document,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Document(Box::new(Document {
            xml: Tokenizer::new(),
            report: Report::default(),
            problem: None,
        }))
    }
}

struct Document {
    xml: Tokenizer,
    report: Report,
    /// The line and what is wrong there; nothing behind it is read.
    problem: Option<(usize, String)>,
}

impl DocumentState for Document {
    fn bytes(&mut self, piece: &[u8], out: &mut Sink<'_>) {
        if self.problem.is_some() {
            return;
        }
        let report = &mut self.report;
        let fed = self.xml.feed(piece, &mut |token| report.token(&token, out));
        if let Err(problem) = fed {
            self.problem = Some((self.xml.line, problem));
        }
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), ReadError> {
        if let Some((line, problem)) = self.problem.take() {
            return Err(ReadError::line(NAME, line, problem));
        }
        match self.xml.cut_off(self.report.open.last()) {
            Some(problem) => Err(ReadError::line(NAME, self.xml.line, problem)),
            None => Ok(()),
        }
    }
}

#[derive(Default)]
struct Report {
    /// The open elements.
    open: Vec<String>,
    /// The names of the open suites.
    suites: Vec<String>,
    test: Option<Test>,
    /// The text that follows is a reason.
    reason: bool,
}

impl Report {
    fn token(&mut self, token: &Token<'_>, out: &mut Sink<'_>) -> Result<(), String> {
        match token {
            Token::Start {
                name,
                attributes,
                empty,
            } => {
                if self.open.len() >= DEEPEST {
                    return Err(format!("elements are nested deeper than {DEEPEST}"));
                }
                self.open.push((*name).to_owned());
                self.start(name, attributes, out);
                if *empty {
                    self.close(name, out)?;
                }
            }
            Token::End(name) => self.close(name, out)?,
            Token::Text(text) => {
                if let (true, Some(test)) = (self.reason, &mut self.test)
                    && test.reason.is_none()
                {
                    let line = text.lines().find(|line| !line.trim().is_empty());
                    test.reason = line.map(short);
                }
            }
        }
        Ok(())
    }

    fn start(&mut self, name: &str, attributes: &[(String, String)], out: &mut Sink<'_>) {
        let get = |key: &str| {
            let found = attributes.iter().find(|(name, _)| name == key);
            found.map(|(_, value)| value.as_str())
        };
        match name {
            "testsuite" => self.suites.push(short(get("name").unwrap_or(""))),
            "testcase" => self.test = Some(self.case(&get)),
            "failure" | "error" | "skipped" => {
                let Some(test) = &mut self.test else { return };
                test.outcome = match name {
                    "skipped" => Outcome::Skipped,
                    _ => Outcome::Failed,
                };
                let said = get("message").and_then(|m| m.lines().find(|l| !l.trim().is_empty()));
                test.reason = said.map(short);
                self.reason = true;
            }
            "property" if get("name") == Some("java.vm.version") => {
                out(fact("jdk", get("value").unwrap_or("")));
            }
            _ => {}
        }
    }

    fn case<'a>(&self, get: &dyn Fn(&str) -> Option<&'a str>) -> Test {
        let name = get("name").unwrap_or("");
        let suite = match get("classname") {
            Some(class) if class == name => "",
            Some(class) if !class.is_empty() => class,
            _ => self.suites.last().map_or("", String::as_str),
        };
        // CTest says so in an attribute alone.
        let outcome = match get("status") {
            Some("disabled" | "notrun" | "skipped") => Outcome::Skipped,
            Some("fail" | "failed") => Outcome::Failed,
            _ => Outcome::Passed,
        };
        let mut test = test(suite, name, outcome);
        test.seconds = get("time").and_then(number);
        test
    }

    fn close(&mut self, name: &str, out: &mut Sink<'_>) -> Result<(), String> {
        match self.open.pop() {
            Some(open) if open == name => {}
            Some(open) => return Err(format!("`</{name}>` ends `<{open}>`; is the file whole?")),
            None => return Err(format!("`</{name}>` ends nothing")),
        }
        match name {
            "testsuite" => drop(self.suites.pop()),
            "testcase" => {
                if let Some(test) = self.test.take() {
                    out(Event::Test(test));
                }
            }
            _ => {}
        }
        self.reason &= !matches!(name, "failure" | "error" | "skipped");
        Ok(())
    }
}
