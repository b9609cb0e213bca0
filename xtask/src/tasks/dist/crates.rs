//! The crates that are in the program.

use super::TARGET;
use crate::command::{cargo, stdout};
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What cargo says of them.
pub struct Crates {
    packages: BTreeMap<String, Value>,
    needs: BTreeMap<String, Vec<String>>,
    /// The program itself, by its name for cargo.
    pub main: String,
    /// All others that are in it.
    pub others: BTreeSet<String>,
}

impl Crates {
    /// Those of the program that is distributed.
    pub fn of_program() -> Result<Self> {
        let mut metadata = cargo(&["metadata", "--format-version=1", "--locked"]);
        metadata.args(["--filter-platform", TARGET]);
        Self::of(&serde_json::from_str(&stdout(metadata)?)?)
    }

    /// Those that `karat` needs, by what `cargo metadata` said.
    pub fn of(metadata: &Value) -> Result<Self> {
        let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
        let id = |value: &Value| value["id"].as_str().unwrap_or_default().to_owned();
        let packages: BTreeMap<String, Value> = list(&metadata["packages"])
            .into_iter()
            .map(|package| (id(&package), package))
            .collect();
        // Dependencies of the program itself: neither of tests nor of build scripts.
        let needs: BTreeMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
            .iter()
            .map(|node| {
                let normal =
                    |dep: &Value| list(&dep["dep_kinds"]).iter().any(|k| k["kind"].is_null());
                let deps = list(&node["deps"]).into_iter().filter(normal);
                let deps = deps.filter_map(|dep| dep["pkg"].as_str().map(str::to_owned));
                (id(node), deps.collect())
            })
            .collect();
        let main = packages.iter().find(|(_, p)| p["name"] == "karat");
        let main = main.context("cargo metadata lists no karat")?.0.clone();
        let mut others = BTreeSet::new();
        let mut open = vec![main.clone()];
        while let Some(id) = open.pop() {
            if others.insert(id.clone()) {
                open.extend(needs.get(&id).into_iter().flatten().cloned());
            }
        }
        others.remove(&main);
        Ok(Self {
            packages,
            needs,
            main,
            others,
        })
    }

    /// What cargo says of one.
    pub fn package(&self, id: &str) -> &Value {
        self.packages.get(id).unwrap_or(&Value::Null)
    }

    /// What one needs.
    pub fn needs(&self, id: &str) -> &[String] {
        self.needs.get(id).map_or(&[], Vec::as_slice)
    }
}
