//! The commands that `karat ab` compares: from words to programs.

use crate::args;
use crate::commands::failed;
use crate::exit;
use anyhow::Result;
use karat_process::quote;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Names of the commands, in their order.
pub const NAMES: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];

/// One command.
pub struct Command {
    /// As it was typed, quoted for a shell.
    pub shown: String,
    /// The program's file, from the root.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// The commands that were asked for.
pub fn of(args: &args::Ab) -> Result<Vec<Command>> {
    let typed = typed(args)?;
    let mut out = Vec::new();
    for (name, words) in NAMES.iter().zip(&typed) {
        let words = words
            .iter()
            .map(|word| text(name, word))
            .collect::<Result<Vec<&str>>>()?;
        let (program, rest) = match (&words[..], args.shell) {
            ([], _) => return Err(usage(format!("command {name} is empty"))),
            ([script], true) => ("sh", vec!["-c", script]),
            (_, true) => {
                return Err(usage(format!(
                    "command {name}: with --shell a command is one word; quote it: '{}'",
                    words.join(" ")
                )));
            }
            ([program, rest @ ..], false) => (*program, rest.to_vec()),
        };
        let file = find(program).map_err(|why| usage(format!("command {name}: {why}")))?;
        out.push(Command {
            shown: words.iter().map(|w| quote(w)).collect::<Vec<_>>().join(" "),
            program: text(name, file.as_os_str())?.to_owned(),
            args: rest.into_iter().map(str::to_owned).collect(),
        });
    }
    Ok(out)
}

/// The words of each command.
fn typed(args: &args::Ab) -> Result<Vec<Vec<&OsStr>>> {
    let words = args.commands.iter().map(OsString::as_os_str);
    if let (Some(a), Some(b)) = (&args.bin_a, &args.bin_b) {
        return Ok([a, b]
            .map(|bin| {
                std::iter::once(bin.as_os_str())
                    .chain(words.clone())
                    .collect()
            })
            .to_vec());
    }
    let words: Vec<&OsStr> = words.collect();
    let commands: Vec<Vec<&OsStr>> = words
        .split(|word| *word == "--")
        .map(<[_]>::to_vec)
        .collect();
    if commands.len() < 2 || commands.len() > NAMES.len() {
        return Err(usage(format!(
            "expected 2 to {} commands, found {}: karat ab -- COMMAND… -- COMMAND…",
            NAMES.len(),
            if words.is_empty() { 0 } else { commands.len() }
        )));
    }
    Ok(commands)
}

/// The word as text, which is all that the record of a run can hold.
fn text<'a>(name: &str, word: &'a OsStr) -> Result<&'a str> {
    word.to_str().ok_or_else(|| {
        usage(format!(
            "command {name}: `{}` is not UTF-8, and a run keeps its commands as text; give it \
             another name, or put the command into a script",
            word.display()
        ))
    })
}

/// The file of a program, looked for as a shell would, from the root.
fn find(program: &str) -> Result<PathBuf, String> {
    let absolute = |path: &Path| std::path::absolute(path).map_err(|e| e.to_string());
    if program.contains('/') {
        let path = Path::new(program);
        return match std::fs::metadata(path) {
            Err(error) => Err(format!("{program}: {error}{}", no_shell(program))),
            Ok(meta) if meta.is_dir() => Err(format!("{program} is a folder, no program")),
            Ok(meta) if !meta.is_file() => Err(format!("{program} is no program")),
            Ok(_) if !executable(path) => Err(format!(
                "{program} is not executable; `chmod +x {}` makes it so",
                quote(program)
            )),
            Ok(_) => absolute(path),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file() && executable(file));
    match found {
        Some(file) => absolute(&file),
        None if Path::new(program).is_file() => Err(format!(
            "no program `{program}` was found in PATH; the file in this folder is ./{program}"
        )),
        None => Err(format!(
            "no program `{program}` was found{}",
            no_shell(program)
        )),
    }
}

/// Advice for a command that was written as one word.
fn no_shell(program: &str) -> String {
    if !program.contains(char::is_whitespace) {
        return String::new();
    }
    format!(
        ": it is one word, and no shell takes it apart; write -- {program} -- …, or add --shell \
         to have each command run by `sh -c`"
    )
}

fn executable(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
}

fn usage(message: String) -> anyhow::Error {
    failed(exit::USAGE, message)
}
