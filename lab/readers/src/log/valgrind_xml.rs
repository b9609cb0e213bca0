//! valgrind's XML (`--xml=yes`, protocol 4): its errors, as in the text.

use super::reader::Sink;
use super::scan::test;
use super::valgrind;
use super::xml_reader::{Attributes, Elements, XmlReader};
use karat_model::log::{Event, Outcome};

pub static VALGRIND_XML: XmlReader = XmlReader {
    name: "valgrind",
    reads: "valgrind's XML (--xml=yes)",
    root: "<valgrindoutput",
    start: || Box::new(Report::default()),
};

/// How much of a text is kept.
const KEPT: usize = 4096;

#[derive(Default)]
struct Report {
    what: String,
    function: String,
    file: String,
    /// The first frame is over.
    framed: bool,
    text: String,
    tool: String,
    errors: u64,
}

impl Elements for Report {
    fn start(&mut self, path: &[String], _: &Attributes, _: &mut Sink<'_>) {
        self.text.clear();
        if path.len() == 2 && path[1] == "error" {
            self.what.clear();
            self.function.clear();
            self.file.clear();
            self.framed = false;
        }
    }

    fn text(&mut self, _: &[String], text: &str) {
        if self.text.len() < KEPT {
            self.text.push_str(text);
        }
    }

    fn end(&mut self, path: &[String], out: &mut Sink<'_>) {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        match names[..] {
            [_, "tool"] => self.tool = super::scan::short(text),
            // The program under a tool is a test of it.
            ["valgrindoutput"] => {
                let outcome = match self.errors {
                    0 => Outcome::Passed,
                    _ => Outcome::Failed,
                };
                out(Event::Test(test("valgrind", &self.tool, outcome)));
            }
            ["valgrindoutput", "error"] => {
                self.errors += 1;
                out(valgrind::of(&self.what, &self.function, &self.file));
            }
            [_, "error", "what"] | [_, "error", "xwhat", "text"] if self.what.is_empty() => {
                self.what.push_str(text);
            }
            [_, "error", "stack", "frame"] => {
                let leak = self.what.contains(" lost in loss record ");
                self.framed |= !(leak && valgrind::is_allocator(&self.function));
            }
            [_, "error", "stack"] => self.framed = true,
            [_, "error", "stack", "frame", "fn"] if !self.framed => self.function = text.to_owned(),
            [_, "error", "stack", "frame", "file"] if !self.framed => self.file = text.to_owned(),
            _ => {}
        }
    }
}
