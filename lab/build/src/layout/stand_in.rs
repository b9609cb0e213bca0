//! karat in the place of the linker, and of the compiler that starts it.
//!
//! A build gets two folders of links to karat, named after the programs they
//! stand for. GNU `collect2` and clang look for the linker in `COMPILER_PATH`
//! before they look elsewhere (GCC manual, "Environment Variables Affecting
//! GCC"; clang reads it too). Folders given by `-B` come before it, and rustc
//! gives one for its own LLD, so karat also stands before `cc` in `PATH`, where
//! it puts its own `-B` first. Started under such a name, karat does its part
//! and becomes the real program: the link itself is unchanged.

use super::record;
use karat_process::{Command, become_program};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::{CommandExt as _, parent_id};
use std::path::{Path, PathBuf};

/// Folder that takes the notes of links.
const NOTES: &str = "KARAT_LINK_NOTES";
/// Folder of the stand-ins for linkers.
const LINKERS: &str = "KARAT_LINKERS";

const LINKER_NAMES: &[&str] = &["ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold"];
const COMPILER_NAMES: &[&str] = &["cc", "c++", "gcc", "g++", "clang", "clang++"];

/// The stand-ins of one build cache.
pub(crate) struct StandIn {
    /// To stand first in `PATH`.
    compilers: PathBuf,
    /// To stand first in `COMPILER_PATH`.
    linkers: PathBuf,
}

impl StandIn {
    /// Makes the links in `cache`, or sets them right.
    ///
    /// # Errors
    /// When a folder or link cannot be made.
    pub(crate) fn install(karat: &Path, cache: &Path) -> io::Result<Self> {
        let root = std::path::absolute(cache.join("stand-ins"))?;
        let this = Self {
            compilers: root.join("compilers"),
            linkers: root.join("linkers"),
        };
        let karat = std::path::absolute(karat)?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        for folder in [&this.compilers, &this.linkers] {
            fs::create_dir_all(folder)?;
        }
        for name in LINKER_NAMES {
            // A driver that asks for a linker which does not exist fails either way.
            link(&karat, &this.linkers.join(name))?;
        }
        for name in LINKER_NAMES.iter().chain(COMPILER_NAMES) {
            let place = this.compilers.join(name);
            // What a `configure` finds must be there.
            if in_path(&path, name, &karat).is_some() {
                link(&karat, &place)?;
            } else {
                let _ = fs::remove_file(place);
            }
        }
        Ok(this)
    }

    /// Sends the links of `command` through karat, which leaves its notes in
    /// the folder `notes`. What `command` has been given already comes after.
    pub(crate) fn attach(&self, command: &mut Command, notes: &Path) {
        for (name, first) in [("PATH", &self.compilers), ("COMPILER_PATH", &self.linkers)] {
            let given = command.get_envs().find(|(k, _)| *k == name);
            let rest = match given {
                Some((_, value)) => value.map(OsStr::to_owned),
                None => std::env::var_os(name),
            };
            let mut value = first.clone().into_os_string();
            if let Some(rest) = rest.filter(|r| !r.is_empty()) {
                value.push(":");
                value.push(rest);
            }
            command.env(name, value);
        }
        command.env(NOTES, notes).env(LINKERS, &self.linkers);
    }
}

fn link(karat: &Path, place: &Path) -> io::Result<()> {
    if fs::read_link(place).is_ok_and(|to| to == karat) {
        return Ok(());
    }
    let _ = fs::remove_file(place);
    match symlink(karat, place) {
        // Another karat with the same cache was faster.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// If this process was started as a linker or compiler, becomes the real one
/// and does not return; returns the error if it cannot.
pub fn become_linker_if_asked() -> Option<io::Error> {
    let mut args = std::env::args_os();
    let called = PathBuf::from(args.next()?);
    let name = called.file_name()?.to_str()?.to_owned();
    let linker = LINKER_NAMES.contains(&name.as_str());
    if !linker && !COMPILER_NAMES.contains(&name.as_str()) {
        return None;
    }
    let karat = match std::env::current_exe() {
        Ok(path) => path,
        Err(e) => return Some(e),
    };
    let Some(real) = real(&name, linker, &karat) else {
        return Some(io::Error::new(
            io::ErrorKind::NotFound,
            format!("{name}: no such program in PATH"),
        ));
    };
    let args: Vec<OsString> = args.collect();
    let mut command = Command::new(&real);
    // gcc finds its own files, ccache its compiler, by the name they are called by.
    command.arg0(&real);
    if linker {
        if let Some(notes) = std::env::var_os(NOTES) {
            record::take(Path::new(&notes), &real, &args, &own_folders());
        }
    } else if let Some(linkers) = std::env::var_os(LINKERS)
        && args
            .iter()
            .any(|a| has_prefix(a, "-B") || has_prefix(a, "@"))
    {
        let mut first = OsString::from("-B");
        first.push(linkers);
        command.arg(first);
    }
    Some(become_program(command.args(args)))
}

fn has_prefix(arg: &OsStr, prefix: &str) -> bool {
    arg.as_encoded_bytes().starts_with(prefix.as_bytes())
}

/// The folders of stand-ins, which a replay must not pass through.
fn own_folders() -> Vec<PathBuf> {
    let Some(linkers) = std::env::var_os(LINKERS).map(PathBuf::from) else {
        return Vec::new();
    };
    let compilers = linkers.with_file_name("compilers");
    vec![linkers, compilers]
}

/// The program that would have been started without karat.
fn real(name: &str, linker: bool, karat: &Path) -> Option<PathBuf> {
    if linker {
        // gcc hands the folders it searches down in COMPILER_PATH, those of -B
        // first; clang hands none down, and looks beside itself.
        let handed = std::env::var_os("COMPILER_PATH").unwrap_or_default();
        let parent = fs::read_link(format!("/proc/{}/exe", parent_id())).ok();
        let beside = parent.and_then(|p| p.parent().map(|p| p.as_os_str().to_owned()));
        let found = in_path(&handed, name, karat)
            .or_else(|| in_path(&beside.unwrap_or_default(), name, karat));
        if found.is_some() {
            return found;
        }
    }
    in_path(&std::env::var_os("PATH").unwrap_or_default(), name, karat)
}

/// The first program `name` of the folders `path` that is not karat itself.
fn in_path(path: &OsStr, name: &str, karat: &Path) -> Option<PathBuf> {
    let karat = karat.canonicalize().ok();
    std::env::split_paths(path)
        .filter(|folder| !folder.as_os_str().is_empty())
        .map(|folder| folder.join(name))
        .find(|place| {
            fs::metadata(place).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
                && place.canonicalize().ok() != karat
        })
}
