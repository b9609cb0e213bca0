//! From comparisons to the verdict on each variant and on the study.

use karat_judge::{Interval, WorkloadJudgement, log_margin, roll_up};
use karat_model::evidence::{ParityCheck, VariantEvidence, WorkloadEvidence};
use karat_model::study::Study;
use karat_model::units::change;
use karat_model::verdict::{Comparison, Judgement, StudyVerdict, VariantVerdict, Verdict};

/// The verdict on one variant.
pub(crate) fn variant(
    name: &str,
    study: &Study,
    workloads: &[WorkloadEvidence],
    parity: &[ParityCheck],
    withheld: bool,
) -> VariantVerdict {
    let own: Vec<(&WorkloadEvidence, &Comparison, f64)> = workloads
        .iter()
        .zip(&study.workloads)
        .filter_map(|(w, plan)| {
            let c = w.comparisons.iter().find(|c| c.variant == name)?;
            Some((w, c, plan.margin))
        })
        .collect();
    let mean_speed = if own.is_empty() {
        1.0
    } else {
        let sum: f64 = own.iter().map(|(_, c, _)| c.speed.estimate.ln()).sum();
        (sum / own.len() as f64).exp()
    };
    let failed: Vec<&str> = parity
        .iter()
        .filter(|p| p.variant == name && !p.passed)
        .map(|p| p.name.as_str())
        .collect();
    if !failed.is_empty() {
        return VariantVerdict {
            verdict: Some(Verdict::NoGo),
            mean_speed,
            reasons: vec![format!(
                "behaviour differs from the baseline's in {}; it was not measured",
                failed.join(", ")
            )],
        };
    }
    let reasons = reasons(&own);
    let verdict = (!withheld && !own.is_empty()).then(|| {
        let parts: Vec<WorkloadJudgement> = own.iter().map(|(_, c, m)| part(c, *m)).collect();
        match roll_up(&parts) {
            karat_judge::Verdict::Go => Verdict::Go,
            karat_judge::Verdict::NoGo => Verdict::NoGo,
            karat_judge::Verdict::Same => Verdict::Same,
            karat_judge::Verdict::Inconclusive => Verdict::Inconclusive,
        }
    });
    VariantVerdict {
        verdict,
        mean_speed,
        reasons,
    }
}

/// Back to the judge's terms: costs instead of speeds.
fn part(comparison: &Comparison, margin: f64) -> WorkloadJudgement {
    let cost = |speed: Option<f64>, open: f64| speed.map_or(open, |s| -s.ln());
    WorkloadJudgement {
        judgement: match comparison.judgement {
            Judgement::Faster => karat_judge::Judgement::Faster,
            Judgement::Slower => karat_judge::Judgement::Slower,
            Judgement::Same => karat_judge::Judgement::Same,
            Judgement::Inconclusive => karat_judge::Judgement::Inconclusive,
        },
        interval: Interval {
            low: cost(comparison.speed.high, f64::NEG_INFINITY),
            high: cost(comparison.speed.low, f64::INFINITY),
        },
        margin: log_margin(margin),
    }
}

/// A sentence for each workload, what weighs most first.
fn reasons(own: &[(&WorkloadEvidence, &Comparison, f64)]) -> Vec<String> {
    let no_loss =
        |c: &Comparison, margin: f64| c.speed.low.is_some_and(|low| low > 1.0 / (1.0 + margin));
    let mut order: Vec<_> = own.iter().collect();
    order.sort_by_key(|(_, c, margin)| match c.judgement {
        Judgement::Slower => 0,
        Judgement::Inconclusive if !no_loss(c, *margin) => 1,
        Judgement::Faster => 2,
        Judgement::Inconclusive => 3,
        Judgement::Same => 4,
    });
    order
        .into_iter()
        .map(|(w, c, margin)| {
            let excluded = c.judgement == Judgement::Inconclusive && no_loss(c, *margin);
            format!(
                "{} {} {}{}",
                w.name,
                c.judgement.word(),
                change(c.speed.estimate),
                if excluded {
                    " (a loss is excluded)"
                } else {
                    ""
                }
            )
        })
        .collect()
}

/// The verdict on the study. `withheld` says why there is none, if so.
pub(crate) fn study(
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
    let words: Vec<Verdict> = judged.iter().filter_map(|(_, j)| j.verdict).collect();
    let named = about
        .as_ref()
        .and_then(|name| judged.iter().find(|(v, _)| v.name == *name))
        .and_then(|(_, j)| j.verdict);
    let verdict = named.unwrap_or_else(|| overall(&words));
    StudyVerdict {
        verdict: Some(verdict),
        withheld: None,
        summary: summary(verdict, about.as_deref(), &recommended, &judged, parity),
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

fn summary(
    verdict: Verdict,
    about: Option<&str>,
    recommended: &Option<String>,
    judged: &[(&VariantEvidence, &VariantVerdict)],
    parity: &[ParityCheck],
) -> String {
    let find = |name: &str| judged.iter().find(|(v, _)| v.name == name).map(|(_, j)| *j);
    let mut out = match about.and_then(|name| Some((name, find(name)?))) {
        Some((name, j)) => {
            let reasons = j.reasons.join(", ");
            format!("{name}: {reasons}.")
        }
        None => match verdict {
            Verdict::NoGo => "Every variant loses somewhere or behaves differently.".into(),
            Verdict::Same => "No variant differs from the baseline beyond the margin.".into(),
            _ => "No variant is shown to be better; some are undecided.".into(),
        },
    };
    if let Some(best) = recommended
        && Some(best.as_str()) != about
        && let Some(j) = find(best)
    {
        out.push_str(&format!(
            " The best of the variants that lose nothing is {best} ({} on average).",
            change(j.mean_speed)
        ));
    }
    let failed = parity.iter().filter(|p| !p.passed).count();
    if failed > 0 {
        out.push_str(&format!(
            " {failed} parity check(s) failed: behaviour is not the same everywhere."
        ));
    }
    out
}
