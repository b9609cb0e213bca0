//! The folder of a run, a new one or one that goes on from an earlier run, and its time.

use super::failed;
use crate::{exit, say};
use anyhow::{Context, Result};
use karat_model::study::{MaxTime, Study, quantity};
use karat_run::Prior;
use karat_store::{RunFolder, Store, StoreError};

/// What it means that a run's folder cannot be made.
const NO_FOLDER: &str = "cannot begin a run; `--runs` chooses another folder for it";

/// A run that can begin.
pub struct Begun {
    /// Where it is kept.
    pub folder: RunFolder,
    /// What an earlier run left.
    pub prior: Option<Prior>,
    /// Seed of its random choices.
    pub seed: u64,
}

fn stamp(now: jiff::Timestamp) -> String {
    now.strftime("%Y%m%d-%H%M%S").to_string()
}

/// A new run.
pub fn new(store: &Store, study: &Study, source: &str, seed: Option<u64>) -> Result<Begun> {
    let now = jiff::Timestamp::now();
    let seed = seed.unwrap_or(now.as_nanosecond() as u64);
    let folder = store
        .begin(&stamp(now), &study.name, source, seed)
        .context(NO_FOLDER)?;
    Ok(Begun {
        folder,
        prior: None,
        seed,
    })
}

/// The newest run of a study, taken up again.
pub fn again(store: &Store, study: &Study, source: &str) -> Result<Begun> {
    let now = jiff::Timestamp::now();
    let left = store.resume(&stamp(now), &study.name, source);
    let (folder, left) = left.map_err(|e| match e {
        StoreError::NothingToResume { .. } | StoreError::InUse { .. } => {
            failed(exit::USAGE, e.to_string())
        }
        other => other.into(),
    })?;
    for warning in &left.warnings {
        say::note(&format!("warning: {warning}"));
    }
    // It may have ended before it measured anything: then it just begins.
    let (seed, continues) = (left.seed, left.continues);
    let prior = left.fingerprint.map(|fingerprint| Prior {
        fingerprint,
        layouts: left.layouts,
        samples: left.samples,
        stretch: left.stretch,
        resumed: left.resumed,
        continues,
    });
    Ok(Begun {
        folder,
        prior,
        seed,
    })
}

/// Sets the time that `--max-time` asks for, if it is given.
pub fn set_time(study: &mut Study, text: Option<&str>) -> Result<()> {
    if let Some(text) = text {
        study.measure.time = time(text)?;
    }
    Ok(())
}

/// The value of `--max-time`.
pub fn time(text: &str) -> Result<MaxTime> {
    if text == "auto" {
        return Ok(MaxTime::Auto);
    }
    quantity::duration(text)
        .map(MaxTime::Seconds)
        .ok_or_else(|| {
            failed(
                exit::USAGE,
                format!("--max-time: `{text}` is no duration such as \"40 s\" or \"10 min\""),
            )
        })
}
