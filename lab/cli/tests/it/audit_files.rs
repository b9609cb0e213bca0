//! `karat audit` on files that hold others, and with debug information beside them.

use crate::lab::{Lab, have};
use karat_model::audit::SurvivalState;
use karat_model::audit_document::AuditDocument;
use std::fs;
use std::process::Command;

/// `inner` becomes part of `outer`; nothing else is called so.
const SOURCE: &str = "
static inline __attribute__((always_inline)) int inner(int x) {
  for (int i = 0; i < 1000; i++) x = x * 31 ^ i;
  return x;
}
__attribute__((noinline)) int outer(int x) { return inner(x) + 1; }
int main(int c, char **v) { return outer(c); }
";

/// Runs a tool in the lab's folder; false, and a line that says so, if it refuses.
fn tool(lab: &Lab, line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let output = Command::new(words[0])
        .args(&words[1..])
        .current_dir(lab.path(""))
        .output();
    let done = output.is_ok_and(|output| output.status.success());
    if !done {
        println!("SKIPPED: {line} fails on this machine");
    }
    done
}

fn lab() -> Lab {
    let lab = Lab::empty();
    lab.write("k.c", SOURCE);
    lab.write("expect.toml", "functions = [\"inner\"]\n");
    lab
}

/// Audits for `inner`, with further arguments, and returns the document and what was
/// said on stderr.
fn audit(lab: &Lab, args: &[&str]) -> (AuditDocument, String) {
    let always = ["audit", "--format", "json", "--exit-zero"];
    let out = lab.karat(&[&always[..], args].concat()).exits(0);
    let document = serde_json::from_str(&out.stdout).expect("a document");
    (document, out.stderr)
}

const EXPECT: [&str; 2] = ["--expect", "expect.toml"];

#[test]
fn debug_files_are_found_where_debuggers_find_them() {
    let lab = lab();
    for line in [
        "gcc -O2 -g k.c -o whole -Wl,--build-id=0xabcdef0123",
        "objcopy --only-keep-debug whole k.debug",
        "objcopy --strip-all whole k",
        "objcopy --add-gnu-debuglink=k.debug k",
    ] {
        if !tool(&lab, line) {
            return;
        }
    }
    fs::remove_file(lab.path("whole")).unwrap();
    let debug = fs::read(lab.path("k.debug")).unwrap();
    fs::remove_file(lab.path("k.debug")).unwrap();
    for (folders, place) in [
        ("", "k.debug"),
        (".debug", ".debug/k.debug"),
        ("d/.build-id/ab", "d/.build-id/ab/cdef0123.debug"),
        ("d/ab", "d/ab/cdef0123.debug"),
        ("d", "d/k.debug"),
    ] {
        fs::create_dir_all(lab.path(folders)).unwrap();
        fs::write(lab.path(place), &debug).unwrap();
        let (document, said) = audit(&lab, &[&EXPECT[..], &["--debug-dir", "d", "k"]].concat());
        let file = &document.files[0];
        assert_eq!(
            file.audit.survival[0].state,
            SurvivalState::Inlined,
            "{place}"
        );
        assert!(file.debug[0].ends_with(place), "{place}: {:?}", file.debug);
        assert!(said.contains("k: debug information from "), "{said}");
        assert_eq!(file.debug_missing, None);
        fs::remove_file(lab.path(place)).unwrap();
    }
    // It matters where an answer hangs on it, and only there.
    let (document, said) = audit(&lab, &["k"]);
    assert_eq!(said, "");
    let missing = document.files[0].debug_missing.as_ref().expect("a name");
    assert!(missing.contains("k.debug"), "{missing}");
    let (_, said) = audit(&lab, &[&EXPECT[..], &["k"]].concat());
    assert!(said.contains("k.debug, which was not found"), "{said}");
    // Another build's is refused, and the search goes on.
    let mut other = debug.clone();
    let id = [0xab, 0xcd, 0xef, 0x01, 0x23];
    let at = other.windows(5).position(|w| w == id).expect("a build-id");
    other[at] ^= 1;
    fs::write(lab.path("k.debug"), other).unwrap();
    fs::write(lab.path(".debug/k.debug"), debug).unwrap();
    let (document, said) = audit(&lab, &["k"]);
    assert!(document.files[0].debug[0].ends_with(".debug/k.debug"));
    assert!(said.contains("does not belong to the binary"), "{said}");
}

#[test]
fn split_debug_information_is_found() {
    let lab = lab();
    fs::create_dir_all(lab.path("o")).unwrap();
    for line in [
        "gcc -O2 -gdwarf-4 -gsplit-dwarf -c k.c -o o/k.o",
        "gcc o/k.o -o k",
    ] {
        if !tool(&lab, line) {
            return;
        }
    }
    let state = |args: &[&str]| {
        let (document, said) = audit(&lab, &[&EXPECT[..], args].concat());
        let file = document.files.into_iter().next().expect("a file");
        (file.audit.survival[0].state, file.debug, said)
    };
    // Where the compiler put it.
    let (found, debug, _) = state(&["k"]);
    assert_eq!(found, SurvivalState::Inlined);
    assert!(debug[0].ends_with("o/k.dwo"), "{debug:?}");
    fs::rename(lab.path("o"), lab.path("moved")).unwrap();
    let (found, debug, said) = state(&["k"]);
    assert_eq!((found, debug.len()), (SurvivalState::Gone, 0));
    assert!(said.contains("1 of 1 files were not found"), "{said}");
    let (found, ..) = state(&["--debug-dir", "moved", "k"]);
    assert_eq!(found, SurvivalState::Inlined);
    if tool(&lab, "dwp moved/k.dwo -o k.dwp") {
        let (found, debug, _) = state(&["k"]);
        assert_eq!(found, SurvivalState::Inlined);
        assert!(debug[0].ends_with("k.dwp"), "{debug:?}");
    }
}

#[test]
fn where_gates_are_not_looked_for_what_is_above_is_unknown() {
    let lab = lab();
    lab.write(
        "above.c",
        "float dot(const float *a, const float *b) {\n  float sum[8] = {0}, all = 0;\n  for (int \
         i = 0; i < 4096; i++)\n    sum[i & 7] += a[i] * b[i];\n  for (int i = 0; i < 8; i++) all \
         += sum[i];\n  return all;\n}\nlong add(long *at) { return __atomic_fetch_add(at, 1, 5); }\n",
    );
    let above = [
        (
            "pe",
            "x86_64-pc-windows-msvc -mavx2",
            "x86-64-v2 is UNKNOWN: avx ",
        ),
        (
            "macho",
            "x86_64-apple-macos -mavx2",
            "x86-64-v2 is UNKNOWN: avx ",
        ),
        (
            "arm",
            "aarch64-linux-gnu -march=armv8.1-a",
            "Armv8.0 is UNKNOWN: lse 1",
        ),
        (
            "plain",
            "aarch64-linux-gnu -mno-outline-atomics",
            "no instructions above Armv8.0",
        ),
    ];
    for (name, target, words) in above {
        let line = format!("clang --target={target} -O2 -c above.c -o {name}");
        if !have("clang") || !tool(&lab, &line) {
            return;
        }
        let (document, said) = audit(&lab, &[name, "--isa", "x86-64-v2"]);
        let file = &document.files[0];
        assert!(file.audit.leaks.is_none());
        assert!(file.notes[0].contains(words), "{:?}", file.notes);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn objects_and_archives_are_audited() {
    let lab = lab();
    lab.write("words.txt", "no object\n");
    for line in ["gcc -O2 -g1 -c k.c -o k.o", "ar rcs libk.a k.o words.txt"] {
        if !tool(&lab, line) {
            return;
        }
    }
    let (document, said) = audit(&lab, &["k.o", "libk.a", "--isa", "x86-64"]);
    let [object, archive] = &document.files[..] else {
        panic!("{document:?}");
    };
    assert_eq!(object.audit.format, "ELF x86-64 object");
    assert_eq!(archive.audit.format, "archive of 1 ELF x86-64 member");
    assert_eq!(object.audit.total, archive.audit.total);
    assert_eq!(archive.skipped[0].name, "words.txt");
    // The census stands although the search for leaks is for other files.
    for file in [object, archive] {
        assert!(file.audit.leaks.is_none());
        assert!(
            file.notes[0].starts_with("--isa: not looked for"),
            "{file:?}"
        );
        assert!(said.contains(&file.notes[0]), "{said}");
    }
    let text = lab.karat(&["audit", "libk.a"]).exits(0).stdout;
    assert!(text.contains("not read: words.txt ("), "{text}");
    let (document, _) = audit(&lab, &["libk.a", "--baseline", "k.o"]);
    assert!(document.files[0].audit.bloat.is_some());

    lab.write(
        "l.rs",
        "#[inline(never)]\npub fn twice(x: u32) -> u32 { x * 2 }\n",
    );
    if tool(
        &lab,
        "rustc --crate-type=rlib --crate-name=l -O l.rs -o libl.rlib",
    ) {
        let (document, _) = audit(&lab, &["libl.rlib"]);
        let file = &document.files[0];
        assert!(
            file.audit.format.starts_with("archive of 2 ELF"),
            "{file:?}"
        );
        assert!(file.audit.total.instructions > 0, "{file:?}");
    }
}

#[test]
fn each_slice_of_a_fat_file_is_audited() {
    let lab = lab();
    let targets = [
        ("arm64", "arm64-apple-macos", 0x0100_000c_u32),
        ("x86_64", "x86_64-apple-macos", 0x0100_0007),
    ];
    let mut fat = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2];
    let mut slices: Vec<u8> = Vec::new();
    for (name, target, cpu) in targets {
        let line = format!("clang --target={target} -O2 -g1 -c k.c -o {name}");
        if !have("clang") || !tool(&lab, &line) {
            return;
        }
        let bytes = fs::read(lab.path(name)).unwrap();
        let offset = 4096 + slices.len();
        for word in [cpu, 0, offset as u32, bytes.len() as u32, 12] {
            fat.extend(word.to_be_bytes());
        }
        slices.extend(bytes);
        slices.resize(slices.len().next_multiple_of(4096), 0);
    }
    fat.resize(4096, 0);
    fat.extend(slices);
    fs::write(lab.path("fat"), &fat).unwrap();
    let (document, _) = audit(&lab, &["fat", "--baseline", "fat", "--isa", "x86-64"]);
    let labels: Vec<String> = document.files.iter().map(|f| f.label()).collect();
    assert_eq!(labels, ["fat (AArch64)", "fat (x86-64)"]);
    for file in &document.files {
        // Each against the slice of its own machine.
        let bloat = file.audit.bloat.as_ref().expect("growth");
        assert_eq!(bloat.functions_differ, 0, "{}", file.label());
        assert_eq!(file.notes.len(), 1, "{:?}", file.notes);
    }
    let text = lab.karat(&["audit", "fat"]).exits(0).stdout;
    for words in ["fat (AArch64)", "fat (x86-64)"] {
        assert!(text.contains(words), "{text}");
    }
    let (document, said) = audit(&lab, &["arm64", "--baseline", "x86_64"]);
    assert!(document.files[0].audit.bloat.is_none());
    assert!(
        said.contains("another machine (Mach-O x86-64 object)"),
        "{said}"
    );
}
