//! The command line: a file for each command's arguments, [`command`] for the whole.

mod ab;
mod audit;
mod command;
mod compare;
mod doctor;
mod gates;
mod history;
mod init;
mod kernels;
mod report;
mod run;
mod scan;
mod shared;
mod soak;
mod typo;

pub use ab::{Ab, Way};
pub use audit::Audit;
pub use command::{Args, Color, Command};
pub use compare::Compare;
pub use doctor::Doctor;
pub use gates::Gates;
pub use history::History;
pub use init::Init;
pub use kernels::{KernelBench, Kernels};
pub use report::Report;
pub use run::Run;
pub use scan::{Scan, ScanClass};
pub use shared::{DEFAULT_RUNS, Follow, Output, Runs};
pub use soak::{Soak, Watching};
pub use typo::parse;
