//! What is checked and measured: this crate's [`Suite`].

mod checks;
mod tasks;

use karat_kit::Suite;

/// This crate's kernels, with what is checked and what is measured.
pub static SUITE: Suite = Suite {
    name: "vdf",
    kernels: || crate::KERNELS.to_vec(),
    uses: || karat_bigint::KERNELS.to_vec(),
    checks: checks::CHECKS,
    tasks: tasks::TASKS,
};

/// Sizes of discriminants.
const SIZES: [u64; 3] = [512, 1024, 2048];

#[cfg(test)]
mod tests {
    #[test]
    fn every_kernel_is_checked_and_measured() {
        assert_eq!(super::SUITE.mistakes(), []);
    }
}
