//! The folder of a soak, from its first sample to its rename.
//!
//! It is kept like a run's: `<id>.partial` while it is made, with its plan in
//! `plan.json`, its samples in `samples.jsonl`, and the document at last in `soak.json`.

use crate::folder::{DAMAGED, LOCK, SAMPLES, lock};
use crate::lines::{line, read, rewrite};
use crate::whole::write_whole;
use crate::{Store, StoreError, at};
use karat_model::soak::{SoakPlan, SoakSample};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const PLAN: &str = "plan.json";

/// File in a soak's folder that holds what it found.
pub const SOAK: &str = "soak.json";

/// What a soak that is taken up again must know of its beginning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoakState {
    /// What was asked for.
    pub plan: SoakPlan,
    /// The words of the command; nothing of an attached process.
    pub words: Vec<String>,
    /// The attached process.
    pub process: Option<u32>,
    /// When it began, RFC 3339, UTC.
    pub started: String,
    /// How often it was taken up again.
    pub resumed: u32,
}

/// A soak being made.
#[derive(Debug)]
pub struct SoakFolder {
    /// `<root>/<id>.partial`.
    partial: PathBuf,
    samples: File,
    /// Held while this karat writes here.
    lock: File,
}

/// A soak that was interrupted.
#[derive(Debug)]
pub struct SoakLeft {
    /// Its plan, taken up once more.
    pub state: SoakState,
    /// Its samples.
    pub samples: Vec<SoakSample>,
    /// What a reader should know: damage that was passed over, and where it lies.
    pub warnings: Vec<String>,
}

impl Store {
    /// Starts a soak's folder. `stamp` is a time such as `20261120-093012`.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn begin_soak(&self, stamp: &str, state: &SoakState) -> Result<SoakFolder, StoreError> {
        let root = self.root();
        fs::create_dir_all(root).map_err(at(root))?;
        loop {
            let partial = root.join(format!("{}.partial", self.new_id(stamp, "soak")));
            match fs::create_dir(&partial) {
                // Another karat was quicker.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                other => other.map_err(at(&partial))?,
            }
            let lock = lock(&partial)?;
            save(&partial, state)?;
            let path = partial.join(SAMPLES);
            let samples = File::create(&path).map_err(at(&path))?;
            return Ok(SoakFolder {
                partial,
                samples,
                lock,
            });
        }
    }

    /// The newest soak that was interrupted.
    ///
    /// # Errors
    /// When there is none, another karat is at work on it, or its files are damaged.
    pub fn resume_soak(&self) -> Result<(SoakFolder, SoakLeft), StoreError> {
        let mut found = self.folders()?;
        found.retain(|p| p.extension().is_some_and(|e| e == "partial") && p.join(PLAN).is_file());
        found.sort();
        let partial = found.pop().ok_or_else(|| StoreError::NothingToResume {
            study: "karat soak that was interrupted".to_owned(),
            root: self.root().to_owned(),
            damaged: Vec::new(),
        })?;
        let lock = lock(&partial)?;
        let path = partial.join(PLAN);
        let text = fs::read(&path).map_err(at(&path))?;
        let mut state: SoakState =
            serde_json::from_slice(&text).map_err(|e| StoreError::Damaged {
                path: path.clone(),
                what: format!("not the plan of a soak that this karat can read: {e}"),
            })?;
        state.resumed += 1;
        save(&partial, &state)?;
        let path = partial.join(SAMPLES);
        let (samples, unreadable) = read::<SoakSample>(&path)?;
        let mut warnings = Vec::new();
        if unreadable > 0 {
            let whole = partial.join(DAMAGED);
            fs::copy(&path, &whole).map_err(at(&whole))?;
            warnings.push(format!(
                "{}: {unreadable} of its lines cannot be read; the file as it was is kept as {}",
                path.display(),
                whole.display()
            ));
        }
        rewrite(&path, &samples)?;
        let file = OpenOptions::new().append(true).open(&path);
        let folder = SoakFolder {
            samples: file.map_err(at(&path))?,
            partial,
            lock,
        };
        Ok((
            folder,
            SoakLeft {
                state,
                samples,
                warnings,
            },
        ))
    }
}

impl SoakFolder {
    /// Where it is while it is made.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Keeps one sample; it is with the operating system when this returns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn sample(&mut self, sample: &SoakSample) -> Result<(), StoreError> {
        let path = self.partial.join(SAMPLES);
        let line = line(&path, sample)?;
        self.samples.write_all(&line).map_err(at(&path))
    }

    /// Writes the document and the reports (file name and content each) and gives the
    /// folder its final name, which it returns.
    ///
    /// # Errors
    /// When something cannot be written; the partial folder stays.
    pub fn finish(self, soak: &str, reports: &[(&str, String)]) -> Result<PathBuf, StoreError> {
        for (name, content) in reports {
            write_whole(&self.partial.join(name), content.as_bytes())?;
        }
        let path = self.partial.join(SOAK);
        write_whole(&path, soak.as_bytes())?;
        self.samples.sync_all().map_err(at(&path))?;
        drop(self.lock);
        let _ = fs::remove_file(self.partial.join(LOCK));
        let done = self.partial.with_extension("");
        fs::rename(&self.partial, &done).map_err(at(&done))?;
        Ok(done)
    }

    /// Throws the folder away: of a soak without a sample.
    pub fn discard(self) {
        let _ = fs::remove_dir_all(&self.partial);
    }
}

fn save(partial: &Path, state: &SoakState) -> Result<(), StoreError> {
    let path = partial.join(PLAN);
    let json = serde_json::to_vec_pretty(state).map_err(|e| StoreError::Damaged {
        path: path.clone(),
        what: e.to_string(),
    })?;
    write_whole(&path, &json)
}
