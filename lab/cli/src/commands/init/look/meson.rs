//! A project that Meson builds.

use super::cmake::VARIANTS;
use super::{below, likeliest, others, version};
use crate::commands::init::beginning::Beginning;
use crate::commands::toml_text::{list, string};
use karat_process::quote;
use regex_lite::Regex;
use std::path::Path;

pub(super) fn look(dir: &Path, place: &str) -> Option<Beginning> {
    if !dir.join("meson.build").is_file() {
        return None;
    }
    let pattern = Regex::new(r"(?m)\bexecutable\s*\(\s*'([A-Za-z0-9_.+-]+)'").ok()?;
    let mut programs = Vec::new();
    for (folder, text) in below(dir, "meson.build") {
        let names = pattern.captures_iter(&text).map(|c| folder.join(&c[1]));
        programs.extend(names.map(|p| p.display().to_string()));
    }
    let chosen = likeliest(&programs, |name| name).cloned();
    let mut ask = Vec::new();
    match &chosen {
        Some(chosen) => ask.extend(others(&programs, chosen, "artifact")),
        None => ask.push(
            "no executable() was found: a study runs a program. Name it in `command` and `artifact` \
             instead of NAME"
                .into(),
        ),
    }
    let name = chosen.unwrap_or_else(|| "NAME".into());
    let script = format!(
        "meson setup karat-build --buildtype=release && ninja -C karat-build {}",
        quote(&name)
    );
    Some(Beginning {
        what: "a Meson project: its program is built with and without -march=native".into(),
        title: "Does -march=native help NAME?",
        baseline: "default".into(),
        build: format!(
            "[subject]\ndir = {}\ncommand = {}\nartifact = {}\n\n{VARIANTS}",
            string(place),
            list(&["sh", "-ec", &script]),
            string(&format!("karat-build/{name}")),
        ),
        check: version(),
        args: Vec::new(),
        dir: None,
        ask,
        before: Vec::new(),
    })
}
