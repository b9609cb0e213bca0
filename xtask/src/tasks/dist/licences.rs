//! The licences of others' code that is in the program: most ask that their text goes with it.

use super::crates::Crates;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// How names of such files begin.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// All texts, each once, with the crates that have it.
pub fn text(crates: &Crates) -> Result<String> {
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in &crates.others {
        let package = crates.package(id);
        // Those of the workspace are karat's own, whose licences lie beside.
        if package["source"].is_null() {
            continue;
        }
        let title = title(package);
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let folder = Path::new(manifest).parent().unwrap_or(Path::new("."));
        let texts = texts(folder).with_context(|| format!("licences of {title}"))?;
        // A crate without a file has its licence's name alone.
        for text in texts {
            by_text.entry(text).or_default().push(title.clone());
        }
        by_text.entry(String::new()).or_default().push(title);
    }
    let Some(all) = by_text.remove("") else {
        bail!("no crates of others: cargo metadata names no sources");
    };
    let mut out = format!(
        "Other people's code in karat, and its licences.\n\n{}\n",
        all.join("\n")
    );
    let mut texts: Vec<_> = by_text.into_iter().collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1));
    for (text, titles) in texts {
        let line = "-".repeat(72);
        write!(out, "\n{line}\n{}\n\n{text}\n", titles.join("\n"))?;
    }
    Ok(out)
}

/// Name, version, and what the manifest says of its licence.
fn title(package: &Value) -> String {
    let part = |name: &str| package[name].as_str().unwrap_or("(not said)");
    format!("{} {}: {}", part("name"), part("version"), part("license"))
}

fn texts(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let name = file.file_name().to_string_lossy().to_uppercase();
        if NAMES.iter().any(|n| name.starts_with(n)) && file.file_type()?.is_file() {
            texts.push(fs::read_to_string(file.path())?.trim().to_owned());
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::super::crates::Crates;
    use super::text;
    use serde_json::json;

    #[test]
    fn a_text_stands_once_and_names_its_crates() {
        let folder = std::env::temp_dir().join(format!("karat-licences-{}", std::process::id()));
        let package = |name: &str, source: Option<&str>, licence: &str| {
            let home = folder.join(name);
            std::fs::create_dir_all(&home).expect("a folder");
            if !licence.is_empty() {
                std::fs::write(home.join("License.txt"), licence).expect("a file");
            }
            json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT",
                "source": source, "manifest_path": home.join("Cargo.toml") })
        };
        let dep = |name: &str| json!({ "pkg": name, "dep_kinds": [{ "kind": null }] });
        let metadata = json!({
            "packages": [
                package("karat", None, "ours"), package("own", None, "ours"),
                package("a", Some("registry"), "the text\n"),
                package("b", Some("registry"), "the text"), package("c", Some("registry"), ""),
            ],
            "resolve": { "nodes": [
                { "id": "karat", "deps": [dep("own"), dep("a"), dep("b"), dep("c")] },
            ] },
        });
        let text = text(&Crates::of(&metadata).expect("crates")).expect("a text");
        assert_eq!(text.matches("the text").count(), 1, "{text}");
        assert!(!text.contains("own") && !text.contains("ours"), "{text}");
        assert_eq!(text.matches("a 1.0.0: MIT").count(), 2, "{text}");
        assert_eq!(text.matches("c 1.0.0: MIT").count(), 1, "{text}");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
