//! The list of karat's crates of kernels.
#![forbid(unsafe_code)]

use karat_cpu::AnyKernel;
use karat_kit::Suite;

/// The suites of all crates of kernels. A new crate has one line here.
pub static SUITES: &[&Suite] = &[
    &karat_bigint::kit::SUITE,
    &karat_erasure::kit::SUITE,
    &karat_hash::kit::SUITE,
    &karat_nmt::kit::SUITE,
    &karat_vdf::kit::SUITE,
];

/// All kernels of all suites.
#[must_use]
pub fn kernels() -> Vec<&'static dyn AnyKernel> {
    SUITES.iter().flat_map(|suite| (suite.kernels)()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `KARAT_FORCE` and the command line call kernels and tasks by their names alone.
    #[test]
    fn names_are_unique_among_all_suites_and_nothing_is_missing() {
        let kernels: Vec<&str> = kernels().iter().map(|k| k.name()).collect();
        let tasks: Vec<&str> = (SUITES.iter().flat_map(|s| s.tasks))
            .map(|t| t.name)
            .collect();
        for names in [kernels, tasks] {
            for (i, name) in names.iter().enumerate() {
                assert!(!names[..i].contains(name), "{name}");
            }
        }
        for suite in SUITES {
            assert_eq!(suite.mistakes(), [], "{}", suite.name);
        }
    }
}
