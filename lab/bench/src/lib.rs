//! Compares kernels inside one process, by the judge that compares programs.
//!
//! A kernel of nanoseconds drowns in the start of a process. Here closures are timed in
//! *batches* of calls, interleaved, on fresh inputs:
//!
//! ```no_run
//! use karat_bench::Bench;
//!
//! let report = Bench::new("sum")
//!     .bytes(4096)
//!     .margin(0.01)
//!     .arm("fold", |input: &Vec<u8>| input.iter().fold(0_u64, |sum, b| sum + u64::from(*b)))
//!     .arm("sum", |input: &Vec<u8>| input.iter().map(|b| u64::from(*b)).sum::<u64>())
//!     .run(|rng| (0..4096).map(|_| rng.next_u64() as u8).collect::<Vec<u8>>())?;
//! println!("{report}");
//! # Ok::<(), karat_bench::BenchError>(())
//! ```
//!
//! # What a round does
//!
//! 1. It makes fresh inputs, the same for all arms; the input of one round is never seen in
//!    another, so that branch predictors and caches learn nothing from round to round.
//! 2. Every arm runs **twice**, all in random order. The baseline must, for the A/A; were it
//!    alone in that, it alone would meet inputs that its own branches have met before. The
//!    first run of an arm is judged, the baseline's second is the A/A arm, the second of the
//!    others is only counted in the histogram.
//! 3. Before each timed batch the arm runs untimed over a few *other* fresh inputs: wide
//!    vector units wake up, code comes into the cache. What is measured is the steady state.
//! 4. The core clock ([`clock::ghz`](karat_host::clock::ghz)) is read between batches; cycles are a
//!    batch's nanoseconds times the mean of the readings on both sides of it.
//! 5. A batch begins in a quiet moment, as far as one comes ([`neighbours`](karat_host::neighbours)).
//!    A round that was not quiet is made again as a whole, on fresh inputs, within limits.
//!
//! After the rounds each arm runs alone for some milliseconds, several times in turns, and the
//! clock is read behind it: an arm that lowers it is told ([`ArmReport::clock_drop`]).
//!
//! Looks, interval, Holm's correction and the A/A gate are those of a study; the arms of one
//! bench are one family.
//!
//! # What is in the time, and what is not
//!
//! Time is the processor time of the thread: what another process takes in the middle of a
//! batch is not in it, nor is a kernel's sleep. Inputs and clock readings are not. Kernels
//! that use several threads are timed by the wall clock ([`Bench::wall_time`]).
//!
//! In it, and **never subtracted**: the loop around the kernel,
//! [`black_box`](std::hint::black_box) on the reference to the input and on the output (an
//! output larger than a register is stored to memory), and a call when the compiler does not
//! inline the closure's body, which it cannot for a `#[target_feature]` function. All arms pay
//! it alike and a ratio is thereby drawn towards 1; the report states what an empty closure
//! takes ([`Batch::empty_ns`]). The indirect call through the boxed arm and the two readings of
//! the timer come once a batch, together about a thousandth of it at most.
//!
//! # What it cannot see
//!
//! Code has one layout in one binary, and a difference may be the layout's alone (layout tax):
//! where a tight loop begins can be worth tens of percent. Calls follow each other without
//! dependence, so that a core overlaps them: this is throughput, not latency; for latency let
//! the kernel chain its own work. Inputs that are used several times in a batch
//! ([`Batch::passes`]) are learned by the branch predictor within it: a kernel that branches on
//! its data may then look several times as fast as it is, so allow it more memory
//! ([`Bench::memory`]) until there is one pass. A kernel that works in place copies its input
//! into a buffer of its closure, in all arms. Whether the arms compute the same is for tests to
//! say.

mod alone;
mod arm;
mod batch;
mod builder;
mod calibrate;
mod error;
mod histogram;
mod judged;
pub mod kernels;
mod report;
mod rounds;
mod show;
#[cfg(test)]
mod tests;
mod timer;

pub use batch::Batch;
pub use builder::Bench;
pub use error::BenchError;
// What `Bench::run` hands to those who make inputs.
pub use histogram::{Histogram, Share};
pub use karat_judge::Rng;
pub use report::{ArmReport, Clock, Report, Typical};
