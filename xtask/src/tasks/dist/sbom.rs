//! The bill of materials: every crate that is in the program, as CycloneDX 1.5.

use super::TARGET;
use crate::command::{cargo, stdout};
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The document's text.
pub fn text(version: &str) -> Result<String> {
    let mut metadata = cargo(&["metadata", "--format-version=1", "--locked"]);
    metadata.args(["--filter-platform", TARGET]);
    let metadata: Value = serde_json::from_str(&stdout(metadata)?)?;
    let document = document(&metadata, version)?;
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn document(metadata: &Value, version: &str) -> Result<Value> {
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
            let normal = |dep: &Value| list(&dep["dep_kinds"]).iter().any(|k| k["kind"].is_null());
            let deps = list(&node["deps"]).into_iter().filter(normal);
            let deps = deps.filter_map(|dep| dep["pkg"].as_str().map(str::to_owned));
            (id(node), deps.collect())
        })
        .collect();
    let main = packages.iter().find(|(_, p)| p["name"] == "karat");
    let main = main.context("cargo metadata lists no karat")?.0.clone();
    let mut reached = BTreeSet::new();
    let mut open = vec![main.clone()];
    while let Some(id) = open.pop() {
        if reached.insert(id.clone()) {
            open.extend(needs.get(&id).into_iter().flatten().cloned());
        }
    }
    let reference = |id: &String| {
        let package = packages.get(id).unwrap_or(&Value::Null);
        let part = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
        format!("pkg:cargo/{}@{}", part("name"), part("version"))
    };
    let component = |id: &String| {
        let package = packages.get(id).unwrap_or(&Value::Null);
        let mut component = json!({
            "type": "library",
            "bom-ref": reference(id),
            "purl": reference(id),
            "name": package["name"],
            "version": package["version"],
        });
        // Some write the older `MIT/Apache-2.0`.
        if let Some(licence) = package["license"].as_str() {
            component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        component
    };
    let dependency = |id: &String| {
        let on = needs.get(id).into_iter().flatten();
        let on: BTreeSet<String> = on.map(reference).collect();
        json!({ "ref": reference(id), "dependsOn": on })
    };
    let others = reached.iter().filter(|id| **id != main);
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": reference(&main),
                "purl": reference(&main),
                "name": "karat",
                "version": version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": others.map(component).collect::<Vec<_>>(),
        "dependencies": reached.iter().map(dependency).collect::<Vec<_>>(),
    }))
}

#[cfg(test)]
mod tests {
    use super::document;
    use serde_json::{Value, json};

    #[test]
    fn what_only_tests_and_builds_need_is_not_in_it() {
        let package = |name: &str| json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0" });
        let dep = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [package("karat"), package("a"), package("b"), package("t"), package("x")],
            "resolve": { "nodes": [
                { "id": "karat", "deps": [dep("a", Value::Null), dep("t", json!("dev"))] },
                { "id": "a", "deps": [dep("b", Value::Null), dep("x", json!("build"))] },
                { "id": "b", "deps": [] },
            ] },
        });
        let document = document(&metadata, "0.1.0").expect("document");
        let components = document["components"].as_array().expect("list");
        let names: Vec<_> = components.iter().map(|c| c["name"].clone()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(
            components[0]["licenses"][0]["expression"],
            "MIT OR Apache-2.0"
        );
        assert_eq!(document["dependencies"][1]["dependsOn"], json!([]));
        assert_eq!(
            document["dependencies"][2]["dependsOn"],
            json!(["pkg:cargo/a@1.0.0"])
        );
    }
}
