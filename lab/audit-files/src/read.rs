//! From a path to an audit, or to words that say why not and what to do.

use super::debug;
use crate::packages::Item;
use karat_audit::{Baseline, BinaryError, LetGo, Options, Vouched};
use karat_host::mapped::{Held, Mapped};
use karat_host::memory;
use karat_leaks::{Looked, look};
use karat_model::audit::BinaryAudit;
use karat_model::audit_document::{AuditedFile, SkippedPart};
use karat_model::facts::FileFacts;
use karat_model::leaks::LeakReport;
use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Times that a file's bytes are given back at first in the search for leaks: lists are made until
/// then, and what they took meanwhile is given back too.
const LISTS: u32 = 2;

/// Bytes of a file that are held at most in the search for leaks: what is given back and read again
/// costs a fault of a page for each 64 KiB. Where the file is small karat itself takes more than
/// that, so there are fewer.
fn held_at_most(length: u64) -> u64 {
    (length / 6).saturating_sub(2 << 20).clamp(1 << 19, 8 << 20)
}

/// Why there is no audit.
pub(super) enum Refusal {
    /// It is no binary that karat reads: in a package no error.
    Other(String),
    /// It is one, and cannot be read.
    Failed(String),
}

impl Refusal {
    /// In words.
    pub(super) fn why(self) -> String {
        let (Self::Other(why) | Self::Failed(why)) = self;
        why
    }
}

/// Audits an item and, where it has code for several machines, each of its
/// slices. Each is compared with the baseline of its machine. Debug files are looked
/// for in `dirs` too; what they say of `options` is replaced. `begin` is told how many
/// bytes there are.
pub(super) fn audit(
    item: &Item,
    options: &Options<'_>,
    baselines: &[AuditedFile],
    dirs: &[PathBuf],
    begin: impl FnOnce(u64),
) -> Result<Vec<AuditedFile>, Refusal> {
    let path = &item.path;
    let bytes = open(path).map_err(Refusal::Failed)?;
    begin(bytes.len() as u64);
    let found = debug::find(path, &bytes, dirs).called(&|place| item.called(place));
    let split: Vec<&[u8]> = found.split.iter().map(|file| &**file).collect();
    let let_go = |keep: &[&[u8]]| bytes.let_go_but(keep);
    let against = |baseline: Option<&AuditedFile>| {
        let options = Options {
            let_go: LetGo(Some(&let_go)),
            baseline: baseline.map(|b| &b.audit),
            debug: found.file.as_deref(),
            split: &split,
            ..*options
        };
        karat_audit::audit_file(&bytes, &options)
    };
    let audited = against(baselines.first()).and_then(|mut file| {
        // A baseline with code for several machines: each slice against its own.
        for baseline in baselines.iter().skip(1) {
            let meant = |audit: &BinaryAudit| audit.same_machine(&baseline.audit);
            if !file.audits.iter().any(meant) {
                continue;
            }
            let again = against(Some(baseline))?.audits;
            for (audit, again) in file.audits.iter_mut().zip(again) {
                if meant(audit) {
                    *audit = again;
                }
            }
        }
        Ok(file)
    });
    whole(&bytes).map_err(Refusal::Failed)?;
    let audited = audited.map_err(|error| match &error {
        BinaryError::Unsupported { seen } if item.package.is_some() => {
            Refusal::Other(format!("it is {seen}"))
        }
        BinaryError::NoCode => Refusal::Other(error.to_string()),
        _ => Refusal::Failed(advice(&bytes, &error)),
    })?;
    let is_fat = audited.audits.len() > 1;
    let skipped = audited.skipped.into_iter();
    let skipped: Vec<SkippedPart> = skipped
        .map(|part| SkippedPart {
            name: part.name,
            why: part.why,
        })
        .collect();
    let mut files: Vec<AuditedFile> = audited
        .audits
        .into_iter()
        .map(|audit| AuditedFile {
            path: item.name.clone(),
            same: item.same.clone(),
            slice: is_fat.then(|| audit.machine().unwrap_or_default().to_owned()),
            bytes: bytes.len() as u64,
            skipped: Vec::new(),
            debug: found.used.clone(),
            debug_missing: found.missing.clone(),
            notes: found.refused.clone(),
            facts: None,
            audit,
        })
        .collect();
    if let Some(first) = files.first_mut() {
        first.skipped = skipped;
    }
    Ok(files)
}

/// The bytes of the file at `path`.
///
/// # Errors
/// In words, when it cannot be read.
pub fn open(path: &Path) -> Result<Mapped, String> {
    if path.as_os_str() == "-" {
        return Err("stdin cannot be audited: name a file (a binary is read by parts)".into());
    }
    Mapped::open(path).map_err(|error| why_not(path, &error))
}

/// Whether nobody made a file shorter while it was read.
fn whole(bytes: &Mapped) -> Result<(), String> {
    match bytes.is_whole() {
        true => Ok(()),
        false => {
            Err("it became shorter while it was read: audit it when nobody writes to it".into())
        }
    }
}

/// What of the file at `path` needs more than `isa`, by what a user said of names and what
/// other files told of them. None, and why, for a kind of file
/// that leaks are not looked for in.
pub(super) fn leaks(
    path: &Path,
    audit: &BinaryAudit,
    isa: &Baseline,
    said: &Vouched,
    told: &Vouched,
) -> Result<Result<Looked, String>, String> {
    let bytes = open(path)?;
    // What the audit took.
    memory::give_back();
    let most = held_at_most(bytes.len() as u64);
    let held = Held::new();
    let times = Cell::new(0);
    let let_go = || {
        if held.is_beyond(most) {
            bytes.let_go();
            times.set(times.get() + 1);
            if times.get() <= LISTS {
                memory::give_back();
            }
            held.begin();
        }
    };
    let looked = look(&bytes, isa, said, told, LeakReport::LISTED, &let_go);
    whole(&bytes)?;
    match looked {
        Ok(looked) => Ok(Ok(looked)),
        // The census of the file worked: so it is one of another kind.
        Err(BinaryError::NotFor { .. } | BinaryError::Unsupported { .. }) => {
            Ok(Err(not_searched(audit, isa)))
        }
        Err(error) => Err(advice(&bytes, &error)),
    }
}

/// What can be told where leaks are not looked for: what is there, and that no more is known.
fn not_searched(audit: &BinaryAudit, isa: &Baseline) -> String {
    let is_arm = audit.is_for("AArch64");
    // All extensions of AArch64 that are counted are above its first version.
    let is_above = |name: &str| match isa.is_arm() == is_arm {
        true => !isa.has(name),
        // A baseline of the other machine: all that is counted.
        false => true,
    };
    let above = audit.total.extensions.iter();
    let above: Vec<String> = above
        .filter(|(name, _)| is_above(name))
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let base = match (is_arm, isa.is_arm()) {
        (true, false) => "Armv8.0",
        (false, true) => "x86-64",
        _ => isa.text(),
    };
    let told = match above.is_empty() {
        true => format!("it has no instructions above {base}"),
        false => format!(
            "whether the CPU is asked before its instructions above {base} is UNKNOWN: {}",
            above.join(", ")
        ),
    };
    format!(
        "--isa: not looked for gates. This is done in linked x86-64 programs and libraries, and \
         in those of AArch64 that are ELF, with a baseline of theirs (--isa armv8-a); this is \
         {}; {told}",
        audit.format
    )
}

/// What a file that could be audited says of itself, and what became of the baseline's
/// exported symbols.
pub(super) fn facts(path: &Path, baseline: Option<&Path>) -> Option<FileFacts> {
    let bytes = open(path).ok()?;
    let mut facts = karat_audit::facts(&bytes).ok().flatten()?;
    let baseline = baseline.and_then(|path| open(path).ok());
    facts.exports_changed = baseline.and_then(|b| karat_audit::exports_changed(&bytes, &b).ok());
    Some(facts)
}

/// The error in words, with what to do where that is known.
fn advice(bytes: &[u8], error: &BinaryError) -> String {
    if !matches!(error, BinaryError::Unsupported { .. }) {
        return error.to_string();
    }
    let head = &bytes[..bytes.len().min(512)];
    let text = !head.is_empty()
        && !head.starts_with(b"!<arch>")
        && head
            .iter()
            .all(|b| b.is_ascii_graphic() || b" \t\r\n".contains(b));
    match text {
        true if head.starts_with(b"#!") => {
            format!("{error}. Name the programs and libraries that the script starts")
        }
        true => "this is a text file; karat audits programs and libraries".into(),
        false => error.to_string(),
    }
}

fn why_not(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidInput => format!(
            "this is {}: a binary is read by parts, which only a file on disk allows; write it \
             to one and name that",
            special(path)
        ),
        ErrorKind::NotFound => "no such file".into(),
        ErrorKind::PermissionDenied => "may not be read (permission denied)".into(),
        _ => error.to_string(),
    }
}

/// What a path leads to that is no file.
fn special(path: &Path) -> &'static str {
    let Ok(meta) = path.metadata() else {
        return "no regular file";
    };
    let kind = meta.file_type();
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a pipe (FIFO)",
        () if kind.is_socket() => "a socket",
        () if kind.is_block_device() || kind.is_char_device() => "a device",
        () => "no regular file",
    }
}
