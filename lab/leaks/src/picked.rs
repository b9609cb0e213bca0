//! What is said of a file that something loads by its name, or another instead: whether the
//! CPU is asked there is not known, so nothing in it is a leak or behind too weak a gate.

use super::listing::keep;
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Obstacle, Picked, Reach};

/// Notes that a file is picked among others.
pub fn pick(report: &mut LeakReport, picked: Picked) {
    let reason = picked.describe(&report.baseline);
    let by = picked.by.rsplit('/').next().unwrap_or_default();
    let what = format!("which file {by} loads");
    let mut example = None;
    for function in &mut report.functions {
        if is_bad(function) {
            function.reach = Reach::Unknown;
            function.confidence = Certainty::Low;
            function.path.clear();
            function.gates.clear();
            function.reason.clone_from(&reason);
            function.obstacle.clone_from(&what);
            example.get_or_insert_with(|| format!("{}: {reason}", function.function));
        }
    }
    keep(&mut report.functions, LeakReport::LISTED);
    let counts = &mut report.counts;
    let functions = counts.leaks + counts.insufficient;
    counts.unknown += functions;
    (counts.leaks, counts.insufficient) = (0, 0);
    if let Some(example) = example {
        report.obstacles.push(Obstacle {
            what,
            functions,
            example,
            decide: "a run (--try)".into(),
        });
        report
            .obstacles
            .sort_by_key(|known| std::cmp::Reverse(known.functions));
    }
    report.picked = Some(picked);
}

fn is_bad(function: &AboveBaseline) -> bool {
    matches!(function.reach, Reach::Leak | Reach::Insufficient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::leaks::{LeakCounts, Offence};

    #[test]
    fn what_leaked_is_unknown_and_says_who_picks() {
        let function = |name: &str, reach| AboveBaseline {
            function: name.into(),
            address: 16,
            instructions: 1,
            extensions: vec!["avx2".into()],
            first: Offence {
                mnemonic: "vpaddb".into(),
                address: 16,
                extensions: vec!["avx2".into()],
                location: None,
            },
            reach,
            lacks: Vec::new(),
            is_dispatcher: false,
            confidence: Certainty::High,
            path: Vec::new(),
            gates: Vec::new(),
            reason: String::new(),
            obstacle: String::new(),
        };
        let mut report = LeakReport {
            baseline: "x86-64-v2".into(),
            counts: LeakCounts {
                above: 3,
                leaks: 1,
                insufficient: 1,
                guarded: 1,
                ..LeakCounts::default()
            },
            functions: vec![
                function("one", Reach::Leak),
                function("two", Reach::Insufficient),
                function("three", Reach::Guarded),
            ],
            ..LeakReport::default()
        };
        let picked = Picked {
            by: "w/libcore.so".into(),
            other: "w/libdef.so".into(),
            asks: None,
        };
        pick(&mut report, picked.clone());
        assert_eq!(report.picked, Some(picked));
        assert_eq!((report.counts.leaks, report.counts.insufficient), (0, 0));
        assert_eq!((report.counts.unknown, report.counts.guarded), (2, 1));
        let reaches: Vec<Reach> = report.functions.iter().map(|f| f.reach).collect();
        assert_eq!(reaches, [Reach::Unknown, Reach::Unknown, Reach::Guarded]);
        assert!(
            report.functions[0]
                .reason
                .contains("libcore.so names this file and libdef.so")
        );
        assert_eq!(report.obstacles[0].functions, 2);
        assert_eq!(report.obstacles[0].what, "which file libcore.so loads");
    }
}
