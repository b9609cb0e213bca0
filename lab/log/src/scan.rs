//! Pieces of lines.

use karat_model::log::{Event, Fact, Figure, Level, Message, Outcome, Test};
use karat_model::units;

/// The most that an event keeps of a line, in bytes.
const KEPT: usize = 1000;

/// `text` trimmed, and cut at 1000 bytes.
pub fn short(text: &str) -> String {
    let text = text.trim();
    if text.len() <= KEPT {
        return text.to_owned();
    }
    let mut end = KEPT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}

/// The first word and what follows it.
pub fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A finite number that is not negative; commas among the digits are ignored.
pub fn number(text: &str) -> Option<f64> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value: f64 = match text.contains(',') {
        true => text.replace(',', "").parse().ok()?,
        false => text.parse().ok()?,
    };
    (value.is_finite() && value >= 0.0).then_some(value)
}

/// Seconds of a duration such as `0.01s`, `12ms`, `0.02 sec`, `1.5`.
pub fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (value, unit) = (number(&text[..end])?, text[end..].trim());
    match unit {
        "" => Some(value),
        unit => Some(value * units::nanoseconds(unit)? / 1e9),
    }
}

/// A number with a letter for its power of 1000 behind it, such as `65.7K`.
pub fn scaled(text: &str) -> Option<f64> {
    let factor = match text.as_bytes().last()? {
        b'K' | b'k' => 1e3,
        b'M' => 1e6,
        b'G' => 1e9,
        _ => return number(text),
    };
    Some(number(&text[..text.len() - 1])? * factor)
}

/// `file:line:column` or `file:line`: file and line.
pub fn place(text: &str) -> Option<(&str, u32)> {
    let (front, last) = text.trim().rsplit_once(':')?;
    let last = last.parse::<u32>().ok()?;
    if let Some((file, line)) = front.rsplit_once(':')
        && let Ok(line) = line.parse()
        && !file.is_empty()
    {
        return Some((file, line));
    }
    (!front.is_empty()).then_some((front, last))
}

/// A test without time and reason.
pub fn test(suite: &str, name: &str, outcome: Outcome) -> Test {
    Test {
        suite: short(suite),
        name: short(name),
        outcome,
        seconds: None,
        reason: None,
    }
}

/// The end of a test's name where its tool only counts: `(passed, not named)`.
pub const NOT_NAMED: &str = ", not named)";

/// The most tests that are given without names.
const UNNAMED: u64 = 100_000;

/// Tests that a tool counts and does not name.
pub fn unnamed(suite: &str, outcome: Outcome, count: u64, out: &mut dyn FnMut(Event)) {
    let word = match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Skipped => "skipped",
    };
    for _ in 0..count.min(UNNAMED) {
        out(Event::Test(test(
            suite,
            &format!("({word}{NOT_NAMED}"),
            outcome,
        )));
    }
}

/// A figure whose direction follows from its unit.
pub fn figure(section: &str, name: &str, value: f64, unit: &str) -> Figure {
    Figure {
        section: short(section),
        name: short(name),
        parameters: std::collections::BTreeMap::new(),
        value,
        statistic: None,
        samples: Vec::new(),
        unit: short(unit),
        better: units::better(unit),
    }
}

/// A message that is there once.
pub fn message(level: Level, file: Option<&str>, line: Option<u32>, text: &str) -> Event {
    Event::Message(Message {
        level,
        file: file.map(short),
        line,
        text: short(text),
        count: 1,
    })
}

/// Failures that a load generator counts: an error that is there or not, and how many as a
/// figure, since two equal runs of a second each have not as many.
pub fn failures(section: &str, what: &str, count: f64, out: &mut dyn FnMut(Event)) {
    if count > 0.0 {
        out(message(
            Level::Error,
            None,
            None,
            &format!("{section}: {what}"),
        ));
        let mut figure = figure(section, what, count, "");
        figure.better = Some(units::Better::Lower);
        out(Event::Figure(figure));
    }
}

/// A fact.
pub fn fact(key: &str, value: &str) -> Event {
    Event::Fact(Fact {
        key: short(key),
        value: short(value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read() {
        assert_eq!(seconds("0.01 sec"), Some(0.01));
        assert_eq!(seconds("12ms"), Some(0.012));
        assert_eq!(seconds("3.5"), Some(3.5));
        assert_eq!(seconds("x"), None);
        assert_eq!(scaled("65.7K"), Some(65_700.0));
        assert_eq!(number("1,234.5"), Some(1234.5));
        assert_eq!(number("inf"), None);
        assert_eq!(number("-1"), None);
        assert_eq!(number("1e999"), None);
        assert_eq!(place("a.c:3:5"), Some(("a.c", 3)));
        assert_eq!(place("a.c:3"), Some(("a.c", 3)));
        assert_eq!(place("a.c"), None);
        assert_eq!(short(&"ä".repeat(600)).chars().count(), 501);
    }
}
