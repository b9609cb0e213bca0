//! `karat gates`: where gates are asked in a binary and behind what, and what of them,
//! of its kernels and of its functions a command executes.

use super::{failed, outputs};
use crate::{args, exit, say};
use anyhow::Result;
use karat_model::gates::{GatesDocument, SCHEMA};
use karat_report::{Setting, render};
use karat_run::gates::{Program, Request, document};
use signal_hook::consts::{SIGINT, SIGQUIT};
use std::path::Path;
use std::sync::Arc;

/// Looks, runs, and tells.
pub fn run(args: &args::Gates) -> Result<u8> {
    outputs::check::<GatesDocument>(&args.output)?;
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
    match command {
        None => outputs::write(&args.output, &document, &[])?,
        // The command's own output is on the standard streams: they stay its own where
        // the report has a file.
        Some(_) if !args.output.outputs.is_empty() => {
            outputs::files(&args.output, &document, &[])?;
        }
        Some(_) => {
            let setting = Setting {
                color: say::color_on_stderr(),
                width: say::width(),
                ..Setting::default()
            };
            say::note(render(args.output.format, &document, setting)?.trim_end());
        }
    }
    Ok(exit::of_gates(&document))
}

/// Reads what another run wrote.
fn read(path: &Path) -> Result<GatesDocument> {
    let wrong = |why: String| {
        let what = format!(
            "--against {}: {why}; write it by `karat gates BIN --all -o FILE.json -- COMMAND`",
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
