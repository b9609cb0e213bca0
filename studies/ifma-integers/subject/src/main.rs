//! `ifma-integers`: long products in 64-bit limbs, in digits with conversions around every
//! product, and in digits alone. All give the same numbers. The variable `FORM` says which.

mod form;
mod selftest;
mod shares;
mod workloads;

use std::process::ExitCode;

use study_support::Program;

fn main() -> ExitCode {
    let kernels = [karat_bigint::KERNELS, karat_vdf::KERNELS].concat();
    let forced = karat_cpu::check_force(&kernels).map_err(|error| error.to_string());
    if let Err(message) = form::Form::of_environment().and_then(|_| forced) {
        eprintln!("ifma-integers: {message}");
        return ExitCode::from(2);
    }
    study_support::main(&Program {
        name: "ifma-integers",
        workloads: workloads::names(),
        workload: workloads::by_name,
        checks: &[("selftest", selftest::run), ("shares", shares::run)],
    })
}
