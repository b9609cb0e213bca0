//! Checks that the kernels compute correct results on this machine.
//!
//! [`check`] runs every implementation that this CPU can run. It compares the results
//! with known answers of the standards (`known`), and with the portable implementation
//! on random messages. Their lengths are around multiples of blocks and lanes.
//!
//! `karat kernels check` uses it. Any program can use it too, for example on a CPU or
//! an emulator that the tests have never run on:
//!
//! ```
//! use karat_hash::check::{Outcome, check};
//!
//! # if cfg!(miri) { return; } // Megabytes take minutes there.
//! let sha256 = karat_hash::kernels().iter().find(|k| k.name() == "sha256").unwrap();
//! check(*sha256, 1, |checked| {
//!     assert!(!matches!(checked.outcome, Outcome::Failed(_)), "{checked:?}");
//! });
//! ```

mod batches;
mod known;
mod restore;
mod run;
mod subjects;

pub use run::{Against, Checked, Mismatch, Outcome, check};
