//! The run itself.

use crate::error::TryError;
use crate::log::Log;
use crate::machine::Machine;
use crate::{arm, cpu, place, program, root};
use karat_model::tried::{Outcome, Tried};
use karat_process::{Command, Ending};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a command may take: an emulated program is 5 to 50 times slower.
pub const PATIENCE: Duration = Duration::from_secs(900);
/// QEMU says nothing of itself for so long.
const ANSWER: Duration = Duration::from_secs(10);
/// Lines of standard error that are kept.
const LAST_LINES: usize = 4;
/// SIGILL on Linux.
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
    /// Extensions that are to be tried, which the CPU should lack: those that the files at hand
    /// have above the baseline.
    pub above: &'a [String],
    /// The command is ended after this time.
    pub patience: Duration,
    /// Set when the user wants to stop.
    pub interrupt: &'a AtomicBool,
}

/// Runs a command on the CPU of a baseline, and finds where it died if it did.
///
/// # Errors
/// When it could not be run; whatever came of a run is none.
pub fn try_command(request: &Request<'_>) -> Result<Tried, TryError> {
    let machine = Machine::of(request.isa);
    let emulator = machine.qemu();
    let mut beyond = Vec::new();
    let (cpu, qemu) = match machine {
        Machine::X86 => {
            let cpu = cpu::model(request.isa)?;
            (cpu, find(emulator)?)
        }
        Machine::Arm => {
            let qemu = find(emulator)?;
            let models = said_by(&qemu, &["-cpu", "help"]);
            let has = |name: &str| models.split_whitespace().any(|known| known == name);
            let model = arm::model(request.isa, request.above, has)?;
            beyond = model.beyond;
            (model.cpu, qemu)
        }
    };
    let (path, arguments) = program::resolve(request.command, machine)?;
    let folder_of_system = match machine {
        Machine::X86 => root::named(),
        Machine::Arm => root::of(&path)?,
    };
    let start = |what: String| move |error| TryError::Start { what, error };
    let folder = tempfile::tempdir().map_err(start("a temporary folder".into()))?;
    let log = folder.path().join("log");
    let mut command = Command::new(&qemu);
    command.args(["-cpu", &cpu, "-d", "strace,page", "-D"]);
    command.arg(&log);
    if let Some(folder) = &folder_of_system {
        command.arg("-L").arg(folder);
    }
    command.arg(&path).args(arguments);
    command.envs(request.environment.iter().cloned());
    let run = karat_process::run(&mut command, request.patience, request.interrupt);
    let finished = run.map_err(start(emulator.into()))?;
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
        beyond,
        emulator: version(&qemu, emulator),
        outcome,
        code: match finished.ending {
            Ending::Exit(code) => Some(code),
            _ => None,
        },
        died: died.map(|at| place::died(&log, at, &path, folder_of_system.as_deref())),
        said: match outcome {
            Outcome::Lived => String::new(),
            _ => said,
        },
        left: log.executed,
    })
}

fn version(qemu: &Path, name: &str) -> String {
    let answer = said_by(qemu, &["--version"]);
    let line = answer.lines().next().unwrap_or(name);
    line.split(" (").next().unwrap_or(line).to_owned()
}

/// The emulator; Debian has it under another name too.
fn find(emulator: &'static str) -> Result<PathBuf, TryError> {
    program::find(emulator)
        .or_else(|| program::find(&format!("{emulator}-static")))
        .ok_or(TryError::NoQemu { emulator })
}

/// What the emulator says of itself.
fn said_by(qemu: &Path, args: &[&str]) -> String {
    let mut command = Command::new(qemu);
    let answer = karat_process::output(command.args(args), ANSWER);
    let answer = answer.ok().flatten().map(|answer| answer.stdout);
    String::from_utf8_lossy(&answer.unwrap_or_default()).into_owned()
}

/// The end of what was said, without QEMU's own lines.
fn last_lines(text: &str) -> String {
    let own = |line: &&str| !line.starts_with("qemu: uncaught") && !line.trim().is_empty();
    let lines: Vec<&str> = text.lines().filter(own).collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
}
