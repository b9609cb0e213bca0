//! The search for debug information beside a binary.
//!
//! Places are those of GDB (manual, "Separate Debug Files"): the file that
//! `.gnu_debuglink` names beside the binary, in `.debug` there, and under
//! `/usr/lib/debug` by the binary's path; by build-id under
//! `/usr/lib/debug/.build-id`. Further `FILE.debug`, the bundle `FILE.dSYM`,
//! `FILE.dwp`, and `.dwo` files where the compiler put them or beside the binary.

use karat_binary::debug::debug_file::{DebugWanted, belongs, wanted};
use karat_host::mapped::Mapped;
use std::path::{Path, PathBuf};

/// Where systems keep the debug files of their packages.
const SYSTEM: &str = "/usr/lib/debug";
/// Inside of a `.dSYM` bundle.
const IN_BUNDLE: &str = "Contents/Resources/DWARF";

/// What was found for one binary.
#[derive(Default)]
pub(super) struct Debug {
    /// The separate debug file.
    pub(super) file: Option<Mapped>,
    /// The `.dwp`, or `.dwo` files.
    pub(super) split: Vec<Mapped>,
    /// Their names.
    pub(super) used: Vec<String>,
    /// What was asked for and is not there, in words.
    pub(super) missing: Option<String>,
    /// What was there and not the binary's, in words.
    pub(super) refused: Vec<String>,
}

impl Debug {
    /// Files beside a member of a package are called as the package has them: where it was
    /// unpacked to is gone when the report is read.
    pub(super) fn called(mut self, call: &dyn Fn(&str) -> Option<String>) -> Self {
        for name in self.used.iter_mut().chain(&mut self.refused) {
            if let Some(own) = call(name) {
                *name = own;
            }
        }
        self
    }
}

/// The separate debug file of a binary, whose bytes and path these are, if it asks for one
/// and one that is its own lies where they are looked for, or in `dirs`; and the files of
/// its split debug information.
pub fn debug_files(path: &Path, bytes: &[u8], dirs: &[PathBuf]) -> (Option<Mapped>, Vec<Mapped>) {
    let found = find(path, bytes, dirs);
    (found.file, found.split)
}

/// Looks for the debug files of `bytes`, which are those of the file at `path`. A file
/// that cannot be read wants none: its audit says why.
pub(super) fn find(path: &Path, bytes: &[u8], dirs: &[PathBuf]) -> Debug {
    let mut out = Debug::default();
    let Ok(asks) = wanted(bytes) else {
        return out;
    };
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut dwo = asks.dwo.clone();
    if !asks.has_own {
        for place in places(path, &real, &asks, dirs) {
            let is_self = place.canonicalize().is_ok_and(|place| place == real);
            let Some(found) = Some(&place).filter(|_| !is_self).and_then(|p| open(p)) else {
                continue;
            };
            match belongs(bytes, &found) {
                Ok(()) => {
                    dwo.extend(wanted(&found).into_iter().flat_map(|asks| asks.dwo));
                    out.used.push(place.display().to_string());
                    out.file = Some(found);
                    break;
                }
                Err(error) => out.refused.push(format!("{}: {error}", place.display())),
            }
        }
        if out.file.is_none() {
            out.missing = match &asks.debuglink {
                Some((name, _)) => Some(format!(
                    "The file names its debug information {name}, which was not found beside it \
                     nor below {SYSTEM}: install the package with debug information, or name \
                     the folder by --debug-dir."
                )),
                None if dirs.is_empty() => None,
                None => Some("No debug file of it was found, in --debug-dir or elsewhere.".into()),
            };
        }
    }
    if !dwo.is_empty() {
        let dwo: Vec<&str> = dwo.iter().map(|d| d.path.as_str()).collect();
        split(path, &dwo, dirs, &mut out);
    }
    out
}

/// Where the separate debug file may be, the likeliest first.
fn places(path: &Path, real: &Path, asks: &DebugWanted, dirs: &[PathBuf]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let folder = real.parent().unwrap_or(Path::new("/"));
    let below_root = folder.strip_prefix("/").unwrap_or(folder);
    let link = asks.debuglink.as_ref().map(|(name, _)| Path::new(name));
    // The name is a file's, and no way out of the folders.
    let link = link.and_then(Path::file_name);
    let id = asks.build_id_path();
    let given = dirs.iter().map(PathBuf::as_path);
    for dir in given.chain([Path::new(SYSTEM)]) {
        if let Some(id) = &id {
            out.push(dir.join(".build-id").join(id));
            out.push(dir.join(id));
        }
        if let Some(link) = link {
            out.push(dir.join(below_root).join(link));
            out.push(dir.join(link));
        }
    }
    for beside in [path, real] {
        let folder = beside.parent().unwrap_or(Path::new(""));
        if let Some(link) = link {
            out.push(folder.join(link));
            out.push(folder.join(".debug").join(link));
        }
        let Some(name) = beside.file_name().filter(|_| id.is_some()) else {
            continue;
        };
        let debug = with_ending(Path::new(name), ".debug");
        out.push(folder.join(&debug));
        out.push(folder.join(".debug").join(&debug));
        let bundle = with_ending(Path::new(name), ".dSYM");
        for folder in [folder]
            .into_iter()
            .chain(dirs.iter().map(PathBuf::as_path))
        {
            out.push(folder.join(&bundle).join(IN_BUNDLE).join(name));
        }
    }
    let mut seen = Vec::new();
    out.retain(|place| {
        let new = !seen.contains(place);
        seen.push(place.clone());
        new
    });
    out
}

/// Takes the package, or each `.dwo` file by itself.
fn split(path: &Path, dwo: &[&str], dirs: &[PathBuf], out: &mut Debug) {
    let name = path.file_name().map(Path::new).unwrap_or(path);
    let beside = path.parent().unwrap_or(Path::new(""));
    let folders = || {
        [beside]
            .into_iter()
            .chain(dirs.iter().map(PathBuf::as_path))
    };
    let mut packages: Vec<PathBuf> = folders()
        .map(|folder| folder.join(with_ending(name, ".dwp")))
        .collect();
    packages.extend(
        out.used
            .first()
            .map(|debug| with_ending(Path::new(debug), ".dwp")),
    );
    let mut take = |place: &Path| {
        let found = open(place);
        let is_there = found.is_some();
        if let Some(found) = found {
            out.split.push(found);
            out.used.push(place.display().to_string());
        }
        is_there
    };
    if packages.iter().any(|package| take(package)) {
        return;
    }
    let mut lost: Vec<&str> = Vec::new();
    for wanted in dwo {
        let wanted = Path::new(wanted);
        let moved = wanted.file_name().map(Path::new).unwrap_or(wanted);
        let found = take(wanted) || folders().any(|folder| take(&folder.join(moved)));
        if !found {
            lost.extend(wanted.to_str());
        }
    }
    if let Some(first) = lost.first() {
        out.missing = Some(format!(
            "Debug information is split off, and {} of {} files were not found, such as {first}: \
             put {}.dwp beside the file, or name the folder by --debug-dir.",
            lost.len(),
            dwo.len(),
            name.display()
        ));
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A regular file that may be read and is not empty. To open a pipe, which a binary may
/// name, would be to wait for its writer.
fn open(path: &Path) -> Option<Mapped> {
    path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Mapped::open(path).ok().filter(|bytes| !bytes.is_empty())
}
