//! The compilers of this machine, asked for their versions.

use karat_host::machine;
use karat_model::machine::Machine;
use karat_process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Longest time for a program to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// Looks at the machine, and asks its compilers for their versions.
#[must_use]
pub fn probe() -> Machine {
    Machine {
        rustc: version_of("rustc"),
        cc: version_of("cc"),
        ..machine::probe()
    }
}

/// First line of `PROGRAM --version`, if there is such a program and it answers
/// within ten seconds.
#[must_use]
pub fn version_of(program: &str) -> Option<String> {
    let mut command = Command::new(program);
    // A version is no reason for rustup to install a compiler.
    command.arg("--version").env("RUSTUP_AUTO_INSTALL", "0");
    let never = AtomicBool::new(false);
    let run = karat_process::run(&mut command, PATIENCE, &never).ok()?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    text.lines().next().map(str::to_owned)
}
