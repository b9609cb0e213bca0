//! The parts of `cargo xtask ci`.

pub mod aarch64;
pub mod apt;
pub mod bare;
pub mod bindings;
pub mod browser;
pub mod features;
pub mod fuzz;
pub mod miri;
pub mod native;
pub mod oldest;
pub mod packages;
pub mod page;
mod rustup;
pub mod smoke;
pub mod step;
pub mod x86_32;
