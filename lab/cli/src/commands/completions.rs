//! `karat completions`.

use crate::args::Args;
use anyhow::Result;
use clap::CommandFactory;

/// Prints a completion script.
pub fn run(shell: clap_complete::Shell) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "karat", &mut script);
    crate::say::result(&String::from_utf8_lossy(&script))?;
    Ok(crate::exit::GOOD)
}
