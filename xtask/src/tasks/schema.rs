//! `cargo xtask schema`: the JSON Schemas of the evidence and of what `karat audit`,
//! `karat compare`, `karat gates` and `karat soak` write, made from their types.

use crate::Task;
use crate::command::root;
use anyhow::{Context as _, Result, bail};
use karat_model::audit_document::{self, AuditDocument};
use karat_model::compare::{self, LogComparison};
use karat_model::evidence::{self, Evidence};
use karat_model::gates::{self, GatesDocument};
use karat_model::soak::{self, Soak, SoakPair};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

pub const TASK: Task = Task {
    name: "schema",
    help: "write the files of schemas/; --check: fail when they are not current",
    run,
};

/// The committed schema of the evidence, from the root of the repository.
pub const FILE: &str = "schemas/evidence.schema.json";

/// A committed schema.
struct Committed {
    /// From the root of the repository.
    file: &'static str,
    generate: fn() -> Result<Value>,
}

const ALL: [Committed; 6] = [
    Committed {
        file: FILE,
        generate: || generate::<Evidence>(evidence::SCHEMA),
    },
    Committed {
        file: "schemas/audit.schema.json",
        generate: || generate::<AuditDocument>(audit_document::SCHEMA),
    },
    Committed {
        file: "schemas/compare.schema.json",
        generate: || generate::<LogComparison>(compare::SCHEMA),
    },
    Committed {
        file: "schemas/gates.schema.json",
        generate: || generate::<GatesDocument>(gates::SCHEMA),
    },
    Committed {
        file: "schemas/soak.schema.json",
        generate: || generate::<Soak>(soak::SCHEMA),
    },
    Committed {
        file: "schemas/soak-pair.schema.json",
        generate: || generate::<SoakPair>(soak::PAIR_SCHEMA),
    },
];

fn run(args: &[String]) -> Result<bool> {
    match args {
        [] => write()?,
        [flag] if flag == "--check" => check()?,
        _ => bail!("usage: cargo xtask schema [--check]"),
    }
    Ok(true)
}

/// Writes them.
pub fn write() -> Result<()> {
    for schema in &ALL {
        let file = root().join(schema.file);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let written = std::fs::write(&file, schema.text()?);
        written.with_context(|| format!("cannot write {}", schema.file))?;
    }
    Ok(())
}

/// Fails when a committed one is not what the task would write.
pub fn check() -> Result<()> {
    for schema in &ALL {
        let committed = std::fs::read_to_string(root().join(schema.file)).unwrap_or_default();
        if let Some(line) = first_difference(&committed, &schema.text()?) {
            bail!(
                "{}:{line} is not what the types of karat-model say; \
                 run `cargo xtask schema` and commit the result",
                schema.file
            );
        }
    }
    Ok(())
}

/// Number of the first line in which two texts differ.
fn first_difference(a: &str, b: &str) -> Option<usize> {
    if a == b {
        return None;
    }
    let same = a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count();
    Some(same + 1)
}

impl Committed {
    fn text(&self) -> Result<String> {
        let schema = (self.generate)()?;
        Ok(format!("{}\n", serde_json::to_string_pretty(&schema)?))
    }
}

/// The schema of what karat writes: every field is there, absent ones as null.
fn generate<T: JsonSchema>(version: u32) -> Result<Value> {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut schema = serde_json::to_value(generator.into_root_schema_for::<T>())?;
    let field = schema
        .pointer_mut("/properties/schema")
        .context("the document has no field `schema`")?;
    field["const"] = json!(version);
    Ok(schema)
}

#[cfg(test)]
mod tests {
    use super::{ALL, first_difference};
    use crate::command::root;
    use crate::validate::problems;
    use serde_json::json;

    #[test]
    fn the_version_is_part_of_the_schema() {
        // The evidence and that of gates have changed since their first versions.
        for (schema, version) in ALL.iter().zip([2, 1, 1, 2, 1, 1]) {
            let schema = (schema.generate)().expect("types with schemas");
            assert_eq!(schema["properties"]["schema"]["const"], json!(version));
        }
    }

    #[test]
    fn every_object_is_closed_or_a_map() {
        for schema in &ALL {
            let schema = (schema.generate)().expect("types with schemas");
            for (name, definition) in schema["$defs"].as_object().expect("definitions") {
                if definition["type"] == "object" {
                    assert!(
                        definition.get("additionalProperties").is_some(),
                        "{name} allows any further field"
                    );
                }
            }
        }
    }

    #[test]
    fn a_comparison_fits_its_schema() {
        let schema = (ALL[2].generate)().expect("types with schemas");
        for name in ["source2", "judged"] {
            let file = root().join(format!("lab/report/tests/it/samples/{name}.json"));
            let text = std::fs::read_to_string(file).expect("a sample");
            let document = serde_json::from_str(&text).expect("JSON");
            assert_eq!(problems(&schema, &document), [""; 0], "{name}");
        }
    }

    #[test]
    fn a_difference_is_told_by_its_line() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("", "a\n"), Some(1));
    }
}
