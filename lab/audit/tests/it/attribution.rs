//! Which function and which crate instructions are given to.

use crate::build::{DEBUG_LEVELS, KERNEL, cc, cc_at, facts, only, rust, two_crates};
use karat_model::audit::{BinaryAudit, FunctionCensus, SurvivalState};

fn ymm_of(audit: &BinaryAudit, name: &str) -> u64 {
    let found = audit.crates.iter().find(|c| c.name == name);
    found.map_or(0, |c| c.census.ymm)
}

#[test]
fn a_global_symbol_without_size_owns_what_follows_up_to_the_next_symbol() {
    let audit = facts(
        &cc("zero_size.s", &["-shared", "-nostdlib"]),
        &["alias", "local_label"],
        None,
    );
    // Either name finds it; a label inside of it is none.
    assert_eq!(audit.survival[0].state, SurvivalState::Present);
    assert_eq!(audit.survival[0].census.mask, 3);
    assert_eq!(audit.survival[1].state, SurvivalState::Gone);
    let sized = audit.functions.iter().find(|f| f.name == "sized").unwrap();
    assert_eq!((sized.census.instructions, sized.census.ymm), (2, 1));
    let region = &audit.functions[0];
    assert!(
        ["unsized", "alias"].contains(&region.name.as_str()),
        "{}",
        region.name
    );
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
fn what_bolt_left_and_what_may_be_data_is_told_apart() {
    let apart = facts(&cc("bolt.s", &["-shared", "-nostdlib"]), &[], None).apart;
    assert_eq!(apart.len(), 1, "{apart:?}");
    assert_eq!(apart[0].section, ".bolt.org.text");
    // 7 bytes of code and 9 of padding before `kept`, 7 behind it.
    assert_eq!((apart[0].bytes, apart[0].undecodable), (23, 0));
    assert!(apart[0].why.contains("BOLT"), "{apart:?}");

    let audit = facts(&cc("zero_size.s", &["-shared", "-nostdlib"]), &[], None);
    let data = audit.functions.iter().find(|f| f.name == "data_in_text");
    let census = &data.unwrap().census;
    assert_eq!(audit.apart.len(), 1, "{:?}", audit.apart);
    let apart = &audit.apart[0];
    assert_eq!((&apart.section[..], apart.undecodable), (".text", 3));
    assert_eq!(apart.bytes, census.bytes + census.undecodable);
    assert!(apart.why.contains("no extension"), "{apart:?}");

    assert_eq!(facts(&rust(&[]), &[], None).apart, []);
}

#[test]
fn the_unwind_table_finds_functions_without_a_symbol() {
    let audit = facts(&cc("fdes.s", &["-shared", "-nostdlib"]), &[], None);
    let found: Vec<_> = audit
        .functions
        .iter()
        .map(|f| {
            let c = &f.census;
            let kind = f.name.split(' ').next().unwrap_or("");
            (kind, c.zmm, c.ymm, c.xmm)
        })
        .collect();
    // Without vector code come `named`, `inner` and all the alignment, which
    // what `named` leaves of its entry is taken for.
    assert_eq!(found[0], ("[no", 64, 0, 0));
    // Two halves around `inner`.
    assert!(
        found[1..3].iter().all(|f| *f == ("[fde", 0, 2, 0)),
        "{found:?}"
    );
    assert_eq!(found[3], ("[fde", 0, 0, 1));
    assert_eq!(audit.functions_total, 7, "{found:?}");
    let fdes = audit
        .functions
        .iter()
        .filter(|f| f.name.starts_with("[fde"));
    for FunctionCensus { name, address, .. } in fdes {
        assert_eq!(*name, format!("[fde {address:#x}]"));
    }
    let stripped = facts(&cc("fdes.s", &["-shared", "-nostdlib", "-s"]), &[], None);
    assert_eq!(stripped.total, audit.total);
    assert_eq!(stripped.functions[0].name, "[no symbol]");
    // `named` by its entry now; `inner` is in one.
    assert_eq!(stripped.functions_total, 6);
}

#[test]
fn a_stripped_rust_binary_keeps_its_functions() {
    let whole = facts(&rust(&[]), &[KERNEL], None);
    let stripped = facts(&rust(&["-Cstrip=symbols"]), &[], None);
    let ymm = only(&whole).census.ymm;
    let kernel = &stripped.functions[0];
    assert!(kernel.name.starts_with("[fde 0x"), "{kernel:?}");
    let same = whole.functions.iter().find(|f| f.address == kernel.address);
    assert_eq!(same.unwrap().census, kernel.census);
    assert!(stripped.functions.iter().any(|f| f.census.ymm == ymm));
}

#[test]
fn intrinsics_are_charged_to_who_called_them() {
    for level in DEBUG_LEVELS {
        let audit = facts(&rust(&[level]), &[KERNEL], None);
        let without = facts(&rust(&[level, "--cfg", "gone"]), &[], None);
        let kernel = only(&audit).census.ymm;
        assert!(kernel > 20);
        assert_eq!(ymm_of(&audit, "kernels"), kernel, "{level}");
        assert_eq!(ymm_of(&audit, "core"), ymm_of(&without, "core"), "{level}");

        // Its loads and stores are functions of core::ptr inside core::arch, and the
        // last store is an intrinsic inside another.
        let kernel = "helper::avx2::mix_words";
        for flags in [&[level][..], &[level, "-Ctarget-cpu=x86-64-v3"]] {
            let audit = facts(&two_crates(flags), &[kernel], None);
            let of_kernel = only(&audit).census.ymm;
            assert!(of_kernel >= 36, "{flags:?}");
            assert_eq!(ymm_of(&audit, "helper"), of_kernel, "{flags:?}");
        }
    }
}

#[test]
fn headers_with_intrinsics_are_charged_to_who_included_them() {
    let place = "registry/src/index/simdlib-1.2.3/c/mix.c";
    for dwarf in ["-gdwarf-4", "-gdwarf-5"] {
        let program = cc_at("intrinsics.c", place, &["-O2", "-g1", dwarf]);
        let audit = facts(&program, &["mix"], None);
        let ymm = only(&audit).census.ymm;
        assert!(ymm >= 5, "{audit:?}");
        assert_eq!(ymm_of(&audit, "simdlib"), ymm, "{:?}", audit.crates);
    }
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
        ..Default::default()
    };
    let short = karat_audit::audit(&program.bytes, &options).unwrap();
    assert_eq!(short.functions, whole.functions[..5]);
    assert_eq!(short.functions_total, whole.functions_total);
}

#[test]
fn crates_of_incremental_builds_are_no_hashes() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let cache = format!("-Cincremental={}", dir.path().display());
    let audit = facts(&rust(&[&cache, "-Ccodegen-units=4"]), &[], None);
    assert!(ymm_of(&audit, "kernels") > 0, "{:?}", audit.crates);
    let names: Vec<&str> = audit.crates.iter().map(|c| c.name.as_str()).collect();
    // A hash is a number of some twenty letters and digits.
    let is_hash = |name: &str| name.len() > 18 && name.bytes().any(|b| b.is_ascii_digit());
    assert!(!names.iter().any(|name| is_hash(name)), "{names:?}");
}
