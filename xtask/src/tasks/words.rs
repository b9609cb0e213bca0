//! `cargo xtask words`: no file names a place of the machine it was written on.

use crate::Task;
use crate::command::{command, root};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Stdio;

pub const TASK: Task = Task {
    name: "words",
    help: "fail when a file names a folder of the machine it was written on",
    run,
};

/// Folders at the root of a file system that belong to one machine or user.
const PLACES: &[&str] = &["root", "home", "work"];

/// Not ours to read, when git cannot tell.
const IGNORED: &[&str] = &[".git", "target", "karat-runs"];

fn run(args: &[String]) -> Result<bool> {
    if !args.is_empty() {
        bail!("usage: cargo xtask words");
    }
    check().map(|()| true)
}

/// Fails with file and line of each machine path.
pub fn check() -> Result<()> {
    let root = root();
    let mut found = Vec::new();
    for file in files(&root)? {
        // What is not text, or was deleted and not committed yet, says nothing.
        let Ok(text) = std::fs::read_to_string(root.join(&file)) else {
            continue;
        };
        for (i, line) in text.lines().enumerate() {
            if let Some(place) = machine_path(line) {
                found.push(format!("{file}:{}: {place}", i + 1));
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    bail!(
        "machine paths in {} line(s); write a relative path or `$HOME` instead:\n  {}",
        found.len(),
        found.join("\n  ")
    )
}

/// The first machine path of the line.
fn machine_path(line: &str) -> Option<&str> {
    PLACES.iter().find_map(|place| {
        let path = format!("/{place}/");
        line.match_indices(&path).find_map(|(at, _)| {
            // In `a/home/b` it is a folder of something else.
            let inner = |c: char| c.is_alphanumeric() || "_-.~})]".contains(c);
            if line[..at].ends_with(inner) {
                return None;
            }
            let rest = &line[at..];
            let end = rest.find(|c: char| c.is_whitespace() || "\"'`,;:)".contains(c));
            Some(&rest[..end.unwrap_or(rest.len())])
        })
    })
}

/// What is committed or will be: all that git does not ignore.
pub fn files(root: &Path) -> Result<Vec<String>> {
    let list = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let listed = command("git", &list).stderr(Stdio::null()).output();
    if let Ok(output) = listed
        && output.status.success()
    {
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        return Ok(names.split_terminator('\0').map(str::to_owned).collect());
    }
    // No git, or a copy without its history.
    let mut files = Vec::new();
    walk(root, "", &mut files)?;
    Ok(files)
}

fn walk(root: &Path, folder: &str, files: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() {
            name.clone()
        } else {
            format!("{folder}/{name}")
        };
        if entry.file_type()?.is_dir() {
            if !IGNORED.contains(&name.as_str()) {
                walk(root, &path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{PLACES, machine_path};

    #[test]
    fn paths_from_the_root_are_found() {
        for place in PLACES {
            let path = format!("/{place}/x/y.rs");
            assert_eq!(machine_path(&path), Some(path.as_str()));
            assert_eq!(
                machine_path(&format!("see `{path}`, line 3")),
                Some(path.as_str())
            );
            assert_eq!(
                machine_path(&format!("file://{path}:3")),
                Some(path.as_str())
            );
        }
    }

    #[test]
    fn folders_inside_of_others_are_not() {
        for place in PLACES {
            for before in ["a", "..", "$HOME", "${X}", "example.com"] {
                assert_eq!(machine_path(&format!("{before}/{place}/x")), None);
            }
        }
    }
}
