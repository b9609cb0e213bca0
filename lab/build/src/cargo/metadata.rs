//! What cargo says about a package, and the copies that patches are applied to.

use crate::cache::failed;
use crate::{BuildError, Context, patch};
use karat_process::{Command, quote};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Cargo may have to download crates before it can describe a package.
const METADATA_TIMEOUT: Duration = Duration::from_secs(600);

/// One package of a build.
struct Package {
    name: String,
    /// Where cargo got it from; empty for a path.
    source: String,
    folder: PathBuf,
}

/// What cargo says about the package and its dependencies.
pub(super) struct Metadata {
    workspace_root: PathBuf,
    /// Folders of the packages that come from paths, not from a registry.
    pub(super) local_roots: Vec<PathBuf>,
    /// Every package.
    packages: Vec<Package>,
    /// Name and version of every package, as the lock file fixes them.
    versions: BTreeSet<(String, String)>,
}

impl Metadata {
    pub(super) fn ask(
        variant: &str,
        dir: &Path,
        context: &Context<'_>,
    ) -> Result<Self, BuildError> {
        let mut command = Command::new("cargo");
        command
            .current_dir(dir)
            .args(["metadata", "--format-version", "1", "--locked"])
            .arg("--manifest-path")
            .arg(dir.join("Cargo.toml"))
            // A person's flags decide nothing here; broken ones would break it.
            .env("CARGO_ENCODED_RUSTFLAGS", "");
        let shown = format!(
            "cargo metadata --locked --manifest-path {}",
            quote(&dir.join("Cargo.toml").to_string_lossy())
        );
        let run = karat_process::run(&mut command, METADATA_TIMEOUT, context.interrupt).map_err(
            |source| BuildError::Start {
                variant: variant.to_owned(),
                program: "cargo".into(),
                source,
            },
        )?;
        if run.ending == karat_process::Ending::Interrupted {
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
            out.packages.push(Package {
                name: text(&package["name"]),
                source: text(&package["source"]),
                folder,
            });
        }
        out
    }

    /// Copies the workspace, so that patching changes no file of the user's.
    /// Returns the manifest of the package in the copy.
    pub(super) fn stage(
        &self,
        variant: &str,
        dir: &Path,
        stage: &Path,
        context: &Context<'_>,
    ) -> Result<PathBuf, BuildError> {
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
        crate::files::mirror(&self.workspace_root, stage, context.not_sources)
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

    /// Patches a package: one of the workspace in the staged copy, one from
    /// crates.io in a copy of its own, whose folder is returned.
    pub(super) fn patched(
        &self,
        variant: &str,
        name: &str,
        patch: &str,
        work: &Path,
        context: &Context<'_>,
    ) -> Result<Option<PathBuf>, BuildError> {
        let fail = |message: String| BuildError::Patch {
            variant: variant.to_owned(),
            message,
        };
        let found: Vec<&Package> = self.packages.iter().filter(|p| p.name == name).collect();
        let package = match found[..] {
            [one] => one,
            [] => return Err(fail(format!("no dependency is called `{name}`"))),
            _ => {
                return Err(fail(format!(
                    "several versions of `{name}` are in the lock file; a patch can only mean one"
                )));
            }
        };
        let apply = |folder: &Path| {
            patch::apply(patch, folder)
                .map_err(|e| fail(format!("the patch for `{name}` does not apply: {e}")))
        };
        if let Ok(inner) = package.folder.strip_prefix(&self.workspace_root) {
            apply(&work.join("stage").join(inner))?;
            return Ok(None);
        }
        if !package.source.contains("crates.io-index") {
            return Err(fail(format!(
                "`{name}` comes from {}; only packages from crates.io and of the workspace \
                 itself can be patched",
                package.source
            )));
        }
        let copy = work.join("patched").join(name);
        let _ = fs::remove_dir_all(&copy);
        crate::files::mirror(&package.folder, &copy, context.not_sources)
            .map_err(|e| fail(format!("cannot copy the source of `{name}`: {e}")))?;
        apply(&copy)?;
        Ok(Some(copy))
    }

    /// A patched build without `--locked` must still use the locked versions.
    pub(super) fn check_lock(&self, variant: &str, manifest: &Path) -> Result<(), BuildError> {
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
