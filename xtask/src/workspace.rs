//! What `cargo metadata` says of the workspace.

use crate::command::{cargo, root, stdout};
use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A package of a workspace.
#[derive(Deserialize)]
pub struct Package {
    pub name: String,
    manifest_path: PathBuf,
    /// Registries it may go to; empty when it is never published.
    #[serde(default)]
    publish: Option<Vec<String>>,
    /// The oldest compiler that it promises to take.
    #[serde(default)]
    pub rust_version: Option<String>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    pub features: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub targets: Vec<Target>,
    #[serde(default)]
    pub dependencies: Vec<Dependency>,
}

/// A library, a program, an example, a test.
#[derive(Deserialize)]
pub struct Target {
    pub name: String,
    pub kind: Vec<String>,
}

/// What a package depends on.
#[derive(Deserialize)]
pub struct Dependency {
    pub name: String,
    /// `None` for the dependencies of the program itself.
    pub kind: Option<String>,
    #[serde(default)]
    pub optional: bool,
}

impl Package {
    /// Its folder, from the root of the repository.
    pub fn folder(&self) -> &Path {
        let folder = self.manifest_path.parent().unwrap_or(Path::new(""));
        folder.strip_prefix(root()).unwrap_or(folder)
    }

    /// Whether `cargo publish` takes it.
    pub fn published(&self) -> bool {
        self.publish.as_ref().is_none_or(|to| !to.is_empty())
    }

    /// Whether it promises to need no standard library.
    pub fn no_std(&self) -> bool {
        self.categories.iter().any(|c| c == "no-std")
    }

    /// Whether it has an example (`example`), a test (`test`), a program (`bin`) of that
    /// name.
    pub fn has_target(&self, kind: &str, name: &str) -> bool {
        let mut targets = self.targets.iter();
        targets.any(|t| t.name == name && t.kind.iter().any(|k| k == kind))
    }
}

/// Metadata of the workspace, or of another one that a manifest names.
pub fn metadata(manifest: Option<&str>) -> Result<Value> {
    let mut metadata = cargo(&["metadata", "--no-deps", "--offline", "--format-version=1"]);
    if let Some(manifest) = manifest {
        metadata.args(["--manifest-path", manifest]);
    }
    serde_json::from_str(&stdout(metadata)?).context("cargo metadata printed no JSON")
}

/// Cargo's target folder.
pub fn target_folder() -> Result<PathBuf> {
    let metadata = metadata(None)?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder.context("cargo names no target folder")?.into())
}

/// The packages of metadata.
pub fn packages(metadata: &Value) -> Result<Vec<Package>> {
    let packages = Vec::deserialize(&metadata["packages"]);
    packages.context("cargo metadata lists no packages that can be read")
}

/// The libraries below `kernels/` that programs outside of the lab use: those that are to
/// be found by a category. The list of all suites is published for the command line alone.
pub fn published_kernels() -> Result<Vec<Package>> {
    let mut packages = packages(&metadata(None)?)?;
    packages
        .retain(|p| p.folder().starts_with("kernels") && p.published() && !p.categories.is_empty());
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use super::{metadata, published_kernels, root};

    #[test]
    fn the_list_of_suites_and_peers_are_not_among_them() {
        let kernels = published_kernels().expect("metadata");
        let names: Vec<&str> = kernels.iter().map(|p| p.name.as_str()).collect();
        assert!(names.contains(&"karat-cpu") && names.contains(&"karat-hash"));
        let others = ["karat-all", "karat-peers", "karat-model"];
        assert!(!others.iter().any(|other| names.contains(other)));
    }

    #[test]
    fn each_has_a_readme_with_its_name_and_says_what_docs_rs_builds() {
        let metadata = metadata(None).expect("metadata");
        for package in published_kernels().expect("metadata") {
            let name = &package.name;
            let readme = root().join(package.folder()).join("README.md");
            let text = std::fs::read_to_string(&readme).expect(name);
            assert!(text.starts_with(&format!("# {name}")), "{name}");
            let all = metadata["packages"].as_array().expect("a list");
            let same = all.iter().find(|p| p["name"] == **name).expect(name);
            assert!(same["readme"].is_string(), "{name}");
            assert!(same["metadata"]["docs"]["rs"].is_object(), "{name}");
        }
    }
}
