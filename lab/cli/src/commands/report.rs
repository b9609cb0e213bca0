//! `karat report`: a finished run, rendered again.

use super::{failed, outputs};
use crate::{args, exit};
use anyhow::Result;
use karat_model::evidence::Evidence;
use karat_store::{Store, StoreError};

/// Renders a run's evidence.
pub fn run(args: &args::Report) -> Result<u8> {
    outputs::check::<Evidence>(&args.output)?;
    let store = Store::at(&args.runs.dir);
    let (_, evidence) = store.evidence(&args.run).map_err(|e| match e {
        StoreError::Damaged { .. } => failed(
            exit::USAGE,
            format!("{e}\n  `karat history` lists the runs that can be read"),
        ),
        other => failed(exit::USAGE, other.to_string()),
    })?;
    outputs::write(&args.output, &evidence, &[])?;
    Ok(exit::GOOD)
}
