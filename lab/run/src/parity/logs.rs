//! The logs of a run compared by what readers find in them.
//!
//! They are read right after the run, since the next one writes them anew; a file
//! that is as it was before the run is another run's and is refused.

use crate::modified::Stamps;
use karat_compare::normalise::Normaliser;
use karat_compare::{How, Readers, Side, compare, files, read_one};
use karat_model::compare::{Behaviour, LogComparison, LogFile};
use karat_model::study::LogSource;
use karat_process::Finished;
use std::fs::File;
use std::path::Path;

/// What the logs of one run tell.
#[derive(Clone, Default)]
pub(super) struct Logs {
    side: Side,
    normaliser: Normaliser,
}

/// The files among the logs as they are before a run in `dir`.
pub(super) fn stamps(logs: &[LogSource], dir: &Path) -> Stamps {
    let files = logs.iter().filter_map(|log| match log {
        LogSource::File(path) => Some(dir.join(path)),
        LogSource::Stdout | LogSource::Stderr => None,
    });
    Stamps::of_each_file(files.collect())
}

/// Reads the logs of a run in `dir`, with the reader of a name, or with those that
/// recognise them. The normaliser is that of the other side, if there is one: it
/// counts for both.
///
/// # Errors
/// When there is no such reader, or a file is not there, cannot be read, or was not
/// written by this run.
pub(super) fn read(
    logs: &[LogSource],
    reader: Option<&str>,
    run: &Finished,
    dir: &Path,
    before: &Stamps,
    normaliser: &Normaliser,
) -> Result<Logs, String> {
    let readers = match reader {
        Some(name) => Readers::named(&[name]).map_err(|e| e.to_string())?,
        None => Readers::all(),
    };
    let mut out = Logs {
        side: Side::default(),
        normaliser: normaliser.clone(),
    };
    before.check().map_err(|e| e.to_string())?;
    for log in logs {
        match log {
            LogSource::Stdout => out.add("stdout", run.stdout.as_slice(), &readers)?,
            LogSource::Stderr => out.add("stderr", run.stderr.as_slice(), &readers)?,
            LogSource::File(path) => {
                let whole = dir.join(path);
                if !whole.exists() {
                    return Err(format!(
                        "this run did not write {}, which `logs` names",
                        path.display()
                    ));
                }
                let found = files(&[whole]).map_err(|e| e.to_string())?;
                for file in found {
                    let name = file
                        .strip_prefix(dir)
                        .unwrap_or(&file)
                        .display()
                        .to_string();
                    let content =
                        File::open(&file).map_err(|e| format!("cannot read {name}: {e}"))?;
                    out.add(&name, content, &readers)?;
                    out.side.must_be_known();
                }
            }
        }
    }
    Ok(out)
}

impl Logs {
    fn add(
        &mut self,
        name: &str,
        content: impl std::io::Read,
        readers: &Readers,
    ) -> Result<(), String> {
        self.side.begin(LogFile {
            path: name.to_owned(),
            ..LogFile::default()
        });
        let (side, normaliser) = (&mut self.side, &self.normaliser);
        read_one(side, content, readers, normaliser, &mut |_| ())
            .map_err(|e| format!("cannot read {name}: {e}"))
    }

    /// What counts how often texts were made equal.
    pub(super) fn normaliser(&self) -> &Normaliser {
        &self.normaliser
    }
}

/// Compares both; what differs, in sentences, and all of it.
pub(super) fn differences(expected: &Logs, found: &Logs) -> (Vec<String>, LogComparison) {
    let (before, after) = (expected.side.clone(), found.side.clone());
    let found = compare(
        before,
        after,
        Side::default(),
        &found.normaliser,
        How::default(),
    );
    let out = match found.verdict.behaviour {
        Behaviour::Same | Behaviour::Failing => Vec::new(),
        Behaviour::Differs => found.verdict.reasons.clone(),
        Behaviour::Unknown => vec![format!(
            "{}; name another reader or other logs, or compare bytes by leaving `reader` away",
            found.verdict.summary.trim_end_matches('.')
        )],
    };
    (out, found)
}
