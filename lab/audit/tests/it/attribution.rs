//! Which function and which crate instructions are given to.

use crate::build::{cc, facts, rust};

#[test]
fn a_symbol_without_size_owns_nothing_and_swallows_nothing() {
    let audit = facts(&cc("zero_size.s", &["-shared", "-nostdlib"]), &[], None);
    let names: Vec<_> = audit.functions.iter().map(|f| f.name.as_str()).collect();
    assert!(!names.contains(&"unsized"), "{names:?}");
    let sized = audit.functions.iter().find(|f| f.name == "sized").unwrap();
    assert_eq!((sized.census.instructions, sized.census.ymm), (2, 1));
    let region = &audit.functions[0];
    assert_eq!(region.name, "[no symbol]");
    // 32 plain, one masked, one gather whose index is a zmm.
    assert_eq!((region.census.zmm, region.census.mask), (34, 3));
    // From a register the conversion names its ymm; from memory only the xmm.
    assert_eq!((region.census.ymm, region.census.xmm), (1, 1));
    assert_eq!(region.census.extensions["avx512f"], 35);
}

#[test]
fn no_extension_is_claimed_from_code_with_data_in_it() {
    let audit = facts(&cc("zero_size.s", &["-shared", "-nostdlib"]), &[], None);
    let function = |name: &str| audit.functions.iter().find(|f| f.name == name).unwrap();
    let data = &function("data_in_text").census;
    assert_eq!(data.undecodable, 3);
    assert_eq!(data.ymm, 1);
    assert!(data.extensions.is_empty(), "{data:?}");
    assert_eq!(function("sized").census.extensions["avx2"], 1);
}

#[test]
fn of_what_bolt_left_behind_only_named_code_counts() {
    let audit = facts(&cc("bolt.s", &["-shared", "-nostdlib"]), &["kept"], None);
    assert_eq!((audit.total.ymm, audit.total.zmm), (2, 0), "{audit:?}");
    assert_eq!(audit.total.bytes, audit.code_bytes);
    let names: Vec<_> = audit.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["moved", "kept"]);
}

#[test]
fn crates_are_named_by_their_sources() {
    let audit = facts(&rust(&[]), &[], None);
    let names: Vec<_> = audit.crates.iter().map(|c| c.name.as_str()).collect();
    for name in ["core", "std", "alloc", "kernels", "gimli"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    let c = facts(&cc("copies.c", &["-O2", "-g1"]), &[], None);
    assert!(
        c.crates.iter().any(|c| c.name == "fixtures"),
        "{:?}",
        c.crates
    );
}

#[test]
fn the_list_of_functions_is_a_prefix() {
    let program = rust(&[]);
    let whole = facts(&program, &[], None);
    let options = karat_audit::Options {
        expected: &[],
        baseline: None,
        top_functions: 5,
    };
    let short = karat_audit::audit(&program.bytes, &options).unwrap();
    assert_eq!(short.functions, whole.functions[..5]);
    assert_eq!(short.functions_total, whole.functions_total);
}
