//! The words that every format uses, so that all reports say the same.

use crate::number;
use karat_model::verdict::{Judgement, SpeedRatio};

/// The heading of what came out.
pub const VERDICT: &str = "Verdict";

/// How a word is tinted; a word never stands by its tint alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A gain, or passed.
    Good,
    /// A loss, or failed.
    Bad,
    /// No difference.
    Even,
    /// Undecided or withheld.
    Open,
}

impl Tone {
    /// Its class in a page and in charts.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Even => "even",
            Self::Open => "open",
        }
    }
}

/// The tint of a judgement.
pub fn judgement_tone(judgement: Judgement) -> Tone {
    match judgement {
        Judgement::Faster => Tone::Good,
        Judgement::Slower => Tone::Bad,
        Judgement::Same => Tone::Even,
        Judgement::Inconclusive => Tone::Open,
    }
}

/// A sign that stands for the word of a judgement where there is little room.
pub fn judgement_sign(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Faster => "▲",
        Judgement::Slower => "▼",
        Judgement::Same => "=",
        Judgement::Inconclusive => "?",
    }
}

/// The interval of a speed change: `−4.8 … −3.9 %`; says so when a side has no
/// bound.
pub fn interval(speed: &SpeedRatio) -> String {
    let low = speed.low.filter(|v| v.is_finite());
    let high = speed.high.filter(|v| v.is_finite());
    match (low, high) {
        (Some(low), Some(high)) => {
            let low = number::change(low);
            let low = low.strip_suffix(" %").unwrap_or(&low);
            format!("{low} … {}", number::change(high))
        }
        (Some(low), None) => format!("{} or more", number::change(low)),
        (None, Some(high)) => format!("{} or less", number::change(high)),
        (None, None) => "no bounds yet".to_owned(),
    }
}

/// The interval without its unit, for columns that name it.
pub fn bare_interval(speed: &SpeedRatio) -> String {
    interval(speed).replace(" %", "")
}

/// `name` in at most `limit` characters, with an ellipsis in its middle.
pub fn shortened(name: &str, limit: usize) -> String {
    let count = name.chars().count();
    if count <= limit || limit < 3 {
        return name.to_owned();
    }
    let head = (limit - 1).div_ceil(2);
    let tail = limit - 1 - head;
    let front: String = name.chars().take(head).collect();
    let back: String = name.chars().skip(count - tail).collect();
    format!("{front}…{back}")
}

/// A table's text in at most `limit` characters: of a list of words the first ones, of
/// anything else both ends.
pub fn shortened_cell(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let words: Vec<&str> = text.split(", ").filter(|word| *word != "…").collect();
    if words.len() < 2 || words.iter().any(|word| word.contains(' ')) {
        return shortened(text, limit);
    }
    let fits = |count: &usize| words[..*count].join(", ").chars().count() + 3 <= limit;
    match (1..words.len()).rev().find(fits) {
        Some(count) => format!("{}, …", words[..count].join(", ")),
        None => shortened(text, limit),
    }
}

/// The last two segments of a Rust path, which is what a reader knows a
/// function by.
pub fn short_path(path: &str) -> &str {
    let mut ends = path.rmatch_indices("::");
    ends.next();
    ends.next().map_or(path, |(at, _)| &path[at + 2..])
}

/// The first lines of a long text, and how many were left away.
pub fn first_lines(text: &str, limit: usize) -> (String, usize) {
    let total = text.lines().count();
    let kept: Vec<&str> = text.lines().take(limit).collect();
    (kept.join("\n"), total.saturating_sub(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_side_is_said_in_words() {
        let speed = |low, high| SpeedRatio {
            estimate: 1.0,
            low,
            high,
        };
        assert_eq!(interval(&speed(Some(0.952), Some(0.961))), "−4.8 … −3.9 %");
        assert_eq!(interval(&speed(Some(0.95), None)), "−5.0 % or more");
        assert_eq!(interval(&speed(None, Some(1.02))), "+2.0 % or less");
        assert_eq!(interval(&speed(None, None)), "no bounds yet");
    }

    #[test]
    fn names_are_shortened_in_the_middle() {
        assert_eq!(shortened("abcdefghij", 5), "ab…ij");
        assert_eq!(shortened("abc", 5), "abc");
        assert_eq!(
            shortened_cell("gtest, compiler, go", 18),
            "gtest, compiler, …"
        );
        assert_eq!(shortened_cell("gtest, compiler, …", 12), "gtest, …");
        assert_eq!(shortened_cell("gtest, compiler, go", 5), "gt…go");
        assert_eq!(shortened_cell("no, it is not", 9), "no, … not");
        assert_eq!(short_path("a::b::c"), "b::c");
        assert_eq!(short_path("main"), "main");
    }
}
