//! `karat scan`: flags, files, exit codes.

use crate::lab::Lab;
use serde_json::Value;

const EARLY: &str = "pub fn fast() -> bool {\n    #[cfg(target_feature = \"avx2\")]\n    return true;\n    \
    is_x86_feature_detected!(\"avx2\")\n}\n\n#[target_feature(enable = \"avx2\")]\npub fn kernel() {}\n";

/// A package without dependencies, so that cargo needs no network.
fn lab() -> Lab {
    let lab = Lab::empty();
    let manifest =
        "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    lab.write("small/Cargo.toml", manifest);
    lab.write(
        "small/Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"small\"\nversion = \"0.1.0\"\n",
    );
    lab.write("small/src/lib.rs", EARLY);
    lab
}

#[test]
fn places_and_flags_are_told() {
    let lab = lab();
    let out = lab.karat(&["scan", "small", "--rustflags", ""]).exits(0);
    assert!(
        out.stdout
            .contains("small 0.1.0  avx2      asked at run time"),
        "{}",
        out.stdout
    );
    let out = lab
        .karat(&["scan", "small", "--rustflags=-Ctarget-feature=+avx2"])
        .exits(0);
    assert!(out.stdout.contains("folds to true"), "{}", out.stdout);
    lab.write(
        "small/.cargo/config.toml",
        "[build]\nrustflags = [\"-Ctarget-cpu=x86-64-v3\"]\n",
    );
    let out = lab.karat(&["scan", "small", "--format", "json"]).exits(0);
    let scan: Value = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!(scan["schema"], 1);
    assert_eq!(scan["flags"]["rustflags"][0], "-Ctarget-cpu=x86-64-v3");
    assert_eq!(scan["sites"][0]["fold"], "true");
    assert_eq!(scan["sites"][0]["location"]["file"], "src/lib.rs");
}

#[test]
fn files_take_the_form_of_their_ending() {
    let lab = lab();
    let args = [
        "scan", "small", "-q", "-o", "a.txt", "-o", "a.md", "-o", "a.json", "-o", "a.sarif",
    ];
    lab.karat(&args).exits(0);
    assert!(lab.read("a.txt").contains("KS001"));
    assert!(lab.read("a.md").starts_with("# "));
    assert!(serde_json::from_str::<Value>(&lab.read("a.json")).is_ok());
    let sarif: Value = serde_json::from_str(&lab.read("a.sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "KS001");
    assert_eq!(
        sarif["runs"][0]["tool"]["driver"]["rules"][0]["id"],
        "KS001"
    );
    lab.karat(&["scan", "small", "-o", "a.doc"])
        .exits(2)
        .says(&[".sarif"]);
}

#[test]
fn patches_are_written() {
    let lab = lab();
    let out = lab.karat(&["scan", "small", "--patch", "patches"]).exits(0);
    out.says(&["wrote patches/small-0.1.0.patch"]);
    let patch = lab.read("patches/small-0.1.0.patch");
    assert!(patch.contains("+#[inline(never)]"), "{patch}");
    assert!(patch.contains("What this does not do"), "{patch}");
}

#[test]
fn exit_codes() {
    let lab = lab();
    lab.karat(&["scan", "small", "--deny", "early-return"])
        .exits(1)
        .says(&["denied: 1 of early-return (KS001)"]);
    lab.karat(&["scan", "small", "--deny", "compile-time"])
        .exits(0);
    lab.karat(&["scan", "small", "--package", "large"])
        .exits(4)
        .says(&["no package of that name"]);
    lab.karat(&["scan", "nowhere"])
        .exits(2)
        .says(&["no folder"]);
    lab.karat(&["scan", "small", "--target", "pdp-11"])
        .exits(2)
        .says(&["rustc"]);
    lab.karat(&["scan", "small", "--binary", "small/Cargo.toml"])
        .exits(102);
    lab.karat(&["scan", "small", "--binary", "none"])
        .exits(2)
        .says(&["cannot read none"]);
    lab.write("small/Cargo.toml", "[package\n");
    lab.karat(&["scan", "small"])
        .exits(2)
        .says(&["cargo metadata"]);
    lab.write("bare/a.rs", "");
    lab.karat(&["scan", "bare"]).exits(2).says(&["Cargo.toml"]);
}

#[test]
fn explain_knows_the_codes() {
    let lab = Lab::empty();
    let list = lab.karat(&["explain"]).exits(0).stdout;
    assert!(list.contains("KA001") && list.contains("KS006"), "{list}");
    let page = lab.karat(&["explain", "ks005"]).exits(0).stdout;
    assert!(page.starts_with("# KS005"), "{page}");
}
