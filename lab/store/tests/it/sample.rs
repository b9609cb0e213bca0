//! Small evidence to keep.

use karat_model::evidence::{Evidence, RunInfo, SCHEMA, StudyInfo, WorkloadEvidence};
use karat_model::machine::Machine;
use karat_model::measure::Sample;
use karat_model::units::{Better, Metric};
use karat_model::verdict::{Comparison, Judgement, SpeedRatio, StudyVerdict, Verdict};
use karat_store::{RunFolder, Store};
use std::path::PathBuf;

pub const STUDY: &str = "# what was asked\nname = \"s\"\n";

/// The sample of one run.
pub fn sample(round: u32, arm: u32) -> Sample {
    Sample {
        workload: 0,
        round,
        position: arm,
        arm,
        values: vec![0.1 + f64::from(round)],
        wall: 1.0 / 3.0,
        cpu: 0.25,
        switches: 2,
        clock: 3.9,
        at: 1e-9,
        ..Sample::default()
    }
}

/// Evidence of a run in which the variant was `speed` times as fast.
pub fn evidence(id: &str, study: &str, started: &str, speed: f64) -> Evidence {
    Evidence {
        schema: SCHEMA,
        study: StudyInfo {
            name: study.into(),
            title: "Does it help?".into(),
            description: String::new(),
            margin: 0.01,
            source: STUDY.into(),
        },
        run: RunInfo {
            id: id.into(),
            karat: "0".into(),
            started: started.into(),
            seconds: 12.5,
            seed: u64::MAX,
            smoke: false,
            resumed: 0,
            continues: None,
            time: Default::default(),
            pinned: Some(1),
        },
        machine: Machine {
            cpu: "a CPU".into(),
            ..Machine::default()
        },
        variants: Vec::new(),
        parity: Vec::new(),
        layouts: Default::default(),
        arms: Vec::new(),
        workloads: vec![WorkloadEvidence {
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
            rounds: 2,
            looks: Vec::new(),
            again: None,
            again_passed: true,
            noise_floor: Some(0.01),
            comparisons: vec![Comparison {
                variant: "tuned".into(),
                against: None,
                rounds: 2,
                speed: SpeedRatio {
                    estimate: speed,
                    low: None,
                    high: Some(9.0),
                },
                baseline_value: 1.0,
                variant_value: 1.0 / speed,
                p: 0.01,
                p_adjusted: 0.02,
                level: 0.05,
                detectable: None,
                judgement: Judgement::Faster,
                rounds_needed: None,
                layouts: None,
                split: None,
                causes: Vec::new(),
            }],
            pairs: Vec::new(),
            layout_tax: Vec::new(),
            oddities: Vec::new(),
            clock: Vec::new(),
        }],
        samples: vec![sample(0, 0), sample(0, 1)],
        findings: Vec::new(),
        neighbours: None,
        verdict: StudyVerdict {
            verdict: Some(Verdict::Go),
            withheld: None,
            about: Some("tuned".into()),
            recommended: Some("tuned".into()),
            summary: "tuned: w FASTER.".into(),
        },
        costs: Vec::new(),
    }
}

/// Begins a run.
pub fn begin(store: &Store, stamp: &str, study: &str) -> RunFolder {
    store.begin(stamp, study, STUDY, 7).expect("a new run")
}

/// A whole run, finished. Returns its id and its folder.
pub fn finished(store: &Store, stamp: &str, study: &str, speed: f64) -> (String, PathBuf) {
    let mut folder = begin(store, stamp, study);
    let id = folder.id().to_owned();
    for arm in 0..2 {
        folder.sample(&sample(0, arm)).unwrap();
    }
    let evidence = evidence(&id, study, &format!("{stamp}Z"), speed);
    let place = folder.finish(&evidence, &[]).unwrap();
    (id, place)
}
