//! A cargo variant in words: for reports, and as commands to type.

use super::{feature_args, profile_config, toml_value, wrapper_env};
use karat_model::study::{Cargo, CrateSet};
use karat_process::quote;

pub(crate) fn settings(builder: &Cargo) -> Vec<String> {
    let mut out = Vec::new();
    if !builder.rustflags.is_empty() {
        out.push(format!("rustflags {}", builder.rustflags.join(" ")));
    }
    if let Some(some) = &builder.crate_rustflags {
        let flags = some.flags.join(" ");
        out.push(match &some.crates {
            CrateSet::Except(names) => {
                format!(
                    "rustflags {flags} for all crates except {}",
                    names.join(", ")
                )
            }
            CrateSet::Only(names) => format!("rustflags {flags} for {} only", names.join(", ")),
        });
    }
    out.extend(
        builder
            .profile
            .iter()
            .map(|(k, v)| format!("profile {k} = {}", toml_value(v))),
    );
    out.extend(feature_args(builder));
    out.extend(builder.env.iter().map(|(k, v)| format!("env {k}={v}")));
    out.extend(
        builder
            .patches
            .iter()
            .map(|p| format!("patch {} with {}", p.package, p.file.value.display())),
    );
    out
}

pub(crate) fn reproduce(builder: &Cargo) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let push = |line: &mut String, word: &str| {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    };
    if !builder.rustflags.is_empty() {
        let flags = quote(&builder.rustflags.join(" "));
        push(&mut line, &format!("RUSTFLAGS={flags}"));
    }
    if let Some(some) = &builder.crate_rustflags {
        push(&mut line, "RUSTC_WRAPPER=karat");
        for (name, value) in wrapper_env(some) {
            push(&mut line, &format!("{name}={}", quote(&value)));
        }
    }
    for (name, value) in &builder.env {
        push(&mut line, &format!("{name}={}", quote(value)));
    }
    lines.push(format!(
        "cd {}",
        quote(&builder.dir.value.to_string_lossy())
    ));
    let bin = quote(&builder.bin);
    push(&mut line, &format!("cargo build --release --bin {bin}"));
    for item in profile_config(builder) {
        push(&mut line, &format!("--config {}", quote(&item)));
    }
    if builder.crate_rustflags.is_some() {
        // Cargo does not know what its wrapper does: a folder of its own keeps
        // other builds' crates from being taken for this one's.
        push(&mut line, "--target-dir target/flags-per-crate");
    }
    for patch in &builder.patches {
        let copy = format!("patched/{}", patch.package);
        lines.push(format!(
            "# copy the source of {0} to {copy}, then apply {1} there: patch -p1 -d {copy}",
            patch.package,
            patch.file.value.display()
        ));
        let item = format!("patch.crates-io.{}.path=\"{copy}\"", patch.package);
        push(&mut line, &format!("--config {}", quote(&item)));
    }
    for word in feature_args(builder) {
        push(&mut line, &quote(&word));
    }
    lines.push(line);
    lines
}
