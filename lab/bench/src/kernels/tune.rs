//! Whether what is chosen is the fastest on the CPU at hand.

use karat_model::kernels::{Case, CaseArm};
use std::collections::BTreeMap;

/// An implementation that is not the chosen one is told when it is faster by more.
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
}

impl Tuned {
    /// Whether another implementation should be chosen.
    #[must_use]
    pub fn is_worth_it(&self) -> bool {
        self.gain > GAIN
    }
}

/// What the cases say of each kernel. Peers, and cases on several threads, do not count.
#[must_use]
pub fn tuned(cases: &[Case]) -> Vec<Tuned> {
    let mut kernels: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in cases.iter().filter(|c| c.threads == 1) {
        kernels.entry(&case.kernel).or_default().push(case);
    }
    let of = |(kernel, cases): (&str, Vec<&Case>)| {
        let chosen: Vec<&CaseArm> = cases.iter().filter_map(|c| c.chosen()).collect();
        let cost: f64 = chosen.iter().map(|a| a.ns.ln()).sum();
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        for arm in cases.iter().flat_map(|c| &c.arms).filter(|a| !a.peer) {
            *sums.entry(&arm.name).or_default() += arm.ns.ln();
        }
        let (fastest, least) = sums.iter().min_by(|a, b| a.1.total_cmp(b.1))?;
        let gain = ((cost - least) / cases.len() as f64).exp_m1();
        let name = |arm: &str| arm.trim_start_matches("karat ").to_owned();
        let mut names: Vec<String> = chosen.iter().map(|a| name(&a.name)).collect();
        names.dedup();
        Some(Tuned {
            kernel: kernel.to_owned(),
            chosen: names.join(", "),
            fastest: name(fastest),
            gain,
        })
    };
    kernels.into_iter().filter_map(of).collect()
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
        assert!((found[0].gain - expected).abs() < 1e-12 && found[0].is_worth_it());
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
