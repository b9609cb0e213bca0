//! Notes of one link: what was started, and the files it read.
//!
//! rustc and gcc delete their object files when the linker is done, so the
//! files are kept here before it starts: as hard links, which cost nothing.

use super::args;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the notes in their folder.
pub(super) const FILE: &str = "link.json";

/// Why a link could not be noted.
pub(super) const PROBLEM: &str = "problem";

/// Folder of kept files, beside the notes; the arguments name them through it.
pub(super) const INPUTS: &str = "in";

/// What a linker reads of its environment: where to look, and what gcc tells the
/// programs it starts (GCC internals, "collect2"; ld manual, "Environment
/// Variables"). The rest of a person's environment is none of our business.
const ENVIRONMENT: &[&str] = &[
    "COLLECT_GCC",
    "COLLECT_GCC_OPTIONS",
    "COLLECT_LTO_WRAPPER",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "GNUTARGET",
    "LDEMULATION",
    "LD_LIBRARY_PATH",
    "LD_RUN_PATH",
    "LIBRARY_PATH",
    "OFFLOAD_TARGET_NAMES",
    "PATH",
    "SOURCE_DATE_EPOCH",
    "TMPDIR",
];

/// One link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Link {
    /// The linker.
    pub program: PathBuf,
    /// Where it was started.
    pub cwd: PathBuf,
    /// Its environment, as far as it decides.
    pub env: Vec<(String, String)>,
    /// Arguments without the output; kept files are named relative to the notes.
    pub args: Vec<String>,
    /// Absolute path of its output.
    pub output: PathBuf,
}

/// Notes a link in `notes`. A link that cannot be noted must not fail, so the
/// notes say why instead.
pub(super) fn take(notes: &Path, program: &Path, args: &[OsString], without: &[PathBuf]) {
    if let Err(why) = try_take(notes, program, args, without) {
        let _ = fs::write(notes.join(PROBLEM), why);
    }
}

fn try_take(
    notes: &Path,
    program: &Path,
    args: &[OsString],
    without: &[PathBuf],
) -> Result<(), String> {
    let cwd = std::env::current_dir().map_err(|e| format!("the linker's folder: {e}"))?;
    let words: Option<Vec<String>> = args.iter().map(|a| a.to_str().map(str::to_owned)).collect();
    let words = words.ok_or("an argument of the linker is not UTF-8")?;
    let mut words = args::expand(&words, &cwd);
    // A question is no link: `ld -v`, `ld --version`.
    if words.len() < 2 {
        return Ok(());
    }
    let output = cwd.join(args::take_output(&mut words));
    // One place for each output: a link done again replaces its notes.
    let name = &Sha256::digest(output.as_os_str().as_encoded_bytes())[..8];
    let place = notes.join(crate::files::hex(name));
    let io = |e: io::Error| format!("{}: {e}", place.display());
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join(INPUTS)).map_err(io)?;
    args::drop_side_outputs(&mut words);
    let mut problem = None;
    let mut count = 0;
    args::rewrite_files(&mut words, &cwd, |path| {
        if is_installed(path) {
            return Some(path.display().to_string());
        }
        let name = format!("{INPUTS}/{count:04}-{}", plain_name(path));
        count += 1;
        match link_or_copy(path, &place.join(&name)) {
            Ok(()) => Some(name),
            Err(e) => {
                problem = Some(format!("{}: {e}", path.display()));
                None
            }
        }
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    let link = Link {
        program: program.to_owned(),
        cwd,
        env: environment(without),
        args: words,
        output,
    };
    let text = serde_json::to_vec_pretty(&link).map_err(|e| e.to_string())?;
    fs::write(place.join(FILE), text).map_err(io)
}

fn environment(without: &[PathBuf]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for name in ENVIRONMENT {
        let Ok(value) = std::env::var(name) else {
            continue;
        };
        if *name == "PATH" || *name == "COMPILER_PATH" {
            let ours = |p: &PathBuf| without.iter().any(|w| w.components().eq(p.components()));
            let rest = std::env::split_paths(&value).filter(|p| !ours(p));
            if let Ok(value) = std::env::join_paths(rest) {
                out.push(((*name).to_owned(), value.to_string_lossy().into_owned()));
            }
        } else {
            out.push(((*name).to_owned(), value));
        }
    }
    out
}

/// Whether a file is part of the system or of a Rust toolchain: it stays where
/// it is, and a kit names it there.
pub(super) fn is_installed(path: &Path) -> bool {
    let text = path.to_string_lossy();
    ["/usr/", "/lib/", "/lib64/"]
        .iter()
        .any(|p| text.starts_with(p))
        && !text.contains("/local/")
        || text.contains("/lib/rustlib/")
}

/// A file name that needs no quoting, in a shell or in a linker script.
pub(super) fn plain_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    name.chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect()
}

/// A hard link, or a copy on another file system.
fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
    let from = from.canonicalize()?;
    fs::hard_link(&from, to).or_else(|_| fs::copy(&from, to).map(drop))
}

/// All notes in a folder.
pub(super) fn all(notes: &Path) -> Vec<(PathBuf, Link)> {
    let entries = fs::read_dir(notes).into_iter().flatten().flatten();
    let mut out: Vec<(PathBuf, Link)> = entries
        .filter_map(|entry| {
            let text = fs::read(entry.path().join(FILE)).ok()?;
            Some((entry.path(), serde_json::from_slice(&text).ok()?))
        })
        .collect();
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}
