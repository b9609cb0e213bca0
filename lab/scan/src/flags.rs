//! Which flags cargo would give to rustc.
//!
//! Source: The Cargo Book, "Configuration", `build.rustflags`: the first of
//! `CARGO_ENCODED_RUSTFLAGS`, `RUSTFLAGS`, `target.<triple>.rustflags` with
//! `target.<cfg>.rustflags`, and `build.rustflags` that is there; lists of several files are
//! joined, those of deeper folders last.

use crate::cfg::Cfg;
use toml::{Table, Value};

/// Variables that decide.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `CARGO_ENCODED_RUSTFLAGS`: flags separated by the byte 0x1f.
    pub encoded: Option<String>,
    /// `RUSTFLAGS`: flags separated by spaces.
    pub plain: Option<String>,
    /// `CARGO_TARGET_<TRIPLE>_RUSTFLAGS` for the target of the build.
    pub of_target: Option<String>,
    /// `CARGO_BUILD_RUSTFLAGS`.
    pub of_build: Option<String>,
}

/// A configuration file of cargo.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// Its path, for messages.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The flags, and where they come from. `files` are in cargo's order of precedence: the
/// deepest folder first, the home folder last. `cfg` is what `rustc --print cfg` says of the
/// target without flags.
///
/// # Errors
/// When a configuration file is no TOML or its flags are no list and no text.
pub fn rustflags(
    environment: &Environment,
    files: &[ConfigFile],
    target: &str,
    cfg: &str,
) -> Result<(Vec<String>, String), String> {
    if let Some(encoded) = &environment.encoded {
        let flags = encoded.split('\u{1f}').filter(|f| !f.is_empty());
        return Ok((
            flags.map(str::to_owned).collect(),
            "CARGO_ENCODED_RUSTFLAGS".into(),
        ));
    }
    if let Some(plain) = &environment.plain {
        return Ok((words(plain), "RUSTFLAGS".into()));
    }
    let holding: Vec<Cfg> = cfg
        .lines()
        .filter_map(|l| Cfg::from_text(l.trim()))
        .collect();
    let known = |key: &str, value: Option<&str>| {
        let wanted = Cfg::Is(key.to_owned(), value.map(str::to_owned));
        Some(holding.contains(&wanted))
    };
    let (mut of_target, mut of_build) = (Vec::new(), Vec::new());
    let (mut target_from, mut build_from) = (Vec::new(), Vec::new());
    for file in files.iter().rev() {
        let table: Table = file
            .text
            .parse()
            .map_err(|e| format!("{} is no TOML: {e}", file.path))?;
        let targets = table.get("target").and_then(Value::as_table);
        for (name, settings) in targets.into_iter().flatten() {
            let condition = name.strip_prefix("cfg(").and_then(|n| n.strip_suffix(')'));
            let applies = match condition.map(Cfg::from_text) {
                Some(Some(cfg)) => cfg.eval(&known) == Some(true),
                Some(None) => return Err(format!("{}: `{name}` is no condition", file.path)),
                None => name == target,
            };
            if applies {
                add(&mut of_target, &mut target_from, settings, file)?;
            }
        }
        if let Some(settings) = table.get("build") {
            add(&mut of_build, &mut build_from, settings, file)?;
        }
    }
    // A variable of cargo's own stands for the key in a file.
    if let Some(text) = &environment.of_target {
        of_target.extend(words(text));
        target_from.push("CARGO_TARGET_…_RUSTFLAGS".to_owned());
    }
    if let Some(text) = &environment.of_build {
        of_build.extend(words(text));
        build_from.push("CARGO_BUILD_RUSTFLAGS".to_owned());
    }
    if !target_from.is_empty() {
        Ok((of_target, target_from.join(", ")))
    } else if !build_from.is_empty() {
        Ok((of_build, build_from.join(", ")))
    } else {
        Ok((Vec::new(), "none".into()))
    }
}

fn add(
    flags: &mut Vec<String>,
    from: &mut Vec<String>,
    settings: &Value,
    file: &ConfigFile,
) -> Result<(), String> {
    let more = match settings.get("rustflags") {
        None => return Ok(()),
        Some(Value::String(text)) => words(text),
        Some(Value::Array(list)) => {
            let texts: Option<Vec<String>> =
                list.iter().map(|v| v.as_str().map(str::to_owned)).collect();
            texts.ok_or_else(|| format!("{}: rustflags holds more than text", file.path))?
        }
        Some(_) => return Err(format!("{}: rustflags is no list and no text", file.path)),
    };
    flags.extend(more);
    if !from.contains(&file.path) {
        from.push(file.path.clone());
    }
    Ok(())
}

/// Flags separated by spaces.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CFG: &str = "target_arch=\"x86_64\"\nunix\n";
    const TRIPLE: &str = "x86_64-unknown-linux-gnu";

    fn file(path: &str, text: &str) -> ConfigFile {
        ConfigFile {
            path: path.into(),
            text: text.into(),
        }
    }

    fn flags(environment: &Environment, files: &[ConfigFile]) -> (String, String) {
        let (flags, from) = rustflags(environment, files, TRIPLE, CFG).unwrap();
        (flags.join(" "), from)
    }

    #[test]
    fn the_first_source_wins_and_lists_join() {
        let files = [
            file("deep", "[build]\nrustflags = [\"-Ca\"]\n"),
            file("home", "[build]\nrustflags = \"-Cb -Cc\"\n"),
        ];
        let mut environment = Environment::default();
        assert_eq!(flags(&environment, &[]), (String::new(), "none".into()));
        assert_eq!(
            flags(&environment, &files),
            ("-Cb -Cc -Ca".into(), "home, deep".into())
        );
        environment.of_build = Some("-Cd".into());
        assert_eq!(flags(&environment, &files).0, "-Cb -Cc -Ca -Cd");
        environment.plain = Some(" -Ce  -Cf ".into());
        assert_eq!(
            flags(&environment, &files),
            ("-Ce -Cf".into(), "RUSTFLAGS".into())
        );
        environment.encoded = Some("-C\u{1f}g h".into());
        let (list, _) = rustflags(&environment, &files, TRIPLE, CFG).unwrap();
        assert_eq!(list, ["-C", "g h"]);
    }

    #[test]
    fn targets_by_name_and_by_condition() {
        let text = "[build]\nrustflags = [\"-Ca\"]\n\
                    [target.'cfg(all(unix, target_arch = \"x86_64\"))']\nrustflags = [\"-Cb\"]\n\
                    [target.'cfg(windows)']\nrustflags = [\"-Cc\"]\n\
                    [target.x86_64-unknown-linux-gnu]\nrustflags = [\"-Cd\"]\n";
        let (list, _) = flags(&Environment::default(), &[file("f", text)]);
        assert_eq!(list, "-Cb -Cd");
    }

    #[test]
    fn broken_files_are_told() {
        for text in [
            "[build",
            "[build]\nrustflags = 1\n",
            "[build]\nrustflags = [1]\n",
            "[target.'cfg(a b)']\nrustflags = []\n",
        ] {
            let told = rustflags(&Environment::default(), &[file("f", text)], TRIPLE, CFG);
            assert!(told.unwrap_err().starts_with('f'), "{text}");
        }
    }
}
