//! Starting programs from the root of the repository.

use anyhow::{Context as _, Result, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the root")
        .to_owned()
}

/// A command with the root as its current directory and nothing to read.
pub fn command(program: impl AsRef<OsStr>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

/// The cargo that runs us.
pub fn cargo(args: &[&str]) -> Command {
    command(
        std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
        args,
    )
}

/// Runs it with its output shown; fails unless it succeeds.
pub fn run(mut command: Command) -> Result<()> {
    let shown = shown(&command);
    eprintln!("$ {shown}");
    let status = command.status().with_context(|| cannot_start(&command))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// Runs it and gives its stdout; stderr is shown.
pub fn stdout(mut command: Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| cannot_start(&command))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", shown(&command), output.status);
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed no UTF-8", shown(&command)))
}

/// Whether a program is installed and says its version.
pub fn starts(program: &str) -> bool {
    let output = command(program, &["--version"]).output();
    output.is_ok_and(|o| o.status.success())
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start {}", command.get_program().display())
}

/// The command as one would type it: the program's name without its folder.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut text = program
        .file_name()
        .unwrap_or(program.as_os_str())
        .display()
        .to_string();
    for arg in command.get_args() {
        text.push_str(&format!(" {}", arg.display()));
    }
    text
}
