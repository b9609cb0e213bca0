//! The formats and machines beside linked ELF x86-64, in files made by the tools of
//! this machine.

use crate::build::cc;
use crate::tools::{Dir, run};
use karat_audit::{Options, audit, audit_file};
use karat_model::audit::{BinaryAudit, SurvivalState};
use std::num::NonZeroUsize;

/// Code with vectors, a call that stays one, and a switch that becomes a table.
const SOURCE: &str = "
typedef float v4 __attribute__((vector_size(16)));
__attribute__((noinline)) v4 mix(v4 a, v4 b) {
  for (int i = 0; i < 9; i++) { a = a * b + a; b = b - a; }
  return a;
}
__attribute__((noinline)) int hot(int x) {
  int s = 0;
  for (int i = 0; i < x; i++) s = s * 31 ^ x;
  return s;
}
int _fltused;
int main(int c, char **v) {
  v4 a = {c, 1, 2, 3};
  return hot(c) + (int)mix(a, a)[0];
}
";

const CLANG: &[&str] = &["-O2", "-g1", "-fno-unwind-tables", "-c", "k.c", "-o"];

/// An object for a target of clang; none without clang.
fn object(dir: &Dir, target: &str) -> Option<String> {
    dir.write("k.c", SOURCE.as_bytes());
    let name = format!("{target}.o");
    let target = format!("--target={target}");
    run(
        dir,
        "clang",
        &[&[target.as_str()], CLANG, &[name.as_str()]].concat(),
    )?;
    Some(name)
}

/// A file of every kind that can be made here, with a name.
pub fn samples() -> Vec<(String, Vec<u8>)> {
    let dir = Dir::new();
    let mut out = Vec::new();
    let mut names = Vec::new();
    for target in TARGETS {
        if let Some(name) = object(&dir, target) {
            out.push((name.clone(), dir.read(&name)));
            names.push(name);
        }
    }
    let members: Vec<&str> = names.iter().map(String::as_str).collect();
    let exe = [
        "/entry:main",
        "/subsystem:console",
        "/nodefaultlib",
        "/export:mix",
    ];
    let windows = ["/out:k.exe", "x86_64-pc-windows-msvc.o"];
    let mac = [
        "-arch",
        "arm64",
        "-platform_version",
        "macos",
        "11",
        "11",
        "-e",
        "_main",
    ];
    for (tool, args, name) in [
        ("ar", [&["rcs", "k.a"], &members[..]].concat(), "k.a"),
        ("lld-link", [&exe[..], &windows].concat(), "k.exe"),
        (
            "ld64.lld-14",
            [&mac[..], &["-o", "mac", "arm64-apple-macos.o"]].concat(),
            "mac",
        ),
        (
            "llvm-lipo-14",
            vec!["-create", "mac", "-output", "fat"],
            "fat",
        ),
    ] {
        // `ar` would make an archive of nothing.
        if members.is_empty() {
            println!("SKIPPED: {name}, since there is no clang on this machine");
        } else if run(&dir, tool, &args).is_some() {
            out.push((name.to_string(), dir.read(name)));
        }
    }
    out
}

const TARGETS: [&str; 6] = [
    "x86_64-linux-gnu",
    "aarch64-linux-gnu",
    "x86_64-apple-macos",
    "arm64-apple-macos",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
];

fn one(bytes: &[u8]) -> BinaryAudit {
    let expected = ["mix".to_string(), "hot".to_string()];
    let options = Options {
        expected: &expected,
        ..Default::default()
    };
    audit(bytes, &options).expect("a sound file")
}

/// Both functions are there, and `mix` has the vector code of its machine.
fn assert_found(audit: &BinaryAudit) {
    assert_eq!(audit.total.undecodable, 0, "{audit:?}");
    for survival in &audit.survival {
        assert_eq!(survival.state, SurvivalState::Present, "{audit:?}");
    }
    let mix = &audit.survival[0];
    let (vector, none) = match audit.format.contains("AArch64") {
        true => (mix.census.simd, mix.census.xmm),
        false => (mix.census.xmm, mix.census.simd),
    };
    assert!(vector > 5 && none == 0, "{audit:?}");
    let name = if vector == mix.census.simd {
        "fadd"
    } else {
        "addps"
    };
    let named = mix.mix.keys().any(|m| m.starts_with(name) || m == "fmla");
    assert!(named, "{:?}", mix.mix);
    let sections: u64 = audit.sections.iter().map(|s| s.census.instructions).sum();
    assert_eq!(sections, audit.total.instructions);
}

#[test]
fn objects_of_every_format_and_machine() {
    let dir = Dir::new();
    for (target, format) in [
        ("x86_64-linux-gnu", "ELF x86-64 object"),
        ("aarch64-linux-gnu", "ELF AArch64 object"),
        ("x86_64-apple-macos", "Mach-O x86-64 object"),
        ("arm64-apple-macos", "Mach-O AArch64 object"),
        ("x86_64-pc-windows-msvc", "COFF x86-64 object"),
        ("aarch64-pc-windows-msvc", "COFF AArch64 object"),
    ] {
        let Some(name) = object(&dir, target) else {
            return;
        };
        let audit = one(&dir.read(&name));
        assert_eq!(audit.format, format);
        assert_found(&audit);
        // Windows objects have CodeView. In the others addresses come by relocation.
        if !target.contains("windows") {
            let directory = dir.path.file_name().unwrap().to_string_lossy();
            assert_eq!(audit.crates[0].name, directory, "{target}: {audit:?}");
        }
    }
}

#[test]
fn archives_are_summed_and_name_their_members() {
    let dir = Dir::new();
    let Some(name) = object(&dir, "x86_64-linux-gnu") else {
        return;
    };
    let single = one(&dir.read(&name));
    std::fs::copy(dir.path.join(&name), dir.path.join("second.o")).unwrap();
    dir.write("notes.txt", b"not an object\n");
    let Some(()) = run(
        &dir,
        "ar",
        &["rcs", "libk.a", &name, "second.o", "notes.txt"],
    ) else {
        return;
    };
    let bytes = dir.read("libk.a");
    let file = audit_file(&bytes, &Options::default()).expect("a sound archive");
    assert_eq!(file.read.len(), 2);
    assert_eq!(file.skipped.len(), 1);
    assert_eq!(file.skipped[0].name, "notes.txt");
    let sum = one(&bytes);
    assert_eq!(sum.format, "archive of 2 ELF x86-64 members");
    assert_eq!(sum.total.instructions, 2 * single.total.instructions);
    assert_eq!(sum.code_bytes, 2 * single.code_bytes);
    assert_eq!(sum.functions_total, 2 * single.functions_total);
    assert_eq!(
        sum.survival[0].mix["addps"],
        2 * single.survival[0].mix["addps"]
    );
    let names: Vec<_> = sum.functions.iter().map(|f| f.name.as_str()).collect();
    assert!(names.contains(&"mix (second.o)"), "{names:?}");
    let mut addresses: Vec<_> = sum.functions.iter().map(|f| f.address).collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), sum.functions.len());
    // Cut in the middle of the second member.
    let error = audit(&bytes[..bytes.len() - 2000], &Options::default()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("archive") || text.contains("second.o"),
        "{text}"
    );
}

#[test]
fn mach_o_programs_alone_and_fat() {
    let dir = Dir::new();
    for (target, arch) in [
        ("x86_64-apple-macos", "x86_64"),
        ("arm64-apple-macos", "arm64"),
    ] {
        let Some(name) = object(&dir, target) else {
            return;
        };
        let linked = run(
            &dir,
            "ld64.lld-14",
            &[
                "-arch",
                arch,
                "-platform_version",
                "macos",
                "11",
                "11",
                "-e",
                "_main",
                "-o",
                arch,
                &name,
            ],
        );
        if linked.is_none() {
            return;
        }
        let audit = one(&dir.read(arch));
        let machine = if arch == "arm64" { "AArch64" } else { "x86-64" };
        assert_eq!(audit.format, format!("Mach-O {machine}"));
        assert_found(&audit);
        assert_eq!(audit.sections[0].name, "__TEXT,__text");
    }
    let args = ["-create", "x86_64", "arm64", "-output", "fat"];
    let Some(()) = run(&dir, "llvm-lipo-14", &args) else {
        return;
    };
    let bytes = dir.read("fat");
    let file = audit_file(&bytes, &Options::default()).unwrap();
    let mut formats: Vec<_> = file.audits.iter().map(|a| a.format.as_str()).collect();
    formats.sort_unstable();
    assert_eq!(formats, ["Mach-O AArch64", "Mach-O x86-64"]);
    let error = audit(&bytes, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("several machines"), "{error}");
}

#[test]
fn pe_programs_by_exports_and_unwind_table() {
    let dir = Dir::new();
    for (target, machine, name) in [
        ("x86_64-pc-windows-msvc", "/machine:x64", "PE x86-64"),
        ("aarch64-pc-windows-msvc", "/machine:arm64", "PE AArch64"),
    ] {
        let Some(object) = object(&dir, target) else {
            return;
        };
        let args = [
            "/entry:main",
            "/subsystem:console",
            "/nodefaultlib",
            machine,
            "/export:mix",
            "/export:hot",
            "/out:k.exe",
            &object,
        ];
        let Some(()) = run(&dir, "lld-link", &args) else {
            return;
        };
        let audit = one(&dir.read("k.exe"));
        assert_eq!(audit.format, name);
        assert_found(&audit);
        // `main` is not exported: only the unwind table has it.
        let by_table = audit
            .functions
            .iter()
            .any(|f| f.name.starts_with("[fde 0x14000"));
        assert!(by_table, "{:?}", audit.functions);
    }
}

#[test]
fn any_number_of_threads_counts_the_same() {
    // Large enough for several chunks, and on every Linux machine.
    let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let audit = |threads| {
        let options = Options {
            top_functions: usize::MAX,
            threads: NonZeroUsize::new(threads),
            ..Default::default()
        };
        let mut audit = audit(&bytes, &options).unwrap();
        audit.seconds = 0.0;
        audit
    };
    let one = audit(1);
    assert!(one.code_bytes > 3 << 19, "{}", one.code_bytes);
    for threads in [2, 3, 8] {
        assert_eq!(audit(threads), one, "{threads} threads");
    }
}

/// Data that the file marks is not decoded; BOLT's and others' is told apart
/// elsewhere.
#[test]
fn mapping_symbols_tell_data_from_code() {
    let dir = Dir::new();
    dir.write(
        "d.s",
        b".text\n.globl f\n.type f,%function\nf: add v0.4s,v1.4s,v2.4s\n ret\n\
          .word 0x4ea28420\n.word 1\n fadd d0,d0,d0\n ret\n.size f,.-f\n",
    );
    let Some(()) = run(&dir, "aarch64-linux-gnu-as", &["d.s", "-o", "d.o"]) else {
        return;
    };
    let audit = audit(&dir.read("d.o"), &Options::default()).unwrap();
    assert_eq!(
        (audit.total.instructions, audit.total.simd),
        (4, 2),
        "{audit:?}"
    );
    assert_eq!(audit.total.undecodable, 0);
    assert_eq!((audit.apart.len(), audit.apart[0].bytes), (1, 8));
    assert!(audit.apart[0].why.starts_with("data"), "{:?}", audit.apart);
    let object = cc("copies.c", &["-O2", "-c"]).bytes;
    assert_eq!(one(&object).apart, []);
}
