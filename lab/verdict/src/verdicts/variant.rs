//! The verdict on one variant, from its comparisons.

use crate::roll_up::roll_up;
use karat_model::evidence::{ParityCheck, WorkloadEvidence};
use karat_model::layout::Pilot;
use karat_model::study::Study;
use karat_model::verdict::{Comparison, Judgement, Stance, VariantVerdict, Verdict};

/// Workloads that a reason names; of more it tells their number.
const NAMED: usize = 3;

/// One workload's comparison of a variant, as its verdict takes it.
pub(super) struct Own<'a> {
    view: &'a WorkloadEvidence,
    comparison: &'a Comparison,
    margin: f64,
    /// The baseline's layouts differ by enough, for all that is known, to make the difference.
    by_layout: bool,
}

impl<'a> Own<'a> {
    /// `pilots` are those of the study; without one nobody asked what layouts do.
    pub(super) fn new(
        view: &'a WorkloadEvidence,
        comparison: &'a Comparison,
        margin: f64,
        pilots: &[Pilot],
    ) -> Self {
        let mut causes = comparison.causes.iter();
        let open = causes.any(|c| c.kind == "layout" && c.stance != Stance::Excluded);
        Self {
            view,
            comparison,
            margin,
            by_layout: open && pilots.iter().any(|p| p.workload == view.name),
        }
    }

    /// The word that counts for the variant. What one layout may have made is a word on two
    /// files; of the change behind them it decides nothing.
    fn word(&self) -> Judgement {
        if self.by_layout {
            Judgement::Inconclusive
        } else {
            self.comparison.judgement
        }
    }

    fn excludes_loss(&self) -> bool {
        self.comparison.speed.excludes_loss(self.margin)
    }
}

/// The verdict on one variant. `pilots` say what layouts do to the baseline.
pub fn variant(
    name: &str,
    study: &Study,
    workloads: &[WorkloadEvidence],
    pilots: &[Pilot],
    parity: &[ParityCheck],
    withheld: bool,
) -> VariantVerdict {
    let own: Vec<Own<'_>> = workloads
        .iter()
        .filter_map(|w| {
            let c = w.comparisons.iter().find(|c| c.variant == name)?;
            Some(Own::new(
                w,
                c,
                study.workloads[w.run as usize].margin,
                pilots,
            ))
        })
        .collect();
    let mean_speed = if own.is_empty() {
        1.0
    } else {
        let logs = own.iter().map(|o| o.comparison.speed.estimate.ln());
        let sum: f64 = logs.sum();
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
    let parts: Vec<_> = own
        .iter()
        .map(|o| (o.word(), o.comparison.speed, o.margin))
        .collect();
    let verdict = (!withheld && !parts.is_empty()).then(|| roll_up(&parts));
    VariantVerdict {
        verdict,
        mean_speed,
        reasons,
    }
}

/// What is said of a variant that is the baseline under another name.
pub const IDENTICAL: &str = "the same program as the baseline, byte for byte";

/// The verdict on such a variant: SAME, whatever was measured.
#[must_use]
pub fn identical(withheld: bool) -> VariantVerdict {
    VariantVerdict {
        verdict: (!withheld).then_some(Verdict::Same),
        mean_speed: 1.0,
        reasons: vec![IDENTICAL.into()],
    }
}

/// Which workloads came out how, what weighs most first. No figures: they stand in the
/// table of every report.
pub(super) fn reasons(own: &[Own<'_>]) -> Vec<String> {
    let named = |words: &str, wanted: &dyn Fn(&Own<'_>) -> bool| {
        let names: Vec<&str> = own
            .iter()
            .filter(|o| wanted(o))
            .map(|o| o.view.name.as_str())
            .collect();
        match names.len() {
            0 => None,
            n if n == own.len() && n > 1 => Some(format!("{words} on all {n} workloads")),
            n if n > NAMED => Some(format!("{words} on {n} of {} workloads", own.len())),
            _ => Some(format!("{words} on {}", names.join(", "))),
        }
    };
    let word = |judgement| move |o: &Own<'_>| o.word() == judgement;
    let open = |o: &Own<'_>| o.word() == Judgement::Inconclusive && !o.by_layout;
    [
        named("slower", &word(Judgement::Slower)),
        named("undecided", &|o| open(o) && !o.excludes_loss()),
        named("faster", &word(Judgement::Faster)),
        named("undecided, but with a loss excluded,", &|o| {
            open(o) && o.excludes_loss()
        }),
        named("different, but perhaps by layout alone,", &|o| o.by_layout),
        named("the same", &word(Judgement::Same)),
    ]
    .into_iter()
    .flatten()
    .collect()
}
