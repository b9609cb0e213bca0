//! Another order of code by GNU ld: its own linker script, with the sections of
//! `.text` listed one by one before the patterns that would have taken them.
//!
//! `ld --verbose` prints the script of a link and `-Map` what its patterns took
//! (ld manual, "Command-line Options" and "Input Section Description").
//! Permuting the objects on the command line instead would also move data and
//! constructors, and could change which of two definitions is taken.

use super::pads;
use karat_judge::Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

/// What is needed to write scripts for a link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Script {
    /// Up to the `{` of `.text`.
    before: String,
    /// What follows it.
    after: String,
    pieces: Vec<Piece>,
}

/// An input section of `.text`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Piece {
    /// Sections of a group stay together, as the default script has them:
    /// unlikely ones first, then those for the exit, the start, hot ones, others.
    group: u8,
    /// `file` or `archive:member`, as a script names it.
    file: String,
    section: String,
}

impl Script {
    /// Reads the output of `ld --verbose` and the map of the same link, done in
    /// `dir`.
    ///
    /// # Errors
    /// When they are not what GNU ld writes (tried with 2.40).
    pub(super) fn read(verbose: &str, map: &str, dir: &Path) -> Result<Self, String> {
        let mut parts = verbose.split("==================================================\n");
        let script = parts
            .nth(1)
            .ok_or("ld --verbose printed no linker script")?;
        let start = script
            .find("\n  .text ")
            .and_then(|at| Some(at + script[at..].find('{')? + 1))
            .ok_or("the linker script has no .text section")?;
        let mut pieces = Vec::new();
        let mut seen = HashSet::new();
        for (section, file) in code_sections(map) {
            let Some(group) = group(&section) else {
                continue;
            };
            let piece = Piece {
                group,
                file: pattern(&file, dir),
                section,
            };
            if seen.insert(piece.clone()) {
                pieces.push(piece);
            }
        }
        if pieces.is_empty() {
            return Err("the linker's map lists no section of code".into());
        }
        pieces.sort_by_key(|p| p.group);
        let (before, after) = script.split_at(start);
        Ok(Self {
            before: before.to_owned(),
            after: after.to_owned(),
            pieces,
        })
    }

    /// The script of the layout `seed`.
    pub(super) fn draw(&self, seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let mut lines: Vec<String> = Vec::new();
        for group in self.pieces.chunk_by(|a, b| a.group == b.group) {
            let mut order: Vec<&Piece> = group.iter().collect();
            // Fisher-Yates, from the end (D. Knuth, TAOCP 2, 3.4.2, algorithm P).
            for i in (1..order.len()).rev() {
                order.swap(i, rng.below(i as u64 + 1) as usize);
            }
            let statement = |p: &Piece| format!("\"{}\"({})", p.file, p.section);
            lines.extend(order.into_iter().map(statement));
        }
        for size in pads::sizes(&mut rng) {
            let at = rng.below(lines.len() as u64 + 1) as usize;
            lines.insert(at, format!(". = . + {size};"));
        }
        // What comes first is moved as well.
        lines.insert(0, format!(". = . + {};", pads::start(&mut rng)));
        let mut out = self.before.clone();
        for line in lines {
            // Writing to a string cannot fail.
            let _ = write!(out, "\n    {line}");
        }
        out.push_str(&self.after);
        out
    }
}

/// Section and file of all that is in `.text`, from the linker's map.
fn code_sections(map: &str) -> Vec<(String, String)> {
    let memory_map = map
        .split_once("Linker script and memory map")
        .map_or(map, |(_, rest)| rest);
    let mut out = Vec::new();
    let mut lines = memory_map.lines().skip_while(|l| !is_text(l));
    lines.next();
    let mut lines = lines.take_while(|l| l.is_empty() || l.starts_with(' '));
    while let Some(line) = lines.next() {
        let Some(line) = line.strip_prefix(' ').filter(|l| l.starts_with('.')) else {
            continue;
        };
        // A long name has a line of its own.
        let whole = if line.split_whitespace().count() == 1 {
            format!("{line} {}", lines.next().unwrap_or_default().trim())
        } else {
            line.to_owned()
        };
        let Some((section, rest)) = whole.split_once(char::is_whitespace) else {
            continue;
        };
        let Some((_, rest)) = rest.trim_start().split_once(char::is_whitespace) else {
            continue;
        };
        let Some((size, file)) = rest.trim_start().split_once(char::is_whitespace) else {
            continue;
        };
        if size != "0x0" && size.starts_with("0x") {
            out.push((section.to_owned(), file.trim().to_owned()));
        }
    }
    out
}

/// Whether a line of the map starts the output section `.text`.
fn is_text(line: &str) -> bool {
    line.strip_prefix(".text")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The group of a section; none if it is to stay where the script puts it.
fn group(section: &str) -> Option<u8> {
    let of = |kind: &str| {
        let name = section.strip_prefix(".text.")?.strip_prefix(kind)?;
        (name.is_empty() || name.starts_with('.')).then_some(())
    };
    if of("unlikely").is_some() || section.starts_with(".text.") && section.ends_with("_unlikely") {
        Some(0)
    } else if of("exit").is_some() {
        Some(1)
    } else if of("startup").is_some() {
        Some(2)
    } else if of("hot").is_some() {
        Some(3)
    } else if of("sorted").is_some() {
        None
    } else if section == ".text"
        || section.starts_with(".text.")
        || section.starts_with(".gnu.linkonce.t.")
    {
        Some(4)
    } else {
        None
    }
}

/// A file of the map as a script names it.
fn pattern(file: &str, dir: &Path) -> String {
    if let Some((archive, member)) = file.strip_suffix(')').and_then(|f| f.rsplit_once('(')) {
        return format!("{archive}:{member}");
    }
    if dir.join(file).exists() {
        return file.to_owned();
    }
    // The compiler's answer to the linker's plugin: a file of another name in
    // every link, but always `cc??????.ltrans0.ltrans.o`.
    let name = file.rsplit('/').next().unwrap_or(file);
    match name.find('.') {
        Some(dot) => format!("*{}", &name[dot..]),
        None => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERBOSE: &str = "GNU ld\nusing internal linker script:\n\
        ==================================================\n\
        SECTIONS\n{\n  .init : { }\n  .text           :\n  {\n    *(.text.unlikely)\n    *(.text)\n  }\n}\n\
        ==================================================\nattempt to open x\n";

    const MAP: &str = "Discarded input sections\n\n .text.no 0x0 0x5 a.o\n\n\
        Linker script and memory map\n\n\
        .init           0x1000      0x1b\n .init  0x1000 0x1b crti.o\n\n\
        .text           0x1050      0x149\n *(.text.unlikely .text.*_unlikely .text.unlikely.*)\n \
        .text.unlikely\n                0x1050       0x11 a.o\n \
        .text.sorted.1 0x1070 0x11 a.o\n *fill*         0x1072        0xe \n \
        .text          0x1080       0x22 lib/libn.a(n.o)\n                0x1080                f\n \
        .text          0x10a2        0x0 crti.o\n \
        .text.f        0x10b0       0xb9 /tmp/ccAbCdEf.ltrans0.ltrans.o\n\n\
        .fini           0x119c        0x9\n .fini 0x119c 0x9 crti.o\n";

    fn script() -> Script {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.o"), "").unwrap();
        Script::read(VERBOSE, MAP, dir.path()).unwrap()
    }

    #[test]
    fn sections_of_code_are_found_in_a_map() {
        let found: Vec<String> = script()
            .pieces
            .iter()
            .map(|p| format!("{} {}({})", p.group, p.file, p.section))
            .collect();
        assert_eq!(
            found,
            [
                "0 a.o(.text.unlikely)",
                "4 lib/libn.a:n.o(.text)",
                "4 *.ltrans0.ltrans.o(.text.f)"
            ]
        );
    }

    #[test]
    fn a_seed_is_an_order() {
        let script = script();
        let draws: Vec<String> = (1..20).map(|seed| script.draw(seed)).collect();
        assert_eq!(script.draw(7), draws[6]);
        let distinct: HashSet<&String> = draws.iter().collect();
        assert_eq!(distinct.len(), draws.len());
        for text in &draws {
            let at = |what: &str| text.find(what).unwrap();
            assert!(at("a.o") < at("libn"), "groups keep their order");
            assert!(at("libn") < at("*(.text.unlikely)"), "before the patterns");
            assert!(at(".init") < at("a.o"));
            assert_eq!(text.matches(". = . + ").count(), 17);
        }
        let first = |text: &&String| text.find("libn") < text.find("ltrans0");
        let ordered = draws.iter().filter(first).count();
        assert!((3..17).contains(&ordered), "{ordered} of 19");
    }

    #[test]
    fn what_is_no_script_is_refused() {
        let dir = Path::new("/");
        assert!(Script::read("", MAP, dir).is_err());
        assert!(Script::read(VERBOSE, "", dir).is_err());
        assert!(Script::read(&VERBOSE.replace(".text ", ".code "), MAP, dir).is_err());
    }
}
