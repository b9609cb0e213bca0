//! # KA017: vector code is gone
//!
//! The baseline has at least 64 instructions of a kind, and the binary has a tenth of
//! them or fewer. Kinds are those that name 512-bit registers, registers of 256 bits or
//! more, those of SVE, and vector instructions above SSE2. Of instructions that are
//! written for by hand 16 are enough: AES, SHA, carry-less products, Galois fields,
//! long carries (ADX) and dot products of bytes.
//! SSE2 and Advanced SIMD are no kinds: compilers bring and drop them everywhere.
//! For registers of 256 bits or more the same is asked of each crate, and of each
//! function that both have under one name. The whole file must have fewer of them then
//! too: code that only moved is not lost.
//!
//! ## Why it matters
//! Kernels that somebody tuned by hand are left out by a feature, an assembler that was
//! missing, `-mno-avx2`, `no-asm`, or a dispatcher that a flag turned into a constant.
//! Results stay the same, and nothing but the speed tells.
//!
//! ## What to do
//! - See whose code it was: the message names the functions that had most of it.
//! - Where 256-bit code took the place of 512-bit code and that was the aim: nothing.
//! - Otherwise look for the switch: features of the crate, `./configure`'s output, flags
//!   of the compiler, `cfg(target_feature)`.
//! - Measure both builds: `karat ab`. To make the loss an error, name the kernel in a
//!   file for `--expect`.

use super::Pair;
use karat_model::audit::Census;
use karat_model::bloat::{Bloat, Growth};
use karat_model::finding::{Finding, Severity};
use karat_model::units::grouped;

/// Fewer instructions than this are no kernel: the least of karat's catalogue has 60.
const LEAST: u64 = 64;

/// The same of [`BY_HAND`]: a kernel for SHA-256 has 56, one for CRC-32 some 20.
const LEAST_BY_HAND: u64 = 16;

/// What is left of a kind that is gone, at most: one in so many.
const LEFT: u64 = 10;

/// Functions named in a message, and crates and functions that get a finding.
const LISTED: usize = 3;
const MOST: usize = 5;

/// Extensions that code is written for by hand, whatever registers it names. Forms
/// for wider registers count as the same: they take the place of the others.
const BY_HAND: [(&str, &[&str]); 6] = [
    ("AES", &["aes", "vaes"]),
    ("SHA", &["sha", "sha2", "sha3"]),
    ("carry-less product", &["pclmulqdq", "vpclmulqdq"]),
    ("GFNI", &["gfni"]),
    ("ADX", &["adx"]),
    ("dot product", &["dotprod", "avx512vnni", "avxvnni"]),
];

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    if !pair.audit.same_machine(pair.baseline) {
        return Vec::new();
    }
    let kinds = lost(&pair.baseline.total, &pair.audit.total);
    let bloat = pair.audit.bloat.as_ref();
    if kinds.iter().any(|kind| kind.wide) {
        let from = bloat.map_or(String::new(), |bloat| had_it(&bloat.functions));
        let message = format!("gone: {}{from}", told(&kinds));
        return vec![pair.finding("KA017", Severity::Warning, None, message)];
    }
    let mut out = Vec::new();
    if !kinds.is_empty() {
        let message = format!("gone: {}", told(&kinds));
        out.push(pair.finding("KA017", Severity::Warning, None, message));
    }
    let parts = bloat.map_or(Vec::new(), parts);
    out.extend(parts.into_iter().map(|part| {
        let message = format!(
            "its wide vector code is gone: {} → {} instructions, and it is still there",
            grouped(part.before.wide()),
            grouped(part.after.wide())
        );
        pair.finding("KA017", Severity::Warning, Some(&part.name), message)
    }));
    out
}

/// A kind of instructions with its counts.
struct Kind {
    name: &'static str,
    before: u64,
    after: u64,
    /// Whether it is of registers of 256 bits or more.
    wide: bool,
}

fn is_gone(least: u64, before: u64, after: u64) -> bool {
    before >= least && after * LEFT <= before
}

/// The kinds that are gone, the widest registers first.
fn lost(before: &Census, after: &Census) -> Vec<Kind> {
    let wide = |census: &Census| census.ymm + census.zmm;
    let kind = |name, count: &dyn Fn(&Census) -> u64, wide| Kind {
        name,
        before: count(before),
        after: count(after),
        wide,
    };
    let mut kinds = vec![
        kind("512-bit instructions", &|c| c.zmm, true),
        kind("instructions of 256 bits or more", &wide, true),
        kind("SVE instructions", &|c| c.sve, true),
        kind("vector instructions above SSE2", &above_sse2, false),
    ];
    kinds.retain(|kind| is_gone(LEAST, kind.before, kind.after));
    for (name, extensions) in BY_HAND {
        let count = |census: &Census| {
            let counts = extensions.iter().filter_map(|e| census.extensions.get(*e));
            counts.sum()
        };
        let by_hand = kind(name, &count, false);
        if is_gone(LEAST_BY_HAND, by_hand.before, by_hand.after) {
            kinds.push(by_hand);
        }
    }
    kinds
}

/// By extension: forms of AVX take the place of those of SSE. What counts in two
/// extensions is there twice, on both sides.
fn above_sse2(census: &Census) -> u64 {
    let is_above = |name: &str| {
        let families = ["sse3", "ssse3", "sse4", "avx", "fma", "xop"];
        families.iter().any(|family| name.starts_with(family))
    };
    let extensions = census.extensions.iter();
    extensions
        .filter(|(name, _)| is_above(name))
        .map(|(_, count)| count)
        .sum()
}

fn told(kinds: &[Kind]) -> String {
    let told: Vec<String> = kinds
        .iter()
        .map(|k| format!("{} {} → {}", k.name, grouped(k.before), grouped(k.after)))
        .collect();
    told.join(", ")
}

/// The functions that lost most wide instructions.
fn had_it(functions: &[Growth]) -> String {
    let lost = functions.iter().filter(|f| f.wide_change() < 0);
    let named: Vec<String> = lost
        .take(LISTED)
        .map(|f| {
            let there = match f.after.instructions {
                0 => "which is gone",
                _ => "which is still there",
            };
            format!("{} ({}, {there})", f.name, grouped(f.before.wide()))
        })
        .collect();
    match named.is_empty() {
        true => String::new(),
        false => format!("; most was in {}", named.join(", ")),
    }
}

/// Crates, and functions that are none of theirs, that are still there without their
/// wide code.
fn parts(bloat: &Bloat) -> Vec<&Growth> {
    let lost = |part: &Growth| part.before.wide().saturating_sub(part.after.wide());
    let whole = lost(&bloat.total);
    let is_without = |part: &&Growth| {
        let is_there = part.after.instructions > 0;
        is_there && is_gone(LEAST, part.before.wide(), part.after.wide()) && lost(part) <= whole * 2
    };
    let known = |part: &&Growth| !part.name.starts_with('[');
    let crates = bloat.crates.iter().filter(known).filter(is_without);
    let crates: Vec<&Growth> = crates.take(MOST).collect();
    let of_crate = |part: &&Growth| {
        let crates = crates.iter();
        crates.clone().any(|c| {
            part.name
                .trim_start_matches('<')
                .starts_with(&format!("{}::", c.name))
        })
    };
    let functions = bloat.functions.iter().filter(known).filter(is_without);
    let functions = functions.filter(|f| !of_crate(f)).take(MOST);
    crates.iter().copied().chain(functions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::bloat::Amount;

    fn growth(name: &str, before: (u64, u64), after: (u64, u64)) -> Growth {
        let amount = |(instructions, ymm)| Amount {
            instructions,
            ymm,
            ..Amount::default()
        };
        Growth {
            name: name.into(),
            before: amount(before),
            after: amount(after),
        }
    }

    fn bloat(total: Growth, crates: Vec<Growth>, functions: Vec<Growth>) -> Bloat {
        Bloat {
            thresholds: Default::default(),
            total,
            crates,
            functions,
            functions_differ: 0,
            functions_new: 0,
            functions_gone: 0,
        }
    }

    fn names(bloat: &Bloat) -> Vec<&str> {
        parts(bloat).iter().map(|p| p.name.as_str()).collect()
    }

    #[test]
    fn both_a_number_and_a_share_are_asked() {
        let is_gone = |before, after| is_gone(LEAST, before, after);
        assert!(is_gone(64, 6) && is_gone(160, 0) && is_gone(1_000, 100));
        assert!(!is_gone(63, 0) && !is_gone(64, 7) && !is_gone(1_000, 101));
    }

    #[test]
    fn other_widths_and_forms_take_a_kinds_place() {
        let census = |ymm, zmm, extensions: &[(&str, u64)]| Census {
            ymm,
            zmm,
            extensions: extensions.iter().map(|(n, c)| ((*n).into(), *c)).collect(),
            ..Census::default()
        };
        let names = |before: &Census, after: &Census| -> Vec<&str> {
            lost(before, after).iter().map(|k| k.name).collect()
        };
        let narrow = census(200, 0, &[("aes", 100)]);
        let wide = census(0, 100, &[("vaes", 50)]);
        assert!(names(&narrow, &wide).is_empty());
        assert_eq!(names(&wide, &narrow), ["512-bit instructions"]);
        let none = census(0, 0, &[]);
        let all = names(&narrow, &none);
        let wider = "instructions of 256 bits or more";
        assert_eq!(all, [wider, "AES"]);
        let old = census(0, 0, &[("ssse3", 60), ("sse4.1", 10)]);
        assert_eq!(names(&old, &none), ["vector instructions above SSE2"]);
        assert!(names(&old, &census(50, 0, &[("avx", 70)])).is_empty());
    }

    #[test]
    fn a_part_that_is_still_there_without_its_wide_code_is_named_once() {
        let lost = bloat(
            growth("all", (9_000, 2_000), (8_000, 1_300)),
            vec![
                growth("hash", (500, 400), (200, 0)),
                growth("gone", (100, 100), (0, 0)),
                growth("[unattributed]", (900, 300), (800, 0)),
            ],
            vec![
                growth("hash::avx2::many", (300, 300), (20, 0)),
                growth("table_fill", (300, 200), (120, 0)),
                growth("gone::f", (100, 100), (0, 0)),
            ],
        );
        assert_eq!(names(&lost), ["hash", "table_fill"]);
        // The same code under another name: nothing was lost.
        let moved = bloat(
            growth("all", (9_000, 2_000), (9_000, 2_010)),
            vec![growth("hash", (500, 400), (200, 0))],
            Vec::new(),
        );
        assert!(names(&moved).is_empty());
    }
}
