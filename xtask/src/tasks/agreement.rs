//! `cargo xtask agreement`: how well the model orders implementations on the CPUs that have
//! been measured. It judges what `cargo xtask choices` does where nothing was.

use super::choices::{by_kernel, means};
use super::kernel_record::{measured, modelled};
use crate::Task;
use crate::command::root;
use anyhow::{Result, bail};
use std::collections::BTreeMap;

pub const TASK: Task = Task {
    name: "agreement",
    help: "how well the model of CPUs orders implementations that records have",
    run,
};

/// Implementations that differ by less in a record are not asked about.
const EQUAL: f64 = 0.05;

/// What is found on one design.
#[derive(Debug, Default, PartialEq)]
struct Agreement {
    /// Kernels, and those whose fastest implementation the model names.
    kernels: [u32; 2],
    /// Pairs of implementations, and those that the model orders as the record does.
    pairs: [u32; 2],
    /// Kernels with another first implementation, and what taking it would cost.
    wrong: Vec<String>,
}

fn run(args: &[String]) -> Result<bool> {
    if !args.is_empty() {
        bail!("usage: cargo xtask agreement");
    }
    let records = measured(&root().join("records"))?;
    let models = modelled(&root().join("records"))?;
    let models = by_kernel(&models);
    let mut designs: BTreeMap<&str, Agreement> = BTreeMap::new();
    for ((kernel, cpu), cases) in by_kernel(&records) {
        if let Some(model) = models.get(&(kernel, cpu)) {
            let found = designs.entry(cpu).or_default();
            found.add(kernel, &means(&cases), &means(model));
        }
    }
    for (cpu, found) in designs {
        let ([kernels, first], [pairs, right]) = (found.kernels, found.pairs);
        println!("{cpu}: {first} of {kernels} kernels, {right} of {pairs} pairs");
        for wrong in found.wrong {
            println!("  {wrong}");
        }
    }
    Ok(true)
}

impl Agreement {
    /// Adds a kernel: mean logarithms by record and by model, the least first.
    fn add(&mut self, kernel: &str, record: &[(String, f64)], model: &[(String, f64)]) {
        let modelled = |name: &str| model.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        let both: Vec<(&str, f64, f64)> = record
            .iter()
            .filter_map(|(name, time)| Some((name.as_str(), *time, modelled(name)?)))
            .collect();
        if both.len() < 2 {
            return;
        }
        for (i, a) in both.iter().enumerate() {
            for b in both[i + 1..].iter().filter(|b| b.1 - a.1 >= EQUAL) {
                self.pairs[0] += 1;
                self.pairs[1] += u32::from(b.2 > a.2);
            }
        }
        let first = both.iter().min_by(|a, b| a.2.total_cmp(&b.2));
        let (fastest, named) = (both[0], *first.expect("two at least"));
        self.kernels[0] += 1;
        self.kernels[1] += u32::from(fastest.0 == named.0);
        if fastest.0 != named.0 {
            let cost = ((named.1 - fastest.1).exp() - 1.0) * 100.0;
            let (fastest, named) = (fastest.0, named.0);
            self.wrong.push(format!(
                "{kernel}: {named} instead of {fastest}, {cost:.1} % slower"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Agreement;

    #[test]
    fn kernels_and_clear_pairs_are_counted() {
        let list = |values: &[(&str, f64)]| -> Vec<(String, f64)> {
            values.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect()
        };
        let mut found = Agreement::default();
        let record = list(&[("a", 0.0), ("b", 0.01), ("c", 0.5)]);
        found.add("k", &record, &list(&[("a", 0.0), ("c", 0.1), ("b", 0.2)]));
        // a before b is too close to ask; a before c is right, b before c wrong.
        assert_eq!((found.kernels, found.pairs), ([1, 1], [2, 1]));
        found.add("l", &record, &list(&[("c", 0.0), ("a", 0.3)]));
        assert_eq!((found.kernels, found.pairs), ([2, 1], [3, 1]));
        assert_eq!(found.wrong, ["l: c instead of a, 64.9 % slower"]);
        found.add("m", &record, &list(&[("a", 0.0)]));
        assert_eq!(found.kernels[0], 2, "one alone says nothing");
    }
}
