//! What `karat gates` says: gates in the assembly, what a run executed of them, kernels
//! that are never executed, and the functions of a program that ran.

mod coverage;
mod document;
mod gate;
mod kernel;
mod run;

pub use coverage::{Coverage, Difference, Dormant, WatchedFunction};
pub use document::{GatesDocument, SCHEMA};
pub use gate::{Gate, GateCall, GateState, Guard, Via};
pub use kernel::WatchedKernel;
pub use run::{Hits, TracedRun};
