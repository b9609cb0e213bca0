//! The bill of materials: every crate that is in the program, as CycloneDX 1.5.

use super::crates::Crates;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The document's text.
pub fn text(crates: &Crates, version: &str) -> Result<String> {
    Ok(serde_json::to_string_pretty(&document(crates, version))? + "\n")
}

fn document(crates: &Crates, version: &str) -> Value {
    let reference = |id: &String| {
        let package = crates.package(id);
        let part = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
        format!("pkg:cargo/{}@{}", part("name"), part("version"))
    };
    let component = |id: &String| {
        let package = crates.package(id);
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
        let on: BTreeSet<String> = crates.needs(id).iter().map(reference).collect();
        json!({ "ref": reference(id), "dependsOn": on })
    };
    let all = std::iter::once(&crates.main).chain(&crates.others);
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": reference(&crates.main),
                "purl": reference(&crates.main),
                "name": "karat",
                "version": version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": crates.others.iter().map(component).collect::<Vec<_>>(),
        "dependencies": all.map(dependency).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::crates::Crates;
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
        let document = document(&Crates::of(&metadata).expect("crates"), "0.1.0");
        let components = document["components"].as_array().expect("list");
        let names: Vec<_> = components.iter().map(|c| c["name"].clone()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(
            components[0]["licenses"][0]["expression"],
            "MIT OR Apache-2.0"
        );
        let needs = |n: usize| document["dependencies"][n]["dependsOn"].clone();
        assert_eq!(needs(0), json!(["pkg:cargo/a@1.0.0"]));
        assert_eq!(needs(1), json!(["pkg:cargo/b@1.0.0"]));
        assert_eq!(needs(2), json!([]));
    }
}
