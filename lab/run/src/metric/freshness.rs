//! Whether a benchmark tool's file was written by the run that it is read for.
//!
//! A file that is left from an earlier run reads as well as a new one. An arm that
//! writes nothing would then be measured by another arm's figures, and come out the
//! same.

use super::MetricError;
use karat_model::study::{MetricSource, Workload};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Files are stamped by the kernel's tick, of which there may be as few as 100 a
/// second.
const TICK: Duration = Duration::from_millis(10);

/// The newest change below a path, and how much there is.
type Stamp = (SystemTime, u64);

/// The files and folders that a workload's metrics are read from, before its run.
pub(crate) struct Stamps(Vec<(PathBuf, Option<Stamp>)>);

impl Stamps {
    /// Looks at what is there. Waits a tick if it was written just now, since what
    /// the run writes could not be told from it.
    pub(crate) fn take(workload: &Workload, dir: &Path) -> Self {
        let of_metric = |source: &MetricSource| match source {
            MetricSource::Output { path, .. } => path.as_ref().map(|p| dir.join(p)),
            _ => None,
        };
        let paths = workload.metrics.iter().filter_map(|m| of_metric(&m.source));
        let stamps: Vec<_> = paths
            .map(|path| {
                let found = stamp(&path);
                (path, found)
            })
            .collect();
        let ages = stamps.iter().filter_map(|s| s.1?.0.elapsed().ok());
        if let Some(youngest) = ages.min() {
            std::thread::sleep(TICK.saturating_sub(youngest));
        }
        Self(stamps)
    }

    /// # Errors
    /// When something is as it was before the run.
    pub(crate) fn check(&self) -> Result<(), MetricError> {
        let stale =
            |(path, before): &&(PathBuf, Option<Stamp>)| before.is_some() && stamp(path) == *before;
        match self.0.iter().find(stale) {
            Some((path, _)) => Err(MetricError::Stale(path.clone())),
            None => Ok(()),
        }
    }
}

/// `None` of a path that is not there or cannot be read: reading it will tell.
fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    let mut newest: Stamp = (metadata.modified().ok()?, metadata.len());
    if metadata.is_dir() {
        for entry in std::fs::read_dir(path).ok()?.flatten() {
            // A link back up would be followed for ever.
            if entry.file_type().is_ok_and(|t| t.is_symlink()) {
                continue;
            }
            if let Some((modified, size)) = stamp(&entry.path()) {
                newest = (newest.0.max(modified), newest.1.wrapping_add(size));
            }
        }
    }
    Some(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamps(path: &Path) -> Stamps {
        Stamps(vec![(path.to_owned(), stamp(path))])
    }

    #[test]
    fn what_was_there_before_and_is_as_it_was_is_stale() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a/b/sample.json");
        let (of_file, of_folder) = (stamps(&file), stamps(dir.path()));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "1").unwrap();
        assert!(of_file.check().is_ok() && of_folder.check().is_ok());
        let (of_file, of_folder) = (stamps(&file), stamps(dir.path()));
        let said = of_file.check().unwrap_err().to_string();
        assert!(
            said.contains("sample.json") && said.contains("not written"),
            "{said}"
        );
        assert!(of_folder.check().is_err());
        std::thread::sleep(2 * TICK);
        std::fs::write(&file, "2").unwrap();
        assert!(of_file.check().is_ok() && of_folder.check().is_ok());
    }
}
