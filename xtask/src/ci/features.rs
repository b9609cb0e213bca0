//! The kernel libraries with the sets of features that users choose.

use super::step::Outcome;
use crate::command::{cargo, run};
use crate::workspace::{Package, published_kernels};
use anyhow::Result;
use std::collections::BTreeSet;

/// Lints the libraries with each set, and runs all their tests with all features.
///
/// What features change is which code is there, and the compiler sees that. One run of
/// the tests is enough: the features add to a library and change nothing in it.
pub fn step() -> Result<Outcome> {
    let packages = published_kernels()?;
    let sets = sets(&packages);
    for (packages, features) in &sets {
        let mut clippy = cargo(&["clippy", "--quiet", "--locked", "--lib"]);
        clippy.args(named(packages)).args(features);
        clippy.args(["--", "-Dwarnings"]);
        run(clippy)?;
    }
    let mut test = cargo(&["test", "--quiet", "--locked", "--all-features"]);
    test.args(named(&packages.iter().collect::<Vec<_>>()));
    run(test)?;
    Ok(Outcome::Noted(format!("{} sets", sets.len())))
}

type Set<'a> = (Vec<&'a Package>, Vec<String>);

/// Packages, and cargo's arguments for them: no features, each alone, what cargo chooses;
/// of all packages at once, which is a quarter of the work. There one package may have its
/// features from another, so each is also taken by itself, with all its own.
fn sets(packages: &[Package]) -> Vec<Set<'_>> {
    let all: Vec<&Package> = packages.iter().collect();
    let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
    let mut sets: Vec<Set<'_>> = vec![
        (all.clone(), words(&["--no-default-features"])),
        (all.clone(), Vec::new()),
    ];
    let features: BTreeSet<&String> = packages.iter().flat_map(|p| p.features.keys()).collect();
    for feature in features.into_iter().filter(|f| *f != "default") {
        let have = all.iter().filter(|p| p.features.contains_key(feature));
        let alone = ["--no-default-features", "--features", feature];
        sets.push((have.copied().collect(), words(&alone)));
    }
    let several = all.iter().filter(|p| p.features.len() > 1);
    sets.extend(several.map(|p| (vec![*p], words(&["--all-features"]))));
    sets
}

fn named(packages: &[&Package]) -> Vec<String> {
    packages
        .iter()
        .map(|p| format!("--package={}", p.name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{named, sets};
    use crate::workspace::packages;
    use serde_json::json;

    #[test]
    fn every_feature_is_taken_alone_and_every_package_with_all_of_its_own() {
        let package = |name: &str, features: serde_json::Value| {
            json!({
                "name": name, "manifest_path": "/a/Cargo.toml", "publish": null,
                "features": features,
            })
        };
        let a = package(
            "a",
            json!({ "default": ["std"], "std": [], "rayon": ["std"] }),
        );
        let b = package("b", json!({ "default": ["std"], "std": [] }));
        let plain = package("c", json!({}));
        let packages = packages(&json!({ "packages": [a, b, plain] })).expect("packages");
        let shown = |(packages, features): &super::Set<'_>| {
            format!("{} {}", named(packages).join(" "), features.join(" "))
        };
        let shown: Vec<String> = sets(&packages).iter().map(shown).collect();
        assert_eq!(
            shown,
            [
                "--package=a --package=b --package=c --no-default-features",
                "--package=a --package=b --package=c ",
                "--package=a --no-default-features --features rayon",
                "--package=a --package=b --no-default-features --features std",
                "--package=a --all-features",
                "--package=b --all-features",
            ]
        );
    }
}
