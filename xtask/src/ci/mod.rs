//! `cargo xtask ci`: its list of steps, and what the long ones do.

mod aarch64;
mod apt;
mod bare;
mod bindings;
mod browser;
mod features;
mod fuzz;
mod miri;
mod native;
mod oldest;
mod packages;
mod page;
mod rustup;
mod smoke;
mod step;
mod steps;
mod x86_32;

pub use steps::{TASK, wrong};
