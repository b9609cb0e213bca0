//! From a variant to a binary, through a cache keyed by everything that decides
//! the result.

mod cache;
mod cargo;
mod command;
mod patch;
mod toolchain;
pub mod wrapper;

use crate::execute;
use crate::files::NotSources;
use crate::process::Ending;
use karat_model::evidence::BuildEvidence;
use karat_model::study::{Builder, Variant};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Where finished builds lie in the cache.
pub(crate) const BUILDS: &str = "builds";

/// Where builds happen.
pub struct Context<'a> {
    /// Folder of the study file; its paths are relative to this.
    pub study_dir: &'a Path,
    /// Folder of the build cache.
    pub cache: &'a Path,
    /// The program that serves as rustc wrapper (see [`wrapper`]) and stands in
    /// for linkers (see [`crate::layout`]).
    pub wrapper: &'a Path,
    /// What below a subject's folder is none of its sources.
    pub(crate) not_sources: &'a NotSources,
    /// Becomes true when the user wants to stop.
    pub interrupt: &'a AtomicBool,
}

/// A variant's binary.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its evidence.
    pub evidence: BuildEvidence,
    /// The binary, in the cache.
    pub binary: PathBuf,
    /// The compiler's output.
    pub log: String,
}

/// Why there is no binary.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The command ran and failed.
    #[error(
        "variant `{variant}`: {ending}\n  command: {command}\n  whole output: {}\n  last lines:\n{tail}",
        log.display()
    )]
    Failed {
        /// The variant.
        variant: String,
        /// The command, as one would type it.
        command: String,
        /// How it ended.
        ending: Ending,
        /// File that holds all of its output.
        log: PathBuf,
        /// The last lines of its output, indented.
        tail: String,
    },
    /// The command could not be started.
    #[error("variant `{variant}`: cannot start `{program}`: {source}")]
    Start {
        /// The variant.
        variant: String,
        /// The program.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// The command succeeded but left no artifact.
    #[error("variant `{variant}`: the build succeeded but left no {}\n  command: {command}", artifact.display())]
    NoArtifact {
        /// The variant.
        variant: String,
        /// The command, as one would type it.
        command: String,
        /// The missing file.
        artifact: PathBuf,
    },
    /// A patch does not apply, or patches something that is not there.
    #[error("variant `{variant}`: {message}")]
    Patch {
        /// The variant.
        variant: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// A file could not be read or written.
    #[error("variant `{variant}`: {}: {source}", path.display())]
    Io {
        /// The variant.
        variant: String,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A variant that needs no build names no program.
    #[error("variant `{variant}`: cannot execute {}: {what}", path.display())]
    Program {
        /// The variant.
        variant: String,
        /// The file.
        path: PathBuf,
        /// Why not, and what to do.
        what: String,
    },
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

/// Builds one variant, or takes it from the cache.
///
/// # Errors
/// See [`BuildError`]; every message names the variant.
pub fn build(variant: &Variant, context: &Context<'_>) -> Result<Built, BuildError> {
    match &variant.builder {
        Builder::Cargo(cargo) => cargo::build(&variant.name.value, cargo, context),
        Builder::Command(command) => command::build(&variant.name.value, command, context),
        Builder::Binary(path) => {
            existing(&variant.name.value, &context.study_dir.join(&path.value))
        }
    }
}

/// What sets `variant` apart, in words for a report.
#[must_use]
pub fn settings(variant: &Variant) -> Vec<String> {
    let mut out = match &variant.builder {
        Builder::Cargo(cargo) => cargo::settings(cargo),
        Builder::Command(command) => {
            let mut out = vec![format!("command {}", command.command.join(" "))];
            out.extend(command.env.iter().map(|(k, v)| format!("env {k}={v}")));
            out
        }
        Builder::Binary(path) => vec![format!("binary {}", path.value.display())],
    };
    if !variant.args.is_empty() {
        let words: Vec<String> = variant.args.iter().map(|a| quote(a)).collect();
        out.push(format!("arguments {}", words.join(" ")));
    }
    out
}

/// Commands that build `variant` by hand, from the folder of the study file.
#[must_use]
pub fn reproduce(variant: &Variant) -> Vec<String> {
    match &variant.builder {
        Builder::Cargo(cargo) => cargo::reproduce(cargo),
        Builder::Command(command) => {
            let env: String = command
                .env
                .iter()
                .map(|(k, v)| format!("{k}={} ", quote(v)))
                .collect();
            let words: Vec<String> = command.command.iter().map(|w| quote(w)).collect();
            vec![
                format!("cd {}", quote(&command.dir.value.to_string_lossy())),
                format!("{env}{}", words.join(" ")),
            ]
        }
        Builder::Binary(path) => program(&path.value, variant),
    }
}

/// How a program that exists is run: its arguments, and what the variant puts round it.
fn program(path: &Path, variant: &Variant) -> Vec<String> {
    let run = &variant.run;
    let quoted = |path: &Path| quote(&path.to_string_lossy());
    let mut out = Vec::new();
    if let Some(dir) = &run.dir {
        out.push(format!("cd {}", quoted(&dir.value)));
    }
    out.extend(run.setup.clone());
    let set = run.env.iter().map(|(k, v)| quote(&format!("{k}={v}")));
    let env = if run.env.is_empty() {
        None
    } else {
        Some("env".to_owned())
    };
    let mut words: Vec<String> = env.into_iter().chain(set).collect();
    words.push(quoted(path));
    words.extend(variant.args.iter().map(|a| quote(a)));
    if let Some(stdin) = &run.stdin {
        words.push(format!("< {}", quoted(&stdin.value)));
    }
    out.push(words.join(" "));
    out.extend(run.cleanup.clone());
    out
}

fn existing(variant: &str, path: &Path) -> Result<Built, BuildError> {
    let io = |source| BuildError::Io {
        variant: variant.to_owned(),
        path: path.to_owned(),
        source,
    };
    if let Some(what) = execute::unfit(path) {
        return Err(BuildError::Program {
            variant: variant.to_owned(),
            path: path.to_owned(),
            what,
        });
    }
    let sha256 = crate::files::hash_file(path).map_err(io)?;
    Ok(Built {
        evidence: BuildEvidence {
            key: sha256[..16].to_owned(),
            cached: true,
            seconds: 0.0,
            bytes: std::fs::metadata(path).map_err(io)?.len(),
            sha256,
            warnings: 0,
        },
        binary: std::path::absolute(path).map_err(io)?,
        log: String::new(),
    })
}

/// A word as a shell wants it, on one line: control characters are written as in
/// `$'\n'` (POSIX.1-2024; bash, zsh and ksh have long had it).
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if !word.contains(char::is_control) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut out = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str(r"\n"),
            '\t' => out.push_str(r"\t"),
            // Octal, byte by byte: it cannot run into what follows.
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::quote;
    use std::process::Command;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        if Command::new("bash").arg("--version").output().is_err() {
            println!("SKIPPED: no bash on this machine");
            return;
        }
        for word in [
            "plain",
            "",
            " ",
            "a b",
            "it's",
            "$HOME",
            "a\nb",
            "tab\tq'\\",
            "\u{1b}[1m9",
            "ä\u{85}1",
        ] {
            let quoted = quote(word);
            assert!(!quoted.contains(char::is_control), "{quoted:?}");
            let script = format!("printf %s {quoted}");
            let out = Command::new("bash").args(["-c", &script]).output().unwrap();
            assert_eq!(out.stdout, word.as_bytes(), "{quoted}");
        }
    }
}
