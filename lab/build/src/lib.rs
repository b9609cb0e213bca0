//! From a variant to a binary, through a cache keyed by everything that decides the
//! result; and from a binary to the same code at other addresses ([`layout`]).
//!
//! [`build`] makes one variant's binary, by cargo, by a command of the study's, or by
//! taking one that exists. karat serves as rustc wrapper ([`wrapper`]) and stands in for
//! linkers meanwhile. [`compilers`] and [`sources`] ask the tools of this machine what
//! they are and what they see; [`preflight`] says beforehand what a build would lack.

#![forbid(unsafe_code)]

pub mod compilers;
pub mod files;
pub mod layout;
pub mod preflight;
pub mod sources;
pub mod wrapper;

mod cache;
mod cargo;
mod command;
mod context;
mod error;
mod left;
mod patch;
mod shell_script;
mod toolchain;
mod variant;
mod words;

pub use context::{BUILDS, Built, Context};
pub use error::BuildError;
pub use variant::build;
pub use words::{reproduce, run_with, settings};
