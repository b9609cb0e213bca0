//! How often karat's judge and the rules of other tools are wrong, on the same samples.
//!
//! ```text
//! cargo build --release --manifest-path studies/judge-trial/subject/Cargo.toml
//! cargo run --release -p karat-run --example trial -- \
//!     --subject studies/judge-trial/subject/target/release/judge-trial-subject \
//!     --samples samples.csv [--minutes 12] [--workload NAME] [--seed N] [--summary FILE]
//! cargo run --release -p karat-run --example trial -- --from samples.csv [--summary FILE]
//! ```
//!
//! A round runs four arms in random order: a program, itself, and itself with 1 % and with 2 %
//! more operations, by karat's rules for noisy neighbours. The rounds are cut into comparisons
//! as long as `karat ab` would have measured them, and every rule is asked about each; what the
//! answer ought to be is known. `--from` judges again what was measured before.
//!
//! **What flatters the others**: they are given interleaved samples in random order, begun in
//! quiet moments. Hyperfine, benchstat and criterion by themselves measure one arm after the
//! other, so that a drift of the machine becomes a difference. Duet has runs of its own.

mod cutting;
mod measure;
mod options;
mod rivals;
mod rounds;
mod rules;
mod samples;
mod series;
mod subject;
mod summary;
mod tables;
mod together;

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
    if measured.series.iter().all(|s| s.rounds() == 0) {
        return Err(format!("{}: no workload has a whole round", file.display()).into());
    }
    eprintln!("judging");
    let tallies = summary::count(&measured.series);
    print!("{}", tables::table(&measured.series, &tallies));
    if let Options::Measure(_, Some(summary)) | Options::From(_, Some(summary)) = options {
        std::fs::write(summary, tables::csv(&measured, &tallies))
            .map_err(|e| format!("{}: {e}", summary.display()))?;
    }
    Ok(())
}
