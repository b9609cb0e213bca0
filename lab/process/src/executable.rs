//! Files that cannot be executed: why, and what to do.

use crate::shell::quote;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What speaks against `path` as a program, seen before anything is done. That it is
/// executable is not asked: an audit of a library executes nothing.
#[must_use]
pub fn unfit(path: &Path) -> Option<String> {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) => return Some(error.to_string()),
    };
    if meta.is_dir() {
        return Some("it is a folder, no program".into());
    }
    if !meta.is_file() {
        return Some("it is no regular file".into());
    }
    // What is measured is recorded by its hash.
    let error = File::open(path).err()?;
    Some(format!(
        "{error}; karat must be able to read what it measures"
    ))
}

/// Why the system refused to execute `path`, if `error` says that it did; `None` for
/// other errors of starting a process.
#[must_use]
pub fn refused(path: &Path, error: &io::Error) -> Option<String> {
    match error.raw_os_error()? {
        libc::EACCES | libc::EPERM => Some(no_permission(path)),
        libc::ENOENT | libc::ENOTDIR => Some(match interpreter(path) {
            Some(interpreter) => format!(
                "its first line asks for {}, which is not there; install that or correct the line",
                interpreter.display()
            ),
            None if path.exists() => "the loader that it names is not there: it was built for \
                                      another system or C library; `file` tells for which"
                .into(),
            None => error.to_string(),
        }),
        libc::ENOEXEC | libc::ELIBBAD | libc::ELOOP => Some(
            "it is no program for this system: neither a binary for this processor nor a script \
             that begins with `#!`; give a script its first line, such as `#!/bin/sh`"
                .into(),
        ),
        _ => None,
    }
}

fn no_permission(path: &Path) -> String {
    if let Some(interpreter) = interpreter(path).filter(|i| !executable(i)) {
        return format!(
            "its first line asks for {}, which cannot be executed",
            interpreter.display()
        );
    }
    if executable(path) {
        return "the system does not allow it (a file system that is mounted noexec?); copy it \
                elsewhere"
            .into();
    }
    format!(
        "it is not executable; `chmod +x {}` makes it so",
        quote(&path.to_string_lossy())
    )
}

fn executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// What a script's first line asks for.
fn interpreter(path: &Path) -> Option<PathBuf> {
    // The kernel reads no more of it either.
    let mut start = Vec::new();
    File::open(path)
        .ok()?
        .take(256)
        .read_to_end(&mut start)
        .ok()?;
    let line = start.strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?.trim_ascii_start();
    let word = line.split(|byte| byte.is_ascii_whitespace()).next()?;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn each_refusal_has_its_advice() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, content: &[u8], mode| {
            let path = dir.path().join(name);
            std::fs::write(&path, content).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        let said = |path: &Path| {
            // As karat runs programs: without a shell that would make up for it.
            let error = Command::new(path).spawn().unwrap_err();
            refused(path, &error).unwrap()
        };
        let plain = file("plain", b"#!/bin/sh\n", 0o644);
        assert_eq!(unfit(&plain), None);
        assert!(said(&plain).contains("chmod +x"));
        let lost = file("lost", b"#! /no/such/shell -e\n", 0o755);
        assert_eq!(unfit(&lost), None);
        assert!(said(&lost).contains("/no/such/shell"));
        let other = file("other", b"\x7fELF and no more", 0o755);
        assert!(said(&other).contains("no program for this system"));
        let gone = dir.path().join("gone");
        assert!(said(&gone).contains("No such file"));
        assert!(unfit(dir.path()).unwrap().contains("a folder"));
        assert_eq!(unfit(&file("good", b"#!/bin/sh\n", 0o755)), None);
        let full = io::Error::from_raw_os_error(libc::ENOMEM);
        assert_eq!(refused(&plain, &full), None);
    }
}
