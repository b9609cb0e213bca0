//! The file that gets every event as a line of JSON (`--events`).

use crate::failed::failed;
use crate::{exit, say};
use anyhow::Result;
use karat_model::evidence::Evidence;
use karat_run::{Event, JsonLines, RunError, Sink};
use std::fs::File;
use std::io;
use std::path::Path;

/// The file.
pub struct EventFile(JsonLines<File>);

impl EventFile {
    /// Makes the file anew. A named pipe waits for its reader.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(|error| {
            let message = format!("--events: {} cannot be written: {error}", path.display());
            failed(exit::USAGE, message)
        })?;
        Ok(Self(JsonLines::new(file)))
    }

    /// The last event of a run with evidence.
    pub fn finished(&mut self, evidence: &Evidence, folder: &Path) -> io::Result<()> {
        self.0.write(&Event::Finished {
            folder: folder.display().to_string(),
            verdict: evidence.verdict.verdict,
            summary: evidence.verdict.summary.clone(),
        })
    }

    /// The last event of a run without evidence.
    pub fn failed(&mut self, error: &RunError) {
        let event = Event::Failed {
            error: error.to_string(),
        };
        // The error itself is what matters; it is told next.
        if let Err(error) = self.0.write(&event) {
            say::note(&format!("--events: {error}"));
        }
    }
}

impl Sink for EventFile {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.0.event(event)
    }
}
