//! Every class, and what flags make of it.

use crate::tree::{PLAIN, Tree, places, told, with_avx2};
use karat_model::audit::{BinaryAudit, Survival, SurvivalState};
use karat_model::scan::{Class, Fold};

/// The pattern of blake2b_simd 1.0.5, in own words.
const EARLY: &str = r#"
pub fn fast() -> Option<u8> {
    #[cfg(target_feature = "avx2")]
    {
        return Some(2);
    }
    #[cfg(feature = "std")]
    {
        if is_x86_feature_detected!("avx2") {
            return Some(2);
        }
    }
    None
}
"#;

/// The pattern of memchr 2.8.3.
const TAIL: &str = r#"
pub fn is_available() -> bool {
    #[cfg(not(target_feature = "sse2"))]
    { false }
    #[cfg(target_feature = "sse2")]
    {
        #[cfg(target_feature = "avx2")]
        { true }
        #[cfg(not(target_feature = "avx2"))]
        { std::is_x86_feature_detected!("avx2") }
    }
}
"#;

#[test]
fn early_return() {
    assert_eq!(
        told(&places(EARLY)),
        [(Class::EarlyReturn, 3, "avx2".into(), Fold::No)]
    );
    let site = &Tree::of(&[("src/lib.rs", EARLY)]).scan(&with_avx2()).sites[0];
    assert_eq!(site.fold, Fold::True);
    assert_eq!(
        (site.item.as_str(), site.path.as_str()),
        ("a_crate::fast", "src/lib.rs")
    );
    assert_eq!(
        (site.location.column, site.location.file.as_str()),
        (Some(5), "src/lib.rs")
    );
    assert_eq!(site.condition.as_deref(), Some("target_feature = \"avx2\""));
}

#[test]
fn early_returns_of_other_forms() {
    for text in [
        "fn f() -> bool { if cfg!(target_feature = \"avx2\") { return true; } g!(); is_x86_feature_detected!(\"avx2\") }",
        "fn f() -> bool { #[cfg(all(target_feature = \"avx2\", target_feature = \"bmi2\"))] return true; \
         is_x86_feature_detected!(\"avx2\") && is_x86_feature_detected!(\"bmi2\") }",
        "fn f() -> bool { #[cfg(target_feature = \"avx2\")] return true; detect_it() }",
    ] {
        let sites = places(text);
        assert_eq!(sites.len(), 1, "{text}: {sites:?}");
        assert_eq!(sites[0].class, Class::EarlyReturn, "{text}");
    }
    // What comes before, in a closure, or in another function of the name is none.
    for text in [
        "#[cfg(feature = \"std\")] fn f() -> bool { is_x86_feature_detected!(\"avx2\") }\n\
         #[cfg(not(feature = \"std\"))] fn f() -> bool { #[cfg(target_feature = \"avx2\")] return true; false }",
        "fn f() -> bool { if is_x86_feature_detected!(\"fma\") { a() } #[cfg(target_feature = \"avx2\")] return true; false }",
        "fn f() { #[cfg(target_feature = \"avx2\")] { let c = || { return 1; }; } is_x86_feature_detected!(\"fma\"); }",
    ] {
        assert!(
            places(text).iter().all(|s| s.class != Class::EarlyReturn),
            "{text}"
        );
    }
}

#[test]
fn tail_block() {
    let always = (Class::CompileTime, 5, "sse2".into(), Fold::True);
    let found = told(&places(TAIL));
    assert_eq!(
        found,
        [(Class::TailBlock, 7, "avx2".into(), Fold::No), always]
    );
    for text in [
        "fn f() -> bool { cfg!(target_feature = \"avx2\") || is_x86_feature_detected!(\"avx2\") }",
        "fn f() -> bool { if cfg!(target_feature = \"avx2\") { true } else { is_x86_feature_detected!(\"avx2\") } }",
        "#[cfg(target_feature = \"avx2\")] fn f() -> bool { true }\n\
         #[cfg(not(target_feature = \"avx2\"))] fn f() -> bool { is_x86_feature_detected!(\"avx2\") }",
    ] {
        let sites = places(text);
        assert_eq!(sites.len(), 1, "{text}: {sites:?}");
        assert_eq!(sites[0].class, Class::TailBlock, "{text}");
    }
}

#[test]
fn cpufeatures_and_std() {
    let text = "cpufeatures::new!(sha, \"sha\", \"sse2\");\n\
        fn f() { if is_x86_feature_detected!(\"avx2\") && is_x86_feature_detected!(\"fma\") {} }\n\
        fn g() -> bool { std::arch::is_x86_feature_detected!(\"sse2\") }\n\
        fn h() { assert!(is_x86_feature_detected!(\"aes\"), \"no AES\"); }\n";
    assert_eq!(
        told(&places(text)),
        [
            (Class::Cpufeatures, 1, "sha sse2".into(), Fold::No),
            (Class::Detected, 2, "avx2 fma".into(), Fold::No),
            (Class::Detected, 3, "sse2".into(), Fold::True),
            (Class::Detected, 4, "aes".into(), Fold::No),
        ]
    );
}

#[test]
fn compile_time_only() {
    let text = "#[cfg(all(target_arch = \"x86_64\", target_feature = \"avx2\"))] mod a {}\n\
        fn f() { let x = if cfg!(target_feature = \"aes\") { 1 } else { 2 }; }\n\
        #[cfg(not(target_feature = \"fma\"))] fn portable() {}\n\
        #[cfg(target_feature = \"sse2\")] fn g() {}\n";
    assert_eq!(
        told(&places(text)),
        [
            (Class::CompileTime, 1, "avx2".into(), Fold::No),
            (Class::CompileTime, 2, "aes".into(), Fold::No),
            (Class::CompileTime, 4, "sse2".into(), Fold::True),
        ]
    );
    // Beside detection of the same feature it is part of that.
    let beside = format!("{text}fn d() -> bool {{ is_x86_feature_detected!(\"avx2\") }}\n");
    let scan = Tree::of(&[("src/lib.rs", &beside)]).scan(PLAIN);
    assert_eq!(scan.left_out.beside_detection, 1);
    assert_eq!(
        (scan.count(Class::CompileTime), scan.count(Class::Detected)),
        (2, 1)
    );
}

#[test]
fn a_branch_passed_over_for_another_needs_no_flags() {
    // As crates with a branch for each level write it; the flags have SSE2.
    let text = "fn f() -> u8 {\n if cfg!(target_feature = \"sse2\") { 1 }\n \
        else if cfg!(target_feature = \"sse2\") { 2 } else { 3 } }\n\
        #[cfg(all(target_feature = \"sse2\", not(target_feature = \"sse2\")))] fn g() {}\n";
    let folds: Vec<Fold> = places(text).iter().map(|s| s.fold).collect();
    assert_eq!(folds, [Fold::True, Fold::Elsewhere, Fold::Elsewhere]);
}

#[test]
fn no_flag_brings_in_what_others_have_or_another_cpu() {
    // The first as xxhash-rust has it. No x86 has NEON; AVX-512 may still be added.
    let text = "#[cfg(all(any(target_feature = \"sse2\", target_feature = \"neon\"), \
        not(any(target_feature = \"avx2\", target_feature = \"avx512f\"))))] fn a() {}\n\
        #[cfg(target_feature = \"neon\")] fn b() {}\n\
        #[cfg(any(target_feature = \"neon\", target_feature = \"avx512f\"))] fn c() {}\n\
        #[cfg(all(target_feature = \"avx\", target_feature = \"fma\"))] fn d() {}\n";
    let scan = Tree::of(&[("src/lib.rs", text)]).scan(&with_avx2());
    let folds: Vec<Fold> = scan.sites.iter().map(|s| s.fold).collect();
    let elsewhere = Fold::Elsewhere;
    assert_eq!(folds, [elsewhere, elsewhere, Fold::No, Fold::No]);
}

#[test]
fn what_a_build_script_decides_is_not_known() {
    let text = "#[cfg(nightly)]\nfn f() -> bool { is_x86_feature_detected!(\"sse2\") }\n";
    let sites = told(&places(text));
    assert_eq!(sites, [(Class::Detected, 2, "sse2".into(), Fold::Unknown)]);
}

#[test]
fn macros_are_looked_into_or_listed() {
    let text = "cfg_if::cfg_if! {\n if #[cfg(target_feature = \"avx2\")] {\n fn f() {}\n } else {\n \
        fn f() -> bool { is_x86_feature_detected!(\"fma\") }\n } }\n\
        macro_rules! pick { ($f:expr) => { is_x86_feature_detected!(\"aes\") || $f } }\n\
        macro_rules! any { ($f:literal) => { is_x86_feature_detected!($f) } }\n\
        lazy! { static ref X: bool = is_x86_feature_detected!(\"sha\"); }\n";
    let sites = places(text);
    assert_eq!(
        told(&sites),
        [
            (Class::Detected, 5, "fma".into(), Fold::No),
            (Class::CompileTime, 3, "avx2".into(), Fold::No),
            (Class::Hidden, 7, "aes".into(), Fold::No),
            (Class::Hidden, 8, String::new(), Fold::Unknown),
            (Class::Hidden, 9, "sha".into(), Fold::No),
        ]
    );
    let macros: Vec<_> = sites.iter().filter_map(|s| s.in_macro.as_deref()).collect();
    assert_eq!(macros, ["pick", "any", "lazy"]);
}

#[test]
fn kernels_are_what_a_place_guards() {
    let kernels = "#[target_feature(enable = \"avx2,fma\")]\npub unsafe fn f() {}\n\
                   #[inline]\n#[target_feature(enable = \"avx2\")]\npub unsafe fn g() {}\n";
    let lib = format!("mod wide;\n{EARLY}");
    let tree = Tree::of(&[
        ("src/lib.rs", &lib),
        ("src/wide/mod.rs", "mod deep;"),
        ("src/wide/deep.rs", kernels),
    ]);
    let (mut scan, found) = tree.scan_with(PLAIN, false);
    assert_eq!(scan.sites[0].guards, ["a_crate::wide::deep"]);
    assert_eq!(
        karat_scan::modules_to_look_for(&scan),
        ["a_crate::wide::deep::*"]
    );

    let audit = BinaryAudit {
        survival: vec![Survival {
            function: "a_crate::wide::deep::*".into(),
            state: SurvivalState::Inlined,
            inlined_into: Vec::new(),
            census: Default::default(),
            mix: Default::default(),
            similarity: None,
            caveat: None,
        }],
        ..BinaryAudit::default()
    };
    karat_scan::survey(&mut scan, "app", &audit);
    assert_eq!(scan.sites[0].in_binary, [SurvivalState::Inlined]);

    // The patch is for the one without `#[inline]`, and applies.
    let patches = karat_scan::patches(&scan, &found).unwrap();
    assert_eq!(patches.len(), 1);
    let text = &patches[0].text;
    for part in [
        "a-crate 1.2.3",
        "not keeping the speed",
        "+++ b/src/wide/deep.rs",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let diff = diffy::Patch::from_str(&text[text.find("--- a/").unwrap()..]).unwrap();
    let after = diffy::apply(kernels, &diff).unwrap();
    assert_eq!(after, format!("#[inline(never)]\n{kernels}"));
}

#[test]
fn every_class_has_its_page() {
    let codes: Vec<_> = karat_scan::PAGES.iter().map(|p| p.class).collect();
    assert_eq!(codes, Class::ALL);
    for page in karat_scan::PAGES {
        let text = page.text();
        assert!(
            text.starts_with(&format!("# {}: {}\n", page.class.code(), page.title)),
            "{text}"
        );
        assert!(text.contains("\n## What to do\n"), "{text}");
    }
}
