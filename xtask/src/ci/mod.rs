//! The parts of `cargo xtask ci`.

pub mod aarch64;
mod apt;
pub mod browser;
pub mod page;
pub mod smoke;
pub mod step;
