//! Files of samples: a line of JSON for each.

use crate::whole::write_whole;
use crate::{StoreError, at};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

/// The samples, and how many whole lines are none.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<(Vec<T>, usize), StoreError> {
    let text = fs::read(path).map_err(at(path))?;
    let (mut samples, mut unreadable) = (Vec::new(), 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match serde_json::from_slice(line) {
            Ok(sample) => samples.push(sample),
            // The last line was being written at a crash; its sample is made again.
            Err(_) if !line.ends_with(b"\n") => {}
            Err(_) => unreadable += 1,
        }
    }
    Ok((samples, unreadable))
}

/// Writes the file anew: a line cut short by a crash must not run into the next one.
pub(crate) fn rewrite<T: Serialize>(path: &Path, samples: &[T]) -> Result<(), StoreError> {
    let mut text = Vec::new();
    for sample in samples {
        text.extend(line(path, sample)?);
    }
    write_whole(path, &text)
}

/// A sample as a line.
pub(crate) fn line<T: Serialize>(path: &Path, sample: &T) -> Result<Vec<u8>, StoreError> {
    let mut line = serde_json::to_vec(sample).map_err(|e| StoreError::Damaged {
        path: path.to_owned(),
        what: e.to_string(),
    })?;
    line.push(b'\n');
    Ok(line)
}
