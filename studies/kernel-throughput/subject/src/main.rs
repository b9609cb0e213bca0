//! `kernel-throughput`: karat's hashes at the sizes of a performance guide, with the
//! implementations that `KARAT_FORCE` names and the threads that `RAYON_NUM_THREADS` allows.

mod selftest;
mod workloads;

use std::process::ExitCode;

use study_support::Program;

fn main() -> ExitCode {
    if let Err(error) = karat_cpu::check_force(karat_hash::kernels()) {
        eprintln!("kernel-throughput: {error}");
        return ExitCode::from(2);
    }
    study_support::main(&Program {
        name: "kernel-throughput",
        workloads: workloads::names(),
        workload: workloads::by_name,
        checks: &[("selftest", selftest::run)],
    })
}
