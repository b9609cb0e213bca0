//! The commands that documents name, and whether they exist.

mod check;
mod cli;
mod markdown;

pub use check::{Known, problem};
pub use cli::Cli;
pub use markdown::commands;
