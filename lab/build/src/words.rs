//! What a variant is, in words and commands for a report.

use crate::cargo;
use karat_model::study::{Builder, Variant};
use karat_process::quote;
use std::path::Path;

/// What sets `variant` apart, in words for a report.
#[must_use]
pub fn settings(variant: &Variant) -> Vec<String> {
    let mut out = match &variant.builder {
        Builder::Cargo(cargo) => cargo::settings(cargo),
        Builder::Command(command) => {
            let mut out = vec![format!("command {}", command.command.join(" "))];
            out.extend(command.env.iter().map(|(k, v)| format!("env {k}={v}")));
            out
        }
        Builder::Binary(path) => vec![format!("binary {}", path.value.display())],
    };
    if !variant.args.is_empty() {
        let words: Vec<String> = variant.args.iter().map(|a| quote(a)).collect();
        out.push(format!("arguments {}", words.join(" ")));
    }
    out
}

/// Commands that build `variant` by hand, from the folder of the study file.
#[must_use]
pub fn reproduce(variant: &Variant) -> Vec<String> {
    match &variant.builder {
        Builder::Cargo(cargo) => cargo::reproduce(cargo),
        Builder::Command(command) => {
            let env: String = command
                .env
                .iter()
                .map(|(k, v)| format!("{k}={} ", quote(v)))
                .collect();
            let words: Vec<String> = command.command.iter().map(|w| quote(w)).collect();
            vec![
                format!("cd {}", quote(&command.dir.value.to_string_lossy())),
                format!("{env}{}", words.join(" ")),
            ]
        }
        Builder::Binary(path) => program(&path.value, variant),
    }
}

/// How a program that exists is run: its arguments, and what the variant puts round it.
fn program(path: &Path, variant: &Variant) -> Vec<String> {
    let run = &variant.run;
    let quoted = |path: &Path| quote(&path.to_string_lossy());
    let mut out = Vec::new();
    if let Some(dir) = &run.dir {
        out.push(format!("cd {}", quoted(&dir.value)));
    }
    out.extend(run.setup.clone());
    let set = run.env.iter().map(|(k, v)| quote(&format!("{k}={v}")));
    let env = if run.env.is_empty() {
        None
    } else {
        Some("env".to_owned())
    };
    let mut words: Vec<String> = env.into_iter().chain(set).collect();
    words.push(quoted(path));
    words.extend(variant.args.iter().map(|a| quote(a)));
    if let Some(stdin) = &run.stdin {
        words.push(format!("< {}", quoted(&stdin.value)));
    }
    out.push(words.join(" "));
    out.extend(run.cleanup.clone());
    out
}
