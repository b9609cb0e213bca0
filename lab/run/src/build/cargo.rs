//! `cargo build` with a variant's flags, profile, features and patches.

use super::cache::{Job, Key, failed, find, make};
use super::{BuildError, Built, Context, patch, quote, toolchain, wrapper};
use crate::process;
use karat_model::study::{Cargo, CrateFlags, CrateSet, ProfileValue};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Cargo may have to download crates before it can describe a package.
const METADATA_TIMEOUT: Duration = Duration::from_secs(600);

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
    toolchain::add(&mut key, true);
    toolchain::add_target_cfg(&mut key, &builder.rustflags);
    if let Some(some) = &builder.crate_rustflags {
        toolchain::add_target_cfg(&mut key, &some.flags);
    }
    toolchain::add_cargo_config(&mut key, &dir);
    for root in &package.local_roots {
        key.add_tree("sources", root).map_err(|e| io(root, e))?;
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
        manifest = package.stage(variant, &dir, &stage)?;
        for (patch, text) in &patches {
            let copy = package.patched_copy(variant, &patch.package, text, &work)?;
            config.push(format!(
                "patch.crates-io.{}.path={:?}",
                patch.package,
                copy.to_string_lossy()
            ));
        }
    }

    let target = work.join("out");
    let mut command = Command::new("cargo");
    command
        .args(["build", "--release", "--manifest-path"])
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
    let built = make(Job {
        variant,
        cache: context.cache,
        key,
        bin: &builder.bin,
        command,
        shown: reproduce(builder).join("\n  "),
        artifact: target.join("release").join(&builder.bin),
        interrupt: context.interrupt,
    })?;
    if !patches.is_empty() {
        package.check_lock(variant, &manifest)?;
    }
    Ok(built)
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

pub(super) fn settings(builder: &Cargo) -> Vec<String> {
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

pub(super) fn reproduce(builder: &Cargo) -> Vec<String> {
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
    let manifest = builder.dir.value.join("Cargo.toml");
    push(
        &mut line,
        &format!(
            "cargo build --release --bin {} --manifest-path {}",
            quote(&builder.bin),
            quote(&manifest.to_string_lossy())
        ),
    );
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
            "# copy the source of {0} to {copy}, then: patch -p1 -d {copy} < {1}",
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

/// What cargo says about the package and its dependencies.
struct Metadata {
    workspace_root: PathBuf,
    /// Folders of the packages that come from paths, not from a registry.
    local_roots: Vec<PathBuf>,
    /// Name and folder of every package.
    packages: Vec<(String, PathBuf)>,
    /// Name and version of every package, as the lock file fixes them.
    versions: BTreeSet<(String, String)>,
}

impl Metadata {
    fn ask(variant: &str, dir: &Path, context: &Context<'_>) -> Result<Self, BuildError> {
        let mut command = Command::new("cargo");
        command
            .args(["metadata", "--format-version", "1", "--locked"])
            .arg("--manifest-path")
            .arg(dir.join("Cargo.toml"));
        let shown = format!(
            "cargo metadata --locked --manifest-path {}",
            quote(&dir.join("Cargo.toml").to_string_lossy())
        );
        let run =
            process::run(&mut command, METADATA_TIMEOUT, context.interrupt).map_err(|source| {
                BuildError::Start {
                    variant: variant.to_owned(),
                    program: "cargo".into(),
                    source,
                }
            })?;
        if run.ending == process::Ending::Interrupted {
            return Err(BuildError::Interrupted);
        }
        let parsed = run
            .success()
            .then(|| serde_json::from_slice::<Value>(&run.stdout).ok())
            .flatten();
        let Some(value) = parsed else {
            return Err(failed(variant, context.cache, shown, &run));
        };
        Ok(Self::read(&value))
    }

    fn read(value: &Value) -> Self {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let mut out = Self {
            workspace_root: PathBuf::from(text(&value["workspace_root"])),
            local_roots: Vec::new(),
            packages: Vec::new(),
            versions: BTreeSet::new(),
        };
        out.local_roots.push(out.workspace_root.clone());
        for package in value["packages"].as_array().into_iter().flatten() {
            let manifest = PathBuf::from(text(&package["manifest_path"]));
            let folder = manifest.parent().map(Path::to_owned).unwrap_or_default();
            if package["source"].is_null() && !folder.starts_with(&out.workspace_root) {
                out.local_roots.push(folder.clone());
            }
            out.versions
                .insert((text(&package["name"]), text(&package["version"])));
            out.packages.push((text(&package["name"]), folder));
        }
        out
    }

    /// Copies the workspace, so that patching changes no file of the user's.
    /// Returns the manifest of the package in the copy.
    fn stage(&self, variant: &str, dir: &Path, stage: &Path) -> Result<PathBuf, BuildError> {
        let fail = |message: String| BuildError::Patch {
            variant: variant.to_owned(),
            message,
        };
        if let Some(outside) = self.local_roots.get(1) {
            return Err(fail(format!(
                "a patched variant is built in a copy of {}, but the path dependency {} lies outside of it",
                self.workspace_root.display(),
                outside.display()
            )));
        }
        crate::files::mirror(&self.workspace_root, stage)
            .map_err(|e| fail(format!("cannot copy the sources: {e}")))?;
        // The lock file of an earlier build of this copy has lost the patched
        // package's line; start from the user's again.
        let lock = "Cargo.lock";
        fs::copy(self.workspace_root.join(lock), stage.join(lock))
            .map_err(|e| fail(format!("cannot copy {lock}: {e}")))?;
        let inner = dir
            .strip_prefix(&self.workspace_root)
            .unwrap_or(Path::new(""));
        Ok(stage.join(inner).join("Cargo.toml"))
    }

    /// A patched copy of a dependency's source.
    fn patched_copy(
        &self,
        variant: &str,
        package: &str,
        patch: &str,
        work: &Path,
    ) -> Result<PathBuf, BuildError> {
        let fail = |message: String| BuildError::Patch {
            variant: variant.to_owned(),
            message,
        };
        let sources: Vec<&PathBuf> = self
            .packages
            .iter()
            .filter(|(name, _)| name == package)
            .map(|(_, folder)| folder)
            .collect();
        let source = match sources[..] {
            [one] => one,
            [] => return Err(fail(format!("no dependency is called `{package}`"))),
            _ => {
                return Err(fail(format!(
                    "several versions of `{package}` are in the lock file; a patch can only mean one"
                )));
            }
        };
        let copy = work.join("patched").join(package);
        let _ = fs::remove_dir_all(&copy);
        crate::files::mirror(source, &copy)
            .map_err(|e| fail(format!("cannot copy the source of `{package}`: {e}")))?;
        patch::apply(patch, &copy)
            .map_err(|e| fail(format!("the patch for `{package}` does not apply: {e}")))?;
        Ok(copy)
    }

    /// A patched build without `--locked` must still use the locked versions.
    fn check_lock(&self, variant: &str, manifest: &Path) -> Result<(), BuildError> {
        let root = manifest.parent().unwrap_or(Path::new("."));
        let lock = root
            .ancestors()
            .find_map(|d| fs::read_to_string(d.join("Cargo.lock")).ok())
            .unwrap_or_default();
        let mut name = String::new();
        for line in lock.lines() {
            let value = |key: &str| {
                line.strip_prefix(key)
                    .map(|v| v.trim_matches(['"', ' ', '=']).to_owned())
            };
            if let Some(n) = value("name = ") {
                name = n;
            } else if let Some(version) = value("version = ")
                && !name.is_empty()
                && !self.versions.contains(&(name.clone(), version.clone()))
            {
                return Err(BuildError::Patch {
                    variant: variant.to_owned(),
                    message: format!(
                        "the patch brings in {name} {version}, which the lock file does not have: \
                         baseline and variant would differ in more than the patch"
                    ),
                });
            }
        }
        Ok(())
    }
}
