//! The full form: one self-contained page, no script, nothing loaded.

mod causes;
mod census;
mod charts;
mod findings;
pub mod frame;
mod layout;
mod matrix;
mod noise;
mod page;
mod parity;
mod reproduce;
mod survival;
mod usage;
mod verdict;
pub mod write;

pub use page::Html;
