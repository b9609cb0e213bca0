//! The binaries and packages below a folder.

use super::binaries::is_binary;
use super::gathered::{Gathered, Link};
use super::unpack;
use karat_host::mapped::Mapped;
use karat_package::{HEAD, is_package};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Folders in folders: more than any system's longest path has (`PATH_MAX` is 4096).
const DEEPEST: u32 = 2048;
/// Files that are looked at.
const MOST: u64 = 2_000_000;

/// Adds a folder, which reports call `name`.
pub fn add(out: &mut Gathered, folder: &Path, name: &str) {
    let place = out.begin(name, "folder");
    if let Err(why) = search(out, folder, place) {
        out.fail(name, why);
    }
}

/// What is below a folder and cannot be read may be what its user asks about: that is no success.
/// What went away in the meantime is not there.
fn unread(out: &mut Gathered, package: usize, name: String, error: &io::Error) {
    match error.kind() {
        io::ErrorKind::NotFound => out.skip(package, name, error.to_string()),
        _ => out.fail(&name, format!("it cannot be read: {error}")),
    }
}

/// Adds what is below `folder`. Symbolic links are not followed, but for the names that
/// they give to libraries.
fn search(out: &mut Gathered, folder: &Path, package: usize) -> Result<(), String> {
    let mut open: Vec<(PathBuf, u32)> = vec![(folder.to_owned(), 0)];
    while let Some((path, depth)) = open.pop() {
        let listed = fs::read_dir(&path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut entries = match listed {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(format!("the folder cannot be read: {error}")),
            Err(error) => {
                unread(out, package, path.display().to_string(), &error);
                continue;
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        // Files first, then folders in their order: the last is opened first.
        let mut folders = Vec::new();
        for entry in entries {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() && depth < DEEPEST {
                folders.push((path, depth + 1));
                continue;
            }
            if !kind.is_file() && !kind.is_symlink() {
                continue;
            }
            let members = &mut out.packages[package].members;
            *members += 1;
            if *members > MOST {
                return Err(format!(
                    "the folder holds too many files, more than the limit of {MOST}; name the \
                     folders in it"
                ));
            }
            let name = path.display().to_string();
            if kind.is_symlink() {
                if let Ok(target) = fs::read_link(&path) {
                    let target = target.display().to_string();
                    out.links.push(Link {
                        name,
                        target,
                        package,
                    });
                }
                continue;
            }
            file(out, path, name, package);
        }
        open.extend(folders.into_iter().rev());
    }
    Ok(())
}

fn file(out: &mut Gathered, path: PathBuf, name: String, package: usize) {
    let mut head = Vec::with_capacity(HEAD);
    let read = File::open(&path).and_then(|f| f.take(HEAD as u64).read_to_end(&mut head));
    if let Err(error) = read {
        return unread(out, package, name, &error);
    }
    if is_binary(&name, &head) {
        out.add(path, name, package);
    } else if out.wants(&name, &head) {
        out.script(path, name, package);
    } else if is_package(&head) {
        match Mapped::open(&path) {
            // Folders hold many compressed texts, and archives for tests that are broken
            // on purpose.
            Ok(bytes) => {
                let (failed, packages) = (out.failed.len(), out.packages.len());
                unpack::add(out, &path, &name, &bytes);
                if out.failed.len() > failed {
                    let why = out
                        .failed
                        .drain(failed..)
                        .map(|f| f.why)
                        .collect::<String>();
                    out.skip(package, name, why);
                }
                if out.packages[packages].binaries == 0 {
                    out.packages.truncate(packages);
                    out.links.retain(|link| link.package < packages);
                    out.scripts.retain(|script| script.package < packages);
                }
            }
            Err(error) => out.skip(package, name, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_a_failure_and_what_went_away_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("plain");
        fs::write(&plain, "text").unwrap();
        let mut out = Gathered::default();
        let package = out.begin("folder", "folder");
        file(&mut out, folder.path().join("gone"), "gone".into(), package);
        assert_eq!((out.failed.len(), out.packages[0].skipped.len()), (0, 1));
        // Below a file nothing can be opened, whoever asks.
        file(&mut out, plain.join("below"), "below".into(), package);
        assert_eq!((out.failed.len(), out.packages[0].skipped.len()), (1, 1));
        assert!(out.failed[0].why.starts_with("it cannot be read: "));
    }
}
