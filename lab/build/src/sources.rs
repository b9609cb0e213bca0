//! What cargo and rustc say about a dependency tree and a target: for scans of sources.

use karat_model::scan::{Package, Target};
use karat_process::{Command, quote};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest time for an answer. Cargo may have to fetch what is locked.
const PATIENCE: Duration = Duration::from_secs(600);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SourcesError {
    /// A program cannot be started.
    #[error("cannot start {program}: {source}; is Rust installed and in PATH?")]
    Start {
        /// The program.
        program: &'static str,
        /// Why not.
        source: std::io::Error,
    },
    /// It was ended because it took too long.
    #[error("`{command}` did not end within {} minutes; see what it waits for (a lock, the network) by running it yourself", PATIENCE.as_secs() / 60)]
    Slow {
        /// The command, as one would type it.
        command: String,
    },
    /// It ran and failed.
    #[error("`{command}` failed:\n{said}")]
    Failed {
        /// The command, as one would type it.
        command: String,
        /// What it said.
        said: String,
    },
    /// What it said is not understood.
    #[error("`{command}` says something that karat does not understand: {what}")]
    Answer {
        /// The command.
        command: String,
        /// What is missing.
        what: &'static str,
    },
}

/// Packages of the tree at `dir` that become part of its programs on `target`, sorted by
/// name and version. With `everything` also those of build scripts, procedural macros and
/// tests, and for other targets.
///
/// The tree is that of the package in `dir`, or of all members where `dir` is a workspace
/// without one. Versions are those of the lock file.
///
/// # Errors
/// See [`SourcesError`]: no `Cargo.toml`, a lock file that is missing or out of date.
pub fn packages(dir: &Path, target: &str, everything: bool) -> Result<Vec<Package>, SourcesError> {
    let mut args = vec!["metadata", "--format-version", "1", "--locked"];
    if !everything {
        args.extend(["--filter-platform", target]);
    }
    let (command, said) = output("cargo", &args, dir)?;
    let answer = |what| SourcesError::Answer {
        command: command.clone(),
        what,
    };
    let value: Value = serde_json::from_str(&said).map_err(|_| answer("no JSON"))?;
    let listed = value["packages"]
        .as_array()
        .ok_or_else(|| answer("no packages"))?;
    let nodes = value["resolve"]["nodes"].as_array();
    let nodes: HashMap<&str, &Value> = nodes
        .ok_or_else(|| answer("no resolved dependencies"))?
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let by_id: HashMap<&str, &Value> = listed
        .iter()
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let wanted: BTreeSet<&str> = if everything {
        by_id.keys().copied().collect()
    } else {
        linked(&value, &nodes, &by_id)
    };
    let mut out: Vec<Package> = wanted
        .iter()
        .filter_map(|id| package(by_id.get(id)?, nodes.get(id).copied()))
        .collect();
    out.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(out)
}

/// Packages that are linked into the programs: reached by normal dependencies, without
/// procedural macros, which run in the compiler.
fn linked<'a>(
    value: &'a Value,
    nodes: &HashMap<&str, &'a Value>,
    by_id: &HashMap<&str, &'a Value>,
) -> BTreeSet<&'a str> {
    let mut open: Vec<&str> = match value["resolve"]["root"].as_str() {
        Some(root) => vec![root],
        None => texts(&value["workspace_members"]).collect(),
    };
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        let is_macro = by_id.get(id).is_some_and(|p| is_macro(p));
        if is_macro || !seen.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).and_then(|n| n["deps"].as_array());
        for dependency in dependencies.into_iter().flatten() {
            let kinds = dependency["dep_kinds"].as_array();
            let normal = kinds.is_none_or(|k| k.iter().any(|k| k["kind"].is_null()));
            if normal && let Some(id) = dependency["pkg"].as_str() {
                open.push(id);
            }
        }
    }
    seen
}

fn is_macro(package: &Value) -> bool {
    let targets = package["targets"].as_array();
    let mut targets = targets.into_iter().flatten();
    targets.any(|t| texts(&t["kind"]).any(|kind| kind == "proc-macro"))
}

fn package(value: &Value, node: Option<&Value>) -> Option<Package> {
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let mut targets = Vec::new();
    for target in value["targets"].as_array()? {
        let is = |wanted: &[&str]| texts(&target["kind"]).any(|kind| wanted.contains(&kind));
        let library = is(&["lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"]);
        if !library && !is(&["bin"]) {
            continue;
        }
        let found = Target {
            krate: target["name"].as_str()?.replace('-', "_"),
            source: PathBuf::from(target["src_path"].as_str()?),
        };
        if library {
            targets.insert(0, found);
        } else {
            targets.push(found);
        }
    }
    let manifest = PathBuf::from(text("manifest_path")?);
    Some(Package {
        name: text("name")?,
        version: text("version")?,
        root: manifest.parent()?.to_owned(),
        targets,
        features: node.map(|n| texts(&n["features"]).map(str::to_owned).collect()),
    })
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The target that rustc builds for by default, as a triple; `dir` chooses the toolchain.
///
/// # Errors
/// See [`SourcesError`].
pub fn host(dir: &Path) -> Result<String, SourcesError> {
    let (command, said) = output("rustc", &["-vV"], dir)?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or(SourcesError::Answer {
        command,
        what: "no host",
    })
}

/// What `rustc --print cfg` says for a target and flags.
///
/// # Errors
/// See [`SourcesError`]: an unknown target, a flag that rustc refuses.
pub fn target_cfg(dir: &Path, target: &str, flags: &[String]) -> Result<String, SourcesError> {
    let mut args = vec!["--print", "cfg", "--target", target];
    args.extend(flags.iter().map(String::as_str));
    Ok(output("rustc", &args, dir)?.1)
}

/// Runs a program to its end: the command as one would type it, and what it printed.
fn output(
    program: &'static str,
    args: &[&str],
    dir: &Path,
) -> Result<(String, String), SourcesError> {
    let words: Vec<String> = args.iter().map(|a| quote(a)).collect();
    let command = format!("{program} {}", words.join(" "));
    let mut asked = Command::new(program);
    asked.args(args).current_dir(dir);
    let run = karat_process::output(&mut asked, PATIENCE)
        .map_err(|source| SourcesError::Start { program, source })?;
    let Some(run) = run else {
        return Err(SourcesError::Slow { command });
    };
    if run.status.success() {
        return Ok((command, String::from_utf8_lossy(&run.stdout).into_owned()));
    }
    Err(SourcesError::Failed {
        command,
        said: String::from_utf8_lossy(&run.stderr).trim_end().to_owned(),
    })
}
