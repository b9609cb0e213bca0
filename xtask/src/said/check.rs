//! Whether a command that a document names can be typed.

use super::cli::Cli;
use crate::unknown;
use crate::workspace::Package;

/// What exists.
pub struct Known {
    pub karat: Cli,
    /// Says what is wrong with the words behind `cargo xtask`.
    pub xtask: fn(&[String]) -> Option<String>,
    pub packages: Vec<Package>,
    pub fuzz_targets: Vec<String>,
    /// Whether there is such a path from the root of the repository.
    pub exists: fn(&str) -> bool,
}

/// What of the command does not exist; `None` when all does.
pub fn problem(words: &[String], known: &Known) -> Option<String> {
    // What a build leaves in `target` need not be there.
    let studies = words
        .iter()
        .filter(|w| w.starts_with("studies/") && !w.contains("/target/"));
    let mut real = studies.filter(|w| !is_placeholder(w.rsplit('/').next().unwrap_or(w)));
    if let Some(path) = real.find(|path| !(known.exists)(path)) {
        return Some(format!("there is no {path}"));
    }
    match words.first().map(String::as_str) {
        Some("karat") => karat(&words[1..], known),
        Some("cargo") => cargo(&words[1..], known),
        _ => None,
    }
}

/// What is wrong with the words behind `karat`.
fn karat(words: &[String], known: &Known) -> Option<String> {
    let mut at = &known.karat;
    let mut name = "karat".to_owned();
    for word in words.iter().take_while(|w| *w != "--") {
        if word.starts_with('-') {
            let flag = word.split('=').next().unwrap_or(word);
            if !at.flags.contains(flag) {
                let flags = at.flags.iter().map(String::as_str);
                return Some(unknown(&format!("flag of `{name}`"), flag, flags));
            }
        } else if !at.subcommands.is_empty() && !is_placeholder(word) {
            let Some(below) = at.subcommands.get(word) else {
                let names = at.subcommands.keys().map(String::as_str);
                return Some(unknown(&format!("`{name}`"), word, names));
            };
            at = below;
            name = format!("{name} {word}");
        }
    }
    None
}

/// What is wrong with the words behind `cargo`. Cargo's own flags are not looked at.
fn cargo(words: &[String], known: &Known) -> Option<String> {
    let mut words = words;
    if words.first().is_some_and(|w| w.starts_with('+')) {
        words = &words[1..];
    }
    let (subcommand, rest) = words.split_first()?;
    match subcommand.as_str() {
        "xtask" => (known.xtask)(rest),
        "fuzz" => match rest {
            [run, target, ..] if run == "run" && !is_placeholder(target) => {
                let targets = known.fuzz_targets.iter().map(String::as_str);
                let missing = !known.fuzz_targets.contains(target);
                missing.then(|| unknown("fuzz target", target, targets))
            }
            _ => None,
        },
        "run" | "build" | "test" | "check" | "clippy" | "doc" => {
            let (own, program) = match rest.iter().position(|w| w == "--") {
                Some(end) => (&rest[..end], &rest[end + 1..]),
                None => (rest, &[][..]),
            };
            let wrong = built(own, known);
            let runs = subcommand == "run" && runs_karat(own);
            wrong.or_else(|| runs.then(|| karat(program, known)).flatten())
        }
        _ => None,
    }
}

/// What is wrong with cargo's words behind `cargo run` and its like.
fn built(own: &[String], known: &Known) -> Option<String> {
    // Another workspace; whether its manifest exists was asked before.
    if value(own, &["--manifest-path"]).is_some() {
        return None;
    }
    let package = value(own, &["-p", "--package"]);
    let mut candidates: Vec<&Package> = known.packages.iter().collect();
    if let Some(name) = package.filter(|p| !is_placeholder(p)) {
        candidates.retain(|p| p.name == name);
        if candidates.is_empty() {
            let names = known.packages.iter().map(|p| p.name.as_str());
            return Some(unknown("package", name, names));
        }
    }
    let of = package.map_or(String::new(), |p| format!(" of {p}"));
    for kind in ["example", "test", "bin"] {
        let flag = format!("--{kind}");
        if let Some(name) = value(own, &[&flag])
            && !is_placeholder(name)
            && !candidates.iter().any(|p| p.has_target(kind, name))
        {
            let targets = candidates.iter().flat_map(|p| &p.targets);
            let same_kind = targets.filter(|t| t.kind.iter().any(|k| k == kind));
            let names = same_kind.map(|t| t.name.as_str());
            return Some(unknown(&format!("{kind}{of}"), name, names));
        }
    }
    let features = value(own, &["--features"]).unwrap_or_default();
    for feature in features.split(',').filter(|f| !f.is_empty()) {
        let (of, feature) = feature.split_once('/').unwrap_or(("", feature));
        let mut candidates = candidates.iter().filter(|p| of.is_empty() || p.name == of);
        if !candidates.any(|p| p.features.contains_key(feature)) {
            return Some(format!("no feature `{feature}`"));
        }
    }
    None
}

/// Whether `cargo run` with these words runs karat.
fn runs_karat(own: &[String]) -> bool {
    let package = value(own, &["-p", "--package"]);
    let other = value(own, &["--example", "--bin", "--manifest-path"]);
    package.is_none_or(|p| p == "karat") && other.is_none()
}

/// What follows a flag, as the next word or behind `=`.
fn value<'a>(words: &'a [String], flags: &[&str]) -> Option<&'a str> {
    words.iter().enumerate().find_map(|(i, word)| {
        flags.iter().find_map(|flag| {
            let rest = word.strip_prefix(flag)?;
            match rest.strip_prefix('=') {
                Some(value) => Some(value),
                None if rest.is_empty() => words.get(i + 1).map(String::as_str),
                None => None,
            }
        })
    })
}

/// Whether a reader replaces the word: `STUDY`, `[CODE]`, `BIN…`.
fn is_placeholder(word: &str) -> bool {
    !word.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::{Known, problem};
    use crate::said::Cli;
    use crate::workspace::packages;
    use serde_json::json;

    fn cli(flags: &[&str], subcommands: Vec<(&str, Cli)>) -> Cli {
        let subcommands = subcommands.into_iter();
        Cli {
            flags: flags.iter().map(|f| (*f).to_owned()).collect(),
            subcommands: subcommands.map(|(n, c)| (n.to_owned(), c)).collect(),
        }
    }

    fn known() -> Known {
        let kernels = cli(
            &["--help"],
            vec![("bench", cli(&["--peers", "-o"], vec![]))],
        );
        let run = cli(&["--smoke"], vec![]);
        let metadata = json!({ "packages": [
            {
                "name": "karat", "manifest_path": "/a/Cargo.toml", "features": { "peers": [] },
                "targets": [{ "name": "it", "kind": ["test"] }],
            },
            {
                "name": "karat-run", "manifest_path": "/b/Cargo.toml",
                "targets": [{ "name": "trial", "kind": ["example"] }],
            },
        ]});
        Known {
            karat: cli(&["--version"], vec![("run", run), ("kernels", kernels)]),
            xtask: |words| (words != ["ci"]).then(|| "no such task".to_owned()),
            packages: packages(&metadata).expect("packages"),
            fuzz_targets: vec!["blake3".to_owned()],
            exists: |path| path.starts_with("studies/dead-gate"),
        }
    }

    fn told(command: &str) -> Option<String> {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        problem(&words, &known())
    }

    #[test]
    fn what_exists_is_well() {
        for command in [
            "karat",
            "karat --version",
            "karat run STUDY --smoke",
            "karat run studies/NAME",
            "karat run studies/dead-gate -- --other",
            "cargo run --example trial -- --subject studies/x/target/release/x",
            "karat kernels bench -o x.csv --peers",
            "cargo test",
            "cargo test -- --nocapture",
            "cargo run --release -- run studies/dead-gate",
            "cargo run -p karat --features peers -- kernels bench --peers",
            "cargo run --example trial -- --from x",
            "cargo test --package=karat --test it --features karat/peers",
            "cargo build --manifest-path studies/dead-gate/Cargo.toml --features x",
            "cargo +nightly fuzz run blake3 -- -runs=1",
            "cargo xtask ci",
            "cargo install cargo-fuzz",
        ] {
            assert_eq!(told(command), None, "{command}");
        }
    }

    #[test]
    fn what_does_not_exist_is_told() {
        for (command, problem) in [
            ("karat rum x", "no `karat` `rum`; did you mean `run`?"),
            (
                "karat run x --smok",
                "no flag of `karat run` `--smok`; did you mean `--smoke`?",
            ),
            (
                "karat kernels --peers",
                "no flag of `karat kernels` `--peers`; known: --help",
            ),
            (
                "karat kernels all",
                "no `karat kernels` `all`; known: bench",
            ),
            ("karat run studies/gone", "there is no studies/gone"),
            (
                "cargo run -- run --quik",
                "no flag of `karat run` `--quik`; known: --smoke",
            ),
            (
                "cargo run -p karat-runn",
                "no package `karat-runn`; did you mean `karat-run`?",
            ),
            (
                "cargo run -p karat-run --example trail",
                "no example of karat-run `trail`; did you mean `trial`?",
            ),
            (
                "cargo run -p karat --example trial",
                "no example of karat `trial`; known: ",
            ),
            ("cargo test --test is", "no test `is`; did you mean `it`?"),
            ("cargo build --features pears", "no feature `pears`"),
            (
                "cargo +nightly fuzz run blake4",
                "no fuzz target `blake4`; did you mean `blake3`?",
            ),
            ("cargo xtask cl", "no such task"),
        ] {
            assert_eq!(told(command).as_deref(), Some(problem), "{command}");
        }
    }
}
