//! Studies that are measured in several layouts, from the command line.

use crate::lab::{Lab, firsts, have, study, workload};
use karat_model::layout::PilotDecision;
use karat_model::verdict::{Judgement, Stance};

fn lab(layouts: &str) -> Lab {
    let source = study(&workload("spin", "[]"));
    assert!(source.contains("[measure]"), "{source}");
    let source = source.replace("[measure]", &format!("[measure]\nlayouts = {layouts}"));
    let expect = "\n[[expect]]\nfunction = \"main\"\nworkloads = [\"spin\"]\n";
    Lab::with(&format!("{source}{expect}"))
}

#[test]
fn each_variant_is_measured_in_each_layout() {
    if !have("gcc") {
        return;
    }
    let lab = lab("3");
    let out = lab.run(&[]).exits(1);
    assert!(
        out.stdout.contains("measured in 3 layouts, drawn by"),
        "{}",
        out.stdout
    );
    let evidence = lab.evidence();
    assert_eq!(evidence.arms.len(), 12, "four arms in three layouts");
    assert_eq!(firsts(&evidence) % 12, 0);
    for moved in &evidence.layouts.moved {
        assert!(moved.by_4096 > 0.5, "{moved:?}");
        let main = moved.hot.iter().find(|h| h.function == "main");
        let mut places = main.expect("it is expected").addresses.clone();
        places.sort_unstable();
        places.dedup();
        assert!(places.len() > 1, "main lies in one place: {places:?}");
    }
    let view = &evidence.workloads[0];
    let heavy = view
        .comparisons
        .iter()
        .find(|c| c.variant == "heavy")
        .unwrap();
    assert_eq!(heavy.judgement, Judgement::Slower);
    assert_eq!(heavy.layouts.as_ref().unwrap().seeds, [0, 1, 2]);
    let cause = heavy.causes.iter().find(|c| c.kind == "layout").unwrap();
    assert_eq!(cause.stance, Stance::Excluded);
    assert_eq!(view.layout_tax.len(), 3, "one for each variant");
    assert!(
        evidence.layouts.pilots.is_empty(),
        "a number needs no pilot"
    );
    let page = std::fs::read_to_string(lab.finished()[0].join("report.html")).unwrap();
    assert!(page.contains("#speck"), "a dot for each layout");
}

#[test]
fn a_pilot_finds_that_layouts_do_not_matter_here() {
    if !have("gcc") {
        return;
    }
    // The margin is 50 %: no layout does that.
    let lab = lab("\"auto\"");
    lab.run(&[]).exits(1);
    let evidence = lab.evidence();
    let pilot = &evidence.layouts.pilots[0];
    assert_eq!((pilot.workload.as_str(), pilot.layouts), ("spin", 4));
    assert_eq!(pilot.decision, PilotDecision::Insensitive);
    assert_eq!(evidence.layouts.layouts, 1);
    assert_eq!(evidence.arms.len(), 4);
    let heavy = evidence.workloads[0]
        .comparisons
        .iter()
        .find(|c| c.variant == "heavy");
    let causes = &heavy.unwrap().causes;
    let cause = causes.iter().find(|c| c.kind == "layout").unwrap();
    assert_eq!(cause.stance, Stance::Excluded, "{}", cause.text);
}

#[test]
fn layouts_that_cannot_be_had_are_an_error_when_asked_for_and_a_note_when_not() {
    if !have("gcc") {
        return;
    }
    let strip = |lab: &Lab| {
        let study = lab.read("study/study.toml");
        let found = "command = [\"gcc\", \"-O2\", \"-g1\", \"-DWORK=3\"";
        assert!(study.contains(found), "{study}");
        lab.write("study/study.toml", &study.replacen("-g1", "-s", 1));
    };
    let asked = lab("4");
    strip(&asked);
    asked.run(&[]).exits(101).says(&["layouts: ", "symbols"]);
    let not = lab("\"auto\"");
    strip(&not);
    let out = not.run(&[]).exits(1);
    assert!(
        out.stdout.contains("One layout of each variant"),
        "{}",
        out.stdout
    );
    assert!(not.evidence().layouts.note.contains("symbols"));
}
