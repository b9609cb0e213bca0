//! A project that CMake builds.

use super::{below, likeliest, others, version};
use crate::commands::init::beginning::Beginning;
use crate::commands::toml_text::{list, string};
use karat_process::quote;
use regex_lite::Regex;
use std::path::{Path, PathBuf};

/// What a build of C and C++ asks by itself: does the native instruction set help? CMake and
/// Meson take these from the environment.
pub(super) const VARIANTS: &str = r#"# CMake and Meson read flags from the environment. -g1 lets the audit see whose code it is.
[[variant]]
name = "default"
env = { CFLAGS = "-g1", CXXFLAGS = "-g1" }

[[variant]]
name = "native"
env = { CFLAGS = "-g1 -march=native", CXXFLAGS = "-g1 -march=native" }
"#;

pub(super) fn look(dir: &Path, place: &str) -> Option<Beginning> {
    let lists = below(dir, "CMakeLists.txt");
    let (_, top) = lists
        .first()
        .filter(|(folder, _)| folder.as_os_str().is_empty())?;
    let project = first(r"(?im)^\s*project\s*\(\s*([A-Za-z0-9_.+-]+)", top);
    let pattern = Regex::new(r"(?im)^\s*add_executable\s*\(\s*(\S+)\s+(\w+)?").ok()?;
    let mut programs: Vec<String> = Vec::new();
    for (_, text) in &lists {
        for found in pattern.captures_iter(text) {
            let kind = found.get(2).map_or("", |m| m.as_str());
            if ["IMPORTED", "ALIAS"].contains(&kind) {
                continue;
            }
            let name = found[1].replace("${PROJECT_NAME}", project.as_deref().unwrap_or("${"));
            if !name.contains('$') && !programs.contains(&name) {
                programs.push(name);
            }
        }
    }
    let chosen = likeliest(&programs, |name| name).cloned();
    let mut ask = Vec::new();
    match &chosen {
        Some(chosen) => ask.extend(others(&programs, chosen, "artifact")),
        None => ask.push(
            "no add_executable was found: a study runs a program. Name its target in `command` and \
             `artifact` instead of NAME"
                .into(),
        ),
    }
    let name = chosen.unwrap_or_else(|| "NAME".into());
    let script = format!(
        "cmake -S . -B karat-build -DCMAKE_BUILD_TYPE=Release \
         -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=\"$PWD/karat-out\" && cmake --build karat-build --target {}",
        quote(&name)
    );
    Some(Beginning {
        what: "a CMake project: its program is built with and without -march=native".into(),
        title: "Does -march=native help NAME?",
        baseline: "default".into(),
        build: format!(
            "[subject]\ndir = {}\ncommand = {}\nartifact = {}\n\n{VARIANTS}",
            string(place),
            list(&["sh", "-ec", &script]),
            string(&format!("karat-out/{}", file(&lists, &name))),
        ),
        check: version(),
        args: Vec::new(),
        dir: None,
        ask,
        before: Vec::new(),
    })
}

/// The file that a target becomes: its own name, unless a property says another.
fn file(lists: &[(PathBuf, String)], target: &str) -> String {
    let word = regex_lite::escape(target);
    let patterns = [
        format!(r"set_target_properties\s*\(\s*{word}\s+PROPERTIES\b[^)]*?"),
        format!(r"set_property\s*\(\s*TARGET\s+{word}\s+PROPERTY\s+"),
    ]
    .map(|begin| format!(r#"(?i){begin}\bOUTPUT_NAME\s+"?([A-Za-z0-9_.+-]+)"#));
    let found = lists
        .iter()
        .find_map(|(_, text)| patterns.iter().find_map(|pattern| first(pattern, text)));
    found.unwrap_or_else(|| target.to_owned())
}

/// The first group of the first match.
pub(super) fn first(pattern: &str, text: &str) -> Option<String> {
    let found = Regex::new(pattern).ok()?.captures(text)?;
    Some(found.get(1)?.as_str().to_owned())
}
