//! The `karat` command as its users start it: real compilers, real processes,
//! exit codes and files.
//!
//! Each test has a folder of its own, so they may run side by side. Words are
//! only asserted of effects of a factor of three under a margin of 50 %, which
//! no disturbance of the machine can turn.
//!
//! They compile programs for x86-64 Linux, so they exist only there.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod ab;
mod audit;
mod audit_arm;
mod audit_files;
mod audit_packages;
mod bad_input;
mod build_cargo;
mod build_command;
mod compare;
mod compare_doctored;
mod compare_readers;
mod failures;
mod gates;
mod gates_unchanged;
mod identity;
mod interrupt;
mod kernels;
mod lab;
mod layout;
mod layout_checks;
mod layout_study;
mod leavings;
mod pipeline;
mod reports;
mod scan;
mod soak;
mod soak_wrong;
mod tools;
mod usage;
mod worked;
