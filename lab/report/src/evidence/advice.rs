//! The top of every report: the verdict, what to do, and why to believe it.

use super::tables::findings;
use super::tables::layout::pin;
use super::tables::neighbours::hardly_quiet;
use crate::number;
use crate::wording::{self, Tone};
use karat_model::evidence::{Evidence, VariantEvidence};
use karat_model::finding::Severity;
use karat_model::layout::{Pilot, PilotDecision};
use karat_model::verdict::{Comparison, Judgement, Verdict};

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
        Some(Verdict::Same) if is_identity(evidence) => {
            format!("Keep {baseline}: there is nothing to choose between.")
        }
        Some(Verdict::Same) => format!(
            "Keep {baseline}: no difference reaches the margin of {}.",
            number::chosen(evidence.study.margin)
        ),
        Some(Verdict::Inconclusive) => inconclusive_advice(evidence),
    }
}

/// Whether the variants are SAME because they are one program: then nothing was run.
fn is_identity(evidence: &Evidence) -> bool {
    let compared = evidence.workloads.iter().any(|w| !w.comparisons.is_empty());
    evidence.verdict.verdict == Some(Verdict::Same) && !compared
}

/// A promise of time is kept up to this factor.
const KEPT: f64 = 1.25;

fn inconclusive_advice(evidence: &Evidence) -> String {
    let mut text = format!(
        "Do not decide yet; until then keep {}.",
        wording::baseline_name(evidence)
    );
    if let Some(r) = evidence.verdict.recommended.as_deref() {
        text += &format!(" {r} is a GO.");
    }
    text
}

/// What is undecided, and what would decide it.
pub struct Open {
    /// In words.
    pub text: String,
    /// The command that does it, if time is what it takes.
    pub command: Option<String>,
}

/// The most layouts that a study may name.
const AFFORDABLE: u64 = 64;

/// What to do about comparisons that are undecided; `None` when there are none, or when
/// nothing is to be decided from the run.
pub fn open(evidence: &Evidence) -> Option<Open> {
    let all = || evidence.workloads.iter().flat_map(|w| &w.comparisons);
    let undecided: Vec<&Comparison> = all()
        .filter(|c| c.judgement == Judgement::Inconclusive)
        .collect();
    if undecided.is_empty() || evidence.verdict.verdict.is_none() {
        return None;
    }
    let total = all().count();
    let mut text = match total {
        1 => "The comparison is undecided.".to_owned(),
        _ => {
            let verb = if undecided.len() == 1 { "is" } else { "are" };
            format!(
                "{} of {total} comparisons {verb} undecided.",
                undecided.len()
            )
        }
    };
    let time = &evidence.run.time;
    if let Some(seconds) = time.more.filter(|s| s.is_finite() && *s > 0.0) {
        let (words, flag) = more(seconds);
        text += &format!(" {words} would decide most of what is open.");
        let command =
            (!time.resume.is_empty()).then(|| format!("{} --max-time {flag}", time.resume));
        return Some(Open { text, command });
    }
    text += " More time alone will not decide what is open.";
    let wide = || {
        let layouts = undecided.iter().filter_map(|c| c.layouts.as_ref());
        layouts.filter(|l| l.between)
    };
    if let Some(sd) = wide().map(|l| l.sd).reduce(f64::max) {
        text += &format!(
            " Where the linker puts the code changes the effect by up to {} (standard deviation)",
            number::percent(sd)
        );
        let needed = wide().map(|l| l.needed.unwrap_or(u64::MAX)).max();
        text += &match needed.filter(|n| *n <= AFFORDABLE) {
            Some(n) => format!(
                ": measure {n} of them (layouts = {n} in a study, --layouts {n} of karat ab)."
            ),
            None => format!(
                ", which no affordable number of layouts averages out: {}.",
                pin(evidence)
            ),
        };
    }
    let busy = evidence.neighbours.as_ref().is_some_and(hardly_quiet);
    let machine = if busy { "a quieter machine, " } else { "" };
    text += &format!(" What would help: {machine}longer runs, or a larger margin.");
    Some(Open {
        text,
        command: None,
    })
}

/// Time to add, rounded up to what one would say and type: `12 more minutes`, `12min`.
fn more(seconds: f64) -> (String, String) {
    if seconds <= 90.0 {
        let s = (seconds / 10.0).ceil() as u64 * 10;
        return (format!("{s} more seconds"), format!("{s}s"));
    }
    let minutes = seconds / 60.0;
    let step = match minutes {
        m if m <= 20.0 => 1.0,
        m if m <= 60.0 => 5.0,
        _ => 30.0,
    };
    let m = ((minutes / step).ceil() * step) as u64;
    (format!("{m} more minutes"), format!("{m}min"))
}

/// The variant a reader should build: the recommended one, if any.
pub fn to_build(evidence: &Evidence) -> Option<&VariantEvidence> {
    let name = evidence.verdict.recommended.as_deref()?;
    evidence.variants.iter().find(|v| v.name == name)
}

/// The facts that let a reader trust the verdict, a few words each.
pub fn trust(evidence: &Evidence) -> Vec<(Tone, String)> {
    if is_identity(evidence) {
        let build = evidence.baseline().and_then(|v| v.build.as_ref());
        let hash = build.map_or("", |b| b.sha256.get(..12).unwrap_or_default());
        let text = format!("identity: one program (SHA-256 {hash}…), so nothing was run");
        return vec![(Tone::Even, text)];
    }
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
    let time = &evidence.run.time;
    if time.promised > 0.0 && time.used.is_finite() {
        let tone = if time.used > KEPT * time.promised {
            Tone::Bad
        } else {
            Tone::Even
        };
        facts.push((
            tone,
            format!(
                "time: {} of {}",
                number::duration(time.used),
                number::duration(time.promised)
            ),
        ));
    }
    let layouts = &evidence.layouts;
    let unknown = |p: &Pilot| p.decision == PilotDecision::NotKnown;
    if layouts.layouts <= 1 && layouts.pilots.iter().any(unknown) {
        let text = "layout: one of each build, and what others do is not known";
        facts.push((Tone::Open, text.to_owned()));
    }
    let errors = count_findings(evidence, Severity::Error);
    let warnings = count_findings(evidence, Severity::Warning);
    if errors + warnings > 0 {
        let tone = if errors > 0 { Tone::Bad } else { Tone::Open };
        let counts = [(errors, "error"), (warnings, "warning")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = counts.map(|(n, noun)| wording::plural(n, noun)).collect();
        facts.push((tone, format!("findings: {}", words.join(" and "))));
    }
    facts
}

fn count_findings(evidence: &Evidence, severity: Severity) -> usize {
    findings::groups(evidence)
        .iter()
        .filter(|g| g.severity == severity)
        .count()
}

#[cfg(test)]
mod tests {
    use super::more;

    #[test]
    fn time_is_rounded_up_to_what_one_types() {
        for (seconds, words, flag) in [
            (3.0, "10 more seconds", "10s"),
            (61.0, "70 more seconds", "70s"),
            (91.0, "2 more minutes", "2min"),
            (700.0, "12 more minutes", "12min"),
            (1300.0, "25 more minutes", "25min"),
            (4000.0, "90 more minutes", "90min"),
        ] {
            assert_eq!(more(seconds), (words.to_owned(), flag.to_owned()));
        }
    }
}
