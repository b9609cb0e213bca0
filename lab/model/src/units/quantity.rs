//! Units as benchmarks spell them, taken apart: `Gbps`, `MiB/s`, `ns/byte`, `hash/s`.
//!
//! Two figures can be compared when their quantities have one class; the scale
//! then turns one unit into the other.

use super::{Better, TIMES};

/// A unit, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// What is counted over what, in base units: `B/s`, `s/B`, `hash/s`. Bits are
    /// counted as bytes. Empty for a plain number.
    pub class: String,
    /// One of the unit is so many of the class's: `Gbps` is 1.25e8 `B/s`.
    pub scale: f64,
    /// Which way is better; `None` when the unit does not say.
    pub better: Option<Better>,
}

/// Words for bytes with their size. Decimal and binary prefixes are told apart,
/// `K` and `k` both mean 1000 (`KB/s` as tools print it).
const BYTES: &[(&str, f64)] = &[("B", 1.0), ("byte", 1.0), ("bytes", 1.0), ("Bytes", 1.0)];
const BITS: &[(&str, f64)] = &[
    ("b", 0.125),
    ("bit", 0.125),
    ("bits", 0.125),
    ("Bits", 0.125),
];

/// Decimal prefixes (SI brochure, 9th ed., table 7; `K` for `k` as tools print it).
const DECIMAL: &[(&str, f64)] = &[
    ("k", 1e3),
    ("K", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("P", 1e15),
];

/// Binary prefixes (IEC 80000-13:2008, clause 4).
const BINARY: &[(&str, f64)] = &[
    ("Ki", 1024.0),
    ("Mi", 1048576.0),
    ("Gi", 1073741824.0),
    ("Ti", 1099511627776.0),
];

/// What a program uses up without being a time or bytes.
const USED: &[&str] = &["alloc", "cycle", "instruction", "fault", "miss", "joule"];

/// Rates that are written in one word; Hz counts what its figure counts.
const WORDS: &[(&str, &str)] = &[
    ("bps", "bit/s"),
    ("Bps", "B/s"),
    ("ips", "iteration/s"),
    ("ops", "op"),
    ("rps", "request/s"),
    ("tps", "transaction/s"),
    ("qps", "query/s"),
    ("fps", "frame/s"),
    ("pps", "packet/s"),
    ("cpb", "cycle/B"),
    ("Hz", "1/s"),
];

/// Takes a unit apart. Any text is one: what is not known counts as a noun, with
/// a decimal prefix in front where it has one.
#[must_use]
pub fn quantity(unit: &str) -> Quantity {
    let spelled = unit.trim().replace(" per ", "/");
    let mut parts = spelled.split('/').map(str::trim);
    let (mut above, mut scale) = atom(parts.next().unwrap_or_default());
    let mut below = Vec::new();
    if let Some((over, under)) = above.clone().split_once('/') {
        above = over.to_owned();
        below.push(under.to_owned());
    }
    for part in parts {
        let (word, size) = atom(part);
        scale /= size;
        below.push(word);
    }
    if above == "1" {
        above.clear();
    }
    let rate = below.iter().any(|b| b == "s");
    let used = above == "s" || above == "B" || USED.contains(&above.as_str());
    let better = match (rate, used) {
        (true, _) => Some(Better::Higher),
        (false, true) => Some(Better::Lower),
        (false, false) => None,
    };
    below.insert(0, above);
    Quantity {
        class: below.join("/"),
        scale,
        better,
    }
}

/// `value` of one unit in another; `None` when they are of two classes.
#[must_use]
pub fn convert(value: f64, from: &str, to: &str) -> Option<f64> {
    if from == to {
        return Some(value);
    }
    let (from, to) = (quantity(from), quantity(to));
    (from.class == to.class).then(|| value * (from.scale / to.scale))
}

/// One word without a slash: what it stands for, and how many of it.
fn atom(word: &str) -> (String, f64) {
    let time = |w: &str| TIMES.iter().find(|(name, _)| *name == w).map(|t| t.1);
    if let Some(nanoseconds) = time(word) {
        return ("s".into(), nanoseconds * 1e-9);
    }
    if let "second" | "seconds" | "secs" = word {
        return ("s".into(), 1.0);
    }
    if let Some(found) = known(word, 1.0) {
        return found;
    }
    for (prefix, size) in BINARY.iter().chain(DECIMAL) {
        let rest = word.strip_prefix(prefix).map(str::trim_start);
        if let Some(found) = rest.and_then(|rest| known(rest, *size)) {
            return found;
        }
    }
    // `Mblocks`, `K ips`: a capital prefix and a noun of several letters.
    for (prefix, size) in &DECIMAL[1..] {
        if let Some(rest) = word.strip_prefix(prefix) {
            let rest = rest.trim_start();
            if rest.len() > 1 && rest.starts_with(|c: char| c.is_ascii_lowercase()) {
                return (singular(rest), *size);
            }
        }
    }
    (singular(word), 1.0)
}

fn known(word: &str, size: f64) -> Option<(String, f64)> {
    let of = |list: &[(&str, f64)]| list.iter().find(|(name, _)| *name == word).map(|w| w.1);
    if let Some(bytes) = of(BYTES).or_else(|| of(BITS)) {
        return Some(("B".into(), bytes * size));
    }
    let found = WORDS.iter().find(|(name, _)| *name == word)?;
    Some(match found.1.strip_prefix("bit/") {
        Some(rest) => (format!("B/{rest}"), size * 0.125),
        None => (found.1.to_owned(), size),
    })
}

/// A noun without its plural: `blocks` and `block` are one unit.
fn singular(noun: &str) -> String {
    let noun = noun.split_whitespace().collect::<Vec<_>>().join(" ");
    for (plural, one) in [
        ("hashes", "hash"),
        ("batches", "batch"),
        ("misses", "miss"),
        ("queries", "query"),
    ] {
        if let Some(stem) = noun.strip_suffix(plural) {
            return format!("{stem}{one}");
        }
    }
    match noun.strip_suffix('s') {
        Some(stem) if stem.len() > 1 && !stem.ends_with('s') => stem.to_owned(),
        _ => noun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(unit: &str) -> (String, f64) {
        let q = quantity(unit);
        (q.class, q.scale)
    }

    #[test]
    fn units_of_one_class_convert() {
        for (value, from, to, expected) in [
            (1.0, "Gbps", "GB/s", 0.125),
            (8.0, "Gbit/s", "GB/s", 1.0),
            (1.0, "GiB/s", "MiB/s", 1024.0),
            (1.0, "GiB/s", "GB/s", 1.073741824),
            (1.0, "KB/s", "kB/s", 1.0),
            (1.0, "ns per byte", "ns/B", 1.0),
            (1000.0, "ns/op", "us/op", 1.0),
            (65.7, "K ips", "ips", 65_700.0),
            (2.0, "M ops/s", "ops/s", 2e6),
            (2.0, "Melem/s", "Kelem/s", 2000.0),
            (1.5, "hashes/s", "hash/s", 1.5),
            (3.0, "blocks / second / core", "block/s/core", 3.0),
            (1.0, "min", "s", 60.0),
            (1.0, "GHz", "MHz", 1000.0),
            (5.0, "cpb", "cycles/byte", 5.0),
            (5.0, "queries/sec", "qps", 5.0),
        ] {
            let found = convert(value, from, to)
                .unwrap_or_else(|| panic!("{from} is {:?}, {to} is {:?}", class(from), class(to)));
            assert!(
                (found / expected - 1.0).abs() < 1e-12,
                "{from} {to} {found}"
            );
        }
    }

    #[test]
    fn units_of_two_classes_do_not() {
        for (from, to) in [
            ("ns/op", "ns/byte"),
            ("GB/s", "hash/s"),
            ("s", "B"),
            ("ops", "ops/s"),
            ("", "s"),
        ] {
            assert_eq!(convert(1.0, from, to), None, "{from} {to}");
        }
    }

    #[test]
    fn any_text_is_a_unit() {
        for unit in [
            "",
            "/",
            "//",
            " per ",
            "ns/",
            "\u{b5}s",
            "K",
            "\u{1f980}/s",
            "s/s",
        ] {
            assert!(quantity(unit).scale > 0.0, "{unit}");
        }
    }
}
