//! The run itself.

use crate::log::Log;
use crate::{cpu, place, program};
use karat_model::tried::{Outcome, Tried};
use karat_process::{Command, Ending};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The emulator.
const QEMU: &str = "qemu-x86_64";
/// An emulated program is 5 to 50 times slower.
const PATIENCE: Duration = Duration::from_secs(900);
/// Lines of standard error that are kept.
const LAST_LINES: usize = 4;
/// SIGILL on Linux x86-64.
const SIGILL: i32 = 4;
/// What QEMU says when a process dies of it, also of one that was forked.
const UNCAUGHT: &str = "uncaught target signal 4";

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The command, word by word.
    pub command: &'a [String],
    /// Variables added to the environment.
    pub environment: &'a [(String, String)],
    /// The baseline, as `--isa` takes it.
    pub isa: &'a str,
    /// Set when the user wants to stop.
    pub interrupt: &'a AtomicBool,
}

/// Why there was no run.
#[derive(Debug, thiserror::Error)]
pub enum TryError {
    /// No emulator.
    #[error(
        "qemu-x86_64, which runs a program on another CPU, is not installed; on Debian and \
         Ubuntu: apt install qemu-user"
    )]
    NoQemu,
    /// No CPU has that.
    #[error("QEMU does not execute {what}: run the command on a machine that has it instead")]
    NoSuchCpu {
        /// What was asked for.
        what: String,
    },
    /// There is nothing to run.
    #[error("there is no command: write it behind `--`, as in `--try -- ./program --version`")]
    NoCommand,
    /// There is no such program.
    #[error("`{name}` is not there or cannot be executed")]
    NotFound {
        /// As it was given.
        name: String,
    },
    /// The emulator runs other programs.
    #[error("{} is neither an ELF x86-64 program nor a script", path.display())]
    NotX86 {
        /// The program.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("{what}: {error}")]
    Start {
        /// What was started or read.
        what: String,
        /// What the system says.
        error: io::Error,
    },
    /// QEMU refuses.
    #[error("QEMU does not run it: {said}")]
    Refused {
        /// What it says.
        said: String,
    },
    /// The user wanted to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Runs a command on the CPU of a baseline, and finds where it died if it did.
///
/// # Errors
/// When it could not be run; whatever came of a run is none.
pub fn try_command(request: &Request<'_>) -> Result<Tried, TryError> {
    let cpu = cpu::model(request.isa)?;
    let qemu = program::find(QEMU).ok_or(TryError::NoQemu)?;
    let (path, arguments) = program::resolve(request.command)?;
    let start = |what: String| move |error| TryError::Start { what, error };
    let folder = tempfile::tempdir().map_err(start("a temporary folder".into()))?;
    let log = folder.path().join("log");
    let mut command = Command::new(&qemu);
    command.args(["-cpu", &cpu, "-d", "strace,page", "-D"]);
    command.arg(&log).arg(&path).args(arguments);
    command.envs(request.environment.iter().cloned());
    let run = karat_process::run(&mut command, PATIENCE, request.interrupt);
    let finished = run.map_err(start(QEMU.into()))?;
    let text = std::fs::read(&log).unwrap_or_default();
    let log = Log::parse(&String::from_utf8_lossy(&text));
    let stderr = String::from_utf8_lossy(&finished.stderr).into_owned();
    let said = last_lines(&stderr);
    // Before it begins, QEMU speaks only of itself.
    if log.start_code.is_none() {
        return Err(TryError::Refused { said });
    }
    let uncaught = finished.ending == Ending::Signal(SIGILL) || stderr.contains(UNCAUGHT);
    let outcome = match finished.ending {
        Ending::Interrupted => return Err(TryError::Interrupted),
        _ if uncaught => Outcome::Died,
        Ending::TimedOut => Outcome::TimedOut,
        Ending::Exit(0) => Outcome::Lived,
        _ => Outcome::Failed,
    };
    let died = log.illegal.filter(|_| uncaught);
    Ok(Tried {
        command: request.command.to_vec(),
        isa: request.isa.to_owned(),
        cpu,
        emulator: version(&qemu),
        outcome,
        code: match finished.ending {
            Ending::Exit(code) => Some(code),
            _ => None,
        },
        died: died.map(|at| place::died(&log, at, &path)),
        said: match outcome {
            Outcome::Lived => String::new(),
            _ => said,
        },
        left: log.executed,
    })
}

fn version(qemu: &std::path::Path) -> String {
    let mut command = Command::new(qemu);
    let answer = karat_process::output(command.arg("--version"), Duration::from_secs(10));
    let answer = answer.ok().flatten().map(|answer| answer.stdout);
    let answer = String::from_utf8_lossy(&answer.unwrap_or_default()).into_owned();
    let line = answer.lines().next().unwrap_or(QEMU);
    line.split(" (").next().unwrap_or(line).to_owned()
}

/// The end of what was said, without QEMU's own lines.
fn last_lines(text: &str) -> String {
    let own = |line: &&str| !line.starts_with("qemu: uncaught") && !line.trim().is_empty();
    let lines: Vec<&str> = text.lines().filter(own).collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
}
