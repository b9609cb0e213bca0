//! `karat report`: a finished run, rendered again.

use super::{check_outputs, failed, rendered, write_report};
use crate::{args, exit};
use anyhow::Result;
use karat_store::{Store, StoreError};

/// Renders a run's evidence.
pub fn run(args: &args::Report) -> Result<u8> {
    check_outputs(&args.output)?;
    let store = Store::at(&args.runs.dir);
    let (_, evidence) = store.evidence(&args.run).map_err(|e| match e {
        StoreError::Damaged { .. } => failed(
            exit::USAGE,
            format!("{e}\n  `karat history` lists the runs that can be read"),
        ),
        other => failed(exit::USAGE, other.to_string()),
    })?;
    write_report(&evidence, &args.output, &rendered(&evidence, &args.output))?;
    Ok(exit::GOOD)
}
