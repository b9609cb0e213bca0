//! Other tools of the machine, in a directory of their own.

use std::path::PathBuf;
use std::process::Command;

/// A directory that goes when it is dropped.
pub struct Dir {
    _dir: tempfile::TempDir,
    pub path: PathBuf,
}

impl Dir {
    pub fn new() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("karat-audit-")
            .tempdir()
            .expect("a temporary directory");
        let path = dir.path().to_path_buf();
        Self { _dir: dir, path }
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path.join(name), bytes).expect("a file in the directory");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path.join(name)).expect("what the tool wrote")
    }
}

/// Runs a tool. None, and a line that says so, if it is not there or refuses.
pub fn run(dir: &Dir, tool: &str, args: &[&str]) -> Option<()> {
    let output = Command::new(tool)
        .args(args)
        .current_dir(&dir.path)
        .output();
    match output {
        Ok(output) if output.status.success() => Some(()),
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            println!("SKIPPED: {tool} {args:?} failed: {errors}");
            None
        }
        Err(error) => {
            println!("SKIPPED: {tool}: {error}");
            None
        }
    }
}

/// What a tool prints.
pub fn output(tool: &str, args: &[&str]) -> Option<String> {
    match Command::new(tool).args(args).output() {
        Ok(output) if output.status.success() => {
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        _ => {
            println!("SKIPPED: {tool} {args:?} failed or is not there");
            None
        }
    }
}
