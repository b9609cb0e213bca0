//! The `-o` files: held to be right before any work, written at its end.

use super::failed;
use crate::exit;
use anyhow::Result;
use std::fs::{self, OpenOptions};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// Fails before any work when a file cannot be written, is named twice, or ends in
/// what `form_of` knows no form for. Leaves nothing behind.
pub fn check<F>(files: &[PathBuf], form_of: impl Fn(&Path) -> Result<F>) -> Result<Vec<F>> {
    let mut forms = Vec::new();
    for (i, path) in files.iter().enumerate() {
        if files[..i].contains(path) {
            return Err(usage(path, "is named by two `-o`"));
        }
        forms.push(form_of(path)?);
        writable(path)?;
    }
    Ok(forms)
}

/// Whether a file can be written, as far as that can be told without writing it.
pub fn writable(path: &Path) -> Result<()> {
    let cannot = |error: Error| usage(path, &format!("cannot be written: {error}"));
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Err(usage(path, "is a folder; name a file in it")),
        Ok(meta) if meta.is_file() => OpenOptions::new()
            .append(true)
            .open(path)
            .map(drop)
            .map_err(cannot),
        // A pipe would wait for its reader.
        Ok(_) => Ok(()),
        Err(_) => {
            let folder = match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            if !folder.is_dir() {
                let what = format!(
                    "cannot be written: there is no folder {}; make it first",
                    folder.display()
                );
                return Err(usage(path, &what));
            }
            match OpenOptions::new().write(true).create_new(true).open(path) {
                Ok(_) => fs::remove_file(path).map_err(cannot),
                // A link to a file that is not there yet, or another karat's.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                Err(error) => Err(cannot(error)),
            }
        }
    }
}

fn usage(path: &Path, what: &str) -> anyhow::Error {
    failed(exit::USAGE, format!("-o {}: {what}", path.display()))
}
