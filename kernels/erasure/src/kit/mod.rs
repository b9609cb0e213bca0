//! What is checked and measured: this crate's [`Suite`].
//!
//! Any program can run the checks, for example on a CPU or an emulator that the tests
//! have never run on:
//!
//! ```
//! use karat_kit::Outcome;
//!
//! # if cfg!(miri) { return; } // It takes minutes there.
//! karat_erasure::kit::SUITE.check("rs-gf8", 1, |checked| {
//!     assert!(!matches!(checked.outcome, Outcome::Failed(_)), "{checked:?}");
//! });
//! ```

mod calls;
mod checks;
mod known;
mod tasks;

use karat_kit::Suite;

/// This crate's kernels, with what is checked and what is measured.
pub static SUITE: Suite = Suite {
    name: "erasure",
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
