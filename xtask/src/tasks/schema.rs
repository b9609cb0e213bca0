//! `cargo xtask schema`: the JSON Schemas of the evidence and of what `karat audit`,
//! `karat compare`, `karat gates` and `karat soak` write, made from their types; the schema
//! and the page of a study's keys, made from their reference.

use crate::Task;
use crate::command::root;
use anyhow::{Context as _, Result, bail};
use karat_model::audit_document::{self, AuditDocument};
use karat_model::compare::{self, LogComparison};
use karat_model::evidence::{self, Evidence};
use karat_model::gates::{self, GatesDocument};
use karat_model::soak::{self, Soak, SoakPair};
use karat_model::study::reference;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

pub const TASK: Task = Task {
    name: "schema",
    help: "write schemas/ and docs/study.md; --check: fail when they are not current",
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

/// What writes a file.
type Text = fn() -> Result<String>;

/// The committed schema of studies, and the page about their keys.
const OF_STUDIES: [(&str, Text); 2] = [
    ("schemas/study.schema.json", || pretty(&reference::schema())),
    ("docs/study.md", || Ok(reference::markdown())),
];

/// Every file that the task writes, with what it writes.
fn texts() -> impl Iterator<Item = (&'static str, Result<String>)> {
    let of_types = ALL.iter().map(|schema| (schema.file, schema.text()));
    of_types.chain(OF_STUDIES.iter().map(|(file, text)| (*file, text())))
}

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
    for (name, text) in texts() {
        let file = root().join(name);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let written = std::fs::write(&file, text?);
        written.with_context(|| format!("cannot write {name}"))?;
    }
    Ok(())
}

/// Fails when a committed one is not what the task would write.
pub fn check() -> Result<()> {
    for (name, text) in texts() {
        let committed = std::fs::read_to_string(root().join(name)).unwrap_or_default();
        if let Some(line) = first_difference(&committed, &text?) {
            bail!(
                "{name}:{line} is not what karat-model says; run `cargo xtask schema` and commit \
                 the result"
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
        pretty(&(self.generate)()?)
    }
}

fn pretty(schema: &Value) -> Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(schema)?))
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
    use karat_model::study::{Study, reference};
    use serde_json::{Value, json};
    use std::path::PathBuf;
    use toml::de::{DeTable, DeValue};

    /// A study as the JSON that an editor checks.
    fn as_json(source: &str) -> Value {
        fn table(table: &DeTable<'_>) -> Value {
            let entries = table.iter();
            let entries = entries.map(|(k, v)| (k.get_ref().to_string(), value(v.get_ref())));
            Value::Object(entries.collect())
        }
        fn value(of: &DeValue<'_>) -> Value {
            match of {
                DeValue::String(text) => json!(text),
                DeValue::Integer(n) => n.as_str().parse::<i64>().map_or(Value::Null, |n| json!(n)),
                DeValue::Boolean(flag) => json!(flag),
                DeValue::Array(items) => items.iter().map(|i| value(i.get_ref())).collect(),
                DeValue::Table(inner) => table(inner),
                // No key of a study takes another type.
                _ => Value::Null,
            }
        }
        table(DeTable::parse(source).expect("TOML").get_ref())
    }

    /// Every study of the repository, those in documents too.
    fn studies() -> Vec<(PathBuf, String)> {
        let mut out = Vec::new();
        for folder in std::fs::read_dir(root().join("studies")).expect("studies") {
            let file = folder.expect("a study").path().join("study.toml");
            if let Ok(text) = std::fs::read_to_string(&file) {
                out.push((file, text));
            }
        }
        for page in std::fs::read_dir(root().join("docs")).expect("docs") {
            let file = page.expect("a page").path();
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let blocks = text.split("```toml\n").skip(1);
            let blocks = blocks.filter_map(|b| Some(b.split_once("```")?.0));
            let whole = blocks.filter(|b| b.contains("schema = 1"));
            out.extend(whole.map(|b| (file.clone(), b.to_owned())));
        }
        out
    }

    #[test]
    fn all_studies_fit_their_schema() {
        let schema = reference::schema();
        let studies = studies();
        assert!(studies.len() > 5, "{} studies", studies.len());
        for (file, text) in studies {
            let file = file.display();
            assert_eq!(problems(&schema, &as_json(&text)), [""; 0], "{file}");
            assert!(Study::parse(&text).is_ok(), "{file}");
        }
    }

    #[test]
    fn the_schema_refuses_what_is_no_study() {
        let schema = reference::schema();
        let sound = "schema = 1\nname = \"s\"\nbaseline = \"a\"\n[[variant]]\nname = \"a\"\n";
        let wrong = |rest: &str| problems(&schema, &as_json(&format!("{sound}{rest}")));
        assert_eq!(wrong(""), [""; 0]);
        assert_eq!(
            wrong("rustflag = []"),
            ["$.variant[0].rustflag: nothing is allowed here"]
        );
        assert_eq!(wrong("[measur]"), ["$.measur: nothing is allowed here"]);
        for bad in ["warmup = 101", "margin = 1", "margins = \"1%\""] {
            assert_eq!(
                wrong(&format!("[measure]\n{bad}")),
                ["$.measure: fits 0 of 1 alternatives"],
                "{bad}"
            );
        }
        assert_eq!(wrong("[measure]\nwarmup = 100"), [""; 0]);
        assert_eq!(
            wrong("[[workload]]\nargs = []"),
            ["$.workload[0]: `name` is missing"]
        );
        let metric = |text: &str| wrong(&format!("[[workload]]\nname = \"w\"\nmetric = {text}"));
        assert_eq!(metric("[\"cpu\", { output = \"auto\" }]"), [""; 0]);
        for bad in [
            "\"cpuu\"",
            "[]",
            "{ json = \"v\" }",
            "{ output = \"auto\", unit = \"s\" }",
        ] {
            assert_eq!(
                metric(bad),
                ["$.workload[0].metric: fits 0 of 2 alternatives"],
                "{bad}"
            );
        }
    }

    #[test]
    fn the_version_is_part_of_the_schema() {
        // Those of the evidence, of comparisons and of gates have changed since their first versions.
        for (schema, version) in ALL.iter().zip([2, 1, 2, 3, 1, 1]) {
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
