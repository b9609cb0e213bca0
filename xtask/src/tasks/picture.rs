//! `cargo xtask picture`: the crates and their arrows in ARCHITECTURE.md.

use crate::Task;
use crate::command::root;
use crate::workspace::{self, Package};
use anyhow::{Context as _, Result, bail};
use std::collections::{BTreeMap, BTreeSet};

pub const TASK: Task = Task {
    name: "picture",
    help: "draw the crates in ARCHITECTURE.md; --check: fail when the picture is not current",
    run,
};

const FILE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- Drawn by `cargo xtask picture`. -->\n";
const END: &str = "<!-- End of the picture. -->\n";

fn run(args: &[String]) -> Result<bool> {
    match args {
        [] => write()?,
        [flag] if flag == "--check" => check()?,
        _ => bail!("usage: cargo xtask picture [--check]"),
    }
    Ok(true)
}

/// Draws it anew.
pub fn write() -> Result<()> {
    let new = with_picture(&std::fs::read_to_string(root().join(FILE))?, &picture()?)?;
    std::fs::write(root().join(FILE), new).with_context(|| format!("cannot write {FILE}"))
}

/// Fails when the committed one is not what the task would draw.
pub fn check() -> Result<()> {
    let text = std::fs::read_to_string(root().join(FILE))?;
    if with_picture(&text, &picture()?)? != text {
        bail!(
            "the picture of the crates in {FILE} is not what `cargo metadata` says; \
             run `cargo xtask picture` and commit the result"
        );
    }
    Ok(())
}

fn picture() -> Result<String> {
    Ok(draw(&workspace::packages(&workspace::metadata(None)?)?))
}

/// The text with another picture between its markers.
fn with_picture(text: &str, picture: &str) -> Result<String> {
    let markers = text.split_once(BEGIN);
    let parts = markers.and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.with_context(|| format!("{FILE} has no place for the picture"))?;
    Ok(format!("{before}{BEGIN}{picture}{END}{after}"))
}

/// Arrows from a crate: to whom, and whether always or only by a feature.
type Arrows<'a> = BTreeMap<&'a str, BTreeMap<&'a str, bool>>;

/// A Mermaid block. Crates go by the names of their folders, those of one parent folder
/// stand together, and an arrow that others imply is left out.
fn draw(packages: &[Package]) -> String {
    let short = |name: &str| packages.iter().find(|p| p.name == name).map(folder);
    let mut arrows = Arrows::new();
    for package in packages {
        let to = arrows.entry(folder(package)).or_default();
        for dependency in &package.dependencies {
            if dependency.kind.as_deref() != Some("dev")
                && let Some(name) = short(&dependency.name)
            {
                *to.entry(name).or_default() |= !dependency.optional;
            }
        }
    }
    let shown = reduced(&arrows);
    let groups: BTreeSet<&str> = packages.iter().filter_map(group).collect();
    let mut text = "```mermaid\nflowchart TD\n".to_owned();
    for name in groups.iter().rev() {
        text.push_str(&format!("  subgraph {name}\n"));
        let inside = |crate_: &str| {
            let mut all = packages.iter();
            all.any(|p| folder(p) == crate_ && group(p) == Some(name))
        };
        for from in shown.keys().filter(|from| inside(from)) {
            let lines = lines(&shown, from, inside);
            // A crate without an arrow inside of its group is named.
            text.push_str(&if lines.is_empty() {
                format!("    {from}\n")
            } else {
                lines
            });
        }
        text.push_str("  end\n");
    }
    for from in shown.keys() {
        let own = packages.iter().find(|p| folder(p) == *from).and_then(group);
        let outside = |to: &str| {
            let to = packages.iter().find(|p| folder(p) == to).and_then(group);
            own.is_none() || to != own
        };
        text.push_str(&lines(&shown, from, outside).replace("    ", "  "));
    }
    text.push_str("```\n");
    text
}

/// The arrows of one crate to those that `to` takes: a line for what it always needs, one
/// for what features bring.
fn lines(arrows: &Arrows, from: &str, to: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    for (always, arrow) in [(true, "-->"), (false, "-.->")] {
        let names = arrows[from]
            .iter()
            .filter(|(name, a)| **a == always && to(name));
        let names: Vec<&str> = names.map(|(name, _)| *name).collect();
        if !names.is_empty() {
            text.push_str(&format!("    {from} {arrow} {}\n", names.join(" & ")));
        }
    }
    text
}

/// Without the arrows that others imply. One that is always there is not implied by what
/// a feature brings.
fn reduced<'a>(arrows: &Arrows<'a>) -> Arrows<'a> {
    let mut shown = arrows.clone();
    for (from, to) in &mut shown {
        let all = &arrows[from];
        to.retain(|name, always| {
            let mut others = all
                .iter()
                .filter(|(other, a)| *other != name && (**a || !*always));
            !others.any(|(other, _)| reaches(arrows, other, name, *always))
        });
    }
    shown
}

/// Whether arrows lead from one crate to another.
fn reaches(arrows: &Arrows, from: &str, to: &str, always: bool) -> bool {
    let next = arrows.get(from).into_iter().flatten();
    let mut next = next.filter(|(_, a)| **a || !always);
    next.any(|(name, _)| *name == to || reaches(arrows, name, to, always))
}

/// The last part of a crate's folder.
fn folder(package: &Package) -> &str {
    let name = package.folder().file_name().and_then(|name| name.to_str());
    name.unwrap_or(&package.name)
}

/// The folder in which its folder lies; `None` at the root.
fn group(package: &Package) -> Option<&str> {
    let parent = package.folder().parent()?.file_name()?;
    parent.to_str()
}

#[cfg(test)]
mod tests {
    use super::{draw, with_picture};
    use crate::command::root;
    use crate::workspace::packages;
    use serde_json::{Value, json};

    fn package(folder: &str, dependencies: &[&str]) -> Value {
        let dependencies: Vec<Value> = dependencies
            .iter()
            .map(|d| match d.split_once(':') {
                Some(("dev", name)) => json!({ "name": name, "kind": "dev" }),
                Some((_, name)) => json!({ "name": name, "kind": null, "optional": true }),
                None => json!({ "name": d, "kind": null }),
            })
            .collect();
        json!({
            "name": format!("karat-{}", folder.rsplit('/').next().unwrap_or_default()),
            "manifest_path": root().join(folder).join("Cargo.toml"),
            "dependencies": dependencies,
        })
    }

    #[test]
    fn crates_stand_in_groups_and_implied_arrows_are_left_out() {
        let all = [
            package("kernels/cpu", &["libc"]),
            package("kernels/hash", &["karat-cpu", "dev:karat-peers"]),
            package("kernels/peers", &[]),
            package("lab/model", &["karat-cpu"]),
            package("lab/run", &["karat-model", "karat-cpu"]),
            package(
                "lab/cli",
                &[
                    "karat-run",
                    "karat-model",
                    "karat-hash",
                    "karat-cpu",
                    "feature:karat-peers",
                ],
            ),
            package("xtask", &["karat-model"]),
        ];
        let packages = packages(&json!({ "packages": all })).expect("packages");
        assert_eq!(
            draw(&packages),
            "```mermaid\nflowchart TD\n  \
               subgraph lab\n    cli --> run\n    model\n    run --> model\n  end\n  \
               subgraph kernels\n    cpu\n    hash --> cpu\n    peers\n  end\n  \
               cli --> hash\n  cli -.-> peers\n  model --> cpu\n  xtask --> model\n```\n"
        );
    }

    #[test]
    fn what_always_holds_is_not_implied_by_a_feature() {
        let all = [
            package("a/x", &["karat-z", "feature:karat-y"]),
            package("a/y", &["karat-z"]),
            package("a/z", &[]),
        ];
        let packages = packages(&json!({ "packages": all })).expect("packages");
        let text = draw(&packages);
        assert!(
            text.contains("x --> z\n") && text.contains("x -.-> y\n"),
            "{text}"
        );
    }

    #[test]
    fn a_picture_replaces_the_one_before() {
        let text = |picture| format!("a\n{}{picture}{}b\n", super::BEGIN, super::END);
        assert_eq!(
            with_picture(&text("old\n"), "new\n").unwrap(),
            text("new\n")
        );
        assert!(with_picture("a\nb\n", "new\n").is_err());
    }
}
