//! Values as TOML, for studies that karat writes.

use std::fmt::Write as _;

/// A list of texts.
pub fn list<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<String> = words.iter().map(|w| string(w.as_ref())).collect();
    format!("[{}]", words.join(", "))
}

/// A basic string of TOML 1.0.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Writing to a String cannot fail.
            c if c.is_control() => drop(write!(out, "\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
