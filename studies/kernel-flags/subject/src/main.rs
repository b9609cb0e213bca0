//! `kernel-flags`: each kernel of karat-hash on one message and on many, in a program small enough
//! to build with many flags and compare.

mod algorithms;
mod selftest;
mod workloads;

use std::process::ExitCode;

use study_support::Program;

fn main() -> ExitCode {
    study_support::main(&Program {
        name: "kernel-flags",
        workloads: workloads::names(),
        workload: workloads::by_name,
        checks: &[("selftest", selftest::run), ("chosen", selftest::chosen)],
    })
}
