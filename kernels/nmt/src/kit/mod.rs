//! What is checked and measured: this crate's [`Suite`].
//!
//! ```
//! use karat_kit::Outcome;
//!
//! # if cfg!(miri) { return; } // Thousands of hashes take minutes there.
//! karat_nmt::kit::SUITE.check("nmt", 1, |checked| {
//!     assert!(!matches!(checked.outcome, Outcome::Failed(_)), "{checked:?}");
//! });
//! ```

mod checks;
mod tasks;

use karat_kit::Suite;

/// This crate's kernels, with what is checked and what is measured.
pub static SUITE: Suite = Suite {
    name: "nmt",
    kernels: || crate::kernels().to_vec(),
    uses: alloc::vec::Vec::new,
    checks: checks::CHECKS,
    tasks: tasks::TASKS,
};

#[cfg(test)]
mod tests {
    #[test]
    fn every_kernel_is_checked_and_measured() {
        assert_eq!(super::SUITE.mistakes(), []);
    }
}
