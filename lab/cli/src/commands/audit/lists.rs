//! The TOML files that `karat audit` takes: what is expected, and further known kernels.

use crate::commands::failed;
use crate::{exit, say};
use anyhow::Result;
use karat_audit::catalogue::builtin;
use karat_model::catalogue::{Expected, Library};
use karat_model::diagnostic::{self, Problem};
use karat_model::study::Located;
use std::path::Path;

/// Reads a file of `--expect`; its kernels must be in one of the catalogues.
pub fn expected(path: &Path, catalogues: &[Library]) -> Result<Expected> {
    let mut known: Vec<String> = Vec::new();
    for library in catalogues.iter().chain(builtin()) {
        known.push(library.name.clone());
        let kernels = library.kernels.iter();
        known.extend(kernels.map(|k| format!("{}: {}", library.name, k.name)));
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    read(path, "--expect", |text| {
        let expected = Expected::parse(text)?;
        let unknown = |kernel: &&Located<String>| !known.contains(&kernel.value.as_str());
        let problems: Vec<Problem> = expected
            .kernels
            .iter()
            .filter(unknown)
            .map(|kernel| Problem {
                message: format!("no catalogue has a kernel `{}`", kernel.value),
                span: kernel.span.clone(),
                label: "expected `LIBRARY` or `LIBRARY: KERNEL`".into(),
                help: Some(help(&kernel.value, &known)),
            })
            .collect();
        match problems.is_empty() {
            true => Ok(expected),
            false => Err(problems),
        }
    })
}

/// The names that begin like a wrong one, or the nearest, or how to find out.
fn help(wrong: &str, known: &[&str]) -> String {
    let like = known
        .iter()
        .find(|name| name.starts_with(wrong) && !wrong.is_empty());
    match like.copied().or_else(|| diagnostic::nearest(wrong, known)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`--format json` names the kernels of a binary; `--learn` makes an entry for \
                 one that is not in the catalogue"
            .into(),
    }
}

/// Reads a file of `--catalogue`.
pub fn library(path: &Path) -> Result<Library> {
    read(path, "--catalogue", Library::parse)
}

fn read<T>(
    path: &Path,
    option: &str,
    parse: impl Fn(&str) -> Result<T, Vec<Problem>>,
) -> Result<T> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|e| failed(exit::USAGE, format!("{option}: cannot read {shown}: {e}")))?;
    parse(&text).map_err(|problems| {
        let color = say::color_on_stderr();
        let told = diagnostic::render(&problems, &shown.to_string(), &text, color);
        say::note(told.trim_end());
        let message = format!("{} problem(s) in {shown}", problems.len());
        failed(exit::USAGE, message)
    })
}
