//! `cargo xtask layers`: the arrows between the crates, and who may do what.
//!
//! Dependencies run one way, of the lab only `karat-process` and `karat-trace` start
//! processes, and unsafe code stays where it is needed. What is allowed stands in
//! `layer_rules.rs`. The modules of a crate form no ring (`modules`).

use super::layer_rules::{ARROWS, BARE, KERNEL, LIST, PROCESSES, UNSAFE};
use super::modules;
use crate::rust_text::{code_only, is_word, lines_with_word};
use crate::{Task, workspace};
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Crates whose modules form rings still.
const RINGS: &[&str] = &["karat-flow", "karat-leaks", "karat-symbolic"];

pub const TASK: Task = Task {
    name: "layers",
    help: "fail when a dependency between karat's crates is reversed, or modules form a ring",
    run,
};

/// A crate of the workspace, as far as the rules see it.
struct Member {
    name: String,
    folder: PathBuf,
    kernel: bool,
    /// Normal and build dependencies.
    dependencies: Vec<String>,
}

fn run(args: &[String]) -> Result<bool> {
    if !args.is_empty() {
        bail!("usage: cargo xtask layers");
    }
    check().map(|()| true)
}

/// Fails with every edge and every line that breaks a rule.
pub fn check() -> Result<()> {
    let members = members()?;
    let mut broken = Vec::new();
    for member in &members {
        broken.extend(wrong_arrows(member, &members));
        let folder = member.folder.join("src");
        let mut sources = Vec::new();
        for file in rust_files(&folder)? {
            let source = std::fs::read_to_string(&file)?;
            let place = file.strip_prefix(&folder)?.to_owned();
            for (line, what) in wrong_lines(member, &source) {
                let place = place.display();
                broken.push(format!("{} src/{place}:{line} {what}", member.name));
            }
            sources.push((place, source));
        }
        broken.extend(rings(member, &sources));
    }
    if broken.is_empty() {
        return Ok(());
    }
    bail!(
        "{} rule(s) of xtask/src/tasks/layers.rs broken:\n  {}",
        broken.len(),
        broken.join("\n  ")
    )
}

fn members() -> Result<Vec<Member>> {
    members_of(&workspace::metadata(None)?)
}

fn members_of(metadata: &Value) -> Result<Vec<Member>> {
    let packages = metadata["packages"].as_array();
    let packages = packages.context("cargo metadata lists no packages")?;
    packages.iter().map(member).collect()
}

fn member(package: &Value) -> Result<Member> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let manifest = text(&package["manifest_path"]).context("a package without manifest")?;
    let folder = Path::new(&manifest).parent().unwrap_or(Path::new(""));
    let dependencies = package["dependencies"].as_array();
    Ok(Member {
        name: text(&package["name"]).context("a package without name")?,
        folder: folder.to_owned(),
        kernel: folder
            .parent()
            .is_some_and(|parent| parent.ends_with("kernels")),
        dependencies: dependencies
            .into_iter()
            .flatten()
            .filter(|d| d["kind"] != "dev")
            .filter_map(|d| text(&d["name"]))
            .collect(),
    })
}

/// What the crate may depend on, and why; `None` when no rule names it.
fn rule(member: &Member) -> Option<(&'static [&'static str], &'static str)> {
    let named = ARROWS.iter().find(|(name, _, _)| *name == member.name);
    match named {
        Some((_, allowed, why)) => Some((allowed, why)),
        None => member.kernel.then_some(KERNEL),
    }
}

fn wrong_arrows(member: &Member, members: &[Member]) -> Vec<String> {
    let kernels = || members.iter().filter(|m| m.kernel).map(|m| m.name.as_str());
    let Some((allowed, why)) = rule(member) else {
        return vec![format!(
            "{}: no rule says what it may depend on; give it a line in ARROWS",
            member.name
        )];
    };
    let allowed_list = if allowed.is_empty() {
        "none of karat's crates".to_owned()
    } else {
        allowed.join(", ")
    };
    let ours = |name: &str| members.iter().any(|m| m.name == name);
    let mut wrong: Vec<String> = member
        .dependencies
        .iter()
        .filter(|to| ours(to) && !allowed.contains(&to.as_str()))
        .filter(|to| member.name != LIST || !kernels().any(|k| k == *to))
        .map(|to| {
            format!(
                "{} → {to} is not allowed: {} may depend on {allowed_list} ({why})",
                member.name, member.name
            )
        })
        .collect();
    if let Some((_, why)) = BARE.iter().find(|(name, _)| *name == member.name) {
        wrong.extend(member.dependencies.iter().filter(|to| !ours(to)).map(|to| {
            format!(
                "{} → {to} is not allowed: {} has no dependencies ({why})",
                member.name, member.name
            )
        }));
    }
    wrong
}

/// Lines of a source file that do what their crate may not do.
fn wrong_lines(member: &Member, source: &str) -> Vec<(usize, String)> {
    let code = code_only(source);
    let mut wrong = Vec::new();
    if !PROCESSES.iter().any(|(name, _)| *name == member.name) {
        wrong.extend(starts_processes(&code).into_iter().map(|line| {
            let what = format!("starts a process; only {} may", names(PROCESSES));
            (line, what)
        }));
    }
    if !member.kernel && !UNSAFE.iter().any(|(name, _)| *name == member.name) {
        wrong.extend(lines_with_word(&code, "unsafe").into_iter().map(|line| {
            let what = format!("is unsafe; only kernels/* and {} may be", names(UNSAFE));
            (line, what)
        }));
    }
    wrong
}

/// Rings among the modules of a crate, whose files are by their paths in `src`.
fn rings(member: &Member, sources: &[(PathBuf, String)]) -> Vec<String> {
    if RINGS.contains(&member.name.as_str()) {
        return Vec::new();
    }
    let files = sources.iter().map(|(place, text)| (&**place, &**text));
    let rings = modules::rings(files).into_iter();
    rings
        .map(|ring| format!("{}: modules need each other: {ring}", member.name))
        .collect()
}

fn names(table: &[(&str, &str)]) -> String {
    let told: Vec<String> = table
        .iter()
        .map(|(name, why)| format!("{name} ({why})"))
        .collect();
    told.join(" and ")
}

/// Methods of a `Command` that start it.
const STARTS: &[&str] = &[".spawn()", ".output()", ".status()", ".exec()"];

/// Lines that name `process::Command`, also as `process::{…, Command}`, and lines that
/// start one that another crate has handed on (`karat_process::Command`).
fn starts_processes(code: &str) -> Vec<usize> {
    let line = |at: usize| code[..at].matches('\n').count() + 1;
    let module = "process::";
    let named = code.match_indices(module).filter(|(at, _)| {
        let is_module = !code[..*at].ends_with(is_word);
        let after = &code[at + module.len()..];
        let list = after
            .strip_prefix('{')
            .map(|list| &list[..list.find('}').unwrap_or(list.len())]);
        let one = &after[..after.find(|c| !is_word(c)).unwrap_or(after.len())];
        let is_command =
            one == "Command" || list.is_some_and(|l| !lines_with_word(l, "Command").is_empty());
        is_module && is_command
    });
    let mut lines: Vec<usize> = named.map(|(at, _)| line(at)).collect();
    if !lines_with_word(code, "Command").is_empty() {
        let started = STARTS.iter().flat_map(|start| code.match_indices(start));
        lines.extend(started.map(|(at, _)| line(at)));
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{Member, check, members_of, rings, wrong_arrows, wrong_lines};
    use serde_json::{Value, json};

    fn package(folder: &str, name: &str, dependencies: &[&str]) -> Value {
        let dependencies: Vec<Value> = dependencies
            .iter()
            .map(|d| match d.strip_prefix("dev:") {
                Some(name) => json!({ "name": name, "kind": "dev" }),
                None => json!({ "name": d, "kind": null }),
            })
            .collect();
        json!({
            "name": name,
            "manifest_path": format!("/repository/{folder}/Cargo.toml"),
            "dependencies": dependencies,
        })
    }

    fn broken(packages: &[Value]) -> Vec<String> {
        let members = members_of(&json!({ "packages": packages })).expect("members");
        members
            .iter()
            .flat_map(|m| wrong_arrows(m, &members))
            .collect()
    }

    fn crate_in(folder: &str, name: &str) -> Member {
        let metadata = json!({ "packages": [package(folder, name, &[])] });
        members_of(&metadata).expect("members").remove(0)
    }

    #[test]
    fn this_repository_keeps_its_rules() {
        check().expect("no rule is broken");
    }

    #[test]
    fn the_design_is_allowed() {
        let packages = [
            package("kernels/cpu", "karat-cpu", &[]),
            package("kernels/hash", "karat-hash", &["karat-cpu"]),
            package("kernels/nmt", "karat-nmt", &["karat-cpu", "karat-hash"]),
            package("kernels/all", "karat-all", &["karat-hash", "karat-nmt"]),
            package("lab/model", "karat-model", &["karat-cpu", "serde"]),
            package("lab/judge", "karat-judge", &["dev:karat-model"]),
            package("lab/run", "karat-run", &["karat-judge", "karat-model"]),
        ];
        assert_eq!(broken(&packages), [""; 0]);
    }

    #[test]
    fn a_reversed_arrow_is_named_with_its_rule() {
        let packages = [
            package("lab/model", "karat-model", &["karat-report"]),
            package("lab/report", "karat-report", &["karat-model"]),
        ];
        assert_eq!(
            broken(&packages),
            [
                "karat-model → karat-report is not allowed: karat-model may depend on karat-cpu \
                 (the nouns know nobody who uses them)"
            ]
        );
    }

    #[test]
    fn kernels_know_neither_the_lab_nor_each_other() {
        let packages = [
            package("lab/model", "karat-model", &[]),
            package("kernels/hash", "karat-hash", &["karat-model", "karat-vdf"]),
            package("kernels/vdf", "karat-vdf", &[]),
        ];
        assert_eq!(broken(&packages).len(), 2);
    }

    #[test]
    fn kernels_do_not_know_their_peers() {
        let packages = [
            package("kernels/hash", "karat-hash", &["karat-cpu", "karat-peers"]),
            package("kernels/cpu", "karat-cpu", &[]),
            package("lab/peers", "karat-peers", &["karat-hash"]),
        ];
        assert_eq!(broken(&packages).len(), 2);
    }

    #[test]
    fn a_bare_crate_pulls_in_nothing() {
        let packages = [package("lab/judge", "karat-judge", &["statrs"])];
        assert_eq!(broken(&packages).len(), 1);
    }

    #[test]
    fn a_crate_without_a_rule_is_told() {
        assert_eq!(broken(&[package("lab/new", "karat-new", &[])]).len(), 1);
    }

    #[test]
    fn processes_are_started_by_few() {
        let store = crate_in("lab/store", "karat-store");
        let uses = [
            "use std::process::Command;",
            "use std::process::{ExitCode, Command};",
            "use std::{fs, process::{\n    Command, Stdio},\n};",
            "fn f() { std::process::Command::new(\"ls\"); }",
            "use karat_process::Command;\nfn f(c: &mut Command) { c.spawn(); }",
            "use karat_process::Command;\nfn f(c: &mut Command) { c.arg(\"a\").output(); }",
        ];
        for source in uses {
            assert_eq!(wrong_lines(&store, source).len(), 1, "{source}");
        }
        let others = [
            "use std::process::ExitCode; enum Command {}",
            "use std::process::{ExitCode}; struct Command;",
            "// std::process::Command",
            "use karat_process::Command; fn f(c: &mut Command) { karat_process::run(c) }",
            "fn f(case: &Case) { case.output() }",
        ];
        for source in others {
            assert_eq!(wrong_lines(&store, source).len(), 0, "{source}");
        }
        let process = crate_in("lab/process", "karat-process");
        assert_eq!(wrong_lines(&process, uses[0]).len(), 0);
    }

    #[test]
    fn a_ring_in_any_crate_is_an_error() {
        let sources = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use crate::a::A; pub struct B;"),
        ];
        let sources = sources.map(|(place, text)| (place.into(), text.to_owned()));
        for folder in ["lab/model", "kernels/hash", "bindings/c", "xtask"] {
            let told = rings(&crate_in(folder, "karat-some"), &sources);
            assert_eq!(
                told,
                ["karat-some: modules need each other: a → b → a"],
                "{folder}"
            );
        }
    }

    #[test]
    fn unsafe_code_has_its_places() {
        let source = "#![deny(unsafe_op_in_unsafe_fn)]\n\nfn f() { unsafe { g() } }\n";
        let model = crate_in("lab/model", "karat-model");
        let wrong = wrong_lines(&model, source);
        assert_eq!(wrong.iter().map(|w| w.0).collect::<Vec<_>>(), [3]);
        assert!(wrong_lines(&crate_in("kernels/hash", "karat-hash"), source).is_empty());
    }
}
