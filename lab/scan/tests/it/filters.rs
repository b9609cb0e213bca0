//! What is not listed, and why.

use crate::tree::{PLAIN, Tree, places};
use karat_model::scan::{Class, Fold, LeftOut};

#[test]
fn tests_other_targets_and_features() {
    let text = "#[cfg(test)] mod t { fn f() { is_x86_feature_detected!(\"avx2\"); } }\n\
        #[test] fn t() { is_x86_feature_detected!(\"avx2\"); }\n\
        #[cfg(target_arch = \"wasm32\")] fn w() { is_x86_feature_detected!(\"avx2\"); }\n\
        #[cfg(target_arch = \"aarch64\")] fn n() { is_aarch64_feature_detected!(\"neon\"); }\n\
        #[cfg(feature = \"off\")] fn o() { is_x86_feature_detected!(\"avx2\"); }\n\
        #[cfg(feature = \"std\")] fn s() { is_x86_feature_detected!(\"avx2\"); }\n\
        #[cfg(all(target_feature = \"crt-static\", unix))] fn c() {}\n\
        #[cfg(target_feature = \"atomics\")] fn a() {}\n\
        #[cfg(made_by_build_script)] fn b() { is_x86_feature_detected!(\"fma\"); }\n";
    let mut tree = Tree::of(&[("src/lib.rs", text)]);
    let scan = tree.scan(PLAIN);
    let lines: Vec<_> = scan
        .sites
        .iter()
        .map(|s| s.location.line.unwrap())
        .collect();
    assert_eq!(lines, [6, 9]);
    let expected = LeftOut {
        tests: 1,
        wasm: 1,
        other_targets: 1,
        features_off: 1,
        not_simd: 2,
        beside_detection: 0,
    };
    assert_eq!(scan.left_out, expected);

    let everywhere = tree.scan_with(PLAIN, true).0;
    let told: Vec<_> = everywhere
        .sites
        .iter()
        .map(|s| (s.location.line.unwrap(), s.fold))
        .collect();
    let elsewhere = Fold::Elsewhere;
    assert_eq!(
        told,
        [(4, elsewhere), (5, elsewhere), (6, Fold::No), (9, Fold::No)]
    );

    // Where nobody knows the features, none is off.
    tree.features = None;
    assert_eq!(tree.scan(PLAIN).left_out.features_off, 0);
}

#[test]
fn folders_aside_are_not_read() {
    let text = "fn f() { is_x86_feature_detected!(\"avx2\"); }";
    let tree = Tree::of(&[
        ("src/lib.rs", "mod tests; mod m;"),
        ("src/m.rs", text),
        ("src/tests/mod.rs", text),
        ("build.rs", text),
        ("tests/t.rs", text),
        ("benches/b.rs", text),
        ("examples/e.rs", text),
        (".hidden/h.rs", text),
        ("inner/Cargo.toml", ""),
        ("inner/src/lib.rs", text),
        ("src/data.txt", text),
    ]);
    let scan = tree.scan(PLAIN);
    let paths: Vec<_> = scan.sites.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(paths, ["src/m.rs", "src/tests/mod.rs"]);
    assert_eq!((scan.files, scan.parsed), (3, 2));
}

#[test]
fn conditions_of_modules_hold_in_their_files() {
    let text = "fn f() { is_x86_feature_detected!(\"avx2\"); }";
    let tree = Tree::of(&[
        (
            "src/lib.rs",
            "#[cfg(test)] mod a;\n#[cfg(target_arch = \"arm\")] mod b;\n\
          cfg_if! { if #[cfg(windows)] { mod c; } else { #[path = \"other.rs\"] mod d; } }\nmod e;",
        ),
        ("src/a/mod.rs", "mod inner;"),
        ("src/a/inner.rs", text),
        ("src/b.rs", text),
        ("src/c.rs", text),
        ("src/other.rs", text),
        (
            "src/e.rs",
            "#![cfg(target_os = \"macos\")] mod inner { fn f() { is_x86_feature_detected!(\"avx2\"); } }",
        ),
        ("src/alone.rs", text),
    ]);
    let scan = tree.scan(PLAIN);
    let items: Vec<_> = scan.sites.iter().map(|s| s.item.as_str()).collect();
    assert_eq!(items, ["a_crate::alone::f", "a_crate::d::f"]);
    assert_eq!((scan.left_out.tests, scan.left_out.other_targets), (1, 3));
}

#[test]
fn a_file_declared_twice_is_there_if_one_holds() {
    let text = "fn f() { is_x86_feature_detected!(\"avx2\"); }";
    let lib = "#[cfg(docsrs)] pub mod a;\n#[cfg(not(docsrs))] pub(crate) mod a;\n\
               #[cfg(docsrs)] pub mod b;\n#[cfg(test)] mod b;\n";
    let tree = Tree::of(&[("src/lib.rs", lib), ("src/a.rs", text), ("src/b.rs", text)]);
    let scan = tree.scan(PLAIN);
    let paths: Vec<_> = scan.sites.iter().map(|s| s.path.as_str()).collect();
    assert_eq!((paths, scan.left_out.tests), (vec!["src/a.rs"], 1));
}

#[test]
fn files_that_are_no_rust_are_noted() {
    let tree = Tree::of(&[
        (
            "src/lib.rs",
            "mod a;\nfn f() { is_x86_feature_detected!(\"avx2\"); }",
        ),
        ("src/a.rs", "// target_feature\nfn f( {"),
        ("src/b.rs", "// target_feature\nfn f() }"),
        (
            "src/c.rs",
            "#!/usr/bin/env run\n// target_feature\nfn f() {}",
        ),
    ]);
    let scan = tree.scan(PLAIN);
    assert_eq!(scan.sites.len(), 1);
    let notes: Vec<_> = scan
        .notes
        .iter()
        .map(|n| (&*n.location.file, n.location.line))
        .collect();
    assert_eq!(notes, [("src/a.rs", Some(2)), ("src/b.rs", Some(2))]);

    let gone = Tree::of(&[]);
    let mut package = gone.package();
    package.root = gone.path().join("nowhere");
    let options = karat_scan::Options {
        base: gone.path(),
        flags: &Default::default(),
        cfg: PLAIN,
        everywhere: false,
        threads: 1,
    };
    let (scan, _) = karat_scan::scan(&[package], &options).unwrap();
    assert!(
        scan.notes[0].message.contains("cannot be listed"),
        "{:?}",
        scan.notes
    );
}

#[test]
fn attributes_on_parts_are_seen() {
    let text = "struct S { #[cfg(target_feature = \"avx2\")] a: u8 }\n\
        enum E { #[cfg(target_feature = \"avx2\")] A }\n\
        impl S { #[cfg(target_feature = \"avx2\")] fn f() {} }\n\
        trait T { #[cfg(target_feature = \"avx2\")] fn f(); }\n\
        fn g(x: u8) { match x { #[cfg(target_feature = \"avx2\")] 1 => {} _ => {} } }\n\
        fn h() { #[cfg(target_feature = \"avx2\")] let x = 1; #[cfg(target_feature = \"avx2\")] m!(); }\n";
    let lines: Vec<_> = places(text)
        .iter()
        .map(|s| (s.class, s.location.line.unwrap()))
        .collect();
    assert_eq!(
        lines,
        [1, 2, 3, 4, 5, 6, 6].map(|line| (Class::CompileTime, line))
    );
}
