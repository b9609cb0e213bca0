//! Sentences about an audit.

use super::widths::{Width, Widths};
use crate::number;
use crate::wording::{Tone, plural, shortened};
use karat_model::audit::BinaryAudit;
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::catalogue::{KnownEvidence, KnownGroup, KnownKernel, groups};
use karat_model::finding::Severity;
use karat_model::leaks::LeakReport;
use karat_model::units;

/// Parts not read that are named.
const SKIPPED: usize = 4;

/// Owner of code that no line table covers.
pub const UNATTRIBUTED: &str = "[unattributed]";

/// Extensions of each level of the x86-64 psABI above the baseline, and what Intel
/// and AMD count to AVX-512 in x86-64-v4.
/// BMI1 is left out: `tzcnt` is `rep bsf` to CPUs without it, and compilers emit it for
/// all of them.
/// Source: System V ABI, AMD64 supplement, table 3.1.
const LEVELS: [(&str, &[&str]); 3] = [
    (
        "x86-64-v4",
        &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
    ),
    (
        "x86-64-v3",
        &["avx", "avx2", "bmi2", "f16c", "fma", "lzcnt", "movbe"],
    ),
    (
        "x86-64-v2",
        &[
            "cmpxchg16b",
            "lahf",
            "popcnt",
            "sse3",
            "sse4.1",
            "sse4.2",
            "ssse3",
        ],
    ),
];

/// The file's own name.
pub fn short_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A name that no other file of the document has: the file's own, with as many of its folders
/// as tell it apart; with the machine where the file has code for several.
pub fn name(document: &AuditDocument, file: &AuditedFile) -> String {
    let all = document.files.iter().chain(&document.baseline);
    let others = all.filter(|other| other.slice == file.slice && !std::ptr::eq(*other, file));
    let others: Vec<&str> = others.map(|other| other.path.as_str()).collect();
    let mut name = short_name(&file.path);
    while others.iter().any(|other| ends_with(other, name)) && name.len() < file.path.len() {
        let before = &file.path[..file.path.len() - name.len() - 1];
        let folder = short_name(before);
        name = &file.path[before.len() - folder.len()..];
    }
    match &file.slice {
        Some(slice) => format!("{name} ({slice})"),
        None => name.to_owned(),
    }
}

/// Whether a path is that one, or ends with it.
fn ends_with(path: &str, end: &str) -> bool {
    let folder = path.strip_suffix(end);
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// What was not read, where debug information came from, and what was not answered.
pub fn remarks(file: &AuditedFile) -> Vec<String> {
    let mut out = Vec::new();
    if let [first, rest @ ..] = &file.debug[..] {
        let more = match rest.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        out.push(format!("debug information from {first}{more}"));
    }
    // Where units lack theirs; a file without any has its own sentence.
    if let Some(missing) = file
        .debug_missing
        .as_ref()
        .filter(|_| file.audit.has_line_tables)
    {
        out.push(missing.clone());
    }
    for part in file.skipped.iter().take(SKIPPED) {
        out.push(format!("not read: {} ({})", part.name, part.why));
    }
    if file.skipped.len() > SKIPPED {
        let more = file.skipped.len() - SKIPPED;
        out.push(format!(
            "{more} more parts not read (--format json names them)"
        ));
    }
    out.extend(file.notes.iter().cloned());
    out
}

/// What the file is, in one line.
pub fn headline(audit: &BinaryAudit) -> String {
    let functions = usize::try_from(audit.functions_total).unwrap_or(usize::MAX);
    let mut parts = vec![format!(
        "{}, {} of code, {}",
        audit.format,
        units::bytes(audit.code_bytes),
        counted(functions, "function")
    )];
    let total = &audit.total;
    let widths = Widths::of([audit]);
    if widths.wide(total) == 0 {
        parts.push(match widths.bar()[0].name {
            "zmm" => "no 256-bit or 512-bit instructions".into(),
            _ => "no vector instructions".to_owned(),
        });
    } else {
        for width in widths.bar() {
            let count = (width.of)(total);
            if count > 0 {
                let most = most(audit, width).map_or(String::new(), |m| format!(" ({m})"));
                parts.push(format!("{} {}{most}", units::grouped(count), width.name));
            }
        }
    }
    match &audit.leaks {
        Some(leaks) if leaks.counts.above == 0 => {
            parts.push(format!("nothing above {}", leaks.baseline));
        }
        Some(leaks) => parts.push(above_baseline(leaks).trim_end_matches('.').to_owned()),
        None => parts.extend(level(audit)),
    }
    parts.join("; ")
}

/// `1 204 functions`.
fn counted(count: usize, noun: &str) -> String {
    let words = plural(count, noun);
    match words.split_once(' ') {
        Some((_, noun)) => format!("{} {noun}", units::grouped(count as u64)),
        None => words,
    }
}

/// A library of the catalogue without what stands in brackets behind its name.
pub fn library(name: &str) -> &str {
    name.split_once(" (").map_or(name, |(name, _)| name)
}

/// Who has most of them: `83 % in blake3`. A crate that explains half says most; a
/// known library or a function is worth a word if it explains a tenth.
fn most(audit: &BinaryAudit, width: &Width) -> Option<String> {
    let of = width.of;
    let total = of(&audit.total);
    let crates = audit.crates.iter().filter(|c| c.name != UNATTRIBUTED);
    let crates = crates.map(|c| (of(&c.census), c.name.clone()));
    // What is known by its constants alone says nothing of a library.
    let by_code = |k: &&KnownKernel| !matches!(k.evidence, KnownEvidence::Constants { .. });
    let known: Vec<KnownKernel> = audit.known.iter().filter(by_code).cloned().collect();
    let groups = groups(&known).into_iter();
    let count = |g: &KnownGroup| match width.name {
        "zmm" => g.zmm,
        "ymm" => g.ymm,
        _ => 0,
    };
    let groups = groups.map(|g| (count(&g), library(&g.library).to_owned()));
    let functions = audit.functions.iter();
    let functions = functions.map(|f| (of(&f.census), f.name.clone()));
    let most = |count: &(u64, String)| count.0;
    let (count, name) = crates
        .max_by_key(most)
        .filter(|(count, _)| count * 2 >= total)
        .or(groups
            // What a kernel has in code that is told apart is in no total.
            .filter(|(count, _)| *count <= total)
            .max_by_key(most)
            .filter(|(count, _)| count * 10 >= total))
        .or(functions
            .max_by_key(most)
            .filter(|(count, _)| count * 10 >= total))?;
    let share = number::percent_short(count as f64 / total as f64);
    Some(format!("{share} in {}", shortened(&name, 48)))
}

/// The highest level of the ABI that an instruction belongs to.
fn level(audit: &BinaryAudit) -> Option<String> {
    if !audit.is_for("x86-64") {
        return None;
    }
    let has = |names: &[&str]| {
        names
            .iter()
            .any(|n| audit.total.extensions.contains_key(*n))
    };
    let found = LEVELS.iter().find(|(_, names)| has(names));
    Some(match found {
        Some((level, _)) => format!("instructions up to {level}"),
        None => "no instruction above x86-64 (v1)".into(),
    })
}

/// A sign, a tint, and how many findings of each severity there are.
pub fn state(document: &AuditDocument, file: &AuditedFile) -> (&'static str, Tone, String) {
    let findings = document.findings_of(file);
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let notes = count(Severity::Note);
    let words: Vec<String> = [(errors, "error"), (warnings, "warning"), (notes, "note")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| plural(count, noun))
        .collect();
    let words = match words.is_empty() {
        true => "no findings".to_owned(),
        false => words.join(", "),
    };
    match (errors, warnings) {
        (0, 0) => ("✓", Tone::Good, words),
        (0, _) => ("!", Tone::Open, words),
        _ => ("✗", Tone::Bad, words),
    }
}

/// Growth in one line: `against old: ymm 1 306 → 9 800 (×7.5), code +12 %`.
pub fn growth(document: &AuditDocument, file: &AuditedFile) -> Option<String> {
    let bloat = file.audit.bloat.as_ref()?;
    let baseline = name(document, document.baseline.as_ref()?);
    let (before, after) = (&bloat.total.before, &bloat.total.after);
    if before == after && bloat.functions_differ == 0 {
        return Some(format!("against {baseline}: no function has other counts"));
    }
    let mut parts = Vec::new();
    for width in Widths::of([&file.audit]).bar() {
        let (name, of) = (width.name, width.amount);
        let (before, after) = (of(before), of(after));
        if before != after {
            let change = number::count_change(after, before);
            let (before, after) = (units::grouped(before), units::grouped(after));
            parts.push(format!("{name} {before} → {after} ({change})"));
        }
    }
    let change = number::count_change(after.bytes, before.bytes);
    parts.push(match change.is_empty() {
        true => "code as large".into(),
        false => format!(
            "code {} → {} ({change})",
            units::bytes(before.bytes),
            units::bytes(after.bytes)
        ),
    });
    Some(format!("against {baseline}: {}", parts.join(", ")))
}

/// How many functions above the baseline are in which state.
pub fn above_baseline(report: &LeakReport) -> String {
    let counts = &report.counts;
    if counts.above == 0 {
        return format!("No function has an instruction above {}.", report.baseline);
    }
    let states = [
        (counts.leaks, "reached without a gate"),
        (counts.insufficient, "behind a gate that is not enough"),
        (counts.unknown, "unknown"),
        (counts.exported, "exported"),
        (counts.guarded, "guarded"),
        (counts.unreferenced, "unreferenced"),
    ];
    let states: Vec<String> = states
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", units::grouped(*count)))
        .collect();
    let above = usize::try_from(counts.above).unwrap_or(usize::MAX);
    format!(
        "{} above {}: {}.",
        plural(above, "function"),
        report.baseline,
        states.join(", ")
    )
}
