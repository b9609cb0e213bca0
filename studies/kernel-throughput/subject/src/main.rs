//! `kernel-throughput`: karat's hashes, trees and erasure codes at the sizes of a performance
//! guide, with the implementations that `KARAT_FORCE` names and the threads that `RAYON_NUM_THREADS` allows.

mod codes;
mod selftest;
mod trees;
mod workloads;

use std::process::ExitCode;

use study_support::{Program, Workload};

fn main() -> ExitCode {
    let tables = [
        karat_hash::kernels(),
        karat_nmt::kernels(),
        karat_erasure::kernels(),
    ];
    if let Err(error) = karat_cpu::check_force(&tables.concat()) {
        eprintln!("kernel-throughput: {error}");
        return ExitCode::from(2);
    }
    study_support::main(&Program {
        name: "kernel-throughput",
        workloads: [workloads::names(), trees::names(), codes::names()].concat(),
        workload: by_name,
        checks: &[("selftest", selftest::run)],
    })
}

fn by_name(name: &str) -> Box<dyn Workload> {
    trees::by_name(name)
        .or_else(|| codes::by_name(name))
        .unwrap_or_else(|| workloads::by_name(name))
}
