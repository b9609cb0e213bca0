//! Instructions of one run, counted by Valgrind: a metric that no noise touches.
//!
//! Cachegrind without its cache is the fastest of Valgrind's tools that count
//! every instruction. It counts user code of the started process and its threads,
//! in Valgrind's own emulation: its CPUID offers AVX2 at most, so code that
//! chooses at run time is counted in another version than the one that runs
//! natively, and code built for AVX-512 ends with SIGILL. An instruction is not a
//! cycle: fewer of them is a hint, never a verdict on speed.
//!
//! What varies between two runs of one program: randomised hashes, what depends on
//! addresses and time, and the size of arguments and environment, which the start
//! of every program walks over.

use karat_process::{Command, Ending, Failure, Finished, Setup};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Why there is no count.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Valgrind is not there.
    #[error(
        "valgrind is not installed; on Debian and Ubuntu `apt install valgrind` helps, on Fedora \
         `dnf install valgrind`"
    )]
    Missing,
    /// The run could not be set up or started.
    #[error(transparent)]
    Run(Failure),
    /// An instruction that Valgrind cannot emulate.
    #[error(
        "the program uses an instruction that Valgrind does not know ({bytes}): AVX-512 is not \
         emulated; count a build for x86-64-v3 or lower instead"
    )]
    UnknownInstruction {
        /// Its first bytes, as Valgrind shows them.
        bytes: String,
    },
    /// The program failed, or Valgrind did.
    #[error("under valgrind: {ending}{said}")]
    Failed {
        /// How it ended.
        ending: Ending,
        /// Its last lines, each on a line of its own.
        said: String,
    },
    /// The count is not where Valgrind should have written it.
    #[error("valgrind's count cannot be read: {0}")]
    Unreadable(String),
    /// There is more than one process.
    #[error(
        "the program splits into {0} processes (fork without exec), each with a count of its own; \
         count a run with one process"
    )]
    Forked(usize),
}

/// Runs `command` under Valgrind with `setup` around it, and gives the number of
/// instructions it executed. `setup`'s counters are not used: they would count
/// Valgrind. A run takes five to fifty times as long as without.
///
/// Children that `command` starts by exec are neither emulated nor counted.
///
/// # Errors
/// See [`Error`]. A program that ends with another exit code than 0 is an error.
pub fn instructions(
    command: &Command,
    setup: &Setup,
    timeout: Duration,
    interrupt: &AtomicBool,
) -> Result<u64, Error> {
    let unreadable = |e: std::io::Error| Error::Unreadable(e.to_string());
    let folder = tempfile::tempdir().map_err(unreadable)?;
    let setup = Setup {
        counters: None,
        ..setup.clone()
    };
    let log = folder.path().join("log");
    let counts = folder.path().join("counts");
    std::fs::create_dir(&counts).map_err(unreadable)?;
    let finished = setup
        .run(&mut under(command, &counts, &log), timeout, interrupt)
        .map_err(|failure| match failure {
            Failure::Start(e) if e.kind() == std::io::ErrorKind::NotFound => Error::Missing,
            failure => Error::Run(failure),
        })?;
    let log = std::fs::read(&log).unwrap_or_default();
    judge(&finished, &String::from_utf8_lossy(&log))?;
    let files: Vec<_> = std::fs::read_dir(&counts)
        .and_then(Iterator::collect)
        .map_err(unreadable)?;
    match &files[..] {
        [] => Err(Error::Unreadable("valgrind wrote no file".into())),
        [file] => summary(&std::fs::read_to_string(file.path()).map_err(unreadable)?),
        files => Err(Error::Forked(files.len())),
    }
}

/// The same command under Valgrind, which writes one file for each process.
fn under(command: &Command, counts: &Path, log: &Path) -> Command {
    let mut valgrind = Command::new("valgrind");
    let option = |name: &str, path: &Path| {
        let mut option = std::ffi::OsString::from(name);
        option.push(path);
        option
    };
    valgrind
        .args(["--tool=cachegrind", "--cache-sim=no", "--branch-sim=no"])
        .arg(option("--cachegrind-out-file=", &counts.join("%p")))
        .arg(option("--log-file=", log))
        .arg(command.get_program())
        .args(command.get_args());
    for (key, value) in command.get_envs() {
        match value {
            Some(value) => valgrind.env(key, value),
            None => valgrind.env_remove(key),
        };
    }
    if let Some(dir) = command.get_current_dir() {
        valgrind.current_dir(dir);
    }
    valgrind
}

/// Whether a run ended well under Valgrind, which has written `log`.
fn judge(finished: &Finished, log: &str) -> Result<(), Error> {
    match finished.ending {
        Ending::Exit(0) => Ok(()),
        Ending::Interrupted => Err(Error::Run(Failure::Interrupted)),
        ending => {
            let mut unknown = log
                .lines()
                .filter_map(|l| l.split_once("unhandled instruction bytes: "));
            if let (Ending::Signal(libc::SIGILL), Some((_, bytes))) = (ending, unknown.next_back())
            {
                return Err(Error::UnknownInstruction {
                    bytes: bytes.trim().to_owned(),
                });
            }
            let said = finished.last_lines(5);
            let said = said.lines().map(|l| format!("\n    {l}")).collect();
            Err(Error::Failed { ending, said })
        }
    }
}

/// The number of the line `summary:` (Cachegrind manual, "Cachegrind Output File
/// Format"): without caches and branches, `Ir` is the only event.
fn summary(file: &str) -> Result<u64, Error> {
    let field = |name: &str| file.lines().rev().find_map(|l| l.strip_prefix(name));
    match (field("events:"), field("summary:")) {
        (Some(events), Some(count)) if events.trim() == "Ir" => count
            .trim()
            .parse()
            .map_err(|_| Error::Unreadable(format!("`{}` is not a number", count.trim()))),
        (Some(events), Some(_)) => Err(Error::Unreadable(format!(
            "its events are `{}`, not `Ir`",
            events.trim()
        ))),
        _ => Err(Error::Unreadable(
            "its file has no `events:` or no `summary:` line".into(),
        )),
    }
}

#[cfg(test)]
mod tests;
