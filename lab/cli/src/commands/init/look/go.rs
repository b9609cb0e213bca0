//! A Go module.

use super::{likeliest, others, read, subfolders, version};
use crate::commands::init::beginning::Beginning;
use crate::commands::toml_text::string;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn look(dir: &Path, place: &str) -> Option<Beginning> {
    if !dir.join("go.mod").is_file() {
        return None;
    }
    let mains = mains(dir);
    let chosen = likeliest(&mains, |package| package);
    let mut ask = Vec::new();
    match chosen {
        Some(chosen) => ask.extend(others(&mains, chosen, "command")),
        None => ask.push(
            "no package called `main` was found: a study runs a program. Name its folder in \
             `command` instead of `./cmd/NAME`"
                .into(),
        ),
    }
    let package = chosen.map_or("./cmd/NAME", String::as_str);
    let words = [
        "go",
        "build",
        "-buildvcs=false",
        "-o",
        "karat-program",
        package,
    ];
    Some(Beginning {
        what: "a Go module: its program is built for all x86-64 CPUs, and for those with AVX2"
            .into(),
        title: "Does GOAMD64=v3 help NAME?",
        baseline: "v1".into(),
        build: format!(
            "[subject]\ndir = {}\ncommand = {}\nartifact = \"karat-program\"\n\n[[variant]]\nname = \
             \"v1\"\nenv = {{ GOAMD64 = \"v1\" }}\n\n[[variant]]\nname = \"v3\"\nenv = {{ GOAMD64 = \
             \"v3\" }}\nrequires = [\"avx2\", \"bmi2\", \"fma\"]\n",
            string(place),
            crate::commands::toml_text::list(&words),
        ),
        check: version(),
        args: Vec::new(),
        dir: None,
        ask,
        before: Vec::new(),
    })
}

/// Packages called `main`: the module's own, those in `cmd/`, those in other folders.
fn mains(dir: &Path) -> Vec<String> {
    let mut folders = vec![PathBuf::new()];
    folders.extend(subfolders(dir, Path::new("cmd")));
    folders.extend(subfolders(dir, Path::new("")));
    let own = folders.iter().filter(|folder| is_main(&dir.join(folder)));
    own.map(|folder| match folder.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => format!("./{}", folder.display()),
    })
    .collect()
}

fn is_main(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut sources = entries.map(|e| e.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".go") && !name.ends_with("_test.go")
    });
    sources.any(|path| {
        let text = read(&path).unwrap_or_default();
        text.lines().any(|line| line.trim_end() == "package main")
    })
}
