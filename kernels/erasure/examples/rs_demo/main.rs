//! Splits files into shards, damages shards, and rebuilds the files.
//!
//! ```text
//! rs_demo split --code A --data 10 --parity 4 FILE FOLDER
//! rs_demo damage --lose 2 --corrupt 1 FOLDER
//! rs_demo rebuild FOLDER FILE
//! rs_demo parity --code A --data 10 --parity 4 FILE > PARITY
//! ```
//!
//! `split` writes a file for each shard, `damage` removes some and changes bytes of others,
//! `rebuild` finds out which, makes them again and writes the file. They print how shards
//! lie in the file and, on a terminal, their progress. `parity` takes FILE as the data
//! shards one after the other and writes the parity shards, raw, to standard output.
//!
//! Files are worked through in columns, so that memory does not grow with them.

mod arguments;
mod columns;
mod damage;
mod header;
mod parity;
mod progress;
mod rebuild;
mod split;

use arguments::Arguments;
use std::io::ErrorKind;
use std::process::ExitCode;

const USAGE: &str = "usage: rs_demo split --code CODE --data K --parity M FILE FOLDER\n       \
                     rs_demo damage [--lose N] [--corrupt N] [--seed S] FOLDER\n       \
                     rs_demo rebuild FOLDER FILE\n       \
                     rs_demo parity --code CODE --data K --parity M FILE\n\
                     CODE is A, B, C or D.";

/// What went wrong, in words for people.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    if let Err(error) = karat_cpu::check_force(karat_erasure::kernels()) {
        return usage(&error.to_string());
    }
    if std::env::args_os().any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let arguments = match Arguments::read(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(wrong) => return usage(&wrong),
    };
    let done = match &arguments {
        Arguments::Split(shape, file, folder) => split::run(*shape, file, folder),
        Arguments::Damage(damage, folder) => damage::run(damage, folder),
        Arguments::Rebuild(folder, file) => rebuild::run(folder, file),
        Arguments::Parity(shape, file) => parity::run(*shape, file),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads on: no error, as in `rs_demo parity … | head`.
        Err(error) if broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rs_demo: {error}");
            ExitCode::FAILURE
        }
    }
}

fn broken_pipe(error: &Failure) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
}

fn usage(wrong: &str) -> ExitCode {
    eprintln!("rs_demo: {wrong}\n{USAGE}");
    ExitCode::from(2)
}
