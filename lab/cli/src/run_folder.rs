//! The sink that keeps samples and logs in the run folder.

use karat_run::{Event, Sink};
use karat_store::RunFolder;
use std::io;

/// Keeps what must not be lost.
pub struct Keeper<'a>(pub &'a mut RunFolder);

impl Sink for Keeper<'_> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Fingerprint {
                hash,
                layouts,
                seed,
            } => self.0.fingerprint(hash, layouts, *seed),
            Event::Looked { stretch, .. } => self.0.stretch(stretch),
            Event::Sample(sample) => self.0.sample(sample),
            Event::Log { name, text } if !text.is_empty() => self.0.log(name, text),
            _ => Ok(()),
        }
        .map_err(io::Error::other)
    }
}
