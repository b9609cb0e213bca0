//! The words of several reports, so that all say the same.

pub use karat_document::wording::*;
use karat_model::audit::{BinaryAudit, SurvivalState};
use karat_model::evidence::Evidence;
use karat_model::finding::Severity;
use karat_model::verdict::{Comparison, Stance, Verdict};

/// Headings of the parts of a report.
pub mod heading {
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
