//! The book's code blocks, run.
//!
//! Each page gets a folder of its own with what its reader has (`before.sh`), and its blocks
//! are run there in order: commands by a shell with a karat that keeps them short
//! (`short-karat.sh`), studies by `karat run --dry-run`. What cannot be run says so in a
//! comment right above it, `<!-- not run: WHY -->`. Blocks of `text` are output.

use crate::command::{cargo, command, root, stdout};
use crate::workspace::target_folder;
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// A test of the command line runs this page whole, its studies too.
const ELSEWHERE: &str = "worked-studies.md";

const HERE: &str = "xtask/src/tasks/book";

#[derive(Debug, PartialEq)]
enum Kind {
    Commands,
    /// A study of this name.
    Study(String),
    Output,
    NotRun,
}

#[derive(Debug, PartialEq)]
struct Block {
    /// Line of its first fence, counted from 1.
    line: usize,
    kind: Kind,
    text: String,
}

/// Runs them all; says how many there are.
pub fn check() -> Result<String> {
    // As tests and `cargo xtask commands` build it: asked for alone it would have other
    // features, and be built again.
    stdout(cargo(&["run", "--quiet", "--locked", "--", "--version"]))?;
    let scratch = target_folder()?.join("book-blocks");
    if scratch.exists() {
        fs::remove_dir_all(&scratch)?;
    }
    let bin = scratch.join("bin");
    fs::create_dir_all(&bin)?;
    let short = root().join(HERE).join("short-karat.sh");
    std::os::unix::fs::symlink(short, bin.join("karat"))?;
    let (mut ran, mut not) = (0, 0);
    for page in pages()? {
        let text = fs::read_to_string(root().join("docs").join(&page))?;
        let blocks = blocks(&text).with_context(|| format!("docs/{page}"))?;
        not += blocks.iter().filter(|b| b.kind == Kind::NotRun).count();
        let folder = scratch.join(page.replace('/', "-")).join("here");
        for block in &blocks {
            let script = match &block.kind {
                Kind::Output | Kind::NotRun => continue,
                Kind::Commands => block.text.clone(),
                Kind::Study(name) => format!("karat run {name}.toml --dry-run"),
            };
            if !folder.exists() {
                fs::create_dir_all(&folder)?;
                let before = root().join(HERE).join("before.sh");
                let before = format!("{} {page} {}", before.display(), root().display());
                shell(&before, &folder, &bin).with_context(|| format!("before docs/{page}"))?;
            }
            if let Kind::Study(name) = &block.kind {
                fs::write(folder.join(format!("{name}.toml")), &block.text)?;
            }
            let place = || format!("docs/{page}:{}", block.line);
            shell(&script, &folder, &bin).with_context(place)?;
            ran += 1;
        }
    }
    fs::remove_dir_all(scratch)?;
    Ok(format!("{ran} blocks, {not} not: their pages say why"))
}

/// Markdown files of `docs/`, named from there.
fn pages() -> Result<Vec<String>> {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md"))?;
    let targets = super::links::links(&summary).into_iter();
    let pages = targets.map(|link| link.target);
    Ok(pages.filter(|page| page != ELSEWHERE).collect())
}

fn blocks(text: &str) -> Result<Vec<Block>> {
    let mut found = Vec::new();
    let mut above = "";
    let mut lines = (1..).zip(text.lines());
    while let Some((line, open)) = lines.next() {
        let Some(language) = open.trim_start().strip_prefix("```") else {
            above = open;
            continue;
        };
        let inside = lines.by_ref().map(|(_, line)| line);
        let inside = inside.take_while(|line| line.trim_start() != "```");
        let text: String = inside.flat_map(|line| [line, "\n"]).collect();
        let kind = kind(language, &text, above).with_context(|| format!("line {line}"))?;
        found.push(Block { line, kind, text });
    }
    Ok(found)
}

fn kind(language: &str, text: &str, above: &str) -> Result<Kind> {
    if let Some(why) = above.strip_prefix("<!-- not run:") {
        if why.trim_end_matches("-->").trim().is_empty() {
            bail!("the block is not run, and the comment above it does not say why");
        }
        return Ok(Kind::NotRun);
    }
    let name = text.lines().find_map(|l| l.strip_prefix("name = \""));
    let name = name.and_then(|name| name.strip_suffix('"'));
    match (language, name) {
        ("text", _) => Ok(Kind::Output),
        ("sh" | "", _) => Ok(Kind::Commands),
        ("toml", Some(name)) if text.starts_with("schema = ") => Ok(Kind::Study(name.to_owned())),
        _ => bail!(
            "a block of `{language}` is neither commands (sh), nor output (text), nor a study: say \
             by `<!-- not run: WHY -->` above it why it is not run"
        ),
    }
}

/// Fails with all that it printed when it fails.
fn shell(script: &str, folder: &Path, bin: &Path) -> Result<()> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(bin.to_owned()).chain(std::env::split_paths(&path));
    let program = target_folder()?.join("debug/karat");
    let mut shell = command("bash", &["-euo", "pipefail", "-c", script]);
    shell.current_dir(folder).stdin(Stdio::null());
    shell.env("PATH", std::env::join_paths(paths)?);
    shell.env("BIN", bin).env("KARAT", program);
    shell.env("KARAT_RUNS", folder.join("runs"));
    let out = shell.output()?;
    if out.status.success() {
        return Ok(());
    }
    let said = [&out.stdout[..], &out.stderr].concat();
    bail!(
        "{script}\nended with {}:\n{}",
        out.status,
        String::from_utf8_lossy(&said)
    )
}

#[cfg(test)]
mod tests {
    use super::{Kind, blocks};

    #[test]
    fn blocks_are_commands_studies_output_or_say_why_not() {
        let text = "a\n```sh\nkarat x\n```\n```text\nout\n```\n\
                    ```toml\nschema = 1\nname = \"n\"\n```\n\
                    <!-- not run: it is long -->\n```python\nx\n```\n";
        let found = blocks(text).expect("all are known");
        let kinds: Vec<_> = found.iter().map(|b| (b.line, &b.kind)).collect();
        let study = Kind::Study("n".to_owned());
        assert_eq!(
            kinds,
            [
                (2, &Kind::Commands),
                (5, &Kind::Output),
                (8, &study),
                (13, &Kind::NotRun)
            ]
        );
        assert_eq!(found[0].text, "karat x\n");
        for wrong in [
            "```python\nx\n```\n",
            "```toml\n[soak]\n```\n",
            "<!-- not run: -->\n```sh\nx\n```\n",
        ] {
            assert!(blocks(wrong).is_err(), "{wrong}");
        }
    }
}
