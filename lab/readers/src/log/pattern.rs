//! Figures by a regular expression of the user.

use super::line::Line;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, scaled, short};
use karat_model::log::Event;
use karat_model::units::Better;
use regex_lite::{Regex, RegexBuilder};
use std::collections::BTreeMap;

/// The largest program that an expression may compile to, in bytes.
const LARGEST: usize = 1 << 20;

/// The groups that mean something by themselves.
const GROUPS: &[&str] = &["value", "name", "unit", "better", "section"];

/// A regular expression with named groups: `value` (needed), `name`, `unit`, `better`
/// (`higher` or `lower`), `section`. Any other named group is a parameter.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    unit: String,
    better: Option<Better>,
    /// Words of the expression, to find the line that comes nearest.
    words: Vec<String>,
}

impl Pattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// When it is none, is too large, or has no group `value`; the message says what
    /// to do.
    pub fn new(expression: &str) -> Result<Self, String> {
        let regex = RegexBuilder::new(expression)
            .size_limit(LARGEST)
            .build()
            .map_err(|error| format!("the pattern `{expression}` cannot be used: {error}"))?;
        if !regex.capture_names().flatten().any(|name| name == "value") {
            return Err(format!(
                "the pattern `{expression}` has no group `value`; write the number as \
                 (?<value>[0-9.]+), and where there are several, their names as (?<name>…)"
            ));
        }
        Ok(Self {
            regex,
            unit: String::new(),
            better: None,
            words: words(expression),
        })
    }

    /// Unit and direction of figures that do not name their own.
    #[must_use]
    pub fn with(mut self, unit: Option<&str>, better: Option<Better>) -> Self {
        self.unit = unit.unwrap_or_default().to_owned();
        self.better = better;
        self
    }

    pub(super) fn start(&self) -> impl LogState + 'static {
        Log {
            names: self
                .regex
                .capture_names()
                .flatten()
                .map(str::to_owned)
                .collect(),
            pattern: self.clone(),
            matched: false,
            nearest: (0, String::new()),
        }
    }
}

struct Log {
    pattern: Pattern,
    matched: bool,
    /// How many of the words are in the line that has most of them.
    nearest: (usize, String),
    names: Vec<String>,
}

impl LogState for Log {
    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let mut claim = Claim::Passed;
        // A line may have several.
        for found in self.pattern.regex.captures_iter(line.text) {
            let group = |name: &str| found.name(name).map_or("", |m| m.as_str().trim());
            let Some(value) = scaled(group("value")) else {
                continue;
            };
            let name = match group("name") {
                "" => "value",
                name => name,
            };
            let unit = match group("unit") {
                "" => &self.pattern.unit,
                unit => unit,
            };
            let mut figure = figure(group("section"), name, value, unit);
            figure.better = self.pattern.better.or(figure.better);
            match group("better").to_ascii_lowercase().as_str() {
                "higher" | "more" | ">" => figure.better = Some(Better::Higher),
                "lower" | "less" | "<" => figure.better = Some(Better::Lower),
                _ => {}
            }
            let others = self
                .names
                .iter()
                .filter(|name| !GROUPS.contains(&name.as_str()));
            let parameters = others.map(|name| (name.clone(), short(group(name))));
            figure.parameters = parameters.collect::<BTreeMap<_, _>>();
            out(Event::Figure(figure));
            claim = Claim::Owned;
            self.matched = true;
        }
        if !self.matched {
            let words = self.pattern.words.iter();
            let count = words
                .filter(|word| line.text.contains(word.as_str()))
                .count();
            if count > self.nearest.0 {
                self.nearest = (count, short(line.text));
            }
        }
        claim
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match (self.matched, &self.nearest) {
            (true, _) => Ok(()),
            (false, (0, _)) => Err("it matches no line".to_owned()),
            (false, (_, line)) => Err(format!("it matches no line; nearest comes `{line}`")),
        }
    }
}

/// The words that an expression asks for as they are.
fn words(expression: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut chars = expression.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
                plain.push(' ');
            }
            '[' => drop(chars.find(|c| *c == ']')),
            // The name of a group.
            '<' => drop(chars.find(|c| *c == '>')),
            c if c.is_alphanumeric() || c == '/' => plain.push(c),
            _ => plain.push(' '),
        }
    }
    let words = plain.split_whitespace().filter(|word| word.len() > 1);
    words.map(str::to_owned).collect()
}
