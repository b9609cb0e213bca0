//! Growth against a baseline: crates by name, functions by demangled name.

use karat_binary::names::without_clone_suffix;
use karat_model::audit::{BinaryAudit, Census};
use karat_model::bloat::{Amount, Bloat, Growth, Thresholds};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Name of all code that has no symbol: its addresses mean nothing in another build.
const UNNAMED: &str = "[code without a symbol]";

/// Holds an audit against its baseline's. Both must list all their functions
/// ([`crate::Options::top_functions`] of `usize::MAX`), else those cut off look new
/// or gone. `top` is how many functions the result lists.
#[must_use]
pub fn bloat(
    audit: &BinaryAudit,
    baseline: &BinaryAudit,
    thresholds: Thresholds,
    top: usize,
) -> Bloat {
    let crates = |a: &BinaryAudit| -> Vec<(String, Census)> {
        let crates = a.crates.iter();
        crates.map(|c| (c.name.clone(), c.census.clone())).collect()
    };
    let crates = growths(
        crates(baseline).iter().map(|(n, c)| (n.as_str(), c)),
        crates(audit).iter().map(|(n, c)| (n.as_str(), c)),
    );
    let mut functions = growths(functions(baseline), functions(audit));
    let lacking = |side: fn(&Growth) -> &Amount| {
        let lacks = functions.iter().filter(|f| side(f).instructions == 0);
        lacks.count() as u64
    };
    let (functions_new, functions_gone) = (lacking(|f| &f.before), lacking(|f| &f.after));
    let functions_differ = functions.len() as u64;
    functions.truncate(top);
    Bloat {
        thresholds,
        total: Growth {
            name: "all code".into(),
            before: (&baseline.total).into(),
            after: (&audit.total).into(),
        },
        crates,
        functions,
        functions_differ,
        functions_new,
        functions_gone,
    }
}

fn functions(audit: &BinaryAudit) -> impl Iterator<Item = (&str, &Census)> {
    audit.functions.iter().map(|f| {
        let unnamed = f.name.starts_with("[fde ") || f.name == "[no symbol]";
        let name = match unnamed {
            true => UNNAMED,
            false => without_clone_suffix(&f.name),
        };
        (name, &f.census)
    })
}

/// What differs, by name: largest change of wide instructions first, then of bytes.
fn growths<'a>(
    before: impl Iterator<Item = (&'a str, &'a Census)>,
    after: impl Iterator<Item = (&'a str, &'a Census)>,
) -> Vec<Growth> {
    let mut by_name: BTreeMap<&str, (Amount, Amount)> = BTreeMap::new();
    for (name, census) in before {
        by_name.entry(name).or_default().0.add(census);
    }
    for (name, census) in after {
        by_name.entry(name).or_default().1.add(census);
    }
    let mut out: Vec<Growth> = by_name
        .into_iter()
        .filter(|(_, (before, after))| before != after)
        .map(|(name, (before, after))| Growth {
            name: name.to_string(),
            before,
            after,
        })
        .collect();
    // The sort is stable, so ties stay in the order of names.
    out.sort_by_key(|g| {
        (
            Reverse(g.wide_change().unsigned_abs()),
            Reverse(g.bytes_change().unsigned_abs()),
        )
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::audit::{CrateCensus, FunctionCensus};

    fn census(instructions: u64, ymm: u64) -> Census {
        Census {
            instructions,
            bytes: instructions * 4,
            ymm,
            ..Census::default()
        }
    }

    fn audit(functions: &[(&str, u64, u64)]) -> BinaryAudit {
        let census = |(name, all, ymm): &(&str, u64, u64)| (name.to_string(), census(*all, *ymm));
        BinaryAudit {
            functions: functions
                .iter()
                .map(census)
                .map(|(name, census)| FunctionCensus {
                    name,
                    address: 0,
                    census,
                })
                .collect(),
            crates: functions
                .iter()
                .map(census)
                .map(|(name, census)| CrateCensus {
                    name,
                    by_symbol: false,
                    census,
                })
                .collect(),
            ..BinaryAudit::default()
        }
    }

    #[test]
    fn functions_are_matched_by_name_with_their_parts_taken_together() {
        let before = audit(&[
            ("same", 10, 0),
            ("split", 100, 4),
            ("lost", 7, 0),
            ("[fde 0x10]", 5, 0),
            ("[fde 0x20]", 5, 0),
        ]);
        let after = audit(&[
            ("same", 10, 0),
            ("split", 80, 30),
            ("split.cold", 40, 0),
            ("split.constprop.0", 1, 0),
            ("fresh", 3, 3),
            ("[fde 0x90]", 10, 0),
        ]);
        let bloat = bloat(&after, &before, Thresholds::default(), 2);
        let names: Vec<&str> = bloat.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["split", "fresh"]);
        assert_eq!(bloat.functions[0].after.instructions, 121);
        assert_eq!(bloat.functions[0].wide_change(), 26);
        assert_eq!(bloat.functions_differ, 3, "split, fresh, lost");
        assert_eq!((bloat.functions_new, bloat.functions_gone), (1, 1));
    }

    #[test]
    fn a_binary_has_no_growth_against_itself() {
        let one = audit(&[("a", 10, 2), ("b", 5, 0)]);
        let bloat = bloat(&one, &one, Thresholds::default(), 9);
        assert!(bloat.crates.is_empty() && bloat.functions.is_empty());
        assert_eq!(bloat.functions_differ, 0);
    }
}
