//! A JSON Schema validator for the schemas that this repository generates.
//!
//! It knows the keywords that schemars writes for our types and no other; a
//! keyword that it does not know is an error, never ignored. The published
//! validators would be half of what xtask has to build.

use regex_lite::Regex;
use serde_json::{Map, Value};

/// Keywords that say nothing about validity.
const ANNOTATIONS: &[&str] = &[
    "$schema",
    "$id",
    "$defs",
    "title",
    "description",
    "default",
    "examples",
    "format",
];

/// At most this many problems are told.
const ENOUGH: usize = 20;

/// What is wrong with `document`, each with its place; empty when it is valid.
pub fn problems(schema: &Value, document: &Value) -> Vec<String> {
    let mut check = Check {
        root: schema,
        problems: Vec::new(),
    };
    check.value(schema, document, "$");
    check.problems
}

struct Check<'a> {
    root: &'a Value,
    problems: Vec<String>,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value, at: &str) {
        match schema {
            Value::Bool(true) => {}
            Value::Object(keywords) => {
                for (keyword, operand) in keywords {
                    if self.problems.len() >= ENOUGH {
                        return;
                    }
                    self.keyword(keywords, keyword, operand, value, at);
                }
            }
            _ => self.wrong(at, "nothing is allowed here".to_owned()),
        }
    }

    fn keyword(
        &mut self,
        siblings: &Map<String, Value>,
        keyword: &str,
        operand: &Value,
        value: &Value,
        at: &str,
    ) {
        match (keyword, operand) {
            ("$ref", Value::String(place)) => {
                let found = place.strip_prefix('#').and_then(|p| self.root.pointer(p));
                match found.cloned() {
                    Some(schema) => self.value(&schema, value, at),
                    None => self.wrong(at, format!("the schema lacks {place}")),
                }
            }
            ("type", Value::String(name)) => self.has_type(&[name], value, at),
            ("type", Value::Array(names)) => {
                let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                self.has_type(&names, value, at);
            }
            ("const", _) if value != operand => self.wrong(at, format!("expected {operand}")),
            ("enum", Value::Array(values)) if !values.contains(value) => {
                self.wrong(at, format!("expected one of {operand}"));
            }
            ("const" | "enum", _) => {}
            ("pattern", Value::String(pattern)) => match Regex::new(pattern) {
                Ok(regex) if value.as_str().is_some_and(|text| !regex.is_match(text)) => {
                    self.wrong(at, format!("does not match {pattern}"));
                }
                Ok(_) => {}
                Err(error) => self.wrong(at, format!("the pattern {pattern}: {error}")),
            },
            ("minimum", _) => self.bound(operand, value, at, "less", |v, limit| v < limit),
            ("maximum", _) => self.bound(operand, value, at, "more", |v, limit| v > limit),
            ("required", Value::Array(names)) => {
                if let Value::Object(fields) = value {
                    for name in names.iter().filter_map(Value::as_str) {
                        if !fields.contains_key(name) {
                            self.wrong(at, format!("`{name}` is missing"));
                        }
                    }
                }
            }
            ("properties", Value::Object(schemas)) => {
                if let Value::Object(fields) = value {
                    for (name, schema) in schemas {
                        if let Some(field) = fields.get(name) {
                            self.value(schema, field, &format!("{at}.{name}"));
                        }
                    }
                }
            }
            ("additionalProperties", schema) => {
                let known = siblings.get("properties").and_then(Value::as_object);
                for (name, field) in value.as_object().into_iter().flatten() {
                    if !known.is_some_and(|k| k.contains_key(name)) {
                        self.value(schema, field, &format!("{at}.{name}"));
                    }
                }
            }
            ("minItems", _) => self.length(operand, value, at, "fewer", |n, limit| n < limit),
            ("maxItems", _) => self.length(operand, value, at, "more", |n, limit| n > limit),
            ("items", schema) => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.value(schema, item, &format!("{at}[{i}]"));
                }
            }
            ("anyOf" | "oneOf", Value::Array(schemas)) => {
                let fitting = schemas
                    .iter()
                    .filter(|schema| self.fits(schema, value, at))
                    .count();
                if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                    self.wrong(
                        at,
                        format!("fits {fitting} of {} alternatives", schemas.len()),
                    );
                }
            }
            _ if ANNOTATIONS.contains(&keyword) => {}
            _ => self.wrong(
                at,
                format!("xtask/src/validate.rs does not know `{keyword}: {operand}`"),
            ),
        }
    }

    fn length(
        &mut self,
        limit: &Value,
        value: &Value,
        at: &str,
        what: &str,
        beyond: impl Fn(u64, u64) -> bool,
    ) {
        let (Some(limit), Value::Array(items)) = (limit.as_u64(), value) else {
            return;
        };
        if beyond(items.len() as u64, limit) {
            self.wrong(at, format!("{what} than {limit} items"));
        }
    }

    fn fits(&self, schema: &Value, value: &Value, at: &str) -> bool {
        let mut check = Check {
            root: self.root,
            problems: Vec::new(),
        };
        check.value(schema, value, at);
        check.problems.is_empty()
    }

    fn has_type(&mut self, names: &[&str], value: &Value, at: &str) {
        let fits = |name: &&str| match (*name, value) {
            ("null", Value::Null)
            | ("boolean", Value::Bool(_))
            | ("number", Value::Number(_))
            | ("string", Value::String(_))
            | ("array", Value::Array(_))
            | ("object", Value::Object(_)) => true,
            ("integer", Value::Number(n)) => {
                n.is_i64() || n.is_u64() || n.as_f64().is_some_and(|f| f.fract() == 0.0)
            }
            _ => false,
        };
        if !names.iter().any(fits) {
            self.wrong(at, format!("expected {}", names.join(" or ")));
        }
    }

    fn bound(
        &mut self,
        limit: &Value,
        value: &Value,
        at: &str,
        word: &str,
        beyond: fn(f64, f64) -> bool,
    ) {
        if let (Some(v), Some(l)) = (value.as_f64(), limit.as_f64())
            && beyond(v, l)
        {
            self.wrong(at, format!("{value} is {word} than {limit}"));
        }
    }

    fn wrong(&mut self, at: &str, what: String) {
        self.problems.push(format!("{at}: {what}"));
    }
}

#[cfg(test)]
mod tests {
    use super::problems;
    use serde_json::{Value, json};

    fn schema() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "n": { "type": "integer", "minimum": 0, "format": "uint32" },
                "kind": { "$ref": "#/$defs/Kind" },
                "maybe": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/Kind" }] },
                "list": { "type": "array", "items": { "type": ["number", "null"] } },
                "two": { "type": "array", "minItems": 2, "maxItems": 2 }
            },
            "required": ["n"],
            "additionalProperties": false,
            "$defs": { "Kind": { "oneOf": [{ "const": "a" }, { "enum": ["b", "c"] }] } }
        })
    }

    #[track_caller]
    fn wrong(document: &Value, expected: &[&str]) {
        assert_eq!(problems(&schema(), document), expected);
    }

    #[test]
    fn what_fits_has_no_problems() {
        wrong(&json!({ "n": 3 }), &[]);
        wrong(
            &json!({ "n": 0, "kind": "b", "maybe": null, "list": [1.5, null] }),
            &[],
        );
    }

    #[test]
    fn each_keyword_finds_its_problem() {
        wrong(&json!([]), &["$: expected object"]);
        wrong(&json!({}), &["$: `n` is missing"]);
        wrong(&json!({ "n": -1 }), &["$.n: -1 is less than 0"]);
        wrong(&json!({ "n": 0.5 }), &["$.n: expected integer"]);
        wrong(
            &json!({ "n": 1, "more": 1 }),
            &["$.more: nothing is allowed here"],
        );
        wrong(
            &json!({ "n": 1, "kind": "d" }),
            &["$.kind: fits 0 of 2 alternatives"],
        );
        wrong(
            &json!({ "n": 1, "maybe": 1 }),
            &["$.maybe: fits 0 of 2 alternatives"],
        );
        wrong(
            &json!({ "n": 1, "list": [1, "x"] }),
            &["$.list[1]: expected number or null"],
        );
        wrong(&json!({ "n": 1, "two": [1, 2] }), &[]);
        wrong(
            &json!({ "n": 1, "two": [1] }),
            &["$.two: fewer than 2 items"],
        );
        wrong(
            &json!({ "n": 1, "two": [1, 2, 3] }),
            &["$.two: more than 2 items"],
        );
    }

    #[test]
    fn a_pattern_is_for_texts() {
        let schema = json!({ "pattern": "^[0-9]+ s$" });
        assert_eq!(problems(&schema, &json!("10 s")), [""; 0]);
        assert_eq!(problems(&schema, &json!(10)), [""; 0]);
        let found = problems(&schema, &json!("10 parsecs"));
        assert_eq!(found, ["$: does not match ^[0-9]+ s$"]);
    }

    #[test]
    fn an_unknown_keyword_is_an_error() {
        let found = problems(&json!({ "minLength": 1 }), &json!(""));
        assert_eq!(
            found,
            ["$: xtask/src/validate.rs does not know `minLength: 1`"]
        );
    }
}
