//! `node-hashes`: the hashing and signature checking of a blockchain node, reduced to a program
//! small enough to build in many ways and compare.
//!
//! `bench` runs one workload and prints one JSON line; `selftest` checks every algorithm against
//! published vectors and prints digests that must be equal in every build.

mod prng;
mod selftest;
mod timing;
mod vectors;
mod workloads;

use std::process::ExitCode;

const USAGE: &str = "\
usage: node-hashes bench WORKLOAD [--batches N] [--batch-ms T]
       node-hashes selftest

  --batches N    batches to time, after one warm-up batch (default 80)
  --batch-ms T   nominal size of a batch in milliseconds (default 0.1). It picks a fixed
                 amount of work from a table and never looks at a clock, so every build
                 of the program does the same work.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["selftest"] => match selftest::run() {
            Ok(lines) => {
                print!("{lines}");
                ExitCode::SUCCESS
            }
            Err(message) => {
                eprintln!("selftest: {message}");
                ExitCode::FAILURE
            }
        },
        ["bench", workload, options @ ..] => match bench(workload, options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => usage_error(&message),
        },
        [] => usage_error("no command given"),
        [other, ..] => usage_error(&format!("unknown arguments from `{other}` on")),
    }
}

fn bench(name: &str, options: &[&str]) -> Result<(), String> {
    let mut plan = timing::Plan::default();
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        let value = rest
            .next()
            .ok_or_else(|| format!("`{option}` needs a value"))?;
        let bad = || format!("`{value}` is no value for `{option}`");
        match *option {
            "--batches" => {
                plan.batches = value.parse().ok().filter(|&n| n > 0).ok_or_else(bad)?;
            }
            "--batch-ms" => {
                let ms: f64 = value.parse().map_err(|_| bad())?;
                if !(ms.is_finite() && ms > 0.0) {
                    return Err(bad());
                }
                plan.batch_ms = ms;
            }
            _ => return Err(format!("unknown option `{option}`")),
        }
    }
    let mut workload =
        workloads::by_name(name).ok_or_else(|| format!("unknown workload `{name}`"))?;
    let result = timing::measure(workload.as_mut(), &plan);
    eprintln!("checksum {:016x}", result.checksum);
    println!(
        r#"{{"workload":"{name}","metric":"throughput","value":{},"unit":"{}"}}"#,
        result.value,
        workload.unit().name()
    );
    Ok(())
}

fn usage_error(message: &str) -> ExitCode {
    eprintln!("node-hashes: {message}");
    eprint!("{USAGE}");
    eprintln!("\nworkloads: {}", workloads::NAMES.join(" "));
    ExitCode::from(2)
}
