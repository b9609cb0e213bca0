//! A project with a Makefile.

use super::cmake::first;
use super::{read, version};
use crate::commands::init::beginning::Beginning;
use crate::commands::toml_text::{list, string};
use regex_lite::Regex;
use std::path::Path;

/// Variables that name the program, by custom.
const PROGRAM: &str =
    r"(?m)^ *(?:TARGET|PROG|PROGRAM|BIN|BINARY|EXE|EXECUTABLE|NAME)[ \t]*[:?]?=[ \t]*(\S+)[ \t]*$";

/// Flags of a Makefile that sets none.
const FLAGS: &str = "-O2";

pub(super) fn look(dir: &Path, place: &str) -> Option<Beginning> {
    let names = ["GNUmakefile", "makefile", "Makefile"];
    let text = names.iter().find_map(|name| read(&dir.join(name)))?;
    Some(beginning(place, program(&text).as_deref(), Some(&text)))
}

/// A study of what `make` builds.
pub(super) fn beginning(place: &str, program: Option<&str>, text: Option<&str>) -> Beginning {
    let text = text.unwrap_or_default();
    let is_cpp = text.contains("CXXFLAGS") && !text.contains("CFLAGS)");
    let variable = if is_cpp { "CXXFLAGS" } else { "CFLAGS" };
    let own = first(
        &format!(r"(?m)^ *{variable}[ \t]*[:?]?=[ \t]*(.*?)[ \t]*(?:#.*)?$"),
        text,
    );
    let own = own.filter(|f| !f.is_empty() && !f.ends_with('\\'));
    // The command line's goes before the Makefile's, which is therefore said again.
    let flags = own.as_deref().unwrap_or(FLAGS);
    let make = |more: &str| {
        let word = format!("{variable}={flags}{more}");
        let target = program.filter(|p| !p.contains('/')).unwrap_or_default();
        let mut words = vec!["make", &word];
        words.extend(Some(target).filter(|t| !t.is_empty()));
        list(&words)
    };
    let ask = match program {
        Some(_) => Vec::new(),
        None => vec![
            "the Makefile does not say plainly what program it builds; name it in `artifact`"
                .into(),
        ],
    };
    Beginning {
        what: "a Makefile: its program is built with and without -march=native".into(),
        title: "Does -march=native help NAME?",
        baseline: "default".into(),
        build: format!(
            "[subject]\ndir = {}\nartifact = {} # what the command leaves\n\n[[variant]]\nname = \
             \"default\"\ncommand = {}\n\n[[variant]]\nname = \"native\"\ncommand = {}\n",
            string(place),
            string(program.unwrap_or("program")),
            make(" -g1"),
            make(" -g1 -march=native"),
        ),
        check: version(),
        args: Vec::new(),
        dir: None,
        ask,
        before: Vec::new(),
    }
}

/// The program that a Makefile builds, as far as that is plain.
fn program(text: &str) -> Option<String> {
    let lists = Regex::new(r"(?m)^\.PHONY[ \t]*:([^\n]*)$").ok()?;
    let no_files: Vec<&str> = lists
        .captures_iter(text)
        .filter_map(|list| list.get(1))
        .flat_map(|names| names.as_str().split_whitespace())
        .collect();
    let plain = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let phony = [
            "all", "clean", "install", "test", "check", "default", "run", "lib",
        ];
        !name.is_empty()
            && !name.contains(['.', '%', '$', '=', ':'])
            && !phony.contains(&name)
            && !no_files.contains(&name)
            && !super::is_helper(name)
    };
    let resolved = |word: &str| -> Option<String> {
        let inner = word
            .strip_prefix("$(")
            .and_then(|w| w.strip_suffix(')'))
            .or_else(|| word.strip_prefix("${").and_then(|w| w.strip_suffix('}')));
        let Some(variable) = inner else {
            return plain(word).then(|| word.to_owned());
        };
        let escaped = variable
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_');
        let pattern = format!(r"(?m)^ *{variable}[ \t]*[:?]?=[ \t]*(\S+)[ \t]*$");
        let value = escaped.then(|| first(&pattern, text)).flatten()?;
        plain(&value).then_some(value)
    };
    let all = first(r"(?m)^all\s*:([^=\n]*)$", text).unwrap_or_default();
    let of_all = all.split_whitespace().find_map(resolved);
    let by_name = || first(PROGRAM, text).filter(|name| plain(name));
    // A rule that links: its recipe writes to the target.
    let rule = || {
        let rules = Regex::new(r"(?m)^([^\s:#=]+)\s*:[^=\n]*\n((?:\t[^\n]*\n?)+)").ok()?;
        let mut rules = rules.captures_iter(text);
        rules.find_map(|c| c[2].contains("-o").then(|| resolved(&c[1])).flatten())
    };
    of_all.or_else(by_name).or_else(rule)
}
