//! `blake3-compress`: BLAKE3's compression of many inputs, extended output and LtHash, each in a
//! general and in a fast form that give the same bytes. The variable `FORM` says which.

mod form;
mod log;
mod negative;
mod selftest;
mod workloads;

use std::process::ExitCode;

use study_support::Program;

fn main() -> ExitCode {
    if let Err(message) = form::Form::of_environment().and_then(|_| {
        karat_cpu::check_force(karat_hash::kernels()).map_err(|error| error.to_string())
    }) {
        eprintln!("blake3-compress: {message}");
        return ExitCode::from(2);
    }
    study_support::main(&Program {
        name: "blake3-compress",
        workloads: workloads::names(),
        workload: workloads::by_name,
        checks: &[
            ("selftest", selftest::run),
            ("negative", negative::run),
            ("log", log::run),
        ],
    })
}
