//! `karat report`: a finished run, rendered again.

use super::{check_outputs, failed, write_report};
use crate::{args, exit};
use anyhow::Result;
use karat_store::{Store, StoreError};

/// Renders a run's evidence.
pub fn run(args: &args::Report) -> Result<u8> {
    check_outputs(&args.output)?;
    let store = Store::at(&args.runs.dir);
    let (_, evidence) = store.evidence(&args.run).map_err(|e| match e {
        StoreError::NoSuchRun { .. } | StoreError::Damaged { .. } => {
            failed(exit::USAGE, e.to_string())
        }
        other => other.into(),
    })?;
    write_report(&evidence, &args.output)?;
    Ok(exit::GOOD)
}
