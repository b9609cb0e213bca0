//! Audits of packages and folders, made of libraries that are linked here.
//!
//! The libraries are x86-64 Linux ones from the machine's own compiler, so the tests
//! exist only there.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod alternatives;
mod packages;
#[expect(dead_code, reason = "the audit's own tests use more of it")]
#[path = "../../../audit/tests/it/tools.rs"]
mod tools;
