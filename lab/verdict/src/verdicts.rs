//! From comparisons to the verdict on each variant and on the study.

use crate::roll_up::roll_up;
use karat_model::evidence::{ParityCheck, VariantEvidence, WorkloadEvidence};
use karat_model::layout::Pilot;
use karat_model::study::Study;
use karat_model::verdict::{Comparison, Judgement, Stance, StudyVerdict, VariantVerdict, Verdict};

/// Workloads that a reason names; of more it tells their number.
const NAMED: usize = 3;

/// Why no verdict can be given, if so. `smoke` is the number of rounds of a smoke run.
#[must_use]
pub fn withheld(smoke: Option<u32>, workloads: &[WorkloadEvidence]) -> Option<String> {
    if let Some(rounds) = smoke {
        return Some(format!(
            "this is a smoke run of {rounds} rounds, which proves that the study works and \
             nothing else"
        ));
    }
    let failed: Vec<&str> = workloads
        .iter()
        .filter(|w| w.rounds > 0 && !w.again_passed)
        .map(|w| w.name.as_str())
        .collect();
    (!failed.is_empty()).then(|| {
        format!(
            "the baseline came out different from itself on {}: this machine was too disturbed to \
             judge anything; run again when it is quiet",
            failed.join(", ")
        )
    })
}

/// One workload's comparison of a variant, as its verdict takes it.
struct Own<'a> {
    view: &'a WorkloadEvidence,
    comparison: &'a Comparison,
    margin: f64,
    /// The baseline's layouts differ by enough, for all that is known, to make the difference.
    by_layout: bool,
}

impl<'a> Own<'a> {
    /// `pilots` are those of the study; without one nobody asked what layouts do.
    fn new(
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
fn reasons(own: &[Own<'_>]) -> Vec<String> {
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
    let words: Vec<Verdict> = judged.iter().filter_map(|(_, j)| j.verdict).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::layout::PilotDecision;
    use karat_model::units::{Better, Metric};
    use karat_model::verdict::{Cause, SpeedRatio};

    /// Baseline `a`, variants `b` and `c`; one workload `w`.
    const STUDY: &str = r#"
schema = 1
name = "s"
baseline = "a"
[[variant]]
name = "a"
binary = "a"
[[variant]]
name = "b"
binary = "b"
[[variant]]
name = "c"
binary = "c"
[[workload]]
name = "w"
"#;

    fn comparison(variant: &str, low: f64, estimate: f64, high: f64) -> Comparison {
        let judgement = match () {
            () if low > 0.99 && high < 1.01 => Judgement::Same,
            () if low > 1.0 => Judgement::Faster,
            () if high < 1.0 => Judgement::Slower,
            () => Judgement::Inconclusive,
        };
        Comparison {
            variant: variant.into(),
            against: None,
            rounds: 20,
            speed: SpeedRatio {
                estimate,
                low: Some(low),
                high: Some(high),
            },
            baseline_value: 1.0,
            variant_value: estimate,
            p: 0.01,
            p_adjusted: 0.01,
            level: 0.05,
            detectable: None,
            judgement,
            rounds_needed: None,
            layouts: None,
            split: None,
            causes: Vec::new(),
        }
    }

    fn workload(comparisons: Vec<Comparison>, again_passed: bool) -> WorkloadEvidence {
        WorkloadEvidence {
            name: "w".into(),
            run: 0,
            value: 0,
            why: String::new(),
            args: Vec::new(),
            metric: Metric {
                name: "cpu".into(),
                unit: "s".into(),
                better: Better::Lower,
            },
            rounds: 20,
            looks: Vec::new(),
            again: None,
            again_passed,
            noise_floor: None,
            comparisons,
            pairs: Vec::new(),
            layout_tax: Vec::new(),
            oddities: Vec::new(),
            clock: Vec::new(),
        }
    }

    /// The study's verdict when `b` and `c` come out so.
    fn judged(source: &str, b: Comparison, c: Comparison) -> StudyVerdict {
        let plan = Study::parse(source).unwrap();
        let workloads = [workload(vec![b, c], true)];
        let variants: Vec<VariantEvidence> = plan
            .variants
            .iter()
            .map(|v| VariantEvidence {
                name: v.name.value.clone(),
                baseline: v.name.value == "a",
                why: String::new(),
                settings: Vec::new(),
                reproduce: Vec::new(),
                left_out: None,
                build: None,
                audit: None,
                verdict: (v.name.value != "a")
                    .then(|| variant(&v.name.value, &plan, &workloads, &[], &[], false)),
            })
            .collect();
        study(&plan, &variants, &[], None)
    }

    #[test]
    fn the_fastest_variant_that_loses_nothing_is_recommended() {
        let gain = |name: &str, by: f64| comparison(name, by - 0.01, by, by + 0.01);
        let verdict = judged(STUDY, gain("b", 1.1), gain("c", 1.2));
        assert_eq!(verdict.verdict, Some(Verdict::Go));
        assert_eq!(verdict.recommended.as_deref(), Some("c"));
        assert_eq!(verdict.about.as_deref(), Some("c"));
        let verdict = judged(STUDY, gain("b", 1.1), gain("c", 0.8));
        assert_eq!(verdict.recommended.as_deref(), Some("b"));
        let verdict = judged(STUDY, gain("b", 0.9), gain("c", 0.8));
        assert_eq!(verdict.verdict, Some(Verdict::NoGo));
        assert_eq!((verdict.recommended, verdict.about), (None, None));
    }

    #[test]
    fn a_candidate_is_what_the_word_is_about() {
        let source = STUDY.replace("baseline = \"a\"", "baseline = \"a\"\ncandidate = \"b\"");
        let loses = comparison("b", 0.88, 0.9, 0.92);
        let verdict = judged(&source, loses, comparison("c", 1.19, 1.2, 1.21));
        assert_eq!(verdict.verdict, Some(Verdict::NoGo));
        assert_eq!(verdict.about.as_deref(), Some("b"));
        assert_eq!(verdict.recommended.as_deref(), Some("c"));
    }

    #[test]
    fn the_best_word_among_several_without_a_go() {
        let same = |name: &str| comparison(name, 0.999, 1.0, 1.001);
        let open = |name: &str| comparison(name, 0.9, 1.0, 1.1);
        let word = |b, c| judged(STUDY, b, c).verdict;
        assert_eq!(word(same("b"), same("c")), Some(Verdict::Same));
        assert_eq!(word(same("b"), open("c")), Some(Verdict::Inconclusive));
        let loses = comparison("b", 0.88, 0.9, 0.92);
        assert_eq!(word(loses, same("c")), Some(Verdict::Same));
    }

    #[test]
    fn reasons_name_workloads_and_leave_figures_to_the_table() {
        let verdict = judged(
            STUDY,
            comparison("b", 1.09, 1.1, 1.11),
            comparison("c", 1.19, 1.2, 1.21),
        );
        assert_eq!(verdict.summary, "c: faster on w.");
        let views: Vec<WorkloadEvidence> = ["p", "q", "r", "s", "t"]
            .iter()
            .enumerate()
            .map(|(i, name)| {
                let own = match i {
                    0 => comparison("b", 0.88, 0.9, 0.92),
                    1 => comparison("b", 0.995, 1.02, 1.1),
                    _ => comparison("b", 0.999, 1.0, 1.001),
                };
                let mut view = workload(vec![own], true);
                view.name = (*name).into();
                view
            })
            .collect();
        let own = |w| Own::new(w, &w.comparisons[0], 0.01, &[]);
        let own: Vec<_> = views.iter().map(own).collect();
        let expected = [
            "slower on p",
            "undecided, but with a loss excluded, on q",
            "the same on r, s, t",
        ];
        assert_eq!(reasons(&own), expected);
        assert_eq!(reasons(&own[2..]), ["the same on all 3 workloads"]);
    }

    #[test]
    fn what_one_layout_may_have_made_decides_nothing() {
        let plan = Study::parse(STUDY).unwrap();
        let pilot = Pilot {
            workload: "w".into(),
            layouts: 4,
            rounds: 40,
            sd: 0.0,
            sd_low: 0.0,
            sd_high: 0.05,
            decision: PilotDecision::NotKnown,
            needed: None,
        };
        let told = |stance, by: f64, pilots: &[Pilot]| {
            let mut own = comparison("b", by - 0.01, by, by + 0.01);
            own.causes.push(Cause {
                kind: "layout".into(),
                stance,
                text: String::new(),
            });
            variant("b", &plan, &[workload(vec![own], true)], pilots, &[], false)
        };
        let pilots = [pilot];
        for by in [0.95, 1.05] {
            let open = told(Stance::Unknown, by, &pilots);
            assert_eq!(open.verdict, Some(Verdict::Inconclusive));
            assert_eq!(
                open.reasons,
                ["different, but perhaps by layout alone, on w"]
            );
        }
        let go = Some(Verdict::Go);
        assert_eq!(told(Stance::Excluded, 1.05, &pilots).verdict, go);
        // Two programs that exist are compared as they are: nobody piloted their layouts.
        assert_eq!(told(Stance::Unknown, 1.05, &[]).verdict, go);
    }

    #[test]
    fn another_behaviour_is_no_go_whatever_the_speed() {
        let plan = Study::parse(STUDY).unwrap();
        let check = ParityCheck {
            name: "selftest".into(),
            variant: "b".into(),
            args: Vec::new(),
            passed: false,
            differences: vec!["-1\n+2".into()],
            logs: None,
        };
        let verdict = variant("b", &plan, &[], &[], &[check], false);
        assert_eq!(verdict.verdict, Some(Verdict::NoGo));
        assert!(verdict.reasons[0].contains("behaviour differs"));
    }

    #[test]
    fn the_baseline_under_another_name_is_the_same() {
        assert_eq!(identical(false).verdict, Some(Verdict::Same));
        assert_eq!(identical(true).verdict, None, "a smoke run gives no word");
    }

    #[test]
    fn nothing_is_judged_beside_a_baseline_that_differs_from_itself() {
        assert_eq!(withheld(None, &[workload(Vec::new(), true)]), None);
        let why = withheld(None, &[workload(Vec::new(), false)]);
        assert!(why.unwrap().contains("different from itself on w"));
        let why = withheld(Some(3), &[workload(Vec::new(), true)]);
        assert!(why.unwrap().contains("smoke run"));
    }
}
