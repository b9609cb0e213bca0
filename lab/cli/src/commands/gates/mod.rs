//! `karat gates`: where gates are asked in a binary and behind what, and what of them,
//! of its kernels and of its functions a command executes.

mod text;

use super::{failed, outputs};
use crate::args::{self, ListFormat};
use crate::{exit, say};
use anyhow::{Context, Result};
use karat_model::gates::{GatesDocument, SCHEMA};
use karat_run::gates::{Program, Request, document};
use signal_hook::consts::{SIGINT, SIGQUIT};
use std::path::Path;
use std::sync::Arc;

/// Looks, runs, and tells.
pub fn run(args: &args::Gates) -> Result<u8> {
    if let Some(output) = &args.output {
        outputs::writable(output)?;
    }
    let against = match &args.against {
        Some(path) => Some(read(path)?),
        None => None,
    };
    let command = args.command.split_first().map(|(program, rest)| Program {
        program: program.clone(),
        arguments: rest.to_vec(),
    });
    if command.is_some() {
        // They reach the command too, which decides what they mean; karat tells what was
        // seen until then.
        for signal in [SIGINT, SIGQUIT] {
            signal_hook::flag::register(signal, Arc::default())?;
        }
    }
    let request = Request {
        binary: &args.binary,
        gates: &args.gates,
        kernels: args.kernels,
        all: args.all,
        against: against.as_ref(),
        debug_dirs: &args.debug_dirs,
        command: command.as_ref(),
        count: args.count,
        karat: env!("CARGO_PKG_VERSION"),
    };
    let document = document(&request)
        .map_err(|error| failed(exit::of_gates_error(&error), error.to_string()))?;
    let text = match args.format {
        ListFormat::Json => format!("{}\n", serde_json::to_string_pretty(&document)?),
        ListFormat::Human => text::human(&document),
    };
    match &args.output {
        Some(path) => std::fs::write(path, text)
            .with_context(|| format!("cannot write {}", path.display()))?,
        // The command's own output is on stdout.
        None if command.is_some() => say::note(text.trim_end()),
        None => say::result(&text)?,
    }
    Ok(exit::of_gates(&document))
}

/// Reads what another run wrote.
fn read(path: &Path) -> Result<GatesDocument> {
    let wrong = |why: String| {
        let what = format!(
            "--against {}: {why}; write it by `karat gates BIN --all --format json -o FILE -- \
             COMMAND`",
            path.display()
        );
        failed(exit::USAGE, what)
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let document: GatesDocument =
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if document.schema != SCHEMA {
        let schema = document.schema;
        return Err(wrong(format!(
            "its schema is {schema}, and {SCHEMA} is read"
        )));
    }
    if document.coverage.is_none() {
        return Err(wrong("it has no functions".into()));
    }
    Ok(document)
}
