//! A file of the catalogue, as TOML.

use super::library::{Kernel, Library};
use std::fmt::Write as _;

impl Library {
    /// The text that [`Library::parse`] reads back as the same value.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        line(&mut out, "library", &quoted(&self.name));
        line(&mut out, "licence", &quoted(&self.licence));
        line(&mut out, "source", &quoted(&self.source));
        if !self.note.is_empty() {
            line(&mut out, "note", &quoted(&self.note));
        }
        list(&mut out, "prefixes", &self.prefixes);
        for kernel in &self.kernels {
            write_kernel(&mut out, kernel);
        }
        out
    }
}

fn write_kernel(out: &mut String, kernel: &Kernel) {
    out.push_str("\n[[kernel]]\n");
    line(out, "name", &quoted(&kernel.name));
    line(out, "isa", &quoted(&kernel.isa));
    list(out, "symbols", &kernel.symbols);
    let needs: Vec<String> = kernel.needs.iter().map(ToString::to_string).collect();
    list(out, "needs", &needs);
    if !kernel.constants.is_empty() {
        out.push_str("[kernel.constants]\n");
        for (name, bytes) in &kernel.constants {
            line(out, &quoted(name), &quoted(&hex(bytes)));
        }
    }
    for build in &kernel.builds {
        out.push_str("[[kernel.build]]\n");
        line(out, "of", &quoted(&build.of));
        let mut mix: Vec<_> = build.mix.iter().collect();
        mix.sort_by_key(|(key, count)| (std::cmp::Reverse(**count), *key));
        let words: Vec<String> = mix.iter().map(|(k, c)| format!("{k}={c}")).collect();
        line(out, "mix", &quoted(&words.join(" ")));
        let loads: Vec<String> = build.loads.iter().map(|load| hex(load)).collect();
        list(out, "loads", &loads);
        let immediates: Vec<String> = build.immediates.iter().map(|i| format!("{i:#x}")).collect();
        list(out, "immediates", &immediates);
    }
}

fn line(out: &mut String, key: &str, value: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{key} = {value}");
}

/// A list of strings on one line; nothing when it is empty.
fn list(out: &mut String, key: &str, values: &[String]) {
    if !values.is_empty() {
        let quoted: Vec<String> = values.iter().map(|v| quoted(v)).collect();
        line(out, key, &format!("[{}]", quoted.join(", ")));
    }
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
