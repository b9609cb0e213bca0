//! One run folder, from its first sample to its rename.

use crate::lines::{line, read, rewrite};
use crate::whole::write_whole;
use crate::{EVIDENCE, StoreError, at};
use karat_model::evidence::Evidence;
use karat_model::layout::LayoutEvidence;
use karat_model::measure::{Sample, Stretch};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) const SAMPLES: &str = "samples.jsonl";
/// What [`SAMPLES`] was, when lines in it could not be read.
pub(crate) const DAMAGED: &str = "samples.damaged";
const STATE: &str = "state.json";
pub(crate) const STUDY: &str = "study.toml";
pub(crate) const LOCK: &str = "lock";

/// What a resumed run must know of its beginning.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    study: String,
    fingerprint: Option<String>,
    layouts: LayoutEvidence,
    seed: u64,
    resumed: u32,
    #[serde(default)]
    stretch: Stretch,
    /// The finished run that this one goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    continues: Option<String>,
}

/// What an earlier run left.
#[derive(Clone, Debug)]
pub struct Left {
    /// Hash of what its samples depend on; `None` when it measured nothing.
    pub fingerprint: Option<String>,
    /// The layouts it had chosen.
    pub layouts: LayoutEvidence,
    /// Seed of its random choices.
    pub seed: u64,
    /// How often it was interrupted and taken up, this time included.
    pub resumed: u32,
    /// Its looks, and the stretch of measuring that goes on or begins.
    pub stretch: Stretch,
    /// The finished run that is gone on from, if that is so.
    pub continues: Option<String>,
    /// Its samples.
    pub samples: Vec<Sample>,
    /// What a reader should know: damage that was passed over, and where it lies.
    pub warnings: Vec<String>,
}

/// A run being made.
#[derive(Debug)]
pub struct RunFolder {
    /// `<root>/<id>.partial`.
    partial: PathBuf,
    id: String,
    state: State,
    samples: File,
    /// How many samples it holds.
    kept: usize,
    /// Held while this karat writes here.
    lock: File,
}

impl RunFolder {
    pub(crate) fn create(
        root: &Path,
        id: &str,
        study: &str,
        source: &str,
        seed: u64,
    ) -> Result<Self, StoreError> {
        let partial = root.join(format!("{id}.partial"));
        fs::create_dir(&partial).map_err(at(&partial))?;
        let lock = lock(&partial)?;
        write_whole(&partial.join(STUDY), source.as_bytes())?;
        let path = partial.join(SAMPLES);
        let samples = File::create(&path).map_err(at(&path))?;
        let folder = Self {
            partial,
            id: id.to_owned(),
            state: State {
                study: study.to_owned(),
                seed,
                ..State::default()
            },
            samples,
            kept: 0,
            lock,
        };
        folder.save_state()?;
        Ok(folder)
    }

    pub(crate) fn reopen(partial: &Path) -> Result<(Self, Left), StoreError> {
        let lock = lock(partial)?;
        let mut state = state(partial)?;
        let path = partial.join(SAMPLES);
        let (samples, unreadable) = read::<Sample>(&path)?;
        let mut warnings = Vec::new();
        if unreadable > 0 {
            let whole = partial.join(DAMAGED);
            fs::copy(&path, &whole).map_err(at(&whole))?;
            warnings.push(format!(
                "{}: {unreadable} of its lines cannot be read; their runs are made again, and the \
                 file as it was is kept as {}",
                path.display(),
                whole.display()
            ));
        }
        // A line cut short by a crash must not run into the next one.
        rewrite(&path, &samples)?;
        state.resumed += 1;
        let left = left(&state, samples, warnings);
        let kept = left.samples.len();
        let name = partial.file_stem().unwrap_or_default();
        let folder = Self {
            partial: partial.to_owned(),
            id: name.to_string_lossy().into_owned(),
            state,
            samples: OpenOptions::new()
                .append(true)
                .open(&path)
                .map_err(at(&path))?,
            kept,
            lock,
        };
        folder.save_state()?;
        Ok((folder, left))
    }

    /// A new run that goes on from the finished one in `done`, which stays as it is.
    pub(crate) fn go_on(root: &Path, id: &str, done: &Path) -> Result<(Self, Left), StoreError> {
        let mut state = state(done)?;
        let (samples, unreadable) = read(&done.join(SAMPLES))?;
        if unreadable > 0 {
            return Err(StoreError::Damaged {
                path: done.join(SAMPLES),
                what: format!("{unreadable} of its lines cannot be read"),
            });
        }
        let path = done.join(STUDY);
        let source = fs::read(&path).map_err(at(&path))?;
        let name = done.file_name().unwrap_or_default();
        state.continues = Some(name.to_string_lossy().into_owned());
        state.resumed = 0;
        state.stretch = std::mem::take(&mut state.stretch).next(&samples);
        let source = String::from_utf8_lossy(&source);
        let mut folder = Self::create(root, id, &state.study, &source, state.seed)?;
        let left = left(&state, samples, Vec::new());
        folder.state = state;
        folder.save_state()?;
        for sample in &left.samples {
            folder.sample(sample)?;
        }
        Ok((folder, left))
    }

    /// Notes the looks so far.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn stretch(&mut self, stretch: &Stretch) -> Result<(), StoreError> {
        self.state.stretch = stretch.clone();
        self.save_state()
    }

    /// The run's name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where it is while it is made.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Notes what the samples that follow depend on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn fingerprint(
        &mut self,
        hash: &str,
        layouts: &LayoutEvidence,
        seed: u64,
    ) -> Result<(), StoreError> {
        self.state.fingerprint = Some(hash.to_owned());
        self.state.layouts = layouts.clone();
        self.state.seed = seed;
        self.save_state()
    }

    /// Keeps one sample; it is with the operating system when this returns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn sample(&mut self, sample: &Sample) -> Result<(), StoreError> {
        let path = self.partial.join(SAMPLES);
        let line = line(&path, sample)?;
        self.samples.write_all(&line).map_err(at(&path))?;
        self.kept += 1;
        Ok(())
    }

    /// Keeps a log under `logs/`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn log(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let folder = self.partial.join("logs");
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        write_whole(&folder.join(name), text.as_bytes())
    }

    /// Writes the evidence and the reports (file name and content each) and
    /// gives the run its final name. Returns its folder.
    ///
    /// # Errors
    /// When something cannot be written; the partial folder stays.
    pub fn finish(
        self,
        evidence: &Evidence,
        reports: &[(&str, String)],
    ) -> Result<PathBuf, StoreError> {
        let path = self.partial.join(EVIDENCE);
        for (name, content) in reports {
            write_whole(&self.partial.join(name), content.as_bytes())?;
        }
        write_whole(&path, evidence.to_json().as_bytes())?;
        self.samples.sync_all().map_err(at(&path))?;
        drop(self.lock);
        let _ = fs::remove_file(self.partial.join(LOCK));
        let done = self.partial.with_file_name(&self.id);
        fs::rename(&self.partial, &done).map_err(at(&done))?;
        Ok(done)
    }

    /// Throws the folder away, unless it holds samples: nothing measured is lost.
    /// Returns the folder if it stays.
    pub fn discard(self) -> Option<PathBuf> {
        if self.kept > 0 {
            return Some(self.partial);
        }
        let _ = fs::remove_dir_all(&self.partial);
        None
    }

    fn save_state(&self) -> Result<(), StoreError> {
        let path = self.partial.join(STATE);
        let json = serde_json::to_vec_pretty(&self.state).map_err(|e| StoreError::Damaged {
            path: path.clone(),
            what: e.to_string(),
        })?;
        write_whole(&path, &json)
    }
}

fn left(state: &State, samples: Vec<Sample>, warnings: Vec<String>) -> Left {
    Left {
        fingerprint: state.fingerprint.clone(),
        layouts: state.layouts.clone(),
        seed: state.seed,
        resumed: state.resumed,
        stretch: state.stretch.clone(),
        continues: state.continues.clone(),
        samples,
        warnings,
    }
}

/// Takes a partial folder for this process, until the file is closed.
pub(crate) fn lock(partial: &Path) -> Result<File, StoreError> {
    let path = partial.join(LOCK);
    let file = File::create(&path).map_err(at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(StoreError::InUse {
            path: partial.to_owned(),
        }),
    }
}

/// The study of a partial folder.
///
/// # Errors
/// When the folder's state cannot be read.
pub(crate) fn study_of(partial: &Path) -> Result<String, StoreError> {
    Ok(state(partial)?.study)
}

/// Whether a partial folder was made for a study of exactly this text.
pub(crate) fn is_of_text(partial: &Path, source: &str) -> bool {
    fs::read(partial.join(STUDY)).is_ok_and(|text| text == source.as_bytes())
}

fn state(partial: &Path) -> Result<State, StoreError> {
    let path = partial.join(STATE);
    let text = fs::read(&path).map_err(at(&path))?;
    serde_json::from_slice(&text).map_err(|e| StoreError::Damaged {
        path: path.clone(),
        what: format!("not the state of a run that this karat can read: {e}"),
    })
}
