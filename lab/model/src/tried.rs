//! A command run on an emulated CPU, and where it died.

use crate::finding::Location;
use serde::{Deserialize, Serialize};

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The command, word by word.
    pub command: Vec<String>,
    /// The baseline that the CPU was to have.
    pub isa: String,
    /// The CPU, as the emulator calls it.
    pub cpu: String,
    /// Extensions that the CPU has beyond the baseline: no instruction of these could die.
    #[serde(default)]
    pub beyond: Vec<String>,
    /// The emulator and its version.
    pub emulator: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The exit code, if it ended by one.
    #[serde(default)]
    pub code: Option<i32>,
    /// Where it died, or one of its processes.
    #[serde(default)]
    pub died: Option<Died>,
    /// What it said last on standard error.
    #[serde(default)]
    pub said: String,
    /// Programs that it started: those left the emulator and ran on this machine's CPU.
    #[serde(default)]
    pub left: Vec<String>,
}

/// What came of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// An instruction ended it, or one of its processes, with SIGILL.
    Died,
    /// It ended with 0.
    #[default]
    Lived,
    /// It failed in another way: that says nothing about instructions.
    Failed,
    /// It was ended after the time it had.
    TimedOut,
}

/// Where a process died.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Died {
    /// The instruction, as a disassembler writes its name; none where the file cannot be
    /// read.
    #[serde(default)]
    pub mnemonic: Option<String>,
    /// Where it was in memory.
    pub memory: u64,
    /// The file that was mapped there; none for code made while running.
    #[serde(default)]
    pub file: Option<String>,
    /// Its address as linked.
    #[serde(default)]
    pub address: Option<u64>,
    /// The function.
    #[serde(default)]
    pub function: Option<String>,
    /// Source line, when the file has line tables.
    #[serde(default)]
    pub location: Option<Location>,
    /// What the static analysis says of the function, in words; none where it was not
    /// asked, or says nothing of it.
    #[serde(default)]
    pub claim: Option<String>,
}

impl Tried {
    /// What came of it, in a sentence without its end.
    #[must_use]
    pub fn told(&self) -> String {
        let cpu = &self.cpu;
        match (self.outcome, &self.died) {
            (Outcome::Died, Some(died)) => format!("it died on {cpu} at {}", died.told()),
            (Outcome::Died, None) => format!("it died on {cpu} with SIGILL, no one knows where"),
            (Outcome::Lived, _) => format!("it ran on {cpu} to its end"),
            (Outcome::Failed, _) => {
                let how = self
                    .code
                    .map_or("by a signal".into(), |code| format!("with {code}"));
                format!("it ended {how} on {cpu}, not by an instruction")
            }
            (Outcome::TimedOut, _) => format!("it ran on {cpu} until its time was over"),
        }
    }
}

impl Died {
    /// The place in words, with what the analysis says of it.
    fn told(&self) -> String {
        let mut out = match &self.mnemonic {
            Some(mnemonic) => format!("`{mnemonic}`"),
            None => "an instruction".into(),
        };
        match self.address {
            Some(address) => out += &format!(" ({address:#x})"),
            None => out += &format!(" ({:#x} in memory)", self.memory),
        }
        if let Some(function) = &self.function {
            out += &format!(" in {function}");
        }
        if let Some(file) = &self.file {
            out += &format!(" of {}", file.rsplit('/').next().unwrap_or(file));
        }
        if let Some(place) = &self.location {
            let line = place.line.map_or(String::new(), |line| format!(":{line}"));
            out += &format!(", {}{line}", place.file);
        }
        if let Some(claim) = &self.claim {
            out += &format!("; the static analysis says: {claim}");
        }
        out
    }
}
