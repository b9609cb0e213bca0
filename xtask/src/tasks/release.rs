//! `cargo xtask release`: a version raised wherever it stands, a changelog, and what would
//! be published.

use super::words;
use crate::Task;
use crate::command::{cargo, command, root, run as start, stdout};
use anyhow::{Context as _, Result, bail};
use std::fs;

pub const TASK: Task = Task {
    name: "release",
    help: "VERSION: raise it in manifests and lock files, begin its part of CHANGELOG.md; --check: pack every crate in publishing order",
    run,
};

const USAGE: &str = "usage: cargo xtask release VERSION | --check";

fn run(args: &[String]) -> Result<bool> {
    match args {
        [check] if check == "--check" => packed()?,
        [version] if is_version(version) => raise(version)?,
        _ => bail!("{USAGE}; VERSION is three numbers, such as 1.2.3"),
    }
    Ok(true)
}

fn is_version(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let number = |p: &&str| p.parse::<u32>().is_ok_and(|n| n.to_string() == **p);
    parts.len() == 3 && parts.iter().all(number)
}

/// Packs all crates that go to crates.io, each after those that it needs. They are not
/// built from their packages: that takes as long as a build of everything.
fn packed() -> Result<()> {
    let publish = ["publish", "--workspace", "--dry-run", "--no-verify"];
    start(cargo(
        &[&publish[..], &["--locked", "--allow-dirty"]].concat(),
    ))
}

fn raise(new: &str) -> Result<()> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let old = manifest
        .lines()
        .find_map(|l| l.strip_prefix("version = \""));
    let old = old.and_then(|v| v.strip_suffix('"'));
    let old = old.context("Cargo.toml names no version")?.to_owned();
    if old == new {
        bail!("the version is {new} already");
    }
    let mut changed = vec!["Cargo.toml".to_owned()];
    fs::write(
        root().join("Cargo.toml"),
        manifest_raised(&manifest, &old, new),
    )?;
    // Those of subjects and fuzz targets name the workspace's crates too.
    for file in words::files(&root())? {
        if !file.ends_with("Cargo.lock") {
            continue;
        }
        let text = fs::read_to_string(root().join(&file))?;
        let raised = lock_raised(&text, &old, new);
        if raised != text {
            fs::write(root().join(&file), raised)?;
            changed.push(file);
        }
    }
    let date = stdout(command("date", &["--utc", "+%F"]))?;
    let path = root().join("CHANGELOG.md");
    let before = fs::read_to_string(&path).unwrap_or_else(|_| "# Changes\n".to_owned());
    let part = format!("## {new} ({})\n\n{}", date.trim(), commits()?);
    fs::write(path, with_part(&before, &part))?;
    println!("{old} → {new} in {}", changed.join(", "));
    println!("Edit CHANGELOG.md, then: cargo xtask release --check && git tag v{new}");
    Ok(())
}

/// Titles of the commits since the last version, as a list to be edited.
fn commits() -> Result<String> {
    let tag = command("git", &["describe", "--tags", "--abbrev=0", "--match=v*"]).output();
    let tag = tag.ok().filter(|tag| tag.status.success());
    let Some(tag) = tag else {
        return Ok("The first version.\n".to_owned());
    };
    let range = format!("{}..HEAD", String::from_utf8_lossy(&tag.stdout).trim());
    stdout(command(
        "git",
        &["log", "--no-merges", "--format=- %s", &range],
    ))
}

/// The workspace's version, and that of its crates as dependencies.
fn manifest_raised(text: &str, old: &str, new: &str) -> String {
    let (from, to) = (
        format!("version = \"{old}\""),
        format!("version = \"{new}\""),
    );
    let line = |line: &str| match line == from || line.starts_with("karat-") {
        true => line.replace(&from, &to),
        false => line.to_owned(),
    };
    text.lines().map(|l| line(l) + "\n").collect()
}

/// Packages of the workspace have no source.
fn lock_raised(text: &str, old: &str, new: &str) -> String {
    let (from, to) = (
        format!("\nversion = \"{old}\""),
        format!("\nversion = \"{new}\""),
    );
    let package = |package: &str| {
        let ours = package.contains("\nname = \"karat") && !package.contains("\nsource = ");
        match ours || package.contains("\nname = \"xtask\"") {
            true => package.replacen(&from, &to, 1),
            false => package.to_owned(),
        }
    };
    let packages: Vec<String> = text.split("\n\n").map(package).collect();
    packages.join("\n\n")
}

/// A changelog whose newest part comes first.
fn with_part(text: &str, part: &str) -> String {
    let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rest = rest.trim_start_matches('\n');
    let space = if rest.is_empty() { "" } else { "\n" };
    format!("{title}\n\n{}\n{space}{rest}", part.trim_end())
}

#[cfg(test)]
mod tests {
    use super::{is_version, lock_raised, manifest_raised, with_part};

    #[test]
    fn versions_are_three_numbers() {
        assert!(is_version("0.10.2"));
        for wrong in ["1.2", "1.2.x", "1.02.3", "v1.2.3", "1.2.3.4", "--check"] {
            assert!(!is_version(wrong), "{wrong}");
        }
    }

    #[test]
    fn only_the_workspaces_own_versions_are_raised() {
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\n\
                        karat-a = { path = \"a\", version = \"0.1.0\" }\n\
                        other = { version = \"0.1.0\" }\n";
        let raised = manifest_raised(manifest, "0.1.0", "0.2.0");
        assert_eq!(raised.matches("0.2.0").count(), 2);
        assert!(raised.contains("other = { version = \"0.1.0\" }"));
        let lock = "# made\n\n[[package]]\nname = \"karat-a\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"karat-b\"\nversion = \"0.1.0\"\nsource = \"registry\"\n\n\
                    [[package]]\nname = \"c\"\nversion = \"0.1.0\"\n";
        let raised = lock_raised(lock, "0.1.0", "0.2.0");
        let expected = lock.replacen("0.1.0", "0.2.0", 1);
        assert_eq!(raised, expected);
    }

    #[test]
    fn the_newest_part_comes_first() {
        let first = with_part("# Changes\n", "## 1\n\n- a\n");
        assert_eq!(first, "# Changes\n\n## 1\n\n- a\n");
        let second = with_part(&first, "## 2\n\n- b\n");
        assert_eq!(second, "# Changes\n\n## 2\n\n- b\n\n## 1\n\n- a\n");
    }
}
