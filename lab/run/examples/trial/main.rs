//! How often karat's judge and the rules of other tools are wrong, on the same samples.
//!
//! ```text
//! cargo build --release --manifest-path studies/judge-trial/subject/Cargo.toml
//! cargo run --release -p karat-run --example trial -- \
//!     --subject studies/judge-trial/subject/target/release/judge-trial-subject \
//!     --samples samples.csv [--blocks 200] [--seed N] [--summary FILE]
//! cargo run --release -p karat-run --example trial -- --from samples.csv [--summary FILE]
//! ```
//!
//! A round runs four arms in random order: a program, itself, and itself with 1 % and with 2 %
//! more operations. Every 20 rounds are a comparison, judged by every rule; what the answer ought
//! to be is known. `--from` judges again what was measured before.
//!
//! **What flatters the others**: they are given interleaved samples in random order, 20 of each
//! arm. Hyperfine, benchstat and criterion by themselves measure one arm after the other, so that
//! a drift of the machine becomes a difference.

mod blocks;
mod measure;
mod options;
mod rivals;
mod rules;
mod samples;
mod summary;

use options::Options;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match Options::parse(&args).and_then(|options| trial(&options, &args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("trial: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trial(options: &Options, args: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let file = match options {
        Options::Measure(request, _) => {
            measure::measure(request, &args.join(" "))?;
            &request.samples
        }
        Options::From(file, _) => file,
    };
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let measured = samples::read(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    if measured.series.iter().all(|s| s.blocks() == 0) {
        let file = file.display();
        return Err(format!("{file}: no workload has {} whole rounds", blocks::ROUNDS).into());
    }
    let tallies = summary::count(&measured.series);
    print!("{}", summary::table(&measured.series, &tallies));
    if let Options::Measure(_, Some(summary)) | Options::From(_, Some(summary)) = options {
        std::fs::write(summary, summary::csv(&measured, &tallies))
            .map_err(|e| format!("{}: {e}", summary.display()))?;
    }
    Ok(())
}
