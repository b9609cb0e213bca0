//! Whether a file was written by the run that it is read for: a benchmark tool's, or
//! a log.
//!
//! A file that is left from an earlier run reads as well as a new one. An arm that
//! writes nothing would then be measured by another arm's figures, and a variant
//! that runs no test be compared by another variant's log: both come out the same.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Files are stamped by the kernel's tick, of which there may be as few as 100 a
/// second.
const TICK: Duration = Duration::from_millis(10);

/// The newest change below a path, and how much there is.
type Stamp = (SystemTime, u64);

/// A file that was there before the run and is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} was not written by this run: it is left from an earlier one; let the program write it, \
     or remove it in `setup`",
    .0.display()
)]
pub struct Stale(PathBuf);

/// What a run is to write, before it.
#[derive(Default)]
pub(crate) struct Stamps(Vec<(PathBuf, Option<Stamp>)>);

impl Stamps {
    /// Looks at what is there; of a folder something must change. Waits a tick if it
    /// was written just now, since what the run writes could not be told from it.
    pub(crate) fn of(paths: Vec<PathBuf>) -> Self {
        let stamps: Vec<_> = paths
            .into_iter()
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

    /// The same, but of a folder each file must be written anew or be gone: one that
    /// this run has no more is otherwise read as if it had.
    pub(crate) fn of_each_file(paths: Vec<PathBuf>) -> Self {
        let mut out = Vec::new();
        for path in paths {
            if path.is_dir() {
                // Nothing in it, or nothing that can be read: reading it will tell.
                out.extend(karat_compare::files(&[path]).unwrap_or_default());
            } else {
                out.push(path);
            }
        }
        Self::of(out)
    }

    /// # Errors
    /// When something is as it was before the run.
    pub(crate) fn check(&self) -> Result<(), Stale> {
        let stale =
            |(path, before): &&(PathBuf, Option<Stamp>)| before.is_some() && stamp(path) == *before;
        match self.0.iter().find(stale) {
            Some((path, _)) => Err(Stale(path.clone())),
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

    /// Without the wait, so that what is written at once looks as it was.
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
    #[test]
    fn of_a_folder_of_logs_every_file_is_of_this_run() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| dir.path().join(name);
        for name in ["a.xml", "b.xml"] {
            std::fs::write(file(name), name).unwrap();
        }
        let before = || vec![dir.path().to_owned()];
        let (folder, each) = (Stamps::of(before()), Stamps::of_each_file(before()));
        std::fs::write(file("a.xml"), "new").unwrap();
        assert!(folder.check().is_ok());
        let said = each.check().unwrap_err().to_string();
        assert!(said.contains("b.xml"), "{said}");
        std::fs::remove_file(file("b.xml")).unwrap();
        assert!(each.check().is_ok());
    }
}
