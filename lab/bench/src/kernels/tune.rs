//! Whether what is chosen is the fastest on the CPU at hand.

use karat_model::kernels::{Case, CaseArm};
use std::collections::BTreeMap;

/// An implementation that is not the chosen one is told when it is faster by more, and may be
/// slower by no more in any case.
const GAIN: f64 = 0.02;

/// What was found of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The kernel.
    pub kernel: String,
    /// What calls go to; several where the choice is by length.
    pub chosen: String,
    /// What is the fastest by the mean logarithm of times over all tasks and sizes.
    pub fastest: String,
    /// How much faster that is than what calls go to: 0.03 is 3 %. Below 0 where a choice
    /// by length does better than any one implementation.
    pub gain: f64,
    /// Where it is slower than what calls go to by more than a choice may lose, and most.
    pub loss: Option<Loss>,
}

/// A case that another implementation would make slower.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The task.
    pub task: String,
    /// How much longer it takes: 0.05 is 5 %.
    pub by: f64,
}

impl Tuned {
    /// Whether another implementation is faster over all.
    #[must_use]
    pub fn has_faster(&self) -> bool {
        self.gain > GAIN
    }

    /// Whether it should be chosen: it is nowhere slower either.
    #[must_use]
    pub fn is_worth_it(&self) -> bool {
        self.has_faster() && self.loss.is_none()
    }
}

/// What the cases say of each kernel. Peers, and cases on several threads, do not count.
#[must_use]
pub fn tuned(cases: &[Case]) -> Vec<Tuned> {
    let mut kernels: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in cases.iter().filter(|c| c.threads == 1) {
        kernels.entry(&case.kernel).or_default().push(case);
    }
    kernels
        .into_iter()
        .filter_map(|(kernel, cases)| one(kernel, &cases))
        .collect()
}

/// What its cases say of a kernel.
fn one(kernel: &str, cases: &[&Case]) -> Option<Tuned> {
    let chosen: Vec<&CaseArm> = cases.iter().filter_map(|c| c.chosen()).collect();
    let cost: f64 = chosen.iter().map(|a| a.ns.ln()).sum();
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for arm in cases.iter().flat_map(|c| &c.arms).filter(|a| !a.peer) {
        *sums.entry(&arm.name).or_default() += arm.ns.ln();
    }
    let (fastest, least) = sums.iter().min_by(|a, b| a.1.total_cmp(b.1))?;
    let name = |arm: &str| arm.trim_start_matches("karat ").to_owned();
    let mut names: Vec<String> = chosen.iter().map(|a| name(&a.name)).collect();
    names.dedup();
    let losses = cases.iter().filter_map(|case| loss(case, fastest));
    Some(Tuned {
        kernel: kernel.to_owned(),
        chosen: names.join(", "),
        fastest: name(fastest),
        gain: ((cost - least) / cases.len() as f64).exp_m1(),
        loss: losses.max_by(|a, b| a.by.total_cmp(&b.by)),
    })
}

/// What an arm loses in a case, where that is more than a choice may.
fn loss(case: &Case, arm: &str) -> Option<Loss> {
    let arm = case.arms.iter().find(|a| a.name == arm)?;
    let by = arm.ns / case.chosen()?.ns - 1.0;
    (by > GAIN).then(|| Loss {
        task: case.task.clone(),
        by,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::kernels::{SizeUnit, WorkUnit};

    fn case(size: u64, threads: u32, arms: &[(&str, f64)]) -> Case {
        let arm = |(name, ns): &(&str, f64)| CaseArm {
            name: (*name).into(),
            peer: !name.starts_with("karat "),
            chosen: *name == "karat a",
            note: String::new(),
            ns: *ns,
            per_second: 1.0,
            cycles: None,
            clock_drop: None,
            histogram: Vec::new(),
            speed: None,
            judgement: None,
        };
        Case {
            task: "sum".into(),
            title: "Sum".into(),
            kernel: "sum".into(),
            item: "messages".into(),
            items: 1,
            size,
            unit: SizeUnit::Bytes,
            work: size,
            work_unit: WorkUnit::Bytes,
            threads,
            baseline: "karat a".into(),
            rounds: 6,
            out_of_time: false,
            again_passed: true,
            noise_floor: None,
            clock_ghz: 3.0,
            arms: arms.iter().map(arm).collect(),
        }
    }

    #[test]
    fn the_fastest_over_all_sizes_is_found_and_peers_do_not_count() {
        let cases = [
            case(
                64,
                1,
                &[("karat a", 10.0), ("karat b", 11.0), ("peer", 1.0)],
            ),
            case(
                1024,
                1,
                &[("karat a", 120.0), ("karat b", 80.0), ("peer", 1.0)],
            ),
            case(1024, 2, &[("karat a", 1.0), ("karat b", 900.0)]),
        ];
        let found = tuned(&cases);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].chosen.as_str(), found[0].fastest.as_str()),
            ("a", "b")
        );
        let expected = (10.0_f64 * 120.0 / (11.0 * 80.0)).sqrt() - 1.0;
        assert!((found[0].gain - expected).abs() < 1e-12 && found[0].has_faster());
        // One size would be a tenth slower.
        let loss = found[0].loss.as_ref().unwrap();
        assert!(loss.task == "sum" && (loss.by - 0.1).abs() < 1e-12);
        assert!(!found[0].is_worth_it());
        let more = tuned(&cases[1..]);
        assert!(more[0].is_worth_it(), "{more:?}");
        // By length: what is chosen leads at each size, and no one body at both.
        let mut by_length = cases[..2].to_vec();
        for arm in &mut by_length[1].arms {
            arm.chosen = arm.name == "karat b";
        }
        let best = &tuned(&by_length)[0];
        assert_eq!(best.chosen, "a, b");
        assert!(best.gain < 0.0 && !best.is_worth_it(), "{best:?}");

        let same = tuned(&cases[..1]);
        assert_eq!((same[0].fastest.as_str(), same[0].gain), ("a", 0.0));
        assert!(!same[0].is_worth_it());
        assert_eq!(tuned(&[]), []);
    }
}
