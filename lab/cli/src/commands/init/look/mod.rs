//! What is in a folder: a file for each kind of project.

mod binaries;
mod cmake;
mod go;
mod make;
mod meson;
mod python;
mod rust;

use super::beginning::Beginning;
use std::fs;
use std::path::{Path, PathBuf};

/// Looks for one kind of project in a folder, which the study calls by the second.
type Look = fn(&Path, &str) -> Option<Beginning>;

/// All kinds. A Python extension may have a Cargo.toml or a CMakeLists.txt of its own, and
/// many projects have a Makefile for other things.
const ALL: [Look; 7] = [
    python::look,
    rust::look,
    go::look,
    cmake::look,
    meson::look,
    make::look,
    binaries::look,
];

/// How a study of what is in `dir` begins; `place` is what the study calls that folder.
pub fn at(dir: &Path, place: &str) -> Option<Beginning> {
    ALL.iter().find_map(|look| look(dir, place))
}

/// The study of a folder that holds nothing that is known.
pub fn nothing() -> Beginning {
    let mut beginning = make::beginning(".", None, None);
    beginning.what = "nothing here that karat knows: no Cargo.toml, go.mod, CMakeLists.txt, \
                      meson.build, Makefile, Python extension or two programs"
        .into();
    beginning.ask = vec![
        "say what builds the program (`command`), what that leaves (`artifact`), and what flags \
         are compared; or name two programs by `binary`: docs/study.md has every key"
            .into(),
    ];
    beginning
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// Files called `name` in `dir` and up to two folders down, with the folders they are in,
/// relative to `dir`; those higher up first.
fn below(dir: &Path, name: &str) -> Vec<(PathBuf, String)> {
    let mut out = Vec::new();
    let mut folders = vec![(PathBuf::new(), 0)];
    let mut next = 0;
    while let Some((folder, depth)) = folders.get(next).cloned() {
        next += 1;
        if let Some(text) = read(&dir.join(&folder).join(name)) {
            out.push((folder.clone(), text));
        }
        if depth < 2 {
            folders.extend(subfolders(dir, &folder).map(|f| (f, depth + 1)));
        }
    }
    out
}

/// Folders in `dir/folder`, in order, without those that hold results.
fn subfolders(dir: &Path, folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let results = ["build", "target", "karat-runs", "node_modules", "vendor"];
    let entries = fs::read_dir(dir.join(folder))
        .into_iter()
        .flatten()
        .flatten();
    let mut names: Vec<_> = entries
        .filter(|e| e.file_type().is_ok_and(|t| t.is_dir()))
        .map(|e| e.file_name())
        .filter(|n| !n.to_string_lossy().starts_with('.'))
        .filter(|n| !results.iter().any(|r| n == r))
        .collect();
    names.sort();
    let folder = folder.to_owned();
    names.into_iter().map(move |name| folder.join(name))
}

/// Whether a program is one that only checks or shows others.
fn is_helper(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["test", "example", "demo", "fuzz"]
        .iter()
        .any(|word| name.contains(word))
}

/// The first of `names` that is no helper, else the first.
fn likeliest<T>(names: &[T], name: impl Fn(&T) -> &str) -> Option<&T> {
    names
        .iter()
        .find(|n| !is_helper(name(n)))
        .or_else(|| names.first())
}

/// What is asked where there are several programs.
fn others<S: AsRef<str>>(names: &[S], chosen: &str, key: &str) -> Vec<String> {
    let rest: Vec<&str> = names
        .iter()
        .map(AsRef::as_ref)
        .filter(|name| *name != chosen)
        .collect();
    match rest.is_empty() {
        true => Vec::new(),
        false => vec![format!(
            "`{chosen}` was chosen of several programs; set `{key}` if it is another: {}",
            rest.join(", ")
        )],
    }
}

fn version() -> Vec<String> {
    vec!["--version".to_owned()]
}
