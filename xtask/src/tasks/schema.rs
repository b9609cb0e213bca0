//! `cargo xtask schema`: the JSON Schema of the evidence, made from its types.

use crate::Task;
use crate::command::root;
use anyhow::{Context as _, Result, bail};
use karat_model::evidence::{Evidence, SCHEMA};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

pub const TASK: Task = Task {
    name: "schema",
    help: "write schemas/evidence.schema.json; --check: fail when it is not current",
    run,
};

/// The committed schema, from the root of the repository.
pub const FILE: &str = "schemas/evidence.schema.json";

fn run(args: &[String]) -> Result<bool> {
    match args {
        [] => write()?,
        [flag] if flag == "--check" => check()?,
        _ => bail!("usage: cargo xtask schema [--check]"),
    }
    Ok(true)
}

/// Writes it.
pub fn write() -> Result<()> {
    let file = root().join(FILE);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&file, text()?).with_context(|| format!("cannot write {FILE}"))
}

/// Fails when the committed one is not what the task would write.
pub fn check() -> Result<()> {
    let committed = std::fs::read_to_string(root().join(FILE)).unwrap_or_default();
    let current = text()?;
    let Some(line) = first_difference(&committed, &current) else {
        return Ok(());
    };
    bail!(
        "{FILE}:{line} is not what the types of karat-model say; \
         run `cargo xtask schema` and commit the result"
    )
}

/// Number of the first line in which two texts differ.
fn first_difference(a: &str, b: &str) -> Option<usize> {
    if a == b {
        return None;
    }
    let same = a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count();
    Some(same + 1)
}

fn text() -> Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(&generate()?)?))
}

/// The schema of what karat writes: every field is there, absent ones as null.
fn generate() -> Result<Value> {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut schema = serde_json::to_value(generator.into_root_schema_for::<Evidence>())?;
    let version = schema
        .pointer_mut("/properties/schema")
        .context("evidence has no field `schema`")?;
    version["const"] = json!(SCHEMA);
    Ok(schema)
}

#[cfg(test)]
mod tests {
    use super::{first_difference, generate};
    use serde_json::json;

    #[test]
    fn the_version_is_part_of_the_schema() {
        let schema = generate().expect("types with schemas");
        assert_eq!(schema["properties"]["schema"]["const"], json!(1));
    }

    #[test]
    fn every_object_of_the_evidence_is_closed_or_a_map() {
        let schema = generate().expect("types with schemas");
        for (name, definition) in schema["$defs"].as_object().expect("definitions") {
            if definition["type"] == "object" {
                assert!(
                    definition.get("additionalProperties").is_some(),
                    "{name} allows any further field"
                );
            }
        }
    }

    #[test]
    fn a_difference_is_told_by_its_line() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("", "a\n"), Some(1));
    }
}
