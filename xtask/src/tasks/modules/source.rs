//! What one file defines, what it imports, and which paths it names; without what only its
//! tests need.

use crate::rust_text::{code_only, is_word};

/// A file's code, as far as arrows between modules follow from it.
#[derive(Default)]
pub struct Source {
    pub defined: Vec<String>,
    pub imports: Vec<Import>,
    pub paths: Vec<Place>,
    /// All first words of paths, for imports of everything.
    pub words: Vec<String>,
    /// Modules in files of their own that only tests have.
    pub tests: Vec<String>,
}

/// A path, and the modules inside of the file that it stands in.
pub struct Place {
    pub within: Vec<String>,
    pub path: Vec<String>,
}

/// What a `use` brings, and the name it has here; `*` is everything.
pub struct Import {
    pub place: Place,
    pub name: String,
}

/// Words that define the name behind them.
const DEFINES: &[&str] = &[
    "fn",
    "struct",
    "enum",
    "trait",
    "const",
    "static",
    "type",
    "union",
    "macro_rules",
];

/// Reads a file.
pub fn read(text: &str) -> Source {
    let code = code_only(text);
    let all = tokens(&code);
    let mut source = Source::default();
    let tokens = without_tests(&all, &mut source.tests);
    let mut within: Vec<(String, usize)> = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while at < tokens.len() {
        let (word, here) = (tokens[at], at);
        let next = |n: usize| tokens.get(here + n).copied().unwrap_or_default();
        let inside = || within.iter().map(|(name, _)| name.clone()).collect();
        at += 1;
        match word {
            "{" => depth += 1,
            "}" => {
                depth = usize::saturating_sub(depth, 1);
                within.pop_if(|(_, outside)| *outside == depth);
            }
            "mod" if next(2) == "{" => {
                within.push((next(1).to_owned(), depth));
                at += 1;
            }
            "use" => {
                let mut found = Vec::new();
                at = imports(&tokens, at, &[], &mut found);
                for (path, name) in found {
                    let within = inside();
                    let place = Place { within, path };
                    source.imports.push(Import { place, name });
                }
            }
            // `fn` of a type, and `*const`, have no name behind them.
            word if DEFINES.contains(&word) => {
                let name = [next(1), next(2)]
                    .into_iter()
                    .find(|w| begins_word(w) && *w != "mut");
                if begins_word(next(1)) || word == "macro_rules" {
                    source.defined.extend(name.map(str::to_owned));
                }
            }
            word if begins_word(word) => {
                let mut path = vec![word.to_owned()];
                while tokens.get(at) == Some(&"::")
                    && let Some(part) = tokens.get(at + 1).filter(|part| begins_word(part))
                {
                    path.push((*part).to_owned());
                    at += 2;
                }
                source.words.push(word.to_owned());
                if path.len() > 1 {
                    let within = inside();
                    source.paths.push(Place { within, path });
                }
            }
            _ => {}
        }
    }
    source
}

fn begins_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        found.push(token);
        rest = after.trim_start();
    }
    found
}

/// Leaves out each item behind `#[cfg(test)]` or the like, and notes the modules among them
/// that are files.
fn without_tests<'a>(tokens: &[&'a str], files: &mut Vec<String>) -> Vec<&'a str> {
    let mut left = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].starts_with(&["#", "[", "cfg", "(", "test"]) {
            left.push(tokens[at]);
            at += 1;
            continue;
        }
        at = closed(tokens, at + 1);
        while at < tokens.len() && tokens[at] != ";" && tokens[at] != "{" {
            at = match tokens[at] {
                "(" | "[" => closed(tokens, at),
                _ => at + 1,
            };
        }
        if let [.., "mod", name] = tokens[..at]
            && tokens.get(at) == Some(&";")
        {
            files.push(name.to_owned());
        }
        at = match tokens.get(at) {
            Some(&"{") => closed(tokens, at),
            _ => at + 1,
        };
    }
    left
}

/// Behind the bracket that closes the one here.
fn closed(tokens: &[&str], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The paths of a tree of imports that begins here, and the names they get. Gives the place
/// behind it.
fn imports(
    tokens: &[&str],
    mut at: usize,
    before: &[String],
    found: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let mut path = before.to_vec();
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match token {
            "::" => {}
            "{" => {
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    at = imports(tokens, at, &path, found);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                return at + 1;
            }
            "*" => {
                found.push((path, "*".into()));
                return at;
            }
            word if begins_word(word) => {
                path.push(word.to_owned());
                match tokens.get(at) {
                    Some(&"::") => {}
                    Some(&"as") => {
                        let name = tokens.get(at + 1).copied().unwrap_or_default();
                        found.push((path, name.to_owned()));
                        return at + 2;
                    }
                    _ => {
                        found.push((path.clone(), word.to_owned()));
                        return at;
                    }
                }
            }
            _ => return at,
        }
    }
    at
}
