//! Evidence at the edges: every format must render it, and render it well.

use crate::markup;
use crate::render;
use crate::sample::sample;
use karat_model::evidence::Evidence;
use karat_model::layout::{Pilot, PilotDecision};
use karat_model::verdict::{Judgement, Split, Verdict};
use karat_report::Format;

/// Every format renders it without a broken page, an escape sequence or a
/// number that is none.
fn sound(evidence: &Evidence) -> [String; 3] {
    let terminal = render(Format::Human, evidence, false, 100);
    let markdown = render(Format::Markdown, evidence, false, 100);
    let html = render(Format::Html, evidence, false, 100);
    markup::check(&html);
    for text in [&terminal, &markdown, &html] {
        assert!(!markup::has_no_number(text), "{text}");
        assert!(!text.contains('\u{1b}'));
        assert!(text.ends_with('\n'));
    }
    [terminal, markdown, html]
}

fn has(texts: &[String; 3], part: &str) {
    for text in texts {
        assert!(markup::unescape(text).contains(part), "{part} in {text}");
    }
}

fn withhold(evidence: &mut Evidence, why: &str) {
    evidence.verdict.verdict = None;
    evidence.verdict.withheld = Some(why.into());
    evidence.verdict.about = None;
    evidence.verdict.recommended = None;
    for verdict in evidence
        .variants
        .iter_mut()
        .filter_map(|v| v.verdict.as_mut())
    {
        verdict.verdict = None;
    }
}

fn unmeasured() -> Evidence {
    let mut evidence = sample();
    evidence.workloads.clear();
    evidence.samples.clear();
    evidence.arms.clear();
    evidence.verdict.verdict = Some(Verdict::NoGo);
    evidence.verdict.about = Some("native".into());
    evidence.verdict.recommended = None;
    evidence.verdict.summary = "native prints other digests than default.".into();
    let check = &mut evidence.parity[2];
    check.passed = false;
    check.differences = vec!["--- default\n+++ native\n-blake2b 28c8\n+blake2b ffff\n".into()];
    evidence
}

#[test]
fn parity_failed_so_nothing_was_measured() {
    let texts = sound(&unmeasured());
    has(&texts, "NO-GO");
    has(&texts, "Do not use native. Keep default.");
    has(&texts, "Nothing was measured.");
    has(&texts, "parity: 1 of 16 checks failed");
    has(&texts, "+blake2b ffff");
}

#[test]
fn smoke_run_withholds_its_verdict() {
    let mut evidence = sample();
    evidence.run.smoke = true;
    withhold(
        &mut evidence,
        "a smoke run proves only that the study works",
    );
    let texts = sound(&evidence);
    has(&texts, "WITHHELD");
    has(&texts, "a smoke run proves only");
    has(&texts, "Decide nothing from this run.");
    assert!(!texts[0].contains("GO"), "{}", texts[0]);
}

#[test]
fn failed_noise_gate_is_said_first() {
    let mut evidence = sample();
    evidence.workloads[1].again_passed = false;
    withhold(
        &mut evidence,
        "the A/A arm of blake2b-many differs from itself",
    );
    let texts = sound(&evidence);
    has(&texts, "A/A: failed on 1 of 4 workloads");
    has(&texts, "FAILED");
}

#[test]
fn too_few_rounds_bound_nothing() {
    let mut evidence = sample();
    withhold(&mut evidence, "a smoke run");
    evidence.samples.retain(|s| s.round < 3);
    for workload in &mut evidence.workloads {
        workload.noise_floor = None;
        workload.looks.clear();
        for c in workload.comparisons.iter_mut().chain(&mut workload.again) {
            c.speed.low = None;
            c.speed.high = None;
            c.detectable = None;
            c.judgement = Judgement::Inconclusive;
        }
        workload.comparisons[0].speed.low = Some(0.99);
    }
    let texts = sound(&evidence);
    has(&texts, "no bound yet");
    assert!(texts[2].contains("no bounds yet") && texts[2].contains("href=\"#more\""));
    assert!(texts[2].contains("−1.0 % or more"));
    assert!(texts[2].contains("too few rounds to tell a drift"));
}

#[test]
fn one_variant_and_no_samples() {
    let mut evidence = sample();
    evidence.variants.truncate(2);
    evidence.samples.clear();
    for workload in &mut evidence.workloads {
        workload.comparisons.truncate(1);
        workload.again = None;
        workload.clock.clear();
    }
    evidence.parity.clear();
    evidence.findings.clear();
    evidence.costs.clear();
    evidence.verdict.verdict = Some(Verdict::Same);
    evidence.verdict.about = Some("x86-64-v3".into());
    evidence.verdict.recommended = None;
    let texts = sound(&evidence);
    has(
        &texts,
        "Keep default: no difference reaches the margin of 1 %.",
    );
    has(&texts, "no parity check was run");
    assert!(texts[2].contains("No costs were recorded."));
}

/// The sample with the verdict open.
fn undecided() -> Evidence {
    let mut evidence = sample();
    evidence.verdict.verdict = Some(Verdict::Inconclusive);
    evidence.verdict.about = Some("x86-64-v3".into());
    evidence.verdict.recommended = None;
    evidence
}

#[test]
fn a_verdict_from_one_layout_says_so_where_layout_is_not_known() {
    let said = "layout: one of each build, and what others do is not known";
    let mut evidence = sample();
    evidence.layouts.layouts = 1;
    evidence.layouts.pilots = vec![Pilot {
        workload: evidence.workloads[0].name.clone(),
        layouts: 4,
        rounds: 40,
        sd: 0.0,
        sd_low: 0.0,
        sd_high: 0.035,
        decision: PilotDecision::NotKnown,
        needed: None,
    }];
    has(&sound(&evidence), said);
    evidence.layouts.layouts = 8;
    assert!(sound(&evidence).iter().all(|text| !text.contains(said)));
}

#[test]
fn undecided_says_what_would_decide_it() {
    let mut evidence = undecided();
    evidence.run.time.more = Some(700.0);
    let texts = sound(&evidence);
    has(&texts, "Do not decide yet; until then keep default.");
    has(
        &texts,
        "1 of 32 comparisons is undecided. 12 more minutes would decide most of what is open.",
    );
    let command = "karat run studies/blake2-dispatch --resume --max-time 12min";
    assert!(texts[0].contains(&format!("    $ {command}\n")));
    assert!(texts[1].contains(&format!("```sh\n{command}\n```")));
    let words = texts[2].replace("<span>", "").replace("</span>", "");
    assert!(words.contains(command));
}

#[test]
fn where_time_does_not_help_something_else_is_advised() {
    let mut evidence = undecided();
    evidence.neighbours.as_mut().expect("probed").kept_quiet = 20;
    let texts = sound(&evidence).map(|text| text.replace("\n  ", " "));
    has(&texts, "More time alone will not decide what is open.");
    has(
        &texts,
        "What would help: a quieter machine, longer runs, or a larger margin.",
    );
    has(
        &texts,
        "No quiet moment came to most runs: the figures rest on what runs next",
    );
    for text in &texts {
        assert!(!text.contains("--max-time"), "{text}");
    }
}

#[test]
fn neighbours_are_one_line() {
    let texts = sound(&sample()).map(|text| text.replace("\n  ", " "));
    has(
        &texts,
        "the core was shared 38 % of the time: 4 s of waiting for quiet, 38 runs measured again, \
         94 % of the kept runs quiet",
    );
    let mut evidence = sample();
    let seen = evidence.neighbours.as_mut().expect("probed");
    (seen.quiet_share, seen.repeated) = (1.0, 0);
    has(&sound(&evidence), "the core was karat");
    evidence.neighbours = None;
    assert!(!sound(&evidence)[0].contains("the core was"));
}

#[test]
fn pairs_stand_apart_with_their_words() {
    let mut evidence = sample();
    for workload in &mut evidence.workloads {
        let mut c = workload.comparisons[4].clone();
        c.against = Some("native".into());
        c.split = Some(Split {
            floor: 1.031,
            typical: 0.987,
        });
        workload.pairs = vec![c];
    }
    let texts = sound(&evidence);
    has(&texts, "Pairs");
    assert!(
        texts[0].contains("native-no-slp / native  ▼  −4.3 ["),
        "{}",
        texts[0]
    );
    assert!(texts[0].contains("native-no-slp against native on blake2b-64k: +3.1 % in its"));
    assert!(
        texts[1].contains("| `native-no-slp` | `native` | ▼ **−4.3 %**"),
        "{}",
        texts[1]
    );
    assert!(texts[2].contains("fastest runs +3.1 %"));
    let short = karat_report::brief::human(&evidence, false, 4000);
    assert!(short.contains("native-no-slp against native"), "{short}");
    assert!(
        short.contains("+3.1 % in the fastest runs, −1.3 % in a typical one"),
        "{short}"
    );
}

#[test]
fn rounds_that_differ_are_said_once() {
    let mut evidence = sample();
    evidence.workloads[0].comparisons[2].rounds = 12;
    has(&sound(&evidence), "12 to 40");
    let short = karat_report::brief::human(&evidence, false, 4000);
    assert!(short.contains("12 to 40 rounds of throughput"), "{short}");
}

#[test]
fn a_run_that_goes_on_names_the_one_before() {
    let mut evidence = sample();
    evidence.run.continues = Some("20260914-090000-blake2-dispatch".into());
    for text in &sound(&evidence)[1..] {
        assert!(text.contains("Goes on from"), "{text}");
        assert!(text.contains("3 min 7 s of 5 min promised"), "{text}");
    }
}

#[test]
fn many_variants_with_long_names() {
    let mut evidence = sample();
    let long = "native-with-every-feature-that-this-machine-has-and-thin-lto";
    for extra in 0..4 {
        let mut variant = evidence.variants[2].clone();
        variant.name = format!("{long}-{extra}");
        for workload in &mut evidence.workloads {
            let mut c = workload.comparisons[1].clone();
            c.variant.clone_from(&variant.name);
            workload.comparisons.push(c);
        }
        let mut arm = evidence.arms[3].clone();
        arm.variant.clone_from(&variant.name);
        evidence.arms.push(arm);
        evidence.variants.push(variant);
    }
    evidence.workloads[0].name = "blake2b-of-messages-of-sixty-four-kibibytes".into();
    let texts = sound(&evidence);
    for line in texts[0].lines().filter(|l| l.contains('…')) {
        assert!(line.chars().count() <= 100, "{line}");
    }
    assert!(texts[2].contains("native-with-every-feature-that-this-machine-has-and-thin-lto-3"));
}

#[test]
fn terminal_fits_a_screen() {
    let terminal = render(Format::Human, &sample(), false, 100);
    assert!(terminal.lines().count() <= 60, "{terminal}");
    let long = |l: &&str| l.chars().count() > 100 && !l.trim_start().starts_with('$');
    assert_eq!(terminal.lines().find(long), None);
}

#[test]
fn names_cannot_become_markup() {
    let evil = "<img src=x onerror=\"alert('&')\">|`*_\u{1b}[31m\u{202e}";
    let mut evidence = sample();
    let rename = |name: &mut String| name.push_str(evil);
    evidence.variants.iter_mut().for_each(|v| {
        rename(&mut v.name);
        rename(&mut v.why);
        v.settings
            .iter_mut()
            .chain(&mut v.reproduce)
            .for_each(rename);
        v.left_out.iter_mut().for_each(rename);
        v.verdict
            .iter_mut()
            .flat_map(|v| &mut v.reasons)
            .for_each(rename);
        v.build.iter_mut().for_each(|b| rename(&mut b.sha256));
        if let Some(audit) = &mut v.audit {
            rename(&mut audit.format);
            audit.functions.iter_mut().for_each(|f| rename(&mut f.name));
            audit.crates.iter_mut().for_each(|c| rename(&mut c.name));
            for s in &mut audit.survival {
                rename(&mut s.function);
                s.caveat = Some(evil.into());
                s.inlined_into
                    .iter_mut()
                    .for_each(|h| rename(&mut h.function));
            }
        }
    });
    for workload in &mut evidence.workloads {
        rename(&mut workload.name);
        rename(&mut workload.why);
        rename(&mut workload.metric.unit);
        rename(&mut workload.metric.name);
        workload.args.iter_mut().for_each(rename);
        workload
            .clock
            .iter_mut()
            .for_each(|c| rename(&mut c.variant));
        for c in workload.comparisons.iter_mut().chain(&mut workload.again) {
            rename(&mut c.variant);
            for cause in &mut c.causes {
                rename(&mut cause.kind);
                rename(&mut cause.text);
            }
        }
    }
    for check in &mut evidence.parity {
        check.passed = false;
        check.differences = vec![evil.into()];
        rename(&mut check.name);
        rename(&mut check.variant);
    }
    for finding in &mut evidence.findings {
        rename(&mut finding.message);
        rename(&mut finding.code);
        finding.place.iter_mut().for_each(rename);
    }
    evidence
        .arms
        .iter_mut()
        .for_each(|a| rename(&mut a.variant));
    evidence.costs.iter_mut().for_each(|c| rename(&mut c.name));
    evidence.machine.isas.iter_mut().for_each(rename);
    for text in [
        &mut evidence.study.name,
        &mut evidence.study.title,
        &mut evidence.study.description,
        &mut evidence.study.source,
        &mut evidence.run.id,
        &mut evidence.run.karat,
        &mut evidence.machine.cpu,
        &mut evidence.verdict.summary,
    ] {
        rename(text);
    }
    evidence.verdict.about.iter_mut().for_each(rename);
    evidence.verdict.recommended.iter_mut().for_each(rename);
    let [terminal, markdown, html] = sound(&evidence);
    assert!(!html.contains("<img"));
    for text in [terminal, markdown, html] {
        assert!(!text.contains('\u{202e}'), "a direction override survived");
    }
}

#[test]
fn what_is_no_number_is_never_printed() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0] {
        let mut evidence = sample();
        evidence.study.margin = bad;
        evidence.run.seconds = bad;
        evidence.run.time.promised = bad;
        evidence.run.time.used = bad;
        evidence.run.time.more = Some(bad);
        if let Some(seen) = &mut evidence.neighbours {
            (seen.quiet_share, seen.waited) = (bad, bad);
        }
        for workload in &mut evidence.workloads {
            workload.noise_floor = Some(bad);
            for c in workload.comparisons.iter_mut().chain(&mut workload.again) {
                c.speed.estimate = bad;
                c.speed.low = Some(bad);
                c.speed.high = Some(bad);
                c.baseline_value = bad;
                c.variant_value = bad;
                c.p = bad;
                c.p_adjusted = bad;
                c.level = bad;
                c.detectable = Some(bad);
                c.split = Some(Split {
                    floor: bad,
                    typical: bad,
                });
            }
            for look in &mut workload.looks {
                look.seconds = bad;
            }
            for clock in &mut workload.clock {
                clock.before = bad;
                clock.during = bad;
                clock.after = bad;
            }
        }
        for sample in evidence.samples.iter_mut().step_by(3) {
            sample.values = vec![bad];
            sample.at = bad;
        }
        evidence.costs.iter_mut().for_each(|c| c.value = bad);
        for v in &mut evidence.variants {
            v.build.iter_mut().for_each(|b| b.seconds = bad);
            v.verdict.iter_mut().for_each(|v| v.mean_speed = bad);
            for s in v.audit.iter_mut().flat_map(|a| &mut a.survival) {
                s.similarity = Some(bad);
            }
        }
        sound(&evidence);
    }
}

#[test]
fn weak_audits_say_so() {
    let mut evidence = sample();
    evidence.variants[3].audit = None;
    if let Some(audit) = &mut evidence.variants[2].audit {
        audit.has_line_tables = false;
        audit.total.undecodable = 12;
        audit.survival[0].caveat = Some("no line tables".into());
    }
    let texts = sound(&evidence);
    assert!(texts[2].contains("not audited"));
    has(&texts, "INLINED cannot be told from GONE");
    for variant in &mut evidence.variants {
        variant.audit = None;
    }
    assert!(sound(&evidence)[2].contains("No binary was audited."));
}

#[test]
fn evidence_without_anything() {
    let mut evidence = sample();
    evidence.variants.clear();
    evidence.workloads.clear();
    evidence.samples.clear();
    evidence.arms.clear();
    evidence.parity.clear();
    evidence.findings.clear();
    evidence.costs.clear();
    withhold(&mut evidence, "interrupted before the first build");
    sound(&evidence);
}

#[test]
fn samples_of_unknown_arms_are_passed_over() {
    let mut evidence = sample();
    evidence.arms.truncate(3);
    evidence.workloads.truncate(2);
    sound(&evidence);
}

#[test]
fn json_is_the_evidence() {
    let evidence = sample();
    let json = render(Format::Json, &evidence, false, 80);
    let back: Evidence = serde_json::from_str(&json).expect("it reads back");
    for format in [Format::Human, Format::Markdown, Format::Html] {
        let (again, first) = (
            render(format, &back, false, 80),
            render(format, &evidence, false, 80),
        );
        assert!(
            again == first,
            "{format} differs when made again from the JSON"
        );
    }
    assert!(json.starts_with("{\n  \"schema\": 2"));
}

#[test]
fn colour_changes_no_word() {
    let evidence = sample();
    let plain = render(Format::Human, &evidence, false, 100);
    let colored = render(Format::Human, &evidence, true, 100);
    assert!(colored.contains('\u{1b}'));
    let mut stripped = String::new();
    for (nth, piece) in colored.split('\u{1b}').enumerate() {
        let text = if nth == 0 {
            piece
        } else {
            piece.split_once('m').expect("an escape").1
        };
        stripped.push_str(text);
    }
    assert_eq!(stripped, plain);
}
