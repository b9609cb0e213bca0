//! The verdict on the study, from those on its variants.

use super::IDENTICAL;
use karat_model::evidence::{ParityCheck, VariantEvidence};
use karat_model::study::Study;
use karat_model::verdict::{StudyVerdict, VariantVerdict, Verdict};

/// The verdict on the study. `withheld` says why there is none, if so.
pub fn study(
    study: &Study,
    variants: &[VariantEvidence],
    parity: &[ParityCheck],
    withheld: Option<String>,
) -> StudyVerdict {
    let judged: Vec<(&VariantEvidence, &VariantVerdict)> = variants
        .iter()
        .filter_map(|v| Some((v, v.verdict.as_ref()?)))
        .collect();
    let recommended = judged
        .iter()
        .filter(|(_, j)| j.verdict == Some(Verdict::Go))
        .max_by(|a, b| a.1.mean_speed.total_cmp(&b.1.mean_speed))
        .map(|(v, _)| v.name.clone());
    let candidate = study
        .candidate
        .map(|i| study.variants[i].name.value.clone())
        .filter(|name| judged.iter().any(|(v, _)| v.name == *name));
    let only = (judged.len() == 1).then(|| judged[0].0.name.clone());
    let about = candidate.or(only).or_else(|| recommended.clone());
    if let Some(why) = withheld {
        return StudyVerdict {
            verdict: None,
            summary: format!("No verdict: {why}."),
            withheld: Some(why),
            about,
            recommended: None,
        };
    }
    // A variant that was not measured has no word, and may come out either way.
    let words = judged
        .iter()
        .map(|(_, j)| j.verdict.unwrap_or(Verdict::Inconclusive));
    let words: Vec<Verdict> = words.collect();
    let named = about
        .as_ref()
        .and_then(|name| judged.iter().find(|(v, _)| v.name == *name))
        .and_then(|(_, j)| j.verdict);
    let verdict = named.unwrap_or_else(|| overall(&words));
    StudyVerdict {
        verdict: Some(verdict),
        withheld: None,
        summary: summary(verdict, about.as_deref(), &judged, parity),
        about,
        recommended,
    }
}

/// With no variant singled out and none of them GO: the best word among them.
fn overall(words: &[Verdict]) -> Verdict {
    let any = |v| words.contains(&v);
    if any(Verdict::Inconclusive) || words.is_empty() {
        Verdict::Inconclusive
    } else if any(Verdict::Same) {
        Verdict::Same
    } else {
        Verdict::NoGo
    }
}

/// Why the word is what it is. What to do about it is the report's to say.
fn summary(
    verdict: Verdict,
    about: Option<&str>,
    judged: &[(&VariantEvidence, &VariantVerdict)],
    parity: &[ParityCheck],
) -> String {
    let find = |name: &str| judged.iter().find(|(v, _)| v.name == name).map(|(_, j)| *j);
    let mut out = match about.and_then(|name| Some((name, find(name)?))) {
        Some((name, j)) => format!("{name}: {}.", j.reasons.join("; ")),
        None => match verdict {
            Verdict::NoGo => "Every variant loses somewhere or behaves differently.".into(),
            Verdict::Same if judged.iter().all(|(_, j)| j.reasons == [IDENTICAL]) => {
                format!("Every variant is {IDENTICAL}.")
            }
            Verdict::Same => "No variant differs from the baseline beyond the margin.".into(),
            _ => "No variant is shown to be better; some are undecided.".into(),
        },
    };
    let failed = parity.iter().filter(|p| !p.passed).count();
    if failed > 0 {
        out.push_str(&format!(
            " {failed} parity check(s) failed: behaviour is not the same everywhere."
        ));
    }
    out
}
