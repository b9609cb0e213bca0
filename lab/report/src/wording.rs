//! The words that every format uses, so that all reports say the same.

use crate::number;
use karat_model::audit::{BinaryAudit, SurvivalState};
use karat_model::evidence::Evidence;
use karat_model::finding::Severity;
use karat_model::verdict::{Comparison, Judgement, SpeedRatio, Stance, Verdict};

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

/// Headings of the parts of a report.
pub mod heading {
    pub const VERDICT: &str = "Verdict";
    pub const SPEED: &str = "Speed against the baseline";
    pub const PAIRS: &str = "Pairs";
    pub const NOISE: &str = "Noise floor";
    pub const NOISE_AND_LAYOUT: &str = "Noise and layout";
    pub const FOREST: &str = "Effects and intervals";
    pub const LAYOUT: &str = "Layout";
    pub const USAGE: &str = "Time, memory and switches";
    pub const CAUSES: &str = "Causes, as far as evidence goes";
    pub const SURVIVAL: &str = "Survival of expected functions";
    pub const CENSUS: &str = "Instruction census";
    pub const PARITY: &str = "Parity";
    pub const ORDER: &str = "Run order";
    pub const FINDINGS: &str = "Findings";
    pub const REPRODUCE: &str = "How to reproduce";
    pub const COSTS: &str = "What the run cost";
}

/// What pairs are.
pub const PAIRS_NOTE: &str = "Variants against each other, as the study asks. They decide nothing \
    about a variant's verdict.";

/// What the survival words mean.
pub const SURVIVAL_NOTE: &str = "PRESENT: a symbol of its own and the baseline's instruction mix. \
    INLINED: no symbol, but its code is inside other functions, which is no loss by itself. \
    CHANGED: a symbol, but another instruction mix. GONE: neither a symbol nor inlined code. \
    Similarity compares the instruction mix with the baseline's.";

/// What layout is.
pub const LAYOUT_NOTE: &str = "Where code happens to lie in memory changes its speed, and any \
    edit moves code. The layout tax is what that alone does: the same code, linked in another \
    order. It is stated apart, because it belongs to no variant.";

/// What the usage table shows.
pub const USAGE_NOTE: &str = "Medians over the measured runs, collected whatever the study is \
    judged by. Waits are voluntary context switches.";

/// What the census counts.
pub const CENSUS_NOTE: &str = "Instructions in the binary, counted by the widest register they \
    name, executed or not. A count is no proof of a cost.";

/// What the noise table shows.
pub const NOISE_NOTE: &str = "Each round also runs the baseline a second time (A/A). What those \
    two differ by is noise, and a failed A/A blocks the verdict. Detectable is the smallest \
    change that so many rounds would find four times out of five.";

/// What a stance proves.
pub const CAUSES_NOTE: &str = "Excluded: a measurement rules it out. Consistent: it is there and \
    points the same way, which alone proves no cause. Unknown: nothing measured speaks for or \
    against it.";

/// Shown where nothing was measured.
pub const NOT_MEASURED: &str = "Nothing was measured.";

/// The word of a verdict, also when there is none.
pub fn verdict(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("WITHHELD", Verdict::word)
}

/// A sign that goes before the word of a verdict.
pub fn verdict_sign(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Go) => "✓",
        Some(Verdict::NoGo) => "✗",
        Some(Verdict::Same) => "=",
        Some(Verdict::Inconclusive) => "?",
        None => "–",
    }
}

/// The tint of a verdict.
pub fn verdict_tone(verdict: Option<Verdict>) -> Tone {
    match verdict {
        Some(Verdict::Go) => Tone::Good,
        Some(Verdict::NoGo) => Tone::Bad,
        Some(Verdict::Same) => Tone::Even,
        Some(Verdict::Inconclusive) | None => Tone::Open,
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

/// What the signs mean.
pub const SIGNS: &str = "▲ FASTER, ▼ SLOWER, = SAME, ? undecided";

/// What a comparison is of: `b`, or `b against a` of a pair.
pub fn compared(c: &Comparison) -> String {
    match &c.against {
        Some(against) => format!("{} against {against}", c.variant),
        None => c.variant.clone(),
    }
}

/// Whether a binary has code of Rust in it: every program of Rust has some of its standard
/// library.
#[must_use]
pub fn has_rust(audit: &BinaryAudit) -> bool {
    let standard = ["core", "alloc", "std"];
    let crates = &mut audit.crates.iter();
    crates.any(|c| c.by_symbol || standard.contains(&c.name.as_str()))
}

/// What code is counted by: crates where any of it is Rust, else the folders of its sources.
pub fn owner<'a>(audits: impl IntoIterator<Item = &'a BinaryAudit>) -> &'static str {
    match audits.into_iter().any(has_rust) {
        true => "crate",
        false => "folder",
    }
}

/// The baseline's name, or the word itself.
pub fn baseline_name(evidence: &Evidence) -> &str {
    evidence.baseline().map_or("the baseline", |b| &b.name)
}

/// `1 error`, `2 errors`.
pub fn plural(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
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

/// The word of a survival state.
pub fn survival_word(state: SurvivalState) -> &'static str {
    match state {
        SurvivalState::Present => "PRESENT",
        SurvivalState::Inlined => "INLINED",
        SurvivalState::Changed => "CHANGED",
        SurvivalState::Gone => "GONE",
    }
}

/// The tint of a survival state.
pub fn survival_tone(state: SurvivalState) -> Tone {
    match state {
        SurvivalState::Present | SurvivalState::Inlined => Tone::Even,
        SurvivalState::Changed => Tone::Open,
        SurvivalState::Gone => Tone::Bad,
    }
}

/// The word of a stance.
pub fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Excluded => "Excluded",
        Stance::Consistent => "Consistent",
        Stance::Unknown => "Unknown",
    }
}

/// The word of a severity.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// The tint of a severity.
pub fn severity_tone(severity: Severity) -> Tone {
    match severity {
        Severity::Note => Tone::Even,
        Severity::Warning => Tone::Open,
        Severity::Error => Tone::Bad,
    }
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
        assert_eq!(short_path("a::b::c"), "b::c");
        assert_eq!(short_path("main"), "main");
    }
}
