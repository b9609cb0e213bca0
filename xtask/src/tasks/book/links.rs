//! Links in Markdown, and whether they lead somewhere in this repository.

use super::plain;
use anyhow::{Context as _, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A link of a document.
#[derive(Debug, PartialEq)]
pub struct Link {
    /// Its line, counted from 1.
    pub line: usize,
    pub target: String,
}

/// Documents whose links were followed.
pub struct Checked<'a> {
    root: &'a Path,
    /// Names of headings by document.
    headings: HashMap<PathBuf, Vec<String>>,
    /// Links that were followed.
    pub count: usize,
    /// File and line of each that leads nowhere.
    pub wrong: Vec<String>,
}

impl<'a> Checked<'a> {
    pub fn new(root: &'a Path) -> Self {
        Self {
            root,
            headings: HashMap::new(),
            count: 0,
            wrong: Vec::new(),
        }
    }

    /// Follows the links of a document, named from the root.
    pub fn file(&mut self, file: &str) -> Result<()> {
        let text = std::fs::read_to_string(self.root.join(file))
            .with_context(|| format!("cannot read {file}"))?;
        for Link { line, target } in links(&text) {
            // Other sites are not asked.
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            self.count += 1;
            if let Some(problem) = self.problem(file, &target)? {
                let wrong = format!("{file}:{line}: `{target}`: {problem}");
                self.wrong.push(wrong);
            }
        }
        Ok(())
    }

    fn problem(&mut self, file: &str, target: &str) -> Result<Option<&'static str>> {
        let (path, heading) = target.split_once('#').unwrap_or((target, ""));
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let Some(place) = (match path {
            "" => Some(PathBuf::from(file)),
            _ => plain(&folder.join(path)),
        }) else {
            return Ok(Some("it leads out of the repository"));
        };
        if !self.root.join(&place).exists() {
            return Ok(Some("there is no such file"));
        }
        if heading.is_empty() || place.extension().is_none_or(|e| e != "md") {
            return Ok(None);
        }
        if !self.headings.contains_key(&place) {
            let text = std::fs::read_to_string(self.root.join(&place))?;
            self.headings.insert(place.clone(), headings(&text));
        }
        let known = self.headings[&place].iter().any(|h| h == heading);
        Ok((!known).then_some("the file has no such heading"))
    }
}

/// Lines that are not code, each with its number.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|m| line.trim_start().starts_with(m));
        match (fence, mark) {
            (None, Some(open)) => fence = Some(open),
            (Some(open), Some(close)) if open == close => fence = None,
            (None, None) => return Some((i + 1, line)),
            _ => {}
        }
        None
    })
}

/// The links and pictures of a text, but those in code: `[…](target)`, `[name]: target`.
pub fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (line, text) in prose(text) {
        let text = without_code(text);
        let definition = text.strip_prefix('[').and_then(|t| t.split_once("]: "));
        if let Some((_, target)) = definition {
            found.extend(link(line, target));
        }
        for (at, open) in text.match_indices("](") {
            let rest = &text[at + open.len()..];
            if let Some(end) = end(rest) {
                found.extend(link(line, &rest[..end]));
            }
        }
    }
    found
}

/// Where the bracket closes that was open before the text.
fn end(text: &str) -> Option<usize> {
    let mut open = 0;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return Some(at),
            ')' => open -= 1,
            _ => {}
        }
        None
    })
}

/// A target without its title and its angle brackets.
fn link(line: usize, text: &str) -> Option<Link> {
    let target = match text.strip_prefix('<') {
        Some(rest) => rest.split('>').next(),
        None => text.split_whitespace().next(),
    };
    let target = target.filter(|t| !t.is_empty())?.to_owned();
    Some(Link { line, target })
}

/// A line whose spans of code are blank.
fn without_code(line: &str) -> String {
    let parts = line.split('`').enumerate();
    let shown = parts.map(|(n, part)| match n % 2 {
        0 => part.to_owned(),
        _ => " ".repeat(part.len()),
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// What links may name behind `#`, as code hosts and mdBook make it of headings.
fn headings(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
        let name: String = title.trim().chars().filter(kept).collect();
        let name = name.to_lowercase().replace(' ', "-");
        let before = names.iter().filter(|n| **n == name).count();
        names.push(match before {
            0 => name,
            _ => format!("{name}-{before}"),
        });
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{Checked, headings, links};

    fn told(text: &str) -> Vec<String> {
        let links = links(text);
        links
            .iter()
            .map(|l| format!("{}: {}", l.line, l.target))
            .collect()
    }

    #[test]
    fn links_are_found_but_not_in_code() {
        let text = "[![a](b.png)](c.md#d) and [`e`](<f g>)\n\
                    ```\n[not](this)\n```\n`[nor](that)` [h](i_(j) \"title\")\n[k]: l.md\n";
        assert_eq!(
            told(text),
            ["1: b.png", "1: c.md#d", "1: f g", "5: i_(j)", "6: l.md"]
        );
    }

    #[test]
    fn headings_have_names() {
        let text = "# One, two: `three`?\n\n## Ein Maß\n\n```\n# no\n```\n## Ein Maß\n#no\n";
        assert_eq!(headings(text), ["one-two-three", "ein-maß", "ein-maß-1"]);
    }

    #[test]
    fn what_leads_nowhere_is_told() {
        let root = std::env::temp_dir().join(format!("karat-links-{}", std::process::id()));
        std::fs::create_dir_all(root.join("docs")).expect("a folder");
        let text =
            "[a](b.md) [c](../d) [e](#here) [f](../../g) [h](#there) [i](https://j.k)\n# Here\n";
        std::fs::write(root.join("docs/x.md"), text).expect("a file");
        std::fs::write(root.join("d"), "").expect("a file");
        let mut checked = Checked::new(&root);
        checked.file("docs/x.md").expect("it is readable");
        assert_eq!(checked.count, 5);
        assert_eq!(
            checked.wrong,
            [
                "docs/x.md:1: `b.md`: there is no such file",
                "docs/x.md:1: `../../g`: it leads out of the repository",
                "docs/x.md:1: `#there`: the file has no such heading",
            ]
        );
        std::fs::remove_dir_all(root).expect("it was made");
    }
}
