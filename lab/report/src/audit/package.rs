//! A package or a folder as a whole.

use super::facts;
use crate::document::{Block, Card, Chapter, Column, Detail, Part, Row, Table, Text, Value};
use crate::wording::{Tone, plural};
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::finding::Severity;
use karat_model::package::{FoundBy, Package};
use karat_model::units;

/// Files that a terminal tells of, one by one; the table above them has all.
const TOLD: usize = 4;
/// Rows of the table of libraries in the short forms.
const BRIEF: usize = 12;
/// Parts not read that are listed.
const SKIPPED: usize = 20;

/// What was named: the packages, and the files that are in none.
pub fn titles(document: &AuditDocument) -> Vec<String> {
    let packages = document.packages.iter();
    let packages = packages.map(|p| facts::short_name(p.path.trim_end_matches('/')).to_owned());
    let files = document.files.iter().filter(|f| of(document, f).is_none());
    packages
        .chain(files.map(|f| facts::name(document, f)))
        .collect()
}

/// The files that get a chapter of their own: on a terminal only the worst of packages.
pub fn shown(document: &AuditDocument, detail: Detail) -> &[AuditedFile] {
    let files = &document.files[..];
    if detail != Detail::Brief || document.packages.is_empty() || files.len() == 1 {
        return files;
    }
    let grave = |file: &&AuditedFile| {
        let found = document.findings_of(file);
        found.iter().any(|f| f.severity != Severity::Note)
    };
    // The worst come first.
    let grave = files.iter().take_while(grave).count();
    &files[..grave.min(TOLD)]
}

/// The package that a file is in.
fn of<'d>(document: &'d AuditDocument, file: &AuditedFile) -> Option<&'d Package> {
    let mut packages = document.packages.iter();
    packages.rfind(|package| is_in(file, package))
}

fn is_in(file: &AuditedFile, package: &Package) -> bool {
    let root = package.path.trim_end_matches('/');
    let below = |path: &str| {
        path.strip_prefix(root)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    below(&file.path) || file.same.iter().any(|path| below(path))
}

/// The card of a package, and what its binaries are linked with.
pub fn chapter(document: &AuditDocument, package: &Package, nth: usize) -> Chapter {
    let files = document.files.iter().filter(|f| is_in(f, package));
    let files: Vec<&AuditedFile> = files.collect();
    let binaries = usize::try_from(package.binaries).unwrap_or(usize::MAX);
    let worst = files.iter().map(|file| facts::state(document, file));
    let sign = worst.fold(("✓", Tone::Good), |worst, (sign, tone, _)| {
        match worst.0 {
            "✗" => worst,
            "!" if sign == "✓" => worst,
            _ => (sign, tone),
        }
    });
    let with = |severity| {
        let has = |f: &&&AuditedFile| {
            document
                .findings_of(f)
                .iter()
                .any(|f| f.severity == severity)
        };
        files.iter().filter(has).count()
    };
    let (errors, warnings) = (with(Severity::Error), with(Severity::Warning));
    let about = match (errors, warnings) {
        (0, 0) => "no errors, no warnings".to_owned(),
        (0, some) => format!("warnings about {}", plural(some, "file")),
        (some, _) => format!("errors about {}", plural(some, "file")),
    };
    let members = usize::try_from(package.members).unwrap_or(usize::MAX);
    let mut said = format!(
        "{}, {}; {}",
        package.kind,
        plural(members, "member"),
        match binaries {
            // Those of packages in a folder are theirs.
            0 if !files.is_empty() => "its binaries are in packages".to_owned(),
            0 => "no native binary in it".to_owned(),
            1 => "1 binary".to_owned(),
            some => format!("{some} binaries"),
        }
    );
    if files.len() < binaries && binaries > 0 {
        said += &format!(", {} audited", files.len());
    }
    let code: u64 = files.iter().map(|f| f.audit.code_bytes).sum();
    if code > 0 {
        said += &format!(", {} of code", units::bytes(code));
    }
    let mut blocks = vec![Block::text(format!("{said}."))];
    if !package.skipped.is_empty() {
        let skipped = package.skipped.len();
        blocks.push(Block::text(format!(
            "{} not read.",
            plural(skipped, "part")
        )));
    }
    let name = facts::short_name(package.path.trim_end_matches('/')).to_owned();
    Chapter {
        card: Some(Card {
            sign,
            word: Text::default().code(&name),
            about: about.into(),
            blocks,
        }),
        name,
        parts: [linked(package, nth), skipped(package, nth)]
            .into_iter()
            .flatten()
            .collect(),
    }
}

/// What a member is called in its package.
fn inside<'p>(package: &Package, path: &'p str) -> &'p str {
    let path = path.strip_prefix(package.path.as_str()).unwrap_or(path);
    path.trim_start_matches('/')
}

/// Which libraries of the package its binaries are linked with.
fn linked(package: &Package, nth: usize) -> Option<Part> {
    let mut rows = Vec::new();
    for file in &package.linked {
        for need in &file.needs {
            let Some(sibling) = &need.sibling else {
                continue;
            };
            let by = match need.by {
                Some(FoundBy::Rpath) => "RPATH",
                Some(FoundBy::Runpath) => "RUNPATH",
                Some(FoundBy::SystemFolder) => "system folder",
                Some(FoundBy::Name) => "its name only",
                None => "",
            };
            rows.push(Row::from(vec![
                Value::Code(inside(package, &file.file).to_owned()),
                Value::Code(inside(package, sibling).to_owned()),
                Value::Text(by.into()),
                Value::Count(need.symbols),
            ]));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let columns = vec![
        Column::new("file", ""),
        Column::new("is linked with", "a library of the package that it names"),
        Column::new("found by", "how the loader gets there"),
        Column::new(
            "symbols",
            "imported ones that this library is the first to define",
        ),
    ];
    let table = Table::new("Libraries of the package", columns, rows).brief(BRIEF);
    let note = "Libraries that a file names (DT_NEEDED) and that the package brings along; \
                others come from the system. Symbols are looked up as the loader does it, \
                without their versions.";
    let part = Part::new(
        &format!("linked-{nth}"),
        "Bundled libraries",
        vec![Block::Table(table)],
    );
    Some(part.note(note).folded())
}

fn skipped(package: &Package, nth: usize) -> Option<Part> {
    let skipped = &package.skipped;
    if skipped.is_empty() {
        return None;
    }
    let listed = skipped.iter().take(SKIPPED);
    let mut items: Vec<Text> = listed
        .map(|part| {
            Text::default()
                .code(inside(package, &part.name))
                .plain(format!(": {}", part.why))
        })
        .collect();
    if skipped.len() > SKIPPED {
        let more = skipped.len() - SKIPPED;
        items.push(format!("{more} more (--format json names them)").into());
    }
    let part = Part::new(
        &format!("skipped-{nth}"),
        "Not read",
        vec![Block::list(items)],
    );
    Some(part.folded())
}
