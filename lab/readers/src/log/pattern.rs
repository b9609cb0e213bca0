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
        Ok(Self { regex })
    }

    pub(super) fn start(&self) -> impl LogState + 'static {
        Log {
            names: self
                .regex
                .capture_names()
                .flatten()
                .map(str::to_owned)
                .collect(),
            regex: self.regex.clone(),
        }
    }
}

struct Log {
    regex: Regex,
    names: Vec<String>,
}

impl LogState for Log {
    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let mut claim = Claim::Passed;
        // A line may have several.
        for found in self.regex.captures_iter(line.text) {
            let group = |name: &str| found.name(name).map_or("", |m| m.as_str().trim());
            let Some(value) = scaled(group("value")) else {
                continue;
            };
            let name = match group("name") {
                "" => "value",
                name => name,
            };
            let mut figure = figure(group("section"), name, value, group("unit"));
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
        }
        claim
    }
}
