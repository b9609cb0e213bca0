//! `cargo build` with a variant's flags, profile, features and patches.

mod metadata;
mod words;

pub(super) use words::{reproduce, settings};

use super::cache::{Artifact, Job, Key, find, make};
use super::{BuildError, Built, Context, toolchain, wrapper};
use karat_model::study::{Cargo, CrateFlags, CrateSet, ProfileValue};
use karat_process::Command;
use metadata::Metadata;
use std::fs;
use std::path::Path;

pub(super) fn build(
    variant: &str,
    builder: &Cargo,
    context: &Context<'_>,
) -> Result<Built, BuildError> {
    let dir = context.study_dir.join(&builder.dir.value);
    let io = |path: &Path, source| BuildError::Io {
        variant: variant.to_owned(),
        path: path.to_owned(),
        source,
    };
    let dir = std::path::absolute(&dir).map_err(|e| io(&dir, e))?;
    let package = Metadata::ask(variant, &dir, context)?;

    // First what the variant says: it names the folder in which cargo may
    // rebuild only what changed. Then all that decides the result: it names
    // the finished build.
    let mut key = Key::new();
    key.add("dir", dir.as_os_str().as_encoded_bytes());
    for line in settings(builder) {
        key.add("setting", line.as_bytes());
    }
    key.add("bin", builder.bin.as_bytes());
    let mut patches = Vec::new();
    for patch in &builder.patches {
        let path = context.study_dir.join(&patch.file.value);
        let text = fs::read_to_string(&path).map_err(|e| io(&path, e))?;
        key.add("patch", text.as_bytes());
        patches.push((patch, text));
    }
    let work = context.cache.join("target").join(key.finish());
    toolchain::add(&mut key, true, &dir, context.interrupt);
    toolchain::add_target_cfg(&mut key, &builder.rustflags, &dir, context.interrupt);
    if let Some(some) = &builder.crate_rustflags {
        toolchain::add_target_cfg(&mut key, &some.flags, &dir, context.interrupt);
    }
    toolchain::add_cargo_config(&mut key, &dir);
    for root in &package.local_roots {
        key.add_tree("sources", root, context.not_sources)
            .map_err(|e| io(root, e))?;
    }
    let key = key.finish();
    if let Some(built) = find(context.cache, &key, &builder.bin) {
        return Ok(built);
    }

    fs::create_dir_all(&work).map_err(|e| io(&work, e))?;
    let work = std::path::absolute(&work).map_err(|e| io(&work, e))?;
    let mut config = profile_config(builder);
    let mut manifest = dir.join("Cargo.toml");
    if !patches.is_empty() {
        let stage = work.join("stage");
        manifest = package.stage(variant, &dir, &stage, context)?;
        for (patch, text) in &patches {
            let folder = package.patched(variant, &patch.package, text, &work, context)?;
            if let Some(folder) = folder {
                config.push(format!(
                    "patch.crates-io.{}.path={:?}",
                    patch.package,
                    folder.to_string_lossy()
                ));
            }
        }
    }

    let target = work.join("out");
    let mut command = Command::new("cargo");
    command
        // Cargo's configuration and rustup's toolchain are chosen by the folder
        // one stands in.
        .current_dir(&dir)
        .args([
            "build",
            "--release",
            "--message-format=json-render-diagnostics",
        ])
        .arg("--manifest-path")
        .arg(&manifest)
        .args(["--bin", &builder.bin, "--target-dir"])
        .arg(&target);
    for item in &config {
        command.args(["--config", item]);
    }
    // A patched package loses its line in Cargo.lock, in the copy.
    if patches.is_empty() {
        command.arg("--locked");
    }
    command.args(feature_args(builder));
    for (name, value) in flag_env(builder, &context.wrapper.to_string_lossy()) {
        command.env(name, value);
    }
    command.envs(&builder.env);
    make(Job {
        variant,
        cache: context.cache,
        key,
        bin: &builder.bin,
        command,
        shown: reproduce(builder).join("\n  "),
        artifact: Artifact::ByCargo,
        accept: &|| match &patches[..] {
            [] => Ok(()),
            _ => package.check_lock(variant, &manifest),
        },
        karat: context.wrapper,
        links: work.join("links"),
        interrupt: context.interrupt,
    })
}

/// Debug information that lets the audit tell inlined code from lost code.
/// `line-tables-only` would do for C, but rustc then leaves the paths out of the
/// names of inlined functions. The study's own settings come after and win.
fn profile_config(builder: &Cargo) -> Vec<String> {
    let mut out = vec![
        "profile.release.debug=\"limited\"".to_owned(),
        "profile.release.strip=\"none\"".to_owned(),
    ];
    for (key, value) in &builder.profile {
        out.push(format!("profile.release.{key}={}", toml_value(value)));
    }
    out
}

fn toml_value(value: &ProfileValue) -> String {
    match value {
        ProfileValue::Text(text) => format!("{text:?}"),
        ProfileValue::Number(number) => number.to_string(),
        ProfileValue::Flag(flag) => flag.to_string(),
    }
}

fn feature_args(builder: &Cargo) -> Vec<String> {
    let mut out = Vec::new();
    if !builder.default_features {
        out.push("--no-default-features".to_owned());
    }
    if !builder.features.is_empty() {
        out.push("--features".to_owned());
        out.push(builder.features.join(","));
    }
    out
}

/// The environment that carries the flags: cargo's own variable for all crates,
/// the wrapper for some. An empty variable still keeps a person's RUSTFLAGS and
/// configuration files out.
fn flag_env(builder: &Cargo, wrapper: &str) -> Vec<(&'static str, String)> {
    let mut env = vec![("CARGO_ENCODED_RUSTFLAGS", builder.rustflags.join("\x1f"))];
    if let Some(some) = &builder.crate_rustflags {
        env.push(("RUSTC_WRAPPER", wrapper.to_owned()));
        env.extend(wrapper_env(some));
    }
    env
}

/// The variables that tell karat as rustc wrapper what to do.
fn wrapper_env(some: &CrateFlags) -> [(&'static str, String); 2] {
    let list = match &some.crates {
        CrateSet::Except(names) => (wrapper::EXCEPT, names.join(",")),
        CrateSet::Only(names) => (wrapper::ONLY, names.join(",")),
    };
    [(wrapper::FLAGS, some.flags.join(" ")), list]
}
