use super::variant::{Own, reasons};
use super::*;
use karat_model::evidence::{ParityCheck, VariantEvidence};
use karat_model::layout::{Pilot, PilotDecision};
use karat_model::study::Study;
use karat_model::units::{Better, Metric};
use karat_model::verdict::{
    Cause, Comparison, Judgement, SpeedRatio, Stance, StudyVerdict, VariantVerdict, Verdict,
};

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

/// A variant that time was too short to measure loses nowhere.
#[test]
fn a_variant_without_a_word_keeps_the_study_open() {
    let plan = Study::parse(STUDY).unwrap();
    let told = |name: &str, word: Option<Verdict>| VariantEvidence {
        name: name.into(),
        baseline: false,
        why: String::new(),
        settings: Vec::new(),
        reproduce: Vec::new(),
        left_out: None,
        build: None,
        audit: None,
        verdict: Some(VariantVerdict {
            verdict: word,
            mean_speed: 1.0,
            reasons: Vec::new(),
        }),
    };
    for word in [Verdict::NoGo, Verdict::Same] {
        let open = [told("b", Some(word)), told("c", None)];
        let verdict = study(&plan, &open, &[], None);
        assert_eq!(verdict.verdict, Some(Verdict::Inconclusive), "{verdict:?}");
        assert!(verdict.summary.contains("some are undecided"));
        let closed = [told("b", Some(word)), told("c", Some(word))];
        assert_eq!(study(&plan, &closed, &[], None).verdict, Some(word));
    }
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
