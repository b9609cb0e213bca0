//! Crates that only the symbols of functions tell.

use crate::build::{facts, facts_of, rust, rust_file};
use crate::tools::{Dir, run};
use karat_audit::Options;
use karat_model::audit::{BinaryAudit, Census};
use std::collections::BTreeMap;

fn row<'a>(audit: &'a BinaryAudit, name: &str, by_symbol: bool) -> Option<&'a Census> {
    let mut rows = audit.crates.iter();
    let found = rows.find(|c| c.name == name && c.by_symbol == by_symbol);
    found.map(|c| &c.census)
}

#[test]
fn naked_assembly_belongs_to_its_crate() {
    for flags in [&["-Cdebuginfo=limited"][..], &["-Cdebuginfo=0"]] {
        let audit = facts(&rust_file("naked.rs", flags), &[], None);
        let known = row(&audit, "naked", true).expect("code without lines");
        assert_eq!(known.ymm, 3, "{flags:?} {known:?}");
        assert_eq!(
            row(&audit, "naked", false).is_some(),
            flags[0].ends_with('d')
        );
        let left = row(&audit, "[unattributed]", false);
        assert_eq!(left.map_or(0, |left| left.ymm), 0, "{left:?}");
    }
}

#[test]
fn a_build_without_debug_information_shows_its_crates() {
    let with = facts(&rust(&[]), &[], None);
    let without = facts(&rust(&["-Cdebuginfo=0"]), &[], None);
    let own = row(&without, "kernels", true).expect("its own code");
    let lines = row(&with, "kernels", false).expect("its own code");
    assert!(own.ymm >= lines.ymm && lines.ymm > 0, "{own:?} {lines:?}");
    // Its instances of generic code have names too.
    assert_eq!(row(&without, "kernels", false), None);
}

#[test]
fn names_change_nothing_that_lines_say() {
    let program = rust_file("naked.rs", &[]);
    let dir = Dir::new();
    dir.write("named", &program.bytes);
    let args = ["--strip-all", "--keep-section=.debug*", "named", "nameless"];
    if run(&dir, "objcopy", &args).is_none() {
        return;
    }
    let by_line = |bytes: &[u8]| -> BTreeMap<String, Census> {
        let audit = facts_of(bytes, &[], &Options::default()).unwrap();
        let rows = audit.crates.into_iter();
        rows.filter(|c| !c.by_symbol && c.name != "[unattributed]")
            .map(|c| (c.name, c.census))
            .collect()
    };
    let nameless = by_line(&dir.read("nameless"));
    assert!(nameless.contains_key("naked") && nameless.len() > 3);
    assert_eq!(by_line(&program.bytes), nameless);
}
