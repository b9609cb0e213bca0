//! Programs compiled here from `fixtures/`, traced.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod build;
mod forbidden;
mod libraries;
mod processes;
mod signals;
mod steps;
mod threads;
mod writing;
