//! `cargo xtask book`: the links of all documents hold, and the book is made of `docs/`.

pub mod blocks;
mod html;
mod links;

use super::words;
use crate::Task;
use crate::command::{command, root, run as start};
use anyhow::{Result, bail};
use links::Checked;
use std::path::Path;
use std::process::Stdio;

pub const TASK: Task = Task {
    name: "book",
    help: "check the links of documents, and make target/book by mdBook if it is installed",
    run,
};

/// Where `book.toml` puts the book.
const BOOK: &str = "target/book";

fn run(args: &[String]) -> Result<bool> {
    if !args.is_empty() {
        bail!("usage: cargo xtask book");
    }
    println!("{}", check()?);
    Ok(true)
}

/// Fails with file and line of each link that leads nowhere; says what was done.
pub fn check() -> Result<String> {
    let checked = links()?;
    let quiet = |mut version: std::process::Command| {
        version.stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    if quiet(command("mdbook", &["--version"])).is_err() {
        return Ok(format!("{checked} links; SKIPPED: the book: no mdbook"));
    }
    start(command("mdbook", &["build"]))?;
    let pages = html::lead_out(&root().join(BOOK))?;
    Ok(format!("{checked} links, {pages} pages"))
}

/// Checks the links of all documents, and that the book has all of `docs/`.
fn links() -> Result<usize> {
    let root = root();
    let mut files = words::files(&root)?;
    files.retain(|f| f.ends_with(".md") && root.join(f).is_file());
    let mut checked = Checked::new(&root);
    for file in &files {
        checked.file(file)?;
    }
    let chapters = links::links(&std::fs::read_to_string(root.join("docs/SUMMARY.md"))?);
    for file in files.iter().filter_map(|f| f.strip_prefix("docs/")) {
        if file != "SUMMARY.md" && !chapters.iter().any(|link| link.target == file) {
            checked.wrong.push(format!(
                "docs/SUMMARY.md: {file} is not in it, so the book lacks it"
            ));
        }
    }
    if checked.wrong.is_empty() {
        return Ok(checked.count);
    }
    bail!(
        "{} link(s) in documents lead nowhere:\n  {}",
        checked.wrong.len(),
        checked.wrong.join("\n  ")
    )
}

/// A path without `.` and `..`; `None` when it leads above where it begins.
fn plain(path: &Path) -> Option<std::path::PathBuf> {
    use std::path::Component;
    let mut plain = std::path::PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            _ => return None,
        }
    }
    Some(plain)
}
