//! Whether the kernels compute the right thing on this machine.
//!
//! [`check`] runs every implementation that this CPU has against known answers
//! of the standards (`known`), and against the portable body on random messages
//! whose lengths lie round the edges of blocks and lanes. It is what
//! `karat kernels check` runs, and any program can run it, for instance before
//! it trusts a CPU or an emulator that the tests have never seen:
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
