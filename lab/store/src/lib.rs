//! Run folders and their index.
//!
//! A run is a folder: `<id>.partial` while it is made, renamed to `<id>` when it
//! is whole. The folders are the truth; the SQLite index beside them is made
//! from them and may be deleted at any time.
#![forbid(unsafe_code)]

mod folder;
mod index;
mod lines;
mod soak;
mod whole;

pub use folder::{Left, RunFolder};
pub use index::{History, HistoryComparison, HistoryRow};
pub use soak::{SOAK, SoakFolder, SoakLeft, SoakState};

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
    /// A run that was interrupted has no evidence.
    #[error(
        "{} is a run that has not ended: it has no report yet; its study with `--resume` goes on \
         with it",
        path.display()
    )]
    Unfinished {
        /// The run's folder.
        path: PathBuf,
    },
    /// Another karat is at work on this run.
    #[error("{} is being written by another karat", path.display())]
    InUse {
        /// The run's folder.
        path: PathBuf,
    },
    /// There is nothing to resume.
    #[error("no run of `{study}` in {}{}", root.display(), lines(.damaged))]
    NothingToResume {
        /// The study.
        study: String,
        /// The runs folder.
        root: PathBuf,
        /// Runs that cannot be taken up.
        damaged: Vec<String>,
    },
}

fn lines(texts: &[String]) -> String {
    texts.iter().map(|text| format!("\n  {text}")).collect()
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
        loop {
            let id = self.new_id(stamp, study);
            match RunFolder::create(&self.root, &id, study, source, seed) {
                // Another karat was quicker.
                Err(StoreError::Io { error, .. })
                    if error.kind() == io::ErrorKind::AlreadyExists => {}
                other => return other,
            }
        }
    }

    /// The newest run of `study`, with what it left: an interrupted one goes on where it
    /// stopped, a finished one begins another stretch in a folder of its own, made with
    /// `stamp`. A run whose study had this very text comes before newer ones: all runs of
    /// `karat ab` are of a study called `ab`.
    ///
    /// A run whose files are damaged is passed over with a warning; nothing of it is
    /// changed.
    ///
    /// # Errors
    /// When there is none, or another karat is at work on it.
    pub fn resume(
        &self,
        stamp: &str,
        study: &str,
        source: &str,
    ) -> Result<(RunFolder, Left), StoreError> {
        let mut found = self.folders()?;
        found.retain(|p| is_partial(p) || p.join(EVIDENCE).is_file());
        found.sort_by_cached_key(|p| {
            let id = p.with_extension("");
            (folder::is_of_text(p, source), id, is_partial(p))
        });
        let mut damaged = Vec::new();
        for path in found.iter().rev() {
            let opened = match folder::study_of(path) {
                Ok(other) if other != study => continue,
                Err(_) if !is_named_for(path, study) => continue,
                Ok(_) if is_partial(path) => RunFolder::reopen(path),
                Ok(_) => RunFolder::go_on(&self.root, &self.new_id(stamp, study), path),
                Err(error) => Err(error),
            };
            match opened {
                Ok((folder, mut left)) => {
                    left.warnings.extend(damaged);
                    return Ok((folder, left));
                }
                Err(error @ StoreError::InUse { .. }) => return Err(error),
                Err(error) => damaged.push(format!(
                    "passed over {}, which cannot be taken up: {error}; what it measured stays in \
                     it, delete the folder when you do not need that",
                    path.display()
                )),
            }
        }
        Err(StoreError::NothingToResume {
            study: study.to_owned(),
            root: self.root.clone(),
            damaged,
        })
    }

    /// The study file of the newest run of `study`, finished or not, and its text.
    ///
    /// # Errors
    /// When the folder of runs cannot be read.
    pub fn newest_study(&self, study: &str) -> Result<Option<(PathBuf, String)>, StoreError> {
        let mut found = self.folders()?;
        found.sort_by_key(|p| p.with_extension(""));
        let own = |p: &&PathBuf| folder::study_of(p).is_ok_and(|s| s == study);
        Ok(found.iter().rev().filter(own).find_map(|p| {
            let file = p.join(folder::STUDY);
            let text = fs::read_to_string(&file).ok()?;
            Some((file, text))
        }))
    }

    /// A name that no run has.
    fn new_id(&self, stamp: &str, study: &str) -> String {
        let taken = |id: &String| {
            [id.clone(), format!("{id}.partial")]
                .iter()
                .any(|n| self.root.join(n).exists())
        };
        let mut ids = (1..).map(|attempt| match attempt {
            1 => format!("{stamp}-{study}"),
            n => format!("{stamp}-{study}-{n}"),
        });
        ids.find(|id| !taken(id)).unwrap_or_default()
    }

    /// The evidence of a run, named by its id, its folder, its evidence file or
    /// the word `latest`.
    ///
    /// # Errors
    /// When there is no such run or its evidence is damaged.
    pub fn evidence(&self, run: impl AsRef<Path>) -> Result<(PathBuf, Evidence), StoreError> {
        let direct = run.as_ref();
        let no_such_run = || StoreError::NoSuchRun {
            name: direct.display().to_string(),
            root: self.root.clone(),
        };
        let folder = if direct.is_file() {
            direct.parent().unwrap_or(Path::new(".")).to_owned()
        } else if direct.join(EVIDENCE).is_file() {
            direct.to_owned()
        } else if direct == Path::new("latest") {
            let mut ids: Vec<PathBuf> = self.finished()?;
            ids.sort();
            ids.pop().ok_or_else(no_such_run)?
        } else {
            self.root.join(direct)
        };
        let file = if direct.is_file() {
            direct.to_owned()
        } else {
            folder.join(EVIDENCE)
        };
        if !file.is_file() {
            let mut partial = folder.clone().into_os_string();
            partial.push(".partial");
            // By its name as it will be, or as it is.
            let unfinished =
                |path: &Path| path.extension().is_some_and(|e| e == "partial") && path.is_dir();
            return Err(
                match [folder, partial.into()].into_iter().find(|p| unfinished(p)) {
                    Some(path) => StoreError::Unfinished { path },
                    None => no_such_run(),
                },
            );
        }
        Ok((folder, read_evidence(&file)?))
    }

    /// Finished runs, newest first, and those whose evidence cannot be read.
    ///
    /// # Errors
    /// When the index cannot be read or made.
    pub fn history(&self) -> Result<History, StoreError> {
        if !self.root.is_dir() {
            return Ok(History::default());
        }
        let index = index::Index::open(&self.root)?;
        let damaged = index.refresh(&self.finished()?)?;
        Ok(History {
            rows: index.rows()?,
            damaged,
        })
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

/// Whether the name of a partial folder, `<date>-<time>-<study>` with perhaps a number
/// behind it, is that of a run of `study`.
fn is_named_for(partial: &Path, study: &str) -> bool {
    let name = partial.file_stem().unwrap_or_default().to_string_lossy();
    let rest = name.splitn(3, '-').nth(2).unwrap_or_default();
    let number = rest
        .strip_prefix(study)
        .map(|n| n.strip_prefix('-').unwrap_or(n));
    number.is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()))
}

fn read_evidence(path: &Path) -> Result<Evidence, StoreError> {
    let text = fs::read(path).map_err(at(path))?;
    Evidence::from_json(&text).map_err(|e| StoreError::Damaged {
        path: path.to_owned(),
        what: format!("not evidence that this karat can read: {e}"),
    })
}

fn is_partial(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "partial")
}
