//! The top of every report: the verdict, what to do, and why to believe it.

use crate::number;
use crate::tables::{findings, noise};
use crate::wording::{self, Tone};
use karat_model::evidence::{Evidence, VariantEvidence};
use karat_model::finding::Severity;
use karat_model::verdict::{Judgement, Verdict};

/// Who the study's verdict is about: `GO: native-per-crate`, `WITHHELD: smoke
/// run`.
pub fn headline(evidence: &Evidence) -> String {
    let word = wording::verdict(evidence.verdict.verdict);
    let rest = if evidence.verdict.verdict.is_none() {
        evidence.verdict.withheld.as_deref()
    } else {
        evidence.verdict.about.as_deref()
    };
    rest.map_or_else(|| word.to_owned(), |rest| format!("{word}: {rest}"))
}

/// What a reader should do now, in a sentence or two.
pub fn advice(evidence: &Evidence) -> String {
    let said = &evidence.verdict;
    let baseline = wording::baseline_name(evidence);
    let about = said.about.as_deref();
    let recommended = said.recommended.as_deref();
    match said.verdict {
        None => "Decide nothing from this run.".to_owned(),
        Some(Verdict::Go) => match (recommended, about) {
            (Some(r), Some(a)) if r != a => {
                format!("Build {r}. {a} is a GO too, but {r} has the higher mean speed.")
            }
            (Some(name), _) | (None, Some(name)) => format!("Build {name}."),
            (None, None) => "Build the variant that the matrix shows as GO.".to_owned(),
        },
        Some(Verdict::NoGo) => {
            let first = about.map_or_else(
                || "Use none of the variants judged NO-GO.".to_owned(),
                |a| format!("Do not use {a}."),
            );
            let second = recommended.map_or_else(
                || format!("Keep {baseline}."),
                |r| format!("Build {r} instead."),
            );
            format!("{first} {second}")
        }
        Some(Verdict::Same) => format!(
            "Keep {baseline}: no difference reaches the margin of {}.",
            number::chosen(evidence.study.margin)
        ),
        Some(Verdict::Inconclusive) => inconclusive_advice(evidence),
    }
}

/// What takes most of a layout tax away.
pub const PIN: &str = "try variants with aligned functions, by `-Cllvm-args=-align-all-functions=6` \
    (Rust) or `-falign-functions=64` (C and C++)";

fn inconclusive_advice(evidence: &Evidence) -> String {
    let about = evidence.verdict.about.as_deref();
    let undecided = || {
        evidence
            .workloads
            .iter()
            .flat_map(|w| &w.comparisons)
            .filter(|c| c.judgement == Judgement::Inconclusive)
            .filter(|c| about.is_none_or(|a| a == c.variant))
    };
    let needed = undecided().filter_map(|c| c.rounds_needed).max();
    let layouts = || {
        undecided()
            .filter_map(|c| c.layouts.as_ref())
            .filter(|l| l.between)
    };
    let mut text = format!(
        "Do not decide yet; until then keep {}.",
        wording::baseline_name(evidence)
    );
    if let Some(rounds) = needed {
        text += &format!(" About {rounds} rounds would decide it.");
    }
    if let Some(wide) = layouts().map(|l| l.sd).reduce(f64::max) {
        text += &format!(
            " Where the linker puts the code changes the effect by {} (standard deviation)",
            number::percent(wide)
        );
        text += &match layouts().map(|l| l.needed).max().flatten() {
            Some(n) => format!(": about {n} layouts would decide it."),
            None => format!(", which no affordable number of layouts averages out: {PIN}."),
        };
    }
    if let Some(r) = evidence.verdict.recommended.as_deref() {
        text += &format!(" {r} is a GO.");
    }
    text
}

/// The variant a reader should build: the recommended one, if any.
pub fn to_build(evidence: &Evidence) -> Option<&VariantEvidence> {
    let name = evidence.verdict.recommended.as_deref()?;
    evidence.variants.iter().find(|v| v.name == name)
}

/// The facts that let a reader trust the verdict, a few words each.
pub fn trust(evidence: &Evidence) -> Vec<(Tone, String)> {
    let mut facts = Vec::new();
    let passed = evidence.parity.iter().filter(|p| p.passed).count();
    let checks = evidence.parity.len();
    facts.push(match (passed, checks) {
        (_, 0) => (Tone::Open, "no parity check was run".to_owned()),
        (p, n) if p == n => (Tone::Even, format!("parity: {n} of {n} checks passed")),
        (p, n) => (Tone::Bad, format!("parity: {} of {n} checks failed", n - p)),
    });
    let measured = || evidence.workloads.iter().filter(|w| w.rounds > 0);
    let workloads = measured().count();
    let failed = measured().filter(|w| !w.again_passed).count();
    facts.push(match (failed, workloads) {
        (_, 0) => (Tone::Open, "nothing was measured".to_owned()),
        (0, n) => (Tone::Even, format!("A/A: passed on {n} of {n} workloads")),
        (f, n) => (Tone::Bad, format!("A/A: failed on {f} of {n} workloads")),
    });
    if workloads > 0 {
        facts.push((
            Tone::Even,
            format!("noise floor: {}", noise::overall(evidence)),
        ));
    }
    let margin = number::chosen(evidence.study.margin);
    facts.push((Tone::Even, format!("margin: {margin}")));
    let errors = count_findings(evidence, Severity::Error);
    let warnings = count_findings(evidence, Severity::Warning);
    if errors + warnings > 0 {
        let tone = if errors > 0 { Tone::Bad } else { Tone::Open };
        facts.push((
            tone,
            format!(
                "findings: {} and {}",
                wording::plural(errors, "error"),
                wording::plural(warnings, "warning")
            ),
        ));
    }
    facts
}

fn count_findings(evidence: &Evidence, severity: Severity) -> usize {
    findings::groups(evidence)
        .iter()
        .filter(|g| g.severity == severity)
        .count()
}
