//! The source files of a package.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders of a package that are not compiled into its library or programs.
const ASIDE: &[&str] = &["tests", "benches", "examples", "fuzz", "target"];

/// Larger files are data in the form of source.
pub(crate) const LARGEST: u64 = 16 << 20;

/// All `.rs` files of a package, sorted, with their sizes; without its tests, benchmarks,
/// examples and build script, and without packages in folders of it. Links are not followed.
pub(crate) fn sources(root: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
    let mut files = Vec::new();
    let mut folders = vec![(root.to_owned(), true)];
    while let Some((folder, is_root)) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if kind.is_dir() {
                let aside = is_root && ASIDE.contains(&&*name);
                if !aside && !name.starts_with('.') && !path.join("Cargo.toml").exists() {
                    folders.push((path, false));
                }
            } else if kind.is_file() && name.ends_with(".rs") && !(is_root && name == "build.rs") {
                files.push((path, entry.metadata()?.len()));
            }
        }
    }
    files.sort();
    Ok(files)
}
