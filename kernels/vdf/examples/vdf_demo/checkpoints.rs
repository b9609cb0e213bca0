//! The file of checkpoints.

use crate::arguments::Arguments;
use karat_vdf::{Discriminant, Form, Prover};
use std::error::Error;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

pub struct Checkpoints {
    file: File,
    path: PathBuf,
    /// Checkpoints that the file has.
    written: u64,
}

impl Checkpoints {
    /// Opens the file or makes it, and goes on from what it has.
    pub fn open(
        arguments: &Arguments,
        discriminant: &Discriminant,
    ) -> Result<(Self, Prover), Box<dyn Error>> {
        let path = match &arguments.checkpoints {
            Some(path) => path.clone(),
            None => default_path(arguments, discriminant),
        };
        let name = path.display().to_string();
        let mut file = (File::options().read(true).write(true).create(true))
            .truncate(false)
            .open(&path)
            .map_err(|e| format!("cannot open {name}: {e}"))?;
        file.try_lock().map_err(|_| {
            format!("{name} is in use: another process does the same, or name another file")
        })?;
        eprintln!("checkpoints are in {name}");
        let x = Form::generator(discriminant);
        let mut log = Vec::new();
        file.read_to_end(&mut log)?;
        let (prover, end, written) = if log.is_empty() {
            let prover = Prover::new(&x, arguments.iterations, discriminant);
            let header = prover.log_header();
            file.write_all(&header)?;
            (prover, header.len(), 0)
        } else {
            let resumed = Prover::resume(&x, arguments.iterations, discriminant, &log);
            let (prover, end) = resumed.map_err(|e| format!("{name}: {e}"))?;
            let has_any = end > prover.log_header().len();
            let written = if has_any { prover.checkpoints() } else { 0 };
            (prover, end, written)
        };
        // What a killed process wrote in part goes.
        file.set_len(end as u64)?;
        file.seek(SeekFrom::Start(end as u64))?;
        let checkpoints = Self {
            file,
            path,
            written,
        };
        Ok((checkpoints, prover))
    }

    /// Writes the checkpoints that are new.
    pub fn add(&mut self, prover: &Prover) -> std::io::Result<()> {
        self.file.write_all(&prover.log_checkpoints(self.written))?;
        self.written = prover.checkpoints();
        Ok(())
    }

    /// Deletes the file.
    pub fn delete(self) -> std::io::Result<()> {
        std::fs::remove_file(self.path)
    }
}

/// A file for this computation alone.
fn default_path(arguments: &Arguments, discriminant: &Discriminant) -> PathBuf {
    let text = discriminant.to_string();
    let mut name = 0xcbf2_9ce4_8422_2325_u64;
    // FNV-1a. Two computations with one name would only get in each other's way: the log
    // itself says what it belongs to.
    for byte in text.bytes().chain(arguments.iterations.to_le_bytes()) {
        name = (name ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    std::env::temp_dir().join(format!("vdf_demo-{name:016x}.log"))
}
