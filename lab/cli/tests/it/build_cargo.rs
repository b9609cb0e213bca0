//! Builds by cargo: flags for all crates or some, profile, features, patches.

use crate::lab::{Lab, Outcome, have};
use std::process::Command;

const MAIN: &str = r#"
fn main() {
    println!("app avx2={}", cfg!(target_feature = "avx2"));
    println!("dep avx2={}", deep_dep::avx2());
    println!("assertions={}", cfg!(debug_assertions));
    println!("loud={}", cfg!(feature = "loud"));
    println!("usual={}", cfg!(feature = "usual"));
    println!("word={}", option_env!("KARAT_TEST_WORD").unwrap_or("none"));
}
"#;

const DEP: &str = "pub fn avx2() -> bool {\n    cfg!(target_feature = \"avx2\")\n}\n";

/// A workspace of a program and a library, without any dependency from
/// elsewhere, and a study of it.
fn lab(variants: &str) -> Lab {
    let lab = Lab::empty();
    lab.write(
        "study/sources/Cargo.toml",
        "[workspace]\nmembers = [\"app\", \"deep-dep\"]\nresolver = \"3\"\n",
    );
    lab.write(
        "study/sources/Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n\
         dependencies = [\n \"deep-dep\",\n]\n\n\
         [[package]]\nname = \"deep-dep\"\nversion = \"0.1.0\"\n",
    );
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
    };
    lab.write(
        "study/sources/app/Cargo.toml",
        &format!(
            "{}[features]\ndefault = [\"usual\"]\nusual = []\nloud = []\n\
             [dependencies]\ndeep-dep = {{ path = \"../deep-dep\" }}\n",
            package("app")
        ),
    );
    lab.write("study/sources/app/src/main.rs", MAIN);
    lab.write("study/sources/deep-dep/Cargo.toml", &package("deep-dep"));
    lab.write("study/sources/deep-dep/src/lib.rs", DEP);
    lab.write(
        "study/study.toml",
        &format!(
            "schema = 1\nname = \"rusty\"\nbaseline = \"plain\"\n\
             [subject]\ncargo = \"sources/app\"\nbin = \"app\"\n\
             [[variant]]\nname = \"plain\"\n{variants}"
        ),
    );
    lab
}

/// What the binary of a variant prints.
fn prints(lab: &Lab, variant: &str) -> String {
    let evidence = lab.evidence();
    let found = evidence.variants.iter().find(|v| v.name == variant);
    let key = &found.expect("the study has it").build.as_ref().unwrap().key;
    let binary = lab.path("runs/cache/builds").join(key).join("app");
    let output = Command::new(binary).output().expect("the program starts");
    String::from_utf8(output.stdout).unwrap()
}

/// cargo is asked for metadata from another folder than the one karat was started in: paths
/// that are relative to here must lead there all the same.
#[test]
fn a_relative_place_is_planned_as_an_absolute_one() {
    if !have("cargo") {
        return;
    }
    let lab = lab("[[variant]]\nname = \"loud\"\nfeatures = [\"loud\"]\n");
    let plan = |folder: &str, place: &str| {
        let mut command = lab.command(&["run", place, "--dry-run"]);
        let out = Outcome::of(command.current_dir(lab.path(folder))).exits(0);
        assert!(
            out.stdout.contains("--features; loud"),
            "{place}: {}",
            out.stdout
        );
        out.stdout
    };
    let absolute = plan(".", lab.path("study").to_str().expect("UTF-8"));
    for place in ["study", "./study/", "study/study.toml", "study/../study"] {
        assert_eq!(plan(".", place), absolute, "{place}");
    }
    for (folder, place) in [
        ("study", "."),
        ("study/sources", ".."),
        ("study/sources/app", "../.."),
    ] {
        assert_eq!(plan(folder, place), absolute, "{place} in {folder}");
    }
}

#[test]
fn flags_profile_features_and_environment_arrive() {
    if !have("cargo") {
        return;
    }
    let lab = lab(
        "[[variant]]\nname = \"asserting\"\nprofile = { debug-assertions = true }\n\
         [[variant]]\nname = \"loud\"\nfeatures = [\"loud\"]\nenv = { KARAT_TEST_WORD = \"hello\" }\n\
         [[variant]]\nname = \"bare\"\ndefault-features = false\n",
    );
    lab.run(&["--smoke"]).exits(0);
    let plain = prints(&lab, "plain");
    assert_eq!(
        plain.lines().skip(2).collect::<Vec<_>>(),
        ["assertions=false", "loud=false", "usual=true", "word=none"]
    );
    let change = |from: &str, to: &str| plain.replace(from, to);
    assert_eq!(
        prints(&lab, "asserting"),
        change("assertions=false", "assertions=true")
    );
    assert_eq!(
        prints(&lab, "loud"),
        change("loud=false", "loud=true").replace("word=none", "word=hello")
    );
    assert_eq!(prints(&lab, "bare"), change("usual=true", "usual=false"));

    let evidence = lab.evidence();
    let settings = |i: usize| evidence.variants[i].settings.join("; ");
    assert_eq!(settings(0), "");
    assert_eq!(settings(1), "profile debug-assertions = true");
    assert_eq!(settings(2), "--features; loud; env KARAT_TEST_WORD=hello");
    assert!(
        evidence.variants[2]
            .reproduce
            .join("\n")
            .contains("KARAT_TEST_WORD=hello cargo build --release")
    );
    // Inlined code can be attributed: the audit knows the library by its name.
    let audit = evidence.variants[0].audit.as_ref().unwrap();
    assert!(audit.has_line_tables);
    assert!(
        audit.crates.iter().any(|c| c.name == "app"),
        "{:?}",
        audit.crates
    );
    assert!(
        !lab.path("study/sources/target").exists(),
        "the user's folder is left alone"
    );

    lab.run(&["--smoke"]).exits(0);
    let cached = lab
        .evidence()
        .variants
        .into_iter()
        .all(|v| v.build.unwrap().cached);
    assert!(cached, "the second run builds nothing");
}

#[test]
fn flags_for_some_crates_reach_these_only() {
    if !have("cargo") {
        return;
    }
    if !std::arch::is_x86_feature_detected!("avx2") {
        println!("SKIPPED: this CPU has no avx2");
        return;
    }
    let lab = lab(
        "[[variant]]\nname = \"all\"\nrustflags = [\"-Ctarget-feature=+avx2\"]\n\
         [[variant]]\nname = \"only-dep\"\n\
         crate-rustflags = { flags = [\"-Ctarget-feature=+avx2\"], only = [\"deep-dep\"] }\n\
         [[variant]]\nname = \"except-dep\"\n\
         crate-rustflags = { flags = [\"-Ctarget-feature=+avx2\"], except = [\"deep_dep\"] }\n",
    );
    lab.run(&["--smoke"]).exits(0);
    for (variant, app, dep) in [
        ("plain", false, false),
        ("all", true, true),
        ("only-dep", false, true),
        ("except-dep", true, false),
    ] {
        let printed = prints(&lab, variant);
        let expected = format!("app avx2={app}\ndep avx2={dep}\n");
        assert!(printed.starts_with(&expected), "{variant}:\n{printed}");
    }
    let evidence = lab.evidence();
    assert_eq!(
        evidence.variants[2].settings,
        ["rustflags -Ctarget-feature=+avx2 for deep_dep only"]
    );
    let by_hand = evidence.variants[3].reproduce.join("\n");
    assert!(by_hand.contains("RUSTC_WRAPPER=karat"), "{by_hand}");
    assert!(by_hand.contains("KARAT_RUSTC_EXCEPT=deep_dep"), "{by_hand}");
}

#[test]
fn a_person_with_the_wrappers_variables_set_still_has_karat() {
    let lab = Lab::empty();
    let mut command = lab.command(&["--version"]);
    command.env("KARAT_RUSTC_FLAGS", "-Copt-level=3");
    let out = crate::lab::Outcome::of(&mut command).exits(0);
    assert!(out.stdout.starts_with("karat "), "{}", out.stdout);
}

#[test]
fn a_program_that_does_not_compile() {
    if !have("cargo") {
        return;
    }
    let lab = lab("[[variant]]\nname = \"odd\"\nfeatures = [\"no-such-feature\"]\n");
    let out = lab.run(&[]).exits(101);
    out.says(&["variant `odd`", "no-such-feature", "cargo build --release"]);
    assert_eq!(lab.builds(), 1, "the baseline's build is kept");

    lab.write(
        "study/sources/deep-dep/src/lib.rs",
        "pub fn avx2() -> bool { 1 }\n",
    );
    let out = lab.run(&[]).exits(101);
    out.says(&["variant `plain`", "mismatched types", "last lines"]);
}

#[test]
fn a_package_without_a_lock_file() {
    if !have("cargo") {
        return;
    }
    let lab = lab("[[variant]]\nname = \"other\"\nrustflags = [\"-Copt-level=1\"]\n");
    std::fs::remove_file(lab.path("study/sources/Cargo.lock")).unwrap();
    let out = lab.run(&[]).exits(101);
    out.says(&["variant `plain`", "--locked"]);
    assert!(!lab.path("study/sources/Cargo.lock").exists());
}

const PATCH: &str = "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,3 +1,3 @@\n \
    pub fn avx2() -> bool {\n-    cfg!(target_feature = \"avx2\")\n+    true\n }\n";

#[test]
fn a_package_of_the_workspace_is_patched_in_the_copy_only() {
    if !have("cargo") {
        return;
    }
    let lab = lab("[[variant]]\nname = \"patched\"\n\
         [[variant.patch]]\npackage = \"deep-dep\"\nfile = \"change.patch\"\n");
    lab.write("study/change.patch", PATCH);
    lab.run(&["--smoke"]).exits(0);
    assert!(prints(&lab, "plain").contains("dep avx2=false"));
    assert!(prints(&lab, "patched").contains("dep avx2=true"));
    let source = lab.path("study/sources/deep-dep/src/lib.rs");
    assert_eq!(std::fs::read_to_string(source).unwrap(), DEP);
}

#[test]
fn a_patch_that_changes_versions_is_refused_every_time() {
    if !have("cargo") {
        return;
    }
    let lab = lab("[[variant]]\nname = \"patched\"\n\
         [[variant.patch]]\npackage = \"deep-dep\"\nfile = \"change.patch\"\n");
    lab.write(
        "study/change.patch",
        "--- a/Cargo.toml\n+++ b/Cargo.toml\n@@ -1,4 +1,4 @@\n [package]\n name = \"deep-dep\"\n\
         -version = \"0.1.0\"\n+version = \"0.2.0\"\n edition = \"2024\"\n",
    );
    // The refused build must not be found in the cache the second time.
    for _ in 0..2 {
        lab.run(&["--smoke"])
            .exits(101)
            .says(&["variant `patched`", "deep-dep 0.2.0"]);
        assert_eq!(lab.builds(), 1);
    }
}

#[test]
fn a_target_chosen_by_the_environment_is_no_obstacle() {
    if !have("cargo") {
        return;
    }
    let lab = lab("[[variant]]\nname = \"loud\"\nfeatures = [\"loud\"]\n");
    let target = "x86_64-unknown-linux-gnu";
    lab.write(
        "study/sources/.cargo/config.toml",
        &format!("[build]\ntarget = \"{target}\"\n"),
    );
    lab.run(&["--smoke"]).exits(0);
    assert!(prints(&lab, "loud").contains("loud=true"));
}

#[test]
fn patches_that_cannot_be_applied() {
    if !have("cargo") {
        return;
    }
    let patch = PATCH;
    let study = |package: &str| {
        format!(
            "[[variant]]\nname = \"patched\"\n\
             [[variant.patch]]\npackage = \"{package}\"\nfile = \"change.patch\"\n"
        )
    };
    let nobody = lab(&study("nobody"));
    nobody.write("study/change.patch", patch);
    let out = nobody.run(&[]).exits(101);
    out.says(&["variant `patched`: no dependency is called `nobody`"]);
    assert_eq!(nobody.builds(), 1, "the baseline's build is kept");

    let stale = lab(&study("deep-dep"));
    stale.write(
        "study/change.patch",
        &patch.replace("pub fn avx2()", "pub fn avx3()"),
    );
    let out = stale.run(&[]).exits(101);
    out.says(&[
        "variant `patched`: the patch for `deep-dep` does not apply",
        "src/lib.rs",
    ]);

    let missing = lab(&study("deep-dep"));
    missing
        .run(&[])
        .exits(2)
        .says(&["no such file or folder: change.patch"]);
}
