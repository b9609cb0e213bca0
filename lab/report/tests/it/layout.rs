//! What several layouts show, in every form.

use crate::render;
use crate::sample::sample;
use karat_model::evidence::{Evidence, Oddity};
use karat_model::layout::{LayoutEffects, LayoutTax, Moved, Pilot, PilotDecision};
use karat_model::verdict::{Judgement, Verdict};
use karat_report::Format;

/// The sample, as if it had been measured in three layouts that scatter.
fn scattered() -> Evidence {
    let mut evidence = sample();
    evidence.layouts.method = "a linker script".into();
    evidence.layouts.layouts = 3;
    evidence.layouts.moved = vec![Moved {
        variant: "default".into(),
        by_64: 0.75,
        by_4096: 0.99,
        functions: 812,
        hot: Vec::new(),
    }];
    evidence.layouts.pilots = vec![Pilot {
        workload: "keccak256".into(),
        layouts: 4,
        rounds: 10,
        sd: 0.03,
        sd_low: 0.02,
        sd_high: 0.05,
        decision: PilotDecision::OutOfReach,
        needed: Some(350),
    }];
    let workload = &mut evidence.workloads[2];
    workload.layout_tax = vec![LayoutTax {
        variant: "default".into(),
        sd: 0.031,
        sd_low: 0.02,
        sd_high: 0.06,
        known: true,
        range: 0.12,
        values: vec![0.36, 0.37, 0.40],
    }];
    workload.oddities = vec![Oddity {
        arms: vec![0, 1, 2],
        kind: "drift".into(),
        text: "the machine drifted".into(),
    }];
    for c in &mut workload.comparisons {
        c.judgement = Judgement::Inconclusive;
        c.rounds_needed = None;
        c.layouts = Some(LayoutEffects {
            seeds: vec![0, 1, 2],
            speeds: vec![0.97, 1.0, 1.04],
            sd: 0.035,
            between: true,
            needed: None,
        });
    }
    evidence.verdict.verdict = Some(Verdict::Inconclusive);
    evidence.verdict.about = Some("native".into());
    evidence
}

#[test]
fn c_programs_are_called_so_and_get_flags_of_c() {
    let mut evidence = scattered();
    for audit in evidence
        .variants
        .iter_mut()
        .filter_map(|v| v.audit.as_mut())
    {
        audit
            .crates
            .retain(|c| !c.by_symbol && !["core", "alloc", "std"].contains(&c.name.as_str()));
        assert!(!audit.crates.is_empty());
    }
    let text = render(Format::Markdown, &evidence, false, 4000).replace("\\-", "-");
    assert!(text.contains("-falign-functions=64") && !text.contains("-Cllvm-args=-align"));
    let html = render(Format::Html, &evidence, false, 4000);
    assert!(html.contains("Wide vector instructions by folder") && !html.contains("by crate"));
}

#[test]
fn every_form_states_the_layout_tax_and_what_to_do_about_it() {
    let evidence = scattered();
    for format in [Format::Human, Format::Markdown, Format::Html] {
        // One line for each paragraph, so that no phrase is broken.
        let text = render(format, &evidence, false, 4000).replace("\\-", "-");
        let mut phrases = vec![
            "Each variant was measured in 3 layouts, drawn by a linker script",
            "3.1 %",
            "no affordable number of layouts averages out",
            "-Cllvm-args=-align-all-functions=6",
        ];
        match format {
            Format::Human => phrases.extend(["layout tax (sd)", "drifting", "3/10"]),
            _ => phrases.extend([
                "it would take 350 layouts",
                "standard deviation; 2.0 % to 5.0 %",
                "the machine drifted",
            ]),
        }
        for phrase in phrases {
            assert!(text.contains(phrase), "{format:?} lacks {phrase}:\n{text}");
        }
    }
    let page = render(Format::Html, &evidence, false, 100);
    let specks = page.matches("href=\"#speck\"").count();
    assert_eq!(specks, 3 * evidence.workloads[2].comparisons.len());
    assert!(page.contains("75 % of the code (812 functions)"));
}

#[test]
fn a_tax_that_cannot_be_told_is_not_known() {
    let mut evidence = scattered();
    evidence.layouts.pilots[0].decision = PilotDecision::NotKnown;
    let tax = &mut evidence.workloads[2].layout_tax[0];
    tax.known = false;
    tax.sd_high = f64::MAX;
    for format in [Format::Human, Format::Markdown, Format::Html] {
        let text = render(format, &evidence, false, 4000);
        assert!(text.contains("not known"), "{format:?}:\n{text}");
        assert!(!text.contains("3.1 % standard"), "{format:?}:\n{text}");
    }
    let page = render(Format::Html, &evidence, false, 100);
    assert!(page.contains("one layout measured twice scatters as much (at most 5.0 %)"));
    assert!(page.contains("not known (no bound)"));
}

#[test]
fn a_tax_is_one_line_a_workload() {
    let mut evidence = scattered();
    let mut more = evidence.workloads[2].layout_tax[0].clone();
    more.variant = "native".into();
    more.sd = 0.052;
    let mut unknown = more.clone();
    unknown.known = false;
    unknown.variant = "native-no-slp".into();
    evidence.workloads[2].layout_tax.extend([more, unknown]);
    let line = "3.1 % to 5.2 %, most in native, not known for 1 of 3";
    for format in [Format::Markdown, Format::Html] {
        let text = render(format, &evidence, false, 100);
        assert_eq!(text.matches(line).count(), 1, "{format:?}:\n{text}");
    }
    let short = karat_report::brief::human(&evidence, false, 4000);
    assert!(short.contains(line), "{short}");
}
