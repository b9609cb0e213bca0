//! Measurements from a file or folder.

use crate::criterion;
use crate::error::ReadError;
use crate::reader::Measurement;
use crate::registry::{named, names, recognise};
use std::path::Path;

/// Reads a file with the named reader, or with the one that knows it. A folder is
/// criterion's; a `sample.json` of criterion gets the name that stands beside it.
///
/// # Errors
/// When the path cannot be read, no reader has the name or knows the file, or
/// the reader refuses it.
pub fn read_path(path: &Path, reader: Option<&str>) -> Result<Vec<Measurement>, ReadError> {
    let chosen = match reader {
        None => None,
        Some(name) => Some(named(name).ok_or_else(|| ReadError::NoReader {
            name: name.to_owned(),
            readers: names(),
        })?),
    };
    let metadata = std::fs::metadata(path).map_err(|e| ReadError::path(path, e))?;
    if metadata.is_dir() {
        return match chosen {
            Some(other) if other.name() != criterion::NAME => {
                let problem = format!("is a folder; {} reads a file", other.name());
                Err(ReadError::path(path, problem))
            }
            _ => criterion::folder(path),
        };
    }
    let bytes = std::fs::read(path).map_err(|e| ReadError::path(path, e))?;
    let chosen = match chosen.or_else(|| recognise(&bytes)) {
        Some(reader) => reader,
        None => {
            let error = ReadError::Unrecognised { readers: names() };
            return Err(error.in_file(path));
        }
    };
    let named_beside =
        path.ends_with("sample.json") && path.with_file_name("benchmark.json").is_file();
    if chosen.name() == criterion::NAME && named_beside {
        return criterion::single(path);
    }
    chosen.read(&bytes).map_err(|error| error.in_file(path))
}
