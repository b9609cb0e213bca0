//! Other layouts of built programs: recording, linking again, verification.

use crate::lab::{Lab, have};
use karat_build::layout::{Kit, LayoutError, Method, moved};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

/// A study compares two variants; the second is nothing that is built.
const OTHER: &str = "[[variant]]\nname = \"other\"\nbinary = \"/bin/true\"\n";

/// A program of three objects, a static and a shared library of its own.
const MAIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int one(int), two(int), shared(int);
static int calls;
__attribute__((constructor)) static void first(void) { calls = 3; }
__attribute__((noinline)) int hot(int x) {
    for (int i = 0; i < 1000; i++) x = x * 31 + (x >> 3) + i;
    return x;
}
int main(int argc, char **argv) {
    int x = argc;
    x = hot(x) + one(x) + two(x) + shared(x) + calls;
    printf("{\"value\": %d}\n", x & 0xff);
    return 0;
}
"#;

const MAKE: &str = "set -e\n\
    F=\"-O2 -g1 $FLAGS\"\n\
    $CC $F -c main.c -o main.o\n$CC $F -c one.c -o one.o\n$CC $F -c two.c -o two.o\n\
    rm -f libtwo.a\nar rcs libtwo.a two.o\n\
    $CC $F -fPIC -shared shared.c -o libshared.so\n\
    $CC $F $LINK main.o one.o -L. -ltwo -lshared -Wl,-rpath,\"$PWD\" -o prog\n";

fn function(name: &str) -> String {
    format!("int {name}(int x) {{ for (int i = 0; i < 9; i++) x = x * 7 + (x >> 2); return x; }}\n")
}

/// A study of the program above, built with these flags for compiler and linker.
fn lab(flags: &str, link: &str) -> Lab {
    let lab = Lab::empty();
    lab.write("study/src/main.c", MAIN);
    lab.write("study/src/make.sh", MAKE);
    for name in ["one", "two", "shared"] {
        lab.write(&format!("study/src/{name}.c"), &function(name));
    }
    lab.write(
        "study/study.toml",
        &format!(
            "schema = 1\nname = \"laid\"\nbaseline = \"plain\"\n\
             [subject]\ndir = \"src\"\nartifact = \"prog\"\ncommand = [\"sh\", \"make.sh\"]\n\
             [[variant]]\nname = \"plain\"\n\
             env = {{ CC = \"gcc\", FLAGS = \"{flags}\", LINK = \"{link}\" }}\n{OTHER}"
        ),
    );
    lab
}

/// The artifacts in the cache, by the first line of their logs.
fn artifacts(lab: &Lab, bin: &str) -> Vec<PathBuf> {
    let builds = fs::read_dir(lab.path("runs/cache/builds")).expect("builds");
    builds.map(|e| e.unwrap().path().join(bin)).collect()
}

fn built(lab: &Lab, bin: &str) -> PathBuf {
    lab.run(&["--smoke"]).exits(0);
    let mut all = artifacts(lab, bin);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn link(kit: &Kit, seed: u64) -> PathBuf {
    kit.link(seed, &AtomicBool::new(false))
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Layouts 0 to 4, checked: they are what [`moved`] accepts, run alike, and come
/// out the same when they are made again.
#[track_caller]
fn check(artifact: &Path, hot: &str) -> Kit {
    let kit = Kit::of(artifact).unwrap_or_else(|e| panic!("{e}"));
    let paths: Vec<PathBuf> = (0..5).map(|seed| link(&kit, seed)).collect();
    let bytes: Vec<Vec<u8>> = paths.iter().map(|p| fs::read(p).unwrap()).collect();
    assert_eq!(bytes[0], fs::read(artifact).unwrap(), "layout 0");
    let lengths: Vec<usize> = paths.iter().map(|p| p.as_os_str().len()).collect();
    assert!(lengths.iter().all(|l| *l == lengths[0]), "{paths:?}");
    let images: Vec<(u64, &[u8])> = (0..).zip(bytes.iter().map(|b| &b[..])).collect();
    let found = moved(&images, &[hot.to_owned()]).unwrap_or_else(|e| panic!("{e}"));
    assert!(found.by_4096 > 0.9, "{found:?}");
    assert!(found.by_64 > 0.5, "{found:?}");
    let hot = found.hot.iter().find(|h| h.name.ends_with(hot));
    let hot = hot.expect("the hot function has a symbol");
    assert!(hot.moved(64) && hot.moved(4096), "{hot:?}");
    assert_eq!(hot.addresses.len(), 5);

    let prints = |p: &PathBuf| Command::new(p).output().unwrap();
    let expected = prints(&paths[0]);
    assert!(expected.status.success());
    for path in &paths[1..] {
        let got = prints(path);
        assert_eq!(got.status, expected.status, "{}", path.display());
        assert_eq!(got.stdout, expected.stdout, "{}", path.display());
    }
    fs::remove_file(&paths[1]).unwrap();
    fs::write(&paths[2], "damaged").unwrap();
    for seed in 1..3 {
        let again = fs::read(link(&kit, seed)).unwrap();
        assert!(again == bytes[seed as usize], "seed {seed} made twice");
    }
    kit
}

/// Removes what the build left, but not what programs load when they run.
fn forget_the_build(lab: &Lab) {
    let stage = lab.path("runs/cache/stage");
    for folder in fs::read_dir(stage).unwrap() {
        let folder = folder.unwrap().path();
        if folder.extension().is_some() {
            fs::remove_dir_all(folder).unwrap();
            continue;
        }
        for file in fs::read_dir(folder).unwrap() {
            let file = file.unwrap().path();
            if !file.ends_with("libshared.so") {
                fs::remove_file(file).unwrap();
            }
        }
    }
}

#[test]
fn gnu_ld_lays_code_out_anew() {
    if !have("gcc") || !have("ld.bfd") {
        return;
    }
    for flags in ["", "-ffunction-sections", "-fno-pie"] {
        let link = if flags == "-fno-pie" { "-no-pie" } else { "" };
        let lab = lab(flags, &format!("-fuse-ld=bfd {link}"));
        let artifact = built(&lab, "prog");
        forget_the_build(&lab);
        let kit = check(&artifact, "hot");
        assert_eq!(kit.method(), Method::OrderedScript);
        assert!(kit.exact(), "the link done again gives the artifact");
        assert!(kit.linker().starts_with("GNU ld"));
    }
}

#[test]
fn gnu_ld_with_unneeded_sections_dropped_and_link_time_optimisation() {
    if !have("gcc") || !have("ld.bfd") {
        return;
    }
    let gc = lab("-ffunction-sections", "-fuse-ld=bfd -Wl,--gc-sections");
    check(&built(&gc, "prog"), "hot");
    let lto = lab("-flto", "-fuse-ld=bfd -flto");
    let artifact = built(&lto, "prog");
    forget_the_build(&lto);
    check(&artifact, "hot");
}

#[test]
fn a_static_program() {
    if !have("gcc") || !have("ld.bfd") {
        return;
    }
    let lab = Lab::with("");
    lab.write(
        "study/study.toml",
        &format!("schema = 1\nname = \"static\"\nbaseline = \"plain\"\n\
         [subject]\ndir = \"src\"\nartifact = \"prog\"\n\
         command = [\"gcc\", \"-O2\", \"-static\", \"-fuse-ld=bfd\", \"-o\", \"prog\", \"prog.c\"]\n\
         [[variant]]\nname = \"plain\"\n{OTHER}"),
    );
    let artifact = built(&lab, "prog");
    let kit = Kit::of(&artifact).unwrap();
    let images: Vec<Vec<u8>> = (0..3).map(|s| fs::read(link(&kit, s)).unwrap()).collect();
    let images: Vec<(u64, &[u8])> = (0..).zip(images.iter().map(|b| &b[..])).collect();
    let found = moved(&images, &[]).unwrap_or_else(|e| panic!("{e}"));
    assert!(found.functions > 500, "{found:?}");
    assert!(found.by_4096 > 0.95 && found.by_64 > 0.6, "{found:?}");
    let out = Command::new(link(&kit, 1))
        .arg("selftest")
        .output()
        .unwrap();
    assert_eq!(out.stdout, b"first\ndigest 1234\nlast\n");
}

/// Where the Rust toolchain keeps its LLD under names that gcc finds.
fn rust_lld() -> Option<String> {
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let root = String::from_utf8(output.stdout).ok()?;
    let folder = format!(
        "{}/lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld",
        root.trim()
    );
    if !Path::new(&folder).join("ld.lld").exists() {
        println!("SKIPPED: this Rust toolchain has no LLD");
        return None;
    }
    Some(folder)
}

#[test]
fn lld_lays_code_out_anew() {
    let Some(folder) = rust_lld().filter(|_| have("gcc")) else {
        return;
    };
    for flags in ["", "-ffunction-sections"] {
        let lab = lab(flags, &format!("-B{folder} -fuse-ld=lld -Wl,--gc-sections"));
        let artifact = built(&lab, "prog");
        forget_the_build(&lab);
        let kit = check(&artifact, "hot");
        assert_eq!(kit.method(), Method::ShuffledSections);
        assert!(kit.exact(), "the link done again gives the artifact");
    }
}

#[test]
fn a_build_gets_what_it_would_have_got() {
    if !have("gcc") {
        return;
    }
    let lab = lab("-ffunction-sections", "");
    let artifact = built(&lab, "prog");
    let stage = fs::read_dir(lab.path("runs/cache/stage")).unwrap();
    let mut stage = stage.map(|e| e.unwrap().path());
    let stage = stage.find(|p| p.extension().is_none()).unwrap();
    let by_hand = Command::new("sh")
        .arg("make.sh")
        .current_dir(&stage)
        .envs([
            ("CC", "gcc"),
            ("FLAGS", "-ffunction-sections"),
            ("LINK", ""),
        ])
        .status();
    assert!(by_hand.unwrap().success());
    let same = fs::read(stage.join("prog")).unwrap() == fs::read(artifact).unwrap();
    assert!(same, "karat in the linker's place changed the result");
}

#[test]
fn what_cannot_be_linked_again_says_why() {
    if !have("gcc") {
        return;
    }
    let why = |link: &str, make: &str| {
        let lab = lab("", link);
        let own = "ld.bfd --verbose | sed -e '1,/^=====/d' -e '/^=====/,$d' > own.ld\n";
        lab.write("study/src/make.sh", &format!("{own}{make}"));
        match Kit::of(&built(&lab, "prog")) {
            Err(e @ LayoutError::NoKit { .. }) => e.to_string(),
            Err(e) => panic!("another error: {e}"),
            Ok(_) => panic!("there is a kit"),
        }
    };
    let copied = MAKE.replace("-o prog", "-o linked") + "objcopy --strip-debug linked prog\n";
    let copied = why("", &copied);
    assert!(copied.contains("none of them is the artifact"), "{copied}");
    let stripped = why("", &format!("{MAKE}strip prog\n"));
    assert!(stripped.contains("changed after the link"), "{stripped}");
    let unseen = why("", "cp /bin/true prog\n");
    assert!(unseen.contains("started no linker"), "{unseen}");
    if have("ld.gold") {
        let gold = why("-fuse-ld=gold", MAKE);
        assert!(gold.contains("GNU gold"), "{gold}");
        assert!(gold.contains("-fuse-ld=lld"), "{gold}");
    }
    if have("ld.bfd") {
        let scripted = why("-fuse-ld=bfd -Wl,-T,own.ld", MAKE);
        assert!(scripted.contains("linker script of its own"), "{scripted}");
    }
}

#[test]
fn an_existing_binary_has_no_kit() {
    let error = Kit::of(Path::new(env!("CARGO_BIN_EXE_karat"))).err();
    let text = error.expect("nobody recorded it").to_string();
    assert!(text.contains("did not see it being linked"), "{text}");
}

/// A workspace with a build script and a procedural macro, whose links are not
/// the program's.
fn cargo_lab(profiles: &[(&str, &str)]) -> Lab {
    let lab = Lab::empty();
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}")
    };
    lab.write(
        "study/sources/Cargo.toml",
        &format!(
            "{}\n[dependencies]\nmacros = {{ path = \"macros\" }}\n[workspace]\n",
            package("app", "build = \"build.rs\"\n")
        ),
    );
    lab.write(
        "study/sources/Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n\
         dependencies = [\n \"macros\",\n]\n\n\
         [[package]]\nname = \"macros\"\nversion = \"0.1.0\"\n",
    );
    lab.write(
        "study/sources/macros/Cargo.toml",
        &package("macros", "[lib]\nproc-macro = true\n"),
    );
    lab.write(
        "study/sources/macros/src/lib.rs",
        "use proc_macro::TokenStream;\n#[proc_macro]\npub fn seven(_: TokenStream) -> TokenStream \
         { \"7\".parse().unwrap() }\n",
    );
    lab.write("study/sources/build.rs", "fn main() {}\n");
    lab.write(
        "study/sources/src/main.rs",
        "#[inline(never)]\nfn hot(x: u32) -> u32 {\n    (0..999).fold(x, |x, i| x.rotate_left(5) ^ \
         i)\n}\nfn main() {\n    let n = std::env::args().count() as u32 + macros::seven!();\n    \
         println!(\"{{\\\"value\\\": {}}}\", hot(n) % 256);\n}\n",
    );
    let variants: String = profiles
        .iter()
        .map(|(name, how)| format!("[[variant]]\nname = \"{name}\"\n{how}\n"))
        .collect();
    lab.write(
        "study/study.toml",
        &format!(
            "schema = 1\nname = \"rusty\"\nbaseline = \"{}\"\n\
             [subject]\ncargo = \"sources\"\nbin = \"app\"\n{variants}{OTHER}",
            profiles[0].0
        ),
    );
    lab
}

#[test]
fn cargo_builds_with_every_kind_of_link_time_optimisation() {
    if !have("cargo") || rust_lld().is_none() {
        return;
    }
    let lab = cargo_lab(&[
        ("fat", "profile = { lto = \"fat\", codegen-units = 1 }"),
        ("thin", "profile = { lto = \"thin\" }"),
        ("none", "profile = { lto = \"off\" }"),
    ]);
    lab.run(&["--smoke"]).exits(0);
    let all = artifacts(&lab, "app");
    assert_eq!(all.len(), 3);
    // All that cargo made; toolchains and systems stay.
    fs::remove_dir_all(lab.path("runs/cache/target")).unwrap();
    for artifact in all {
        let kit = check(&artifact, "app::hot");
        assert_eq!(kit.method(), Method::ShuffledSections);
        assert!(kit.exact(), "the link done again gives the artifact");
    }
}

#[test]
fn cargo_builds_with_a_linker_of_ones_own() {
    if !have("cargo") || !have("gcc") || !have("ld.bfd") {
        return;
    }
    let lab = cargo_lab(&[("plain", "")]);
    lab.write(
        "study/sources/.cargo/config.toml",
        "[target.x86_64-unknown-linux-gnu]\nlinker = \"gcc\"\n",
    );
    lab.write(
        "study/study.toml",
        &lab.read("study/study.toml").replace(
            "name = \"plain\"",
            "name = \"plain\"\nrustflags = [\"-Clink-arg=-fuse-ld=bfd\"]",
        ),
    );
    let kit = check(&built(&lab, "app"), "app::hot");
    assert_eq!(kit.method(), Method::OrderedScript);
}

#[test]
fn a_build_from_what_cargo_still_had_keeps_its_kit() {
    if !have("cargo") || rust_lld().is_none() {
        return;
    }
    let lab = cargo_lab(&[("plain", "")]);
    let artifact = built(&lab, "app");
    fs::remove_dir_all(artifact.parent().unwrap()).unwrap();
    // Cargo finds everything fresh and links nothing.
    check(&built(&lab, "app"), "app::hot");
}

#[test]
fn one_function_in_one_section_is_moved_by_gaps_alone() {
    let Some(folder) = rust_lld().filter(|_| have("gcc")) else {
        return;
    };
    let lab = Lab::empty();
    lab.write(
        "study/src/one.c",
        "void _start(void) { __asm__ volatile(\"syscall\" : : \"a\"(60), \"D\"(0)); \
         __builtin_unreachable(); }\n",
    );
    let flags = ["-O2", "-nostdlib", "-static", "-fuse-ld=lld"];
    lab.write(
        "study/study.toml",
        &format!(
            "schema = 1\nname = \"one\"\nbaseline = \"plain\"\n\
             [subject]\ndir = \"src\"\nartifact = \"one\"\n\
             command = [\"gcc\", {}, \"-B{folder}\", \"-o\", \"one\", \"one.c\"]\n\
             [[variant]]\nname = \"plain\"\n{OTHER}",
            flags.map(|f| format!("{f:?}")).join(", ")
        ),
    );
    check(&built(&lab, "one"), "_start");

    // LLD's shuffling alone has nothing to shuffle.
    let image = |seed: u64| {
        let out = lab.path(&format!("shuffled-{seed}"));
        let done = Command::new("gcc")
            .args(flags)
            .arg(format!("-B{folder}"))
            .arg(format!("-Wl,--shuffle-sections=.text*={seed}"))
            .arg(lab.path("study/src/one.c"))
            .arg("-o")
            .arg(&out)
            .status();
        assert!(done.unwrap().success());
        fs::read(out).unwrap()
    };
    let (one, two) = (image(1), image(2));
    let error = moved(&[(1, &one), (2, &two)], &[]).unwrap_err();
    assert!(matches!(error, LayoutError::NothingMoved { .. }), "{error}");
}
