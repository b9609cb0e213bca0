//! Readers that differ in their XML only.

use super::reader::{Confidence, DocumentState, LogReader, Sink, State};
use super::xml::{Token, Tokenizer};
use crate::error::ReadError;
use crate::text::{first_byte, has_all};

/// The deepest nesting that is read.
const DEEPEST: usize = 256;

/// The attributes of an element.
pub type Attributes = [(String, String)];

/// A reader of one tool's XML.
pub struct XmlReader {
    /// The name to choose it by.
    pub name: &'static str,
    /// What it reads, in one line.
    pub reads: &'static str,
    /// How the root element begins.
    pub root: &'static str,
    /// A reader for one file.
    pub start: fn() -> Box<dyn Elements>,
}

/// Takes the elements of a document. `path` are the names of the open elements, the one
/// in question last.
pub trait Elements {
    /// An element begins.
    fn start(&mut self, path: &[String], attributes: &Attributes, out: &mut Sink<'_>);
    /// Text inside of an element; one text may come in pieces.
    fn text(&mut self, path: &[String], text: &str);
    /// An element ends.
    fn end(&mut self, path: &[String], out: &mut Sink<'_>);
}

/// The value of an attribute; empty if it is not there.
pub fn get<'a>(attributes: &'a Attributes, key: &str) -> &'a str {
    let found = attributes.iter().find(|(name, _)| name == key);
    found.map_or("", |(_, value)| value.as_str())
}

impl LogReader for XmlReader {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reads(&self) -> &'static str {
        self.reads
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match first_byte(head) == Some(b'<') && has_all(head, &[self.root]) {
            true => Confidence::Document,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Document(Box::new(Document {
            name: self.name,
            xml: Tokenizer::new(),
            open: Vec::new(),
            elements: (self.start)(),
            problem: None,
        }))
    }
}

struct Document {
    name: &'static str,
    xml: Tokenizer,
    open: Vec<String>,
    elements: Box<dyn Elements>,
    /// The line and what is wrong there; nothing behind it is read.
    problem: Option<(usize, String)>,
}

impl DocumentState for Document {
    fn bytes(&mut self, piece: &[u8], out: &mut Sink<'_>) {
        if self.problem.is_some() {
            return;
        }
        let (open, elements) = (&mut self.open, &mut self.elements);
        let fed = self.xml.feed(piece, &mut |token| {
            match token {
                Token::Start {
                    name,
                    attributes,
                    empty,
                } => {
                    if open.len() >= DEEPEST {
                        return Err(format!("elements are nested deeper than {DEEPEST}"));
                    }
                    open.push(name.to_owned());
                    elements.start(open, attributes, out);
                    if empty {
                        elements.end(open, out);
                        open.pop();
                    }
                }
                Token::End(name) => {
                    match open.last() {
                        Some(last) if last == name => elements.end(open, out),
                        Some(last) => {
                            return Err(format!("`</{name}>` ends `<{last}>`; is the file whole?"));
                        }
                        None => return Err(format!("`</{name}>` ends nothing")),
                    }
                    open.pop();
                }
                Token::Text(text) => elements.text(open, text),
            }
            Ok(())
        });
        if let Err(problem) = fed {
            self.problem = Some((self.xml.line, problem));
        }
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), ReadError> {
        if let Some((line, problem)) = self.problem.take() {
            return Err(ReadError::line(self.name, line, problem));
        }
        match self.xml.cut_off(self.open.last()) {
            Some(problem) => Err(ReadError::line(self.name, self.xml.line, problem)),
            None => Ok(()),
        }
    }
}
