//! The kernel libraries with every set of features that a user may choose.

use super::step::Outcome;
use crate::command::{cargo, run};
use crate::workspace::{Package, published_kernels};
use anyhow::Result;

/// Lints each library with each set, and runs all its tests with all features.
///
/// What features change is which code is there, and the compiler sees that. One run of
/// the tests is enough: the features add to a library and change nothing in it.
pub fn step() -> Result<Outcome> {
    let mut notes = Vec::new();
    for package in published_kernels()? {
        let sets = sets(&package);
        notes.push(format!("{}: {} sets", package.name, sets.len()));
        for set in sets {
            let mut clippy = cargo(&["clippy", "--quiet", "--locked", "--lib"]);
            clippy.args(["--package", &package.name]).args(set);
            clippy.args(["--", "-Dwarnings"]);
            run(clippy)?;
        }
        let mut test = cargo(&["test", "--quiet", "--locked", "--all-features"]);
        test.args(["--package", &package.name]);
        run(test)?;
    }
    Ok(Outcome::Noted(notes.join(", ")))
}

/// Arguments for cargo: no features, each alone, what cargo chooses, all of them.
fn sets(package: &Package) -> Vec<Vec<String>> {
    let alone = |features: &str| {
        let features = format!("--features={features}");
        vec!["--no-default-features".to_owned(), features]
    };
    let mut sets = vec![vec!["--no-default-features".to_owned()]];
    let features = package.features.keys().filter(|f| *f != "default");
    sets.extend(features.map(|f| alone(f)));
    sets.push(Vec::new());
    sets.push(vec!["--all-features".to_owned()]);
    // A default of one feature is that feature alone.
    if let Some([one]) = package.features.get("default").map(Vec::as_slice) {
        sets.retain(|set| *set != alone(one));
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::sets;
    use crate::workspace::packages;
    use serde_json::json;

    fn shown(features: &serde_json::Value) -> Vec<String> {
        let package = json!({
            "name": "a", "manifest_path": "/a/Cargo.toml", "publish": null, "features": features,
        });
        let packages = packages(&json!({ "packages": [package] })).expect("a package");
        sets(&packages[0]).iter().map(|s| s.join(" ")).collect()
    }

    #[test]
    fn every_feature_is_taken_alone() {
        let features = json!({ "default": ["std"], "std": [], "rayon": ["std", "dep:rayon"] });
        assert_eq!(
            shown(&features),
            [
                "--no-default-features",
                "--no-default-features --features=rayon",
                "",
                "--all-features"
            ]
        );
    }

    #[test]
    fn a_default_of_several_is_a_set_of_its_own() {
        let features = json!({ "default": ["a", "b"], "a": [], "b": [] });
        assert_eq!(shown(&features).len(), 5);
    }
}
