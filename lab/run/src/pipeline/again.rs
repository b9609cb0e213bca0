//! The file that the A/A arm runs: a copy of the baseline's.
//!
//! Two files of the same bytes need not run at the same speed: the frames of memory
//! that hold them are a draw, and one that a variant's file makes as well. If the
//! A/A arm ran the baseline's very file, it would share that draw and pass whatever
//! it does.

use crate::RunError;
use karat_build::BUILDS;
use std::path::{Path, PathBuf};

/// Where copies lie in the cache. As long as [`BUILDS`], since a path's length moves
/// a program's stack.
const COPIES: &str = "copies";
const _: () = assert!(COPIES.len() == BUILDS.len());

/// A fresh copy of a program that karat built; any other program itself, since it
/// may find its files by its own place.
///
/// # Errors
/// When the copy cannot be written.
pub(super) fn program(cache: &Path, binary: &Path) -> Result<PathBuf, RunError> {
    // As the paths of built programs are made.
    let cache = std::path::absolute(cache)?;
    let Ok(inside) = binary.strip_prefix(cache.join(BUILDS)) else {
        return Ok(binary.to_owned());
    };
    let copy = cache.join(COPIES).join(inside);
    let new = copy.with_extension("new");
    let write = || {
        std::fs::create_dir_all(copy.parent().unwrap_or(&cache))?;
        std::fs::copy(binary, &new)?;
        // Of a copy that another run is using, the old file lives on.
        std::fs::rename(&new, &copy)
    };
    write().map_err(|error| RunError::Copy {
        path: copy.clone(),
        error: error.to_string(),
    })?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_karat_built_is_copied_and_what_it_found_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let built = dir.path().join("builds/0123/prog");
        std::fs::create_dir_all(built.parent().unwrap()).unwrap();
        std::fs::write(&built, "same").unwrap();
        let copy = program(dir.path(), &built).unwrap();
        assert_ne!(copy, built);
        assert_eq!(copy.as_os_str().len(), built.as_os_str().len());
        assert_eq!(std::fs::read(&copy).unwrap(), b"same");
        assert_eq!(program(dir.path(), &built).unwrap(), copy, "and again");
        let found = Path::new("/usr/bin/true");
        assert_eq!(program(dir.path(), found).unwrap(), found);
    }
}
