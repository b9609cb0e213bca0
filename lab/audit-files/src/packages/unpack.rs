//! Members of a package, as files in a temporary folder.

use super::binaries::is_binary;
use super::gathered::{Gathered, LARGEST_SCRIPT, Link};
use karat_package::{Limits, Member, PackageError, read, safe_path};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Adds a package, whose bytes these are and which reports call `name`.
pub fn add(out: &mut Gathered, path: &Path, name: &str, bytes: &[u8]) {
    let place = out.begin(name, "package");
    if let Err(why) = unpack(out, path, bytes, place) {
        out.fail(name, why);
    }
}

/// Adds the binaries of the package at `path`, whose bytes these are.
fn unpack(out: &mut Gathered, path: &Path, bytes: &[u8], package: usize) -> Result<(), String> {
    let folder = folder().map_err(|error| error.to_string())?;
    let root = folder.path().to_owned();
    out.unpacked.push(folder);
    let own = out.packages[package].path.clone();
    let shown = |name: &str| format!("{own}/{name}");
    let limits = Limits::for_size(bytes.len() as u64);
    let seen = read(&file_name(path), bytes, true, limits, &mut |member| {
        match member {
            Member::File {
                name,
                head,
                contents,
            } => {
                if !is_binary(name, head) {
                    if out.wants(name, head)
                        && let Ok((place, mut file)) = place(&root, name)?
                    {
                        io::copy(&mut contents.take(LARGEST_SCRIPT), &mut file)?;
                        out.script(place, shown(name), package);
                    }
                    return Ok(());
                }
                match place(&root, name)? {
                    Ok((place, mut file)) => {
                        io::copy(contents, &mut file)?;
                        out.add(place, shown(name), package);
                    }
                    Err(why) => out.skip(package, shown(name), why),
                }
            }
            Member::Link { name, target } => out.links.push(Link {
                name: shown(name),
                target: target.to_owned(),
                package,
            }),
            Member::Skipped { name, why } => out.skip(package, shown(name), why),
        }
        Ok(())
    });
    let seen = seen.map_err(|error| error.to_string())?;
    out.packages[package].kind = seen.kind;
    out.packages[package].members = seen.members;
    Ok(())
}

/// Unpacks all files of a package, for programs that run in it. Archives in it stay as
/// they are; so do no links.
///
/// # Errors
/// As [`karat_package::read`].
pub fn unpack_whole(path: &Path, bytes: &[u8]) -> Result<TempDir, PackageError> {
    let folder = folder().map_err(PackageError::Taker)?;
    let limits = Limits::for_size(bytes.len() as u64);
    read(&file_name(path), bytes, false, limits, &mut |member| {
        if let Member::File { name, contents, .. } = member
            && let Ok((_, mut file)) = place(folder.path(), name)?
        {
            io::copy(contents, &mut file)?;
        }
        Ok(())
    })?;
    Ok(folder)
}

fn folder() -> io::Result<TempDir> {
    tempfile::Builder::new().prefix("karat-package-").tempdir()
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A new file below `root` for the member called `name`, in folders that are there then;
/// or why there can be none.
fn place(root: &Path, name: &str) -> io::Result<Result<(PathBuf, File), String>> {
    let Some(below) = safe_path(name) else {
        return Ok(Err("its name leads out of the package".into()));
    };
    let path = root.join(below);
    let folder = path.parent().unwrap_or(root);
    let made = fs::create_dir_all(folder).and_then(|()| File::create_new(&path));
    match made {
        Ok(file) => Ok(Ok((path, file))),
        Err(error) if error.kind() == io::ErrorKind::StorageFull => Err(error),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Err(
            "another member has the same name, which was read".into(),
        )),
        // A name too long for the file system, or a file that is a folder too.
        Err(error) => Ok(Err(format!("it cannot be unpacked: {error}"))),
    }
}
