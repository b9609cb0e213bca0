//! Files that are written as a whole.

use crate::{StoreError, at};
use std::fs;
use std::path::Path;

/// Writes beside the file and renames: readers see the old or the new content.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let part = path.with_extension("part");
    fs::write(&part, content).map_err(at(&part))?;
    fs::rename(&part, path).map_err(at(path))
}
