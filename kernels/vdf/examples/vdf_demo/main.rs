//! A delay and its proof:
//!
//! ```text
//! vdf_demo prove --seed HEX --bits N --iterations T [--threads N] [--checkpoints FILE]
//! vdf_demo verify --seed HEX --bits N --iterations T PROOF
//! ```
//!
//! `prove` squares the generator T times and prints the result and its proof, in the
//! bytes of chiavdf's `prove`, as its last line. Progress goes to stderr, and at the end how long
//! the proof took beside the squarings and how much memory there was (on Linux). When it is
//! killed, the same command goes on from its file of checkpoints, which it deletes at the
//! end. `verify` ends with 0 when the proof holds and with 1 when it does not; both end
//! with 2 when something else is wrong.

mod arguments;
mod checkpoints;

use arguments::{Arguments, Command};
use checkpoints::Checkpoints;
use karat_vdf::{Discriminant, Error, Form, Proof, verify};
use std::error::Error as AnyError;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("vdf_demo: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, Box<dyn AnyError>> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let discriminant = Discriminant::from_seed(&arguments.seed, arguments.bits)?;
    match &arguments.command {
        Command::Prove => prove(&arguments, &discriminant),
        Command::Verify(proof) => Ok(match check(&arguments, proof, &discriminant) {
            Ok(()) => {
                println!("the proof holds");
                ExitCode::SUCCESS
            }
            Err(error) => {
                println!("refused: {error}");
                ExitCode::from(1)
            }
        }),
    }
}

fn check(arguments: &Arguments, proof: &[u8], discriminant: &Discriminant) -> Result<(), Error> {
    let proof = Proof::from_bytes(proof, discriminant)?;
    let x = Form::generator(discriminant);
    verify(&x, &proof, arguments.iterations, discriminant)
}

fn prove(
    arguments: &Arguments,
    discriminant: &Discriminant,
) -> Result<ExitCode, Box<dyn AnyError>> {
    let (mut checkpoints, mut prover) = Checkpoints::open(arguments, discriminant)?;
    let (begin, first) = (Instant::now(), prover.done());
    if first > 0 {
        eprintln!("resumed after {first} squarings");
    }
    // Squarings between looks at the clock.
    let mut step = 100;
    while prover.done() < prover.iterations() {
        let start = Instant::now();
        prover.advance(step);
        if start.elapsed() < Duration::from_millis(500) {
            step *= 2;
            continue;
        }
        checkpoints.add(&prover)?;
        let rate = (prover.done() - first) as f64 / begin.elapsed().as_secs_f64();
        let percent = 100.0 * prover.done() as f64 / prover.iterations() as f64;
        eprintln!(
            "{} squarings, {percent:.1} %, {rate:.0} a second",
            prover.done()
        );
    }
    let squared = begin.elapsed().as_secs_f64();
    eprintln!("squared in {squared:.1} s; proving");
    let proof = prover.prove(arguments.threads)?;
    let proven = begin.elapsed().as_secs_f64() - squared;
    // Of all squarings, where some were done before this process.
    let here = (prover.done() - first).max(1) as f64 / prover.done().max(1) as f64;
    let share = 100.0 * proven * here / squared;
    eprintln!("proven in {proven:.1} s, {share:.1} % of what the squarings took");
    if let Some(peak) = peak() {
        eprintln!("{peak} of memory at most");
    }
    let hex = |byte: &u8| format!("{byte:02x}");
    let bytes = proof.to_bytes(discriminant);
    println!("{}", bytes.iter().map(hex).collect::<String>());
    checkpoints.delete()?;
    Ok(ExitCode::SUCCESS)
}

/// The most memory that this process has had, in Linux' words.
fn peak() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}
