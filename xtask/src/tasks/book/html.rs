//! Links of the book that lead out of it.
//!
//! Chapters link to sources and records as they lie in the repository. mdBook keeps such
//! links, and calls every Markdown file a page of the book; in the book they are links to
//! the repository's site.

use super::plain;
use crate::command::root;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};

/// Where the sources can be read.
const SITE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/");

/// Rewrites the links of all pages; counts the pages. Fails when one leads nowhere.
pub fn lead_out(book: &Path) -> Result<usize> {
    let mut pages = Vec::new();
    walk(book, &mut pages)?;
    let mut wrong = Vec::new();
    for page in &pages {
        let text = std::fs::read_to_string(page)?;
        let name = page.strip_prefix(book).context("a page of the book")?;
        let exists = |path: &Path| book.join(path).exists();
        let source = |path: &Path| root().join(path).exists();
        let text = rewritten(&text, name, &exists, &source, &mut wrong);
        std::fs::write(page, text)?;
    }
    if wrong.is_empty() {
        return Ok(pages.len());
    }
    bail!("links of the book lead nowhere:\n  {}", wrong.join("\n  "))
}

fn walk(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, pages)?;
        } else if path.extension().is_some_and(|e| e == "html") {
            pages.push(path);
        }
    }
    Ok(())
}

/// A page whose links out of the book lead to the sources.
fn rewritten(
    text: &str,
    page: &Path,
    in_book: &dyn Fn(&Path) -> bool,
    in_sources: &dyn Fn(&Path) -> bool,
    wrong: &mut Vec<String>,
) -> String {
    const MARK: &str = " href=\"";
    let folder = page.parent().unwrap_or(Path::new(""));
    let mut parts = text.split(MARK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(MARK);
        let (target, rest) = part.split_once('"').unwrap_or((part, ""));
        let (path, heading) = match target.split_once('#') {
            Some((path, heading)) => (path, format!("#{heading}")),
            None => (target, String::new()),
        };
        let elsewhere = path.is_empty() || path.contains(':') || path.starts_with('/');
        if elsewhere || plain(&folder.join(path)).is_some_and(|p| in_book(&p)) {
            out.push_str(part);
            continue;
        }
        let source = plain(&Path::new("docs").join(folder).join(path));
        let markdown = source.as_ref().map(|s| s.with_extension("md"));
        let found = [source, markdown]
            .into_iter()
            .flatten()
            .find(|p| in_sources(p));
        match found {
            Some(found) => out.push_str(&format!("{SITE}{}{heading}", found.display())),
            None => {
                wrong.push(format!("{}: {target}", page.display()));
                out.push_str(target);
            }
        }
        out.push('"');
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{SITE, rewritten};
    use std::path::Path;

    #[test]
    fn links_to_sources_lead_to_the_site() {
        let text = r#"<a href="a.html#b"><a href="../../README.html#c"><a href="d.csv">"#;
        let mut wrong = Vec::new();
        let out = rewritten(
            text,
            Path::new("notes/x.html"),
            &|p| p == Path::new("notes/a.html"),
            &|p| p == Path::new("README.md"),
            &mut wrong,
        );
        let expected =
            format!(r#"<a href="a.html#b"><a href="{SITE}README.md#c"><a href="d.csv">"#);
        assert_eq!(out, expected);
        assert_eq!(wrong, ["notes/x.html: d.csv"]);
    }
}
