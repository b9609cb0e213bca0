//! The XML of Check (libcheck), `CK_XML_LOG_FILE_NAME`.

use super::reader::Sink;
use super::scan::{number, short, test};
use super::xml_reader::{Attributes, Elements, XmlReader, get};
use karat_model::log::{Event, Outcome, Test};

pub static CHECK_XML: XmlReader = XmlReader {
    name: "check",
    reads: "the XML of Check (CK_XML_LOG_FILE_NAME)",
    root: "<testsuites xmlns=\"http://check.sourceforge.net/ns\">",
    start: || Box::new(Document::default()),
};

#[derive(Default)]
struct Document {
    test: Option<Test>,
    text: String,
}

impl Elements for Document {
    fn start(&mut self, path: &[String], attributes: &Attributes, _: &mut Sink<'_>) {
        if path.last().is_some_and(|name| name == "test") {
            let outcome = match get(attributes, "result") {
                "success" => Outcome::Passed,
                _ => Outcome::Failed,
            };
            self.test = Some(test("", "", outcome));
        }
        self.text.clear();
    }

    fn text(&mut self, _: &[String], text: &str) {
        if self.text.len() < 4096 {
            self.text.push_str(text);
        }
    }

    fn end(&mut self, path: &[String], out: &mut Sink<'_>) {
        let text = std::mem::take(&mut self.text);
        let Some(test) = &mut self.test else {
            return;
        };
        match path.last().map_or("", String::as_str) {
            "id" => test.name = short(&text),
            "iteration" if text.trim() != "0" => test.name += &format!(":{}", short(&text)),
            // It is −1 where the test died.
            "duration" => test.seconds = number(text.trim()),
            "description" => test.suite = short(&text),
            "message" if test.outcome == Outcome::Failed => test.reason = Some(short(&text)),
            "test" => {
                if let Some(test) = self.test.take() {
                    out(Event::Test(test));
                }
            }
            _ => {}
        }
    }
}
