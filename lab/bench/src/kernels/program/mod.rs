//! Peers that are programs of their own, in any language.
//!
//! The line protocol is in `docs/peer-programs.md`.

use crate::arm::Work;
use crate::error::{BenchError, ProgramError};
use crate::timer::Timer;
use karat_kit::{Input, Size};
use karat_process::Command;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::process::{Child, ChildStdin};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// An answer that takes longer will not come. A batch takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// A peer that is a program of its own.
#[derive(Debug)]
pub struct Program {
    command: String,
    name: String,
    child: Child,
    requests: BufWriter<ChildStdin>,
    answers: Receiver<std::io::Result<String>>,
    patience: Duration,
}

/// Which inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Those that are timed.
    Timed,
    /// Those of the untimed run before.
    WarmUp,
}

impl Set {
    const fn word(self) -> &'static str {
        match self {
            Self::Timed => "timed",
            Self::WarmUp => "warm-up",
        }
    }
}

impl Program {
    /// Starts a program. The command's words are separated by spaces; there is no shell.
    ///
    /// # Errors
    /// When it cannot be started, or does not know this protocol.
    pub fn start(command: &str) -> Result<Self, ProgramError> {
        Self::start_with(command, PATIENCE)
    }

    fn start_with(command: &str, patience: Duration) -> Result<Self, ProgramError> {
        let failed = |source| ProgramError::Start {
            command: command.to_owned(),
            source,
        };
        let mut words = command.split_whitespace();
        let mut start = Command::new(words.next().unwrap_or_default());
        let mut child = karat_process::start_piped(start.args(words)).map_err(failed)?;
        let missing = || failed(std::io::Error::other("its pipes are missing"));
        let requests = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let (sender, answers) = channel();
        // It sleeps in a read while the program computes.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut program = Self {
            command: command.to_owned(),
            name: String::new(),
            child,
            requests: BufWriter::new(requests),
            answers,
            patience,
        };
        let hello = program.ask("hello 1")?;
        match hello.strip_prefix("hello 1 ") {
            Some(name) if !name.trim().is_empty() => name.trim().clone_into(&mut program.name),
            _ => return Err(program.answered("hello 1", hello)),
        }
        Ok(program)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has this task at this size.
    pub(super) fn takes(&mut self, task: &str, size: Size) -> Result<bool, ProgramError> {
        let request = format!("task {task} {} {}", size.items, size.size);
        match self.ask(&request)?.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(self.answered(&request, other.to_owned())),
        }
    }

    /// Gives it the inputs of a set.
    pub(super) fn inputs(&mut self, set: Set, inputs: &[Input]) -> Result<(), ProgramError> {
        let request = format!("inputs {} {}", set.word(), inputs.len());
        let mut text = request.clone();
        for input in inputs {
            let _ = write!(text, "\n{} {} ", input.items, hex(&input.bytes));
            let numbers: Vec<String> = input.numbers.iter().map(u64::to_string).collect();
            text.push_str(if numbers.is_empty() { "-" } else { "" });
            text.push_str(&numbers.join(","));
        }
        match self.send(&text, &request)?.as_str() {
            "ok" => Ok(()),
            other => Err(self.answered(&request, other.to_owned())),
        }
    }

    /// Nanoseconds of so many passes over a set.
    pub(super) fn run(&mut self, set: Set, passes: u64, wall: bool) -> Result<f64, ProgramError> {
        let clock = if wall { "wall" } else { "thread" };
        let request = format!("run {} {passes} {clock}", set.word());
        let answer = self.ask(&request)?;
        match answer.parse::<f64>() {
            Ok(ns) if ns.is_finite() && ns >= 0.0 => Ok(ns),
            _ => Err(self.answered(&request, answer)),
        }
    }

    /// The last result of an input of the set `timed`.
    pub(super) fn result(&mut self, index: usize) -> Result<Vec<u8>, ProgramError> {
        let request = format!("result {index}");
        let answer = self.ask(&request)?;
        unhex(&answer).ok_or_else(|| self.answered(&request, answer))
    }

    fn ask(&mut self, request: &str) -> Result<String, ProgramError> {
        self.send(request, request)
    }

    /// Sends lines and returns the answer.
    fn send(&mut self, lines: &str, request: &str) -> Result<String, ProgramError> {
        let ended = || ProgramError::Ended {
            command: self.command.clone(),
            request: request.to_owned(),
        };
        let written = writeln!(self.requests, "{lines}").and_then(|()| self.requests.flush());
        written.map_err(|_| ended())?;
        match self.answers.recv_timeout(self.patience) {
            Ok(Ok(answer)) => Ok(answer.trim().to_owned()),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(ended()),
            Err(RecvTimeoutError::Timeout) => Err(ProgramError::Silent {
                command: self.command.clone(),
                request: request.to_owned(),
                patience: self.patience,
            }),
        }
    }

    fn answered(&self, request: &str, answer: String) -> ProgramError {
        ProgramError::Answer {
            command: self.command.clone(),
            request: request.to_owned(),
            answer,
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already; it must not stay in any case.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program as an arm.
pub(super) struct Remote {
    pub(super) program: Rc<RefCell<Program>>,
    pub(super) bench: &'static str,
}

impl Remote {
    fn failed(&self, source: ProgramError) -> BenchError {
        BenchError::Program {
            bench: self.bench.to_owned(),
            source,
        }
    }
}

impl Work<Input> for Remote {
    fn is_here(&self) -> bool {
        false
    }

    fn prepare(&mut self, inputs: &[Input], warm_up: &[Input]) -> Result<(), BenchError> {
        let mut program = self.program.borrow_mut();
        let given = program.inputs(Set::Timed, inputs);
        let given = given.and_then(|()| program.inputs(Set::WarmUp, warm_up));
        given.map_err(|e| self.failed(e))
    }

    fn warm_up(&mut self, _: &[Input]) -> Result<(), BenchError> {
        let ran = self.program.borrow_mut().run(Set::WarmUp, 1, false);
        ran.map(drop).map_err(|e| self.failed(e))
    }

    fn time(&mut self, timer: Timer, _: &[Input], passes: u64) -> Result<f64, BenchError> {
        let wall = timer == Timer::Wall;
        let ran = self.program.borrow_mut().run(Set::Timed, passes, wall);
        ran.map_err(|e| self.failed(e))
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    if bytes.is_empty() {
        return "-".to_owned();
    }
    let digits = bytes.iter().flat_map(|b| [b >> 4, b & 15]);
    digits.map(|d| char::from(DIGITS[usize::from(d)])).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let digit = |c: u8| char::from(c).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
    pairs.iter().map(byte).collect()
}

#[cfg(test)]
mod tests;
