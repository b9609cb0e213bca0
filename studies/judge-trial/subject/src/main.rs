//! `judge-trial-subject`: a known amount of work, so that a judge of measurements can be tried on
//! differences that are known beforehand.
//!
//! N operations take N times as long as one, apart from the start of the process.

mod branchy;
mod prng;
mod straight;
mod wide;

use std::process::ExitCode;

const USAGE: &str = "\
usage: judge-trial-subject branchy|straight|wide [N [SEED]]

  N      operations (default: about 20 ms at 4 GHz)
  SEED   decides the input (default 0)

prints the workload, N, and a checksum that follows from N and SEED
";

/// A workload: its name, its default N, and what does the operations.
type Workload = (&'static str, u64, fn(u64, u64) -> u64);

const WORKLOADS: [Workload; 3] = [
    ("branchy", branchy::OPERATIONS, branchy::run),
    ("straight", straight::OPERATIONS, straight::run),
    ("wide", wide::OPERATIONS, wide::run),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let known = |name: &str| WORKLOADS.iter().find(|w| w.0 == name);
    let (Some((name, default, run)), true) = (args.first().and_then(|n| known(n)), args.len() < 4)
    else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    let number = |at: usize, default: u64| args.get(at).map_or(Ok(default), |n| n.parse());
    let (Ok(operations), Ok(seed)) = (number(1, *default), number(2, 0)) else {
        eprintln!("judge-trial-subject: N and SEED are whole numbers of 64 bits");
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    println!("{name} {operations} {:016x}", run(operations, seed));
    ExitCode::SUCCESS
}
