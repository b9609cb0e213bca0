//! The reports of a large study stay calm: ten variants, five workloads, eight layouts.

use crate::render;
use crate::sample::{Noise, sample};
use karat_model::bloat::{Amount, Bloat, Growth, Thresholds};
use karat_model::evidence::{Evidence, Oddity};
use karat_model::finding::{Finding, Severity};
use karat_model::layout::{LayoutEffects, LayoutTax, Moved, Pilot, PilotDecision};
use karat_model::measure::{Arm, Role, Sample};
use karat_model::verdict::{Cause, Judgement, Split, Stance, Verdict};
use karat_report::Format;

const LAYOUTS: u64 = 8;
const ROUNDS: u32 = 20;

/// Evidence as large as that of the study of BLAKE2 dispatch, its real source included.
pub fn large() -> Evidence {
    let mut evidence = sample();
    evidence.study.source = include_str!("../../../../studies/blake2-dispatch/study.toml").into();
    evidence.variants.pop();
    one_more_variant(&mut evidence);
    one_more_workload(&mut evidence);
    arms_and_samples(&mut evidence);
    audits(&mut evidence);
    findings(&mut evidence);
    let mut noise = Noise::new(5);
    evidence.layouts.method = "section order by lld".into();
    evidence.layouts.layouts = LAYOUTS as u32;
    evidence.layouts.moved = evidence.variants.iter().map(|v| moved(&v.name)).collect();
    let decisions = [
        PilotDecision::Layouts,
        PilotDecision::Insensitive,
        PilotDecision::NotKnown,
        PilotDecision::OutOfReach,
        PilotDecision::Insensitive,
    ];
    let names: Vec<String> = evidence.variants.iter().map(|v| v.name.clone()).collect();
    for (w, workload) in evidence.workloads.iter_mut().enumerate() {
        evidence.layouts.pilots.push(Pilot {
            workload: workload.name.clone(),
            layouts: 4,
            rounds: 8,
            sd: 0.004,
            sd_low: 0.001,
            sd_high: 0.009,
            decision: decisions[w],
            needed: (decisions[w] != PilotDecision::Insensitive).then_some(235),
        });
        workload.layout_tax = names
            .iter()
            .map(|variant| LayoutTax {
                variant: variant.clone(),
                sd: 0.001 + 0.004 * noise.unit(),
                sd_low: 0.001,
                sd_high: 0.009,
                known: w != 2 && noise.unit() < 0.8,
                range: 0.004 + 0.01 * noise.unit(),
                values: vec![1.0; LAYOUTS as usize],
            })
            .collect();
        workload.oddities = vec![
            odd(
                0..80,
                "drift",
                "the machine drifted: 80 of 88 arms changed their cost by −1.2 % \
                (median) from the first round to the last; comparisons are made within rounds",
            ),
            odd(
                0..62,
                "two-levels",
                "62 of 88 arms have two levels: 12 to 45 % of the runs cost \
                1.05 to 1.26 times as much as the others",
            ),
        ];
        for (nth, c) in workload.comparisons.iter_mut().enumerate() {
            c.rounds = 8 + (nth as u32 * 5) % 13;
            c.layouts = Some(LayoutEffects {
                seeds: (0..LAYOUTS).collect(),
                speeds: (0..LAYOUTS)
                    .map(|_| c.speed.estimate * (0.99 + 0.02 * noise.unit()))
                    .collect(),
                sd: 0.006,
                between: false,
                needed: None,
            });
            c.causes = causes(c.speed.estimate);
        }
        workload.comparisons[w].split = Some(Split {
            floor: 1.031,
            typical: 0.987,
        });
        workload.comparisons[w + 1].judgement = Judgement::Inconclusive;
    }
    evidence.run.time.more = Some(700.0);
    evidence.verdict.verdict = Some(Verdict::Inconclusive);
    evidence.verdict.about = Some("native-per-crate".into());
    evidence.verdict.summary = "native-per-crate: undecided on keccak256; faster on \
        blake2b-many, sr25519-verify; the same on blake2b-64k, memchr."
        .into();
    evidence
}

fn one_more_variant(evidence: &mut Evidence) {
    let mut variant = evidence.variants[8].clone();
    variant.name += "-no-slp";
    for workload in &mut evidence.workloads {
        let mut c = workload.comparisons[7].clone();
        c.variant.clone_from(&variant.name);
        workload.comparisons.push(c);
    }
    evidence.variants.push(variant);
}

fn one_more_workload(evidence: &mut Evidence) {
    let mut workload = evidence.workloads[0].clone();
    workload.name = "memchr".into();
    workload.run = 4;
    evidence.workloads.push(workload);
}

fn arms_and_samples(evidence: &mut Evidence) {
    let arm = |variant: &str, role, layout| Arm {
        variant: variant.into(),
        role,
        layout,
    };
    evidence.arms.clear();
    for layout in 0..LAYOUTS {
        for v in &evidence.variants {
            if v.baseline {
                evidence.arms.push(arm(&v.name, Role::Baseline, layout));
                evidence.arms.push(arm(&v.name, Role::Again, layout));
            } else {
                evidence.arms.push(arm(&v.name, Role::Variant, layout));
            }
        }
    }
    evidence.samples.clear();
    let mut noise = Noise::new(11);
    let mut at = 0.5;
    for round in 0..ROUNDS {
        for workload in 0..5 {
            for arm in 0..evidence.arms.len() as u32 {
                let quiet = noise.unit() < 0.92;
                let speed = if quiet { 1.0 } else { 0.8 } * (0.99 + 0.02 * noise.unit());
                evidence.samples.push(Sample {
                    workload,
                    round,
                    arm,
                    values: vec![speed],
                    wall: 0.02 / speed,
                    cpu: 0.02 / speed,
                    width: Some([5.8, if quiet { 5.8 } else { 4.0 }]),
                    quiet,
                    clock: 4.1,
                    at,
                    ..Sample::default()
                });
                at += 0.022;
            }
        }
    }
}

/// As many functions as a study's audit keeps.
fn audits(evidence: &mut Evidence) {
    let amount = |n: u64| Amount {
        instructions: n,
        bytes: 4 * n,
        xmm: n / 4,
        ymm: n / 3,
        zmm: n / 5,
        xmm_bytes: n,
        ymm_bytes: n,
        zmm_bytes: n,
        simd: 0,
        sve: 0,
    };
    for audit in evidence
        .variants
        .iter_mut()
        .filter_map(|v| v.audit.as_mut())
    {
        let growth = |i: u64| Growth {
            name: format!("curve25519_dalek::backend::vector::scalar_mul::straus::mul_{i}"),
            before: amount(900 + i),
            after: amount(1300 + 7 * i),
        };
        audit.functions = (0..10).flat_map(|_| audit.functions.clone()).collect();
        audit.bloat = Some(Bloat {
            total: Growth {
                name: String::new(),
                before: amount(109_000),
                after: amount(112_000),
            },
            crates: (0..12).map(growth).collect(),
            functions: (0..40).map(growth).collect(),
            functions_differ: 812,
            functions_new: 40,
            functions_gone: 31,
            thresholds: Thresholds::default(),
        });
        let first = audit.survival.clone();
        audit.survival.extend(first.into_iter().map(|mut s| {
            s.function += "_again";
            s
        }));
    }
}

/// Fourteen facts about most variants each.
fn findings(evidence: &mut Evidence) {
    evidence.findings.clear();
    for place in 0..14 {
        for v in evidence.variants.iter().filter(|v| !v.baseline) {
            evidence.findings.push(Finding {
                code: format!("KA00{}", place % 9),
                severity: if place < 8 {
                    Severity::Warning
                } else {
                    Severity::Note
                },
                variant: Some(v.name.clone()),
                place: Some(format!("blake2b_simd::avx2::compress{place}_loop")),
                location: None,
                message: format!(
                    "another instruction mix than in the baseline (5{place} % alike) in {}: +192 \
                     vprolq, -142 vpshufb, -96 vpshufd, -71 vmovdqu, -48 vpaddq, -48 vpor",
                    v.name
                ),
            });
        }
    }
}

fn moved(variant: &str) -> Moved {
    Moved {
        variant: variant.into(),
        by_64: 0.97,
        by_4096: 0.99,
        functions: 812,
        hot: Vec::new(),
    }
}

fn odd(arms: std::ops::Range<u32>, kind: &str, text: &str) -> Oddity {
    Oddity {
        arms: arms.collect(),
        kind: kind.into(),
        text: text.into(),
    }
}

fn causes(speed: f64) -> Vec<Cause> {
    let change = (speed - 1.0) * 100.0;
    [
        (
            "clock",
            Stance::Excluded,
            "core clock 4.100 GHz while it ran (+0.01 % against the \
            baseline), 4.101 GHz right after the measured runs (−0.02 %): the clock is not what",
        ),
        (
            "neighbours",
            Stance::Excluded,
            "as many runs of the baseline were quiet as of this: \
            neighbours are not what",
        ),
        (
            "code",
            Stance::Consistent,
            "blake2b_simd::avx2::compress1_loop was compiled to other \
            instructions (61 % of the mix is the baseline's): +192 vprolq, −142 vpshufb",
        ),
        (
            "layout",
            Stance::Excluded,
            "measured in 8 layouts, in each of which the change lies \
            near the others: it is not layout what",
        ),
    ]
    .map(|(kind, stance, text)| Cause {
        kind: kind.into(),
        stance,
        text: format!("{text} makes the {change:+.1} %"),
    })
    .into()
}

#[test]
fn the_terminal_report_is_a_screen() {
    let text = render(Format::Human, &large(), false, 100);
    assert!(
        text.lines().count() <= 60,
        "{}\n{text}",
        text.lines().count()
    );
    let long = |l: &&str| l.chars().count() > 100 && !l.trim_start().starts_with('$');
    assert_eq!(text.lines().find(long), None);
    let at = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("{part} in {text}"))
    };
    let places = ["? INCONCLUSIVE", "undecided on keccak256", "Speed", "Noise"].map(at);
    assert!(places.is_sorted(), "{places:?}");
    // All 45 comparisons have their interval.
    assert_eq!(text.matches(" … ").count(), 45, "{text}");
}

#[test]
fn the_page_is_light() {
    let page = render(Format::Html, &large(), false, 100);
    crate::markup::check(&page);
    assert!(page.len() < 700_000, "{} bytes", page.len());
    let elements = page.matches('<').count() - page.matches("</").count();
    assert!(elements < 15_000, "{elements} elements");
    let specks = page.matches("href=\"#speck\"").count();
    assert_eq!(specks, 45 * LAYOUTS as usize, "a dot for each layout");
}

#[test]
fn the_summary_fits_a_comment() {
    let text = render(Format::Markdown, &large(), false, 100);
    assert!(text.len() < 25_000, "{} bytes", text.len());
}

#[test]
fn oddities_are_a_line_a_workload() {
    let evidence = large();
    for format in [Format::Markdown, Format::Html] {
        let text = render(format, &evidence, false, 100);
        let lines = text.lines().filter(|l| l.contains("two levels:"));
        assert_eq!(lines.count(), 5, "{format:?}");
    }
}
