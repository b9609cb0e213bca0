//! Run folders and their index.
//!
//! A run is a folder: `<id>.partial` while it is made, renamed to `<id>` when it
//! is whole. The folders are the truth; the SQLite index beside them is made
//! from them and may be deleted at any time.
#![forbid(unsafe_code)]

mod folder;
mod index;

pub use folder::{Interrupted, RunFolder};
pub use index::{HistoryComparison, HistoryRow};

use karat_model::evidence::Evidence;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// File in a run folder that holds the evidence.
pub const EVIDENCE: &str = "evidence.json";

/// What can go wrong with stored runs.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder could not be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The index could not be read or written.
    #[error("{}: {error}", path.display())]
    Index {
        /// The database.
        path: PathBuf,
        /// Why not.
        error: rusqlite::Error,
    },
    /// No run has this name.
    #[error("no run `{name}` in {}; `karat history` lists them", root.display())]
    NoSuchRun {
        /// The name.
        name: String,
        /// The runs folder.
        root: PathBuf,
    },
    /// Another karat is at work on this run.
    #[error("{} is being written by another karat", path.display())]
    InUse {
        /// The run's folder.
        path: PathBuf,
    },
    /// There is nothing to resume.
    #[error("no interrupted run of `{study}` in {}", root.display())]
    NothingToResume {
        /// The study.
        study: String,
        /// The runs folder.
        root: PathBuf,
    },
}

pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
    move |error| StoreError::Io {
        path: path.to_owned(),
        error,
    }
}

/// A folder of runs.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The runs in `root`, which is made when the first run is.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The folder of runs.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Starts a run folder. `stamp` is a time such as `20261120-093012`, `seed`
    /// that of the run's random choices.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn begin(
        &self,
        stamp: &str,
        study: &str,
        source: &str,
        seed: u64,
    ) -> Result<RunFolder, StoreError> {
        fs::create_dir_all(&self.root).map_err(at(&self.root))?;
        for attempt in 1.. {
            let mut id = format!("{stamp}-{study}");
            if attempt > 1 {
                id.push_str(&format!("-{attempt}"));
            }
            if self.root.join(&id).exists() {
                continue;
            }
            match RunFolder::create(&self.root, &id, study, source, seed) {
                Err(StoreError::Io { error, .. })
                    if error.kind() == io::ErrorKind::AlreadyExists => {}
                other => return other,
            }
        }
        unreachable!("the loop ends by returning")
    }

    /// The newest interrupted run of `study`, with what it left.
    ///
    /// # Errors
    /// When there is none, or its files are damaged.
    pub fn resume(&self, study: &str) -> Result<(RunFolder, Interrupted), StoreError> {
        let mut found: Vec<PathBuf> = self
            .folders()?
            .into_iter()
            .filter(|p| p.extension().is_some_and(|e| e == "partial"))
            .filter(|p| folder::study_of(p).is_some_and(|s| s == study))
            .collect();
        found.sort();
        match found.pop() {
            Some(path) => RunFolder::reopen(&path),
            None => Err(StoreError::NothingToResume {
                study: study.to_owned(),
                root: self.root.clone(),
            }),
        }
    }

    /// The evidence of a run, named by its id, its folder, its evidence file or
    /// the word `latest`.
    ///
    /// # Errors
    /// When there is no such run or its evidence is damaged.
    pub fn evidence(&self, run: &str) -> Result<(PathBuf, Evidence), StoreError> {
        let direct = Path::new(run);
        let folder = if direct.is_file() {
            direct.parent().unwrap_or(Path::new(".")).to_owned()
        } else if direct.join(EVIDENCE).is_file() {
            direct.to_owned()
        } else if run == "latest" {
            let mut ids: Vec<PathBuf> = self.finished()?;
            ids.sort();
            ids.pop().ok_or_else(|| StoreError::NoSuchRun {
                name: run.to_owned(),
                root: self.root.clone(),
            })?
        } else {
            self.root.join(run)
        };
        let file = if direct.is_file() {
            direct.to_owned()
        } else {
            folder.join(EVIDENCE)
        };
        if !file.is_file() {
            return Err(StoreError::NoSuchRun {
                name: run.to_owned(),
                root: self.root.clone(),
            });
        }
        Ok((folder, read_evidence(&file)?))
    }

    /// Finished runs, newest first.
    ///
    /// # Errors
    /// When the index cannot be read or made.
    pub fn history(&self) -> Result<Vec<HistoryRow>, StoreError> {
        if !self.root.is_dir() {
            return Ok(Vec::new());
        }
        let index = index::Index::open(&self.root)?;
        index.refresh(&self.finished()?)?;
        index.rows()
    }

    fn folders(&self) -> Result<Vec<PathBuf>, StoreError> {
        if !self.root.is_dir() {
            return Ok(Vec::new());
        }
        let entries = fs::read_dir(&self.root).map_err(at(&self.root))?;
        Ok(entries.flatten().map(|e| e.path()).collect())
    }

    fn finished(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut folders = self.folders()?;
        folders
            .retain(|p| p.extension().is_none_or(|e| e != "partial") && p.join(EVIDENCE).is_file());
        Ok(folders)
    }
}

fn read_evidence(path: &Path) -> Result<Evidence, StoreError> {
    let text = fs::read(path).map_err(at(path))?;
    Evidence::from_json(&text).map_err(|e| StoreError::Damaged {
        path: path.to_owned(),
        what: format!("not evidence that this karat can read: {e}"),
    })
}
