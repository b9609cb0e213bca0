//! Finished builds: `builds/<key>/` holds the artifact, its record and its log.

use super::{BUILDS, BuildError, Built};
use crate::files::{NotSources, hash_file, hex};
use crate::layout::{self, StandIn};
use crate::left;
use karat_model::evidence::BuildEvidence;
use karat_process::{Command, Finished};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Raised when karat itself changes what a build is.
const FORMAT: &str = "karat-build-2";

/// No build takes longer than this.
const LONGEST: Duration = Duration::from_secs(4 * 3600);

/// Collects what decides a build.
pub(super) struct Key(Sha256);

impl Key {
    pub(super) fn new() -> Self {
        Self(Sha256::new_with_prefix(FORMAT))
    }

    /// Adds one labelled fact. Lengths keep neighbours apart.
    pub(super) fn add(&mut self, label: &str, value: &[u8]) -> &mut Self {
        self.0.update((label.len() as u64).to_le_bytes());
        self.0.update(label);
        self.0.update((value.len() as u64).to_le_bytes());
        self.0.update(value);
        self
    }

    pub(super) fn add_tree(
        &mut self,
        label: &str,
        root: &Path,
        not: &NotSources,
    ) -> io::Result<&mut Self> {
        let mut hash = Sha256::new();
        crate::files::hash_tree(root, not, &mut hash)?;
        Ok(self.add(label, &hash.finalize()))
    }

    /// Sixteen hexadecimal digits: all keys, and with them all paths of
    /// artifacts, have the same length, so that argv[0] shifts no stack.
    pub(super) fn finish(&self) -> String {
        hex(&self.0.clone().finalize()[..8])
    }
}

/// What is known of a finished build without its artifact.
#[derive(Serialize, Deserialize)]
struct Record {
    seconds: f64,
    sha256: String,
    warnings: u32,
    command: String,
}

/// The build of this key, if the cache has it whole.
pub(super) fn find(cache: &Path, key: &str, bin: &str) -> Option<Built> {
    let folder = cache.join(BUILDS).join(key);
    let record: Record =
        serde_json::from_slice(&fs::read(folder.join("record.json")).ok()?).ok()?;
    let binary = folder.join(bin);
    let bytes = fs::metadata(&binary).ok()?.len();
    // A damaged artifact would be measured as if it were the build.
    if hash_file(&binary).ok()? != record.sha256 {
        return None;
    }
    Some(Built {
        evidence: BuildEvidence {
            key: key.to_owned(),
            cached: true,
            seconds: record.seconds,
            sha256: record.sha256,
            bytes,
            warnings: record.warnings,
        },
        binary: std::path::absolute(binary).ok()?,
        log: fs::read_to_string(folder.join("build.log")).unwrap_or_default(),
    })
}

/// A build to be made.
pub(super) struct Job<'a> {
    pub(super) variant: &'a str,
    pub(super) cache: &'a Path,
    pub(super) key: String,
    /// File name of the artifact in the cache.
    pub(super) bin: &'a str,
    /// The command, ready to run.
    pub(super) command: Command,
    /// The same as a person would type it.
    pub(super) shown: String,
    /// Where it leaves the artifact.
    pub(super) artifact: Artifact,
    /// What must hold of a finished build before the cache may have it.
    pub(super) accept: &'a dyn Fn() -> Result<(), BuildError>,
    /// The program that stands in for linkers (see [`crate::layout`]).
    pub(super) karat: &'a Path,
    /// Folder for the notes of links. Build tools link only what changed, so it
    /// lives as long as their results.
    pub(super) links: PathBuf,
    pub(super) interrupt: &'a AtomicBool,
}

/// Where a build leaves its artifact.
pub(super) enum Artifact {
    /// Here.
    At(PathBuf),
    /// Where cargo's messages on stdout say (it depends on `build.target`).
    ByCargo,
}

impl Artifact {
    fn find(&self, bin: &str, run: &Finished) -> Option<PathBuf> {
        let path = match self {
            Self::At(path) => path.clone(),
            Self::ByCargo => String::from_utf8_lossy(&run.stdout)
                .lines()
                .filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok())
                .filter(|m| m["reason"] == "compiler-artifact" && m["target"]["name"] == bin)
                .find_map(|m| m["executable"].as_str().map(PathBuf::from))?,
        };
        path.is_file().then_some(path)
    }
}

/// Runs the job and puts its artifact into the cache.
pub(super) fn make(mut job: Job<'_>) -> Result<Built, BuildError> {
    let io = |path: &Path, source| BuildError::Io {
        variant: job.variant.to_owned(),
        path: path.to_owned(),
        source,
    };
    let links = std::path::absolute(&job.links).map_err(|e| io(&job.links, e))?;
    fs::create_dir_all(&links).map_err(|e| io(&links, e))?;
    StandIn::install(job.karat, job.cache)
        .map_err(|e| io(job.cache, e))?
        .attach(&mut job.command, &links);
    let start = Instant::now();
    let run = karat_process::run(&mut job.command, LONGEST, job.interrupt).map_err(|source| {
        BuildError::Start {
            variant: job.variant.to_owned(),
            program: job.command.get_program().to_string_lossy().into_owned(),
            source,
        }
    })?;
    let seconds = start.elapsed().as_secs_f64();
    if run.ending == karat_process::Ending::Interrupted {
        return Err(BuildError::Interrupted);
    }
    if !run.success() {
        return Err(failed(job.variant, job.cache, job.shown, &run));
    }
    let missing = |job: &Job<'_>| BuildError::NoArtifact {
        variant: job.variant.to_owned(),
        command: job.shown.clone(),
        artifact: match &job.artifact {
            Artifact::At(path) => path.clone(),
            Artifact::ByCargo => PathBuf::from(job.bin),
        },
        programs: match &job.artifact {
            Artifact::At(_) => job
                .command
                .get_current_dir()
                .map_or(Vec::new(), left::programs),
            Artifact::ByCargo => Vec::new(),
        },
    };
    let Some(artifact) = job.artifact.find(job.bin, &run) else {
        return Err(missing(&job));
    };
    (job.accept)()?;
    store(&job, &artifact, &run, seconds, &links).map_err(|e| io(job.cache, e))?;
    if job.interrupt.load(Ordering::Relaxed) {
        return Err(BuildError::Interrupted);
    }
    let mut built = find(job.cache, &job.key, job.bin).ok_or_else(|| missing(&job))?;
    built.evidence.cached = false;
    Ok(built)
}

/// The error of a command that failed, its whole output kept in the cache.
pub(super) fn failed(variant: &str, cache: &Path, command: String, run: &Finished) -> BuildError {
    let folder = cache.join("failed");
    let log = folder.join(format!("{variant}.log"));
    // The error itself is the news; a log that cannot be kept must not hide it.
    let _ = fs::create_dir_all(&folder).and_then(|()| fs::write(&log, log_of(&command, run)));
    let tail = run.last_lines(20);
    BuildError::Failed {
        variant: variant.to_owned(),
        command,
        ending: run.ending,
        log,
        tail: tail.lines().map(|l| format!("    {l}\n")).collect(),
    }
}

/// Command and output; cargo's messages for programs are left out.
fn log_of(command: &str, run: &Finished) -> String {
    let stdout = String::from_utf8_lossy(&run.stdout);
    let lines = stdout.lines().filter(|l| !l.starts_with("{\"reason\":"));
    let stdout: String = lines.map(|l| format!("{l}\n")).collect();
    let stderr = String::from_utf8_lossy(&run.stderr);
    format!("$ {command}\n{stdout}{stderr}")
}

/// Writes the cache entry beside its place and renames it: never half an entry.
fn store(
    job: &Job<'_>,
    artifact: &Path,
    run: &Finished,
    seconds: f64,
    links: &Path,
) -> io::Result<()> {
    let builds = job.cache.join(BUILDS);
    fs::create_dir_all(&builds)?;
    let log = log_of(&job.shown, run);
    let part = tempfile::Builder::new()
        .prefix(".part-")
        .tempdir_in(&builds)?;
    fs::copy(artifact, part.path().join(job.bin))?;
    let record = Record {
        seconds,
        sha256: hash_file(artifact)?,
        warnings: count_warnings(&log),
        command: job.shown.clone(),
    };
    fs::write(part.path().join("build.log"), log)?;
    fs::write(
        part.path().join("record.json"),
        serde_json::to_vec_pretty(&record)?,
    )?;
    layout::make(links, artifact, part.path(), job.interrupt)?;
    // A build without its kit would be found as if it could have none.
    if job.interrupt.load(Ordering::Relaxed) {
        return Ok(());
    }
    let place = builds.join(&job.key);
    let _ = fs::remove_dir_all(&place);
    fs::rename(part.keep(), place)
}

/// Lines that start a warning; summaries ("generated 2 warnings") do not count.
fn count_warnings(log: &str) -> u32 {
    let warns = |l: &&str| l.starts_with("warning") || l.contains(": warning: ");
    let summary = |l: &&str| l.contains("generated") && l.contains("warning");
    log.lines().filter(warns).filter(|l| !summary(l)).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_neighbouring_facts_apart() {
        let mut a = Key::new();
        a.add("x", b"ab").add("y", b"c");
        let mut b = Key::new();
        b.add("x", b"a").add("y", b"bc");
        assert_ne!(a.finish(), b.finish());
        assert_eq!(a.finish().len(), 16);
    }

    #[test]
    fn warnings_are_counted_once() {
        let log = "warning: unused variable\n --> x\nwarning: `s` (bin) generated 1 warning\n\
                   a.c:3:1: warning: implicit\n";
        assert_eq!(count_warnings(log), 2);
    }
}
