//! Instructions by register width, per variant and per crate.

use crate::number;
use karat_model::audit::{BinaryAudit, Census, CrateCensus};
use karat_model::evidence::{Evidence, VariantEvidence};
use karat_model::units;

/// One counted thing.
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
    /// The count in an audit.
    pub of: fn(&BinaryAudit) -> u64,
    /// How the count is printed.
    pub print: fn(u64) -> String,
}

/// The columns of the census.
pub const COLUMNS: [Column; 7] = [
    column("instructions", "all decoded instructions", |a| {
        a.total.instructions
    }),
    column("bytes", "bytes of those instructions", |a| a.total.bytes),
    column("xmm", "128-bit vector instructions", |a| a.total.xmm),
    column("ymm", "256-bit vector instructions", |a| a.total.ymm),
    column("zmm", "512-bit vector instructions", |a| a.total.zmm),
    column("mask", "instructions that name a mask register", |a| {
        a.total.mask
    }),
    Column {
        print: units::bytes,
        ..column("code size", "bytes of executable sections", |a| {
            a.code_bytes
        })
    },
];

const fn column(name: &'static str, meaning: &'static str, of: fn(&BinaryAudit) -> u64) -> Column {
    Column {
        name,
        meaning,
        of,
        print: units::grouped,
    }
}

/// A line for each region that no total holds, or whose extensions are not
/// believed.
pub fn apart(evidence: &Evidence) -> Vec<String> {
    let regions = audited(evidence).into_iter().flat_map(|(variant, audit)| {
        audit.apart.iter().map(move |r| {
            format!(
                "{}, {}: {} ({} undecodable), {}",
                variant.name,
                r.section,
                units::bytes(r.bytes),
                units::grouped(r.undecodable),
                r.why
            )
        })
    });
    regions.collect()
}

/// The audited variants.
pub fn audited(evidence: &Evidence) -> Vec<(&VariantEvidence, &BinaryAudit)> {
    evidence
        .variants
        .iter()
        .filter_map(|v| Some((v, v.audit.as_ref()?)))
        .collect()
}

/// The count of a column and its change against the baseline.
pub fn cell(evidence: &Evidence, column: &Column, audit: &BinaryAudit) -> (String, String) {
    let now = (column.of)(audit);
    let baseline = evidence.baseline().and_then(|b| b.audit.as_ref());
    let change = baseline.map_or_else(String::new, |b| number::count_change(now, (column.of)(b)));
    ((column.print)(now), change)
}

/// One crate over all audited variants.
pub struct CrateRow<'a> {
    /// The crate.
    pub name: &'a str,
    /// `(zmm, ymm)` in each audited variant.
    pub cells: Vec<(u64, u64)>,
}

/// The crates with most wide vector instructions in any variant, most first,
/// and how many more have some.
pub fn crates(evidence: &Evidence, limit: usize) -> (Vec<CrateRow<'_>>, usize) {
    let audits = audited(evidence);
    let mut names: Vec<&str> = Vec::new();
    for entry in audits.iter().flat_map(|(_, a)| &a.crates) {
        if wide(&entry.census) > 0 && !names.contains(&entry.name.as_str()) {
            names.push(&entry.name);
        }
    }
    let mut rows: Vec<CrateRow<'_>> = names
        .into_iter()
        .map(|name| CrateRow {
            name,
            cells: audits
                .iter()
                .map(|(_, a)| counts(&a.crates, name))
                .collect(),
        })
        .collect();
    rows.sort_by_key(|row| {
        let most = row.cells.iter().map(|(z, y)| z + y).max().unwrap_or(0);
        (u64::MAX - most, row.name)
    });
    let more = rows.len().saturating_sub(limit);
    rows.truncate(limit);
    (rows, more)
}

fn counts(crates: &[CrateCensus], name: &str) -> (u64, u64) {
    // A crate comes twice where some of its code is known by symbols alone.
    let same = crates.iter().filter(|c| c.name == name);
    same.fold((0, 0), |(zmm, ymm), c| {
        (zmm + c.census.zmm, ymm + c.census.ymm)
    })
}

fn wide(census: &Census) -> u64 {
    census.zmm + census.ymm
}

/// Extensions with their counts, most first: `avx2 1 234, bmi2 56`.
pub fn extensions(audit: &BinaryAudit) -> String {
    let mut counts: Vec<(&str, u64)> = audit
        .total
        .extensions
        .iter()
        .map(|(name, count)| (name.as_str(), *count))
        .collect();
    counts.sort_by_key(|(name, count)| (u64::MAX - count, *name));
    if counts.is_empty() {
        return "none beyond the 64-bit baseline".to_owned();
    }
    counts
        .iter()
        .map(|(name, count)| format!("{name} {}", units::grouped(*count)))
        .collect::<Vec<_>>()
        .join(", ")
}
