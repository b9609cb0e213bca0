//! A cargo package or workspace.

use super::{others, version};
use crate::commands::init::beginning::Beginning;
use crate::commands::toml_text::string;
use karat_build::preflight;
use karat_process::quote;
use std::path::Path;

pub(super) fn look(dir: &Path, place: &str) -> Option<Beginning> {
    if !dir.join("Cargo.toml").is_file() {
        return None;
    }
    let (programs, locked, mut ask) = match preflight::programs(dir) {
        Ok((programs, locked)) => (programs, locked, Vec::new()),
        Err(said) => (Vec::new(), true, vec![one_line(&said)]),
    };
    let names: Vec<&String> = programs.iter().collect();
    let bin = super::likeliest(&names, |n| n).map(|n| n.as_str());
    match bin {
        Some(bin) => ask.extend(others(&programs, bin, "bin")),
        None => ask.push(
            "no program was found: a study runs a binary target. Add `src/bin/NAME.rs` that calls \
             what you ask about, and name it in `bin`"
                .into(),
        ),
    }
    let before = match locked {
        true => Vec::new(),
        // karat builds with --locked.
        false => vec![format!(
            "cargo generate-lockfile --manifest-path {}",
            quote(&dir.join("Cargo.toml").to_string_lossy())
        )],
    };
    Some(Beginning {
        what: "a cargo package: its program is built with and without -Ctarget-cpu=native".into(),
        title: "Does target-cpu=native help NAME?",
        baseline: "default".into(),
        build: format!(
            "[subject]\ncargo = {}\nbin = {}\n\n[[variant]]\nname = \"default\"\n\n[[variant]]\nname = \
             \"native\"\nrustflags = [\"-Ctarget-cpu=native\"]\n",
            string(place),
            string(bin.unwrap_or("NAME")),
        ),
        check: version(),
        args: Vec::new(),
        dir: None,
        ask,
        before,
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
