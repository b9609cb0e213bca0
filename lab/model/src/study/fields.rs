//! Reads TOML tables key by key and remembers what nobody asked for.
//!
//! serde's derive stops at the first mistake and knows no neighbours; a person
//! fixing a study wants all mistakes at once, each with a suggestion.

use crate::diagnostic::{Problem, nearest};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A value and where it stands in the study file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Byte range in the study file.
    pub span: Range<usize>,
}

/// A TOML value with its place, as the parser hands it over.
pub(crate) type Node<'i> = toml::Spanned<DeValue<'i>>;

/// One table being read.
pub(crate) struct Fields<'t, 'i> {
    table: &'t DeTable<'i>,
    /// Where the table itself stands, for "missing key".
    span: Range<usize>,
    asked: Vec<&'static str>,
}

impl<'t, 'i> Fields<'t, 'i> {
    pub(crate) fn new(table: &'t DeTable<'i>, span: Range<usize>) -> Self {
        Self {
            table,
            span,
            asked: Vec::new(),
        }
    }

    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The raw value of `key`, if it is there.
    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'t Node<'i>> {
        self.asked.push(key);
        self.table
            .iter()
            .find(|(k, _)| k.get_ref() == key)
            .map(|(_, v)| v)
    }

    pub(crate) fn string(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Option<Located<String>> {
        let node = self.get(key)?;
        string(node, problems)
    }

    /// Whether `key` is there, of whatever type.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.iter().any(|(k, _)| k.get_ref() == key)
    }

    /// Where `key` itself stands.
    pub(crate) fn place(&self, key: &str) -> Option<Range<usize>> {
        let found = self.table.keys().find(|k| k.get_ref() == key);
        found.map(toml::Spanned::span)
    }

    /// A string that must be there and not be empty; an empty one stands in when
    /// it is not.
    pub(crate) fn required(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Located<String> {
        let text = self.present(key, problems);
        if text.value.is_empty() && self.get(key).is_some_and(|n| n.get_ref().is_str()) {
            problems.push(Problem {
                message: format!("`{key}` is empty"),
                span: text.span.clone(),
                label: "expected some text".into(),
                help: None,
            });
        }
        text
    }

    /// A string that must be there but may be empty; an empty one stands in when
    /// it is not.
    pub(crate) fn present(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Located<String> {
        let span = self.span();
        match self.get(key) {
            Some(node) => string(node, problems),
            None => {
                problems.push(self.missing(key));
                None
            }
        }
        .unwrap_or(Located {
            value: String::new(),
            span,
        })
    }

    /// The problem of a key that must be there and is not.
    pub(crate) fn missing(&self, key: &str) -> Problem {
        Problem {
            message: format!("missing key `{key}`"),
            span: self.span(),
            label: format!("`{key}` is required here"),
            help: None,
        }
    }

    pub(crate) fn boolean(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Option<bool> {
        let node = self.get(key)?;
        let value = node.get_ref().as_bool();
        if value.is_none() {
            problems.push(wrong_type(node, "true or false"));
        }
        value
    }

    pub(crate) fn integer(
        &mut self,
        key: &'static str,
        range: std::ops::RangeInclusive<u32>,
        problems: &mut Vec<Problem>,
    ) -> Option<u32> {
        let node = self.get(key)?;
        let Some(integer) = node.get_ref().as_integer() else {
            problems.push(wrong_type(node, "a whole number"));
            return None;
        };
        let value = u32::from_str_radix(&integer.as_str().replace('_', ""), integer.radix());
        match value {
            Ok(v) if range.contains(&v) => Some(v),
            _ => {
                problems.push(Problem {
                    message: format!("`{key}` is out of range"),
                    span: node.span(),
                    label: format!("expected {} to {}", range.start(), range.end()),
                    help: None,
                });
                None
            }
        }
    }

    pub(crate) fn strings(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Option<Vec<Located<String>>> {
        let node = self.get(key)?;
        let Some(array) = node.get_ref().as_array() else {
            problems.push(wrong_type(node, "a list of strings"));
            return None;
        };
        Some(array.iter().filter_map(|n| string(n, problems)).collect())
    }

    /// A table of strings, such as environment variables.
    pub(crate) fn string_map(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> BTreeMap<String, String> {
        let Some(node) = self.get(key) else {
            return BTreeMap::new();
        };
        let Some(table) = node.get_ref().as_table() else {
            problems.push(wrong_type(node, "a table of strings"));
            return BTreeMap::new();
        };
        table
            .iter()
            .filter_map(|(k, v)| Some((k.get_ref().to_string(), string(v, problems)?.value)))
            .collect()
    }

    /// A sub-table, read by its own `Fields`.
    pub(crate) fn table(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Option<Fields<'t, 'i>> {
        let node = self.get(key)?;
        table(node, problems)
    }

    /// An array of tables (`[[key]]`).
    pub(crate) fn tables(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Vec<Fields<'t, 'i>> {
        let Some(node) = self.get(key) else {
            return Vec::new();
        };
        let Some(array) = node.get_ref().as_array() else {
            problems.push(wrong_type(node, &format!("a list of tables, `[[{key}]]`")));
            return Vec::new();
        };
        array.iter().filter_map(|n| table(n, problems)).collect()
    }

    /// Reports every key that nobody asked for.
    pub(crate) fn finish(self, what: &str, problems: &mut Vec<Problem>) {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if self.asked.contains(&name) {
                continue;
            }
            let mut known = self.asked.clone();
            known.sort_unstable();
            known.dedup();
            let help = match nearest(name, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known keys of {what}: {}", known.join(", ")),
            };
            problems.push(Problem {
                message: format!("unknown key `{name}` in {what}"),
                span: key.span(),
                label: "not a key karat knows".into(),
                help: Some(help),
            });
        }
    }
}

/// A node that must be a string.
pub(crate) fn string(node: &Node<'_>, problems: &mut Vec<Problem>) -> Option<Located<String>> {
    let Some(text) = node.get_ref().as_str() else {
        problems.push(wrong_type(node, "a string"));
        return None;
    };
    Some(Located {
        value: text.to_owned(),
        span: node.span(),
    })
}

/// A node that must be a table.
pub(crate) fn table<'t, 'i>(
    node: &'t Node<'i>,
    problems: &mut Vec<Problem>,
) -> Option<Fields<'t, 'i>> {
    let Some(table) = node.get_ref().as_table() else {
        problems.push(wrong_type(node, "a table"));
        return None;
    };
    Some(Fields::new(table, node.span()))
}

/// The problem of a value of the wrong type.
pub(crate) fn wrong_type(node: &Node<'_>, expected: &str) -> Problem {
    Problem {
        message: format!("expected {expected}, found {}", node.get_ref().type_str()),
        span: node.span(),
        label: format!("this is {}", article(node.get_ref().type_str())),
        help: None,
    }
}

fn article(noun: &str) -> String {
    let an = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if an { "an" } else { "a" })
}
