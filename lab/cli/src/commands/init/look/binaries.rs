//! Two programs that exist.

use super::version;
use crate::commands::init::beginning::Beginning;
use crate::commands::toml_text::string;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::SystemTime;

pub(super) fn look(dir: &Path, place: &str) -> Option<Beginning> {
    let mut found: Vec<(SystemTime, String)> = ["", "bin/"]
        .iter()
        .flat_map(|folder| programs(dir, folder))
        .collect();
    // The older one is more likely the one that is known.
    found.sort();
    let [(_, before), (_, after), rest @ ..] = &found[..] else {
        return None;
    };
    let (one, other) = (name(before), name(after));
    let named = |path: &str| match place {
        "." => string(path),
        _ => string(&format!("{place}/{path}")),
    };
    let mut ask = Vec::new();
    if !rest.is_empty() {
        let rest: Vec<&str> = rest.iter().map(|(_, path)| path.as_str()).collect();
        ask.push(format!(
            "there are more programs; a [[variant]] each compares them too: {}",
            rest.join(", ")
        ));
    }
    Some(Beginning {
        what: "two programs: the newer one is compared with the older one".into(),
        title: "Is the newer program better?",
        baseline: one.clone(),
        build: format!(
            "[[variant]]\nname = {}\nbinary = {}\n\n[[variant]]\nname = {}\nbinary = {}\n",
            string(&one),
            named(before),
            string(&other),
            named(after)
        ),
        check: version(),
        args: Vec::new(),
        dir: None,
        ask,
        before: Vec::new(),
    })
}

/// A variant's name for a path.
fn name(path: &str) -> String {
    let good = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    path.chars()
        .map(|c| if good(c) { c } else { '-' })
        .collect()
}

/// Programs in a folder, with the times at which they were written.
fn programs(dir: &Path, folder: &str) -> Vec<(SystemTime, String)> {
    let entries = fs::read_dir(dir.join(folder))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            let meta = fs::metadata(entry.path()).ok()?;
            let is_program = meta.is_file()
                && meta.permissions().mode() & 0o111 != 0
                && !file.contains(".so")
                && is_elf(&entry.path());
            is_program.then_some((meta.modified().ok()?, format!("{folder}{file}")))
        })
        .collect()
}

fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}
