//! Files that something picks among by name, made of libraries that are linked here.

use crate::tools::{Dir, run};
use karat_audit::{Baseline, Vouched};
use karat_audit_files::{Request, document};
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::catalogue::Expected;
use karat_model::leaks::{LeakReport, Reach};
use std::path::Path;

/// What `sum` does is in a function of its own: `sum` itself would only be exported.
const KERNEL: &[u8] = b"\
__attribute__((noinline)) static int inner(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i] * p[i];
    return s;
}
int sum(const int *p, int n) { return inner(p, n); }
";
/// Opens one of two libraries; which one goes by a number that nothing here tells.
const CORE: &[u8] = b"\
#include <dlfcn.h>
void *core(int which) { return dlopen(which ? \"libk_avx2.so\" : \"libk_def.so\", RTLD_NOW); }
";

struct Made {
    dir: Dir,
}

impl Made {
    fn new() -> Self {
        let dir = Dir::new();
        dir.write("k.c", KERNEL);
        dir.write("core.c", CORE);
        std::fs::create_dir(dir.path.join("w")).unwrap();
        Self { dir }
    }

    /// Links `w/NAME` of a source.
    fn library(&self, source: &str, name: &str, more: &[&str]) -> Option<()> {
        let out = format!("w/{name}");
        // Files with the same bytes are audited once.
        let soname = format!("-Wl,-soname,{}", name.rsplit('/').next().unwrap());
        let flags = ["-O3", "-shared", "-fPIC", source, "-o", &out, &soname];
        run(&self.dir, "gcc", &[&flags, more].concat())
    }

    fn audit(&self, what: &str) -> AuditDocument {
        audit(&self.dir.path.join(what))
    }
}

fn audit(path: &Path) -> AuditDocument {
    let isa = Baseline::parse("x86-64-v2").unwrap();
    let request = Request {
        files: &[path.to_owned()],
        baseline: None,
        isa: Some(&isa),
        vouched: &Vouched::default(),
        catalogues: &[],
        expected: &Expected::default(),
        top: 5,
        debug_dirs: &[],
        karat: "0",
    };
    document(&request, &mut |_| {}).expect("a document")
}

fn file<'d>(document: &'d AuditDocument, name: &str) -> &'d AuditedFile {
    let mut files = document.files.iter();
    files.find(|file| file.path.ends_with(name)).expect(name)
}

fn leaks<'d>(document: &'d AuditDocument, name: &str) -> &'d LeakReport {
    file(document, name).audit.leaks.as_ref().expect(name)
}

/// The functions of each state that matters here: leaks and unknown ones.
fn states(document: &AuditDocument, name: &str) -> (u64, u64) {
    let counts = &leaks(document, name).counts;
    (counts.leaks, counts.unknown)
}

#[test]
fn a_library_that_is_opened_by_name_or_another_instead_is_unknown() {
    let made = Made::new();
    let all = made
        .library("k.c", "libk_avx2.so", &["-mavx2"])
        .and_then(|()| made.library("k.c", "libk_def.so", &[]))
        .and_then(|()| made.library("core.c", "libcore.so", &[]))
        .and_then(|()| run(&made.dir, "tar", &["-czf", "w.tgz", "-C", "w", "."]));
    if all.is_none() {
        return;
    }
    for what in ["w", "w.tgz"] {
        let found = made.audit(what);
        let report = leaks(&found, "libk_avx2.so");
        let picked = report.picked.as_ref().expect("what picks it");
        assert!(picked.by.ends_with("libcore.so"), "{picked:?}");
        assert!(picked.other.ends_with("libk_def.so"), "{picked:?}");
        assert_eq!(states(&found, "libk_avx2.so"), (0, 1), "{what}");
        let inner = &report.functions[0];
        assert_eq!(inner.reach, Reach::Unknown);
        assert!(
            inner
                .reason
                .contains("libcore.so names this file and libk_def.so")
        );
        assert!(!found.has_error(), "{:?}", found.findings);
        let codes: Vec<&str> = found.findings.iter().map(|f| f.code.as_str()).collect();
        assert!(codes.contains(&"KA012"), "{codes:?}");
    }
}

#[test]
fn one_that_is_linked_or_that_has_no_harmless_other_leaks() {
    let made = Made::new();
    let libraries = made
        .library("k.c", "libk_avx2.so", &["-mavx2"])
        .and_then(|()| made.library("core.c", "libcore.so", &[]));
    if libraries.is_none() {
        return;
    }
    // There is no other.
    assert_eq!(states(&made.audit("w"), "libk_avx2.so"), (1, 0));
    // The other needs as much.
    if made
        .library("k.c", "libk_def.so", &["-mavx2", "-funroll-loops"])
        .is_none()
    {
        return;
    }
    let found = made.audit("w");
    assert_eq!(states(&found, "libk_avx2.so"), (1, 0));
    assert_eq!(states(&found, "libk_def.so"), (1, 0));
    // It is always loaded, since something is linked with it.
    made.library("k.c", "libk_def.so", &[]).unwrap();
    assert_eq!(states(&made.audit("w"), "libk_avx2.so"), (0, 1));
    made.dir.write(
        "user.c",
        b"int sum(const int *, int); int user(int x) { return sum(&x, 1); }\n",
    );
    let linked = ["-Lw", "-l:libk_avx2.so"];
    if made.library("user.c", "libuser.so", &linked).is_some() {
        assert_eq!(states(&made.audit("w"), "libk_avx2.so"), (1, 0));
    }
}

#[test]
fn a_script_picks_by_words_for_cpus() {
    let made = Made::new();
    let modules = [
        ("fast_avx2.cpython-311-x86_64-linux-gnu.so", "-mavx2"),
        ("fast.cpython-311-x86_64-linux-gnu.so", "-O3"),
        ("ext_a.abi3.so", "-mavx2"),
        ("ext_b.abi3.so", "-funroll-loops"),
    ];
    for (name, flag) in modules {
        if made.library("k.c", name, &[flag]).is_none() {
            return;
        }
    }
    let name = "fast_avx2.cpython-311-x86_64-linux-gnu.so";
    // Nothing names them.
    assert_eq!(states(&made.audit("w"), name), (1, 0));
    made.dir.write(
        "w/load.py",
        b"from . import ext_a, ext_b\n\
          if has('avx2'):\n    from .fast_avx2 import sum\nelse:\n    from .fast import sum\n",
    );
    let found = made.audit("w");
    assert_eq!(states(&found, name), (0, 1));
    // What a script names is imported: only a word for what CPUs have tells of a choice.
    assert_eq!(states(&found, "ext_a.abi3.so"), (1, 0));
    // A list of the files is no script.
    std::fs::rename(
        made.dir.path.join("w/load.py"),
        made.dir.path.join("w/RECORD"),
    )
    .unwrap();
    assert_eq!(states(&made.audit("w"), name), (1, 0));
}

#[test]
fn a_dispatcher_in_shell_asks_for_the_word_in_the_name() {
    let made = Made::new();
    // As Debian has them: there may be no file for the baseline.
    let all = made
        .library("k.c", "tool-avx2", &["-mavx2"])
        .and_then(|()| made.library("k.c", "tool-avx", &["-mavx", "-mno-avx2"]));
    if all.is_none() {
        return;
    }
    let dispatch = "#!/bin/sh\nfor SIMD in avx2 avx; do\n  grep -q $SIMD /proc/cpuinfo && exec \
                    $0-$SIMD\ndone\nexec $0-plain\n";
    made.dir.write("w/dispatch", dispatch.as_bytes());
    let found = made.audit("w");
    assert_eq!(states(&found, "tool-avx2"), (0, 1));
    let picked = leaks(&found, "tool-avx2").picked.as_ref().unwrap();
    assert_eq!(picked.asks.as_deref(), Some("avx2"));
    assert!(picked.by.ends_with("w/dispatch") && picked.other.ends_with("w/tool-avx"));
    // It starts whatever there is, and asks nothing.
    let blind = dispatch.replace("grep -q $SIMD /proc/cpuinfo", "test -x $0-$SIMD");
    made.dir.write("w/dispatch", blind.as_bytes());
    assert_eq!(states(&made.audit("w"), "tool-avx2"), (1, 0));
}

#[test]
fn a_script_picks_folders_by_words_for_cpus() {
    let made = Made::new();
    for folder in ["dist_avx2", "dist", "loose_avx2"] {
        std::fs::create_dir_all(made.dir.path.join("w").join(folder)).unwrap();
    }
    made.dir.write(
        "user.c",
        b"int sum(const int *, int); int user(int x) { return sum(&x, 1); }\n",
    );
    // Within the folder files may be linked with one another.
    let user = |folder: &str| {
        let place = format!("-Lw/{folder}");
        let more = [&place, "-l:libk.so", "-Wl,-rpath,$ORIGIN"];
        made.library("user.c", &format!("{folder}/libuser.so"), &more)
    };
    let name = "dist_avx2/libk.so";
    let all = made
        .library("k.c", name, &["-mavx2"])
        .and_then(|()| made.library("k.c", "dist/libk.so", &[]))
        .and_then(|()| made.library("k.c", "loose_avx2/libk.so", &["-mavx2", "-funroll-loops"]))
        .and_then(|()| user("dist_avx2"));
    if all.is_none() {
        return;
    }
    assert_eq!(states(&made.audit("w"), name), (1, 0));
    let text = b"folder = 'dist_avx2' if has_avx2() else 'dist'\n";
    made.dir.write("w/load.py", text);
    let found = made.audit("w");
    assert_eq!(states(&found, name), (0, 1));
    let picked = leaks(&found, name).picked.as_ref().unwrap();
    assert!(picked.other.ends_with("dist/libk.so"), "{picked:?}");
    // The script does not name that folder.
    assert_eq!(states(&found, "loose_avx2/libk.so"), (1, 0));
    // What is linked with it from elsewhere has it loaded always.
    let outside = [
        "-Lw/dist_avx2",
        "-l:libk.so",
        "-Wl,-rpath,$ORIGIN/dist_avx2",
    ];
    made.library("user.c", "libother.so", &outside).unwrap();
    assert_eq!(states(&made.audit("w"), name), (1, 0));
}

/// Windows' programs have names in two bytes a character.
#[test]
fn a_windows_library_opens_one_of_two() {
    let made = Made::new();
    made.dir.write(
        "core.c",
        b"__declspec(dllimport) void *LoadLibraryW(const unsigned short *);\n\
          __declspec(dllexport) void *core(int which) {\n\
              return LoadLibraryW(which ? L\"k_avx2.dll\" : L\"k_def.dll\");\n}\n",
    );
    let build = |source: &str, name: &str, more: &[&str]| {
        let out = format!("w/{name}");
        let flags = [
            "-O3",
            "-s",
            "-shared",
            "-nostdlib",
            "-Wl,-e,0",
            source,
            "-o",
            &out,
        ];
        run(
            &made.dir,
            "x86_64-w64-mingw32-gcc",
            &[&flags, more].concat(),
        )
    };
    let all = build("k.c", "k_avx2.dll", &["-mavx2"])
        .and_then(|()| build("k.c", "k_def.dll", &["-Wl,--out-implib,k.lib"]))
        .and_then(|()| build("core.c", "core.dll", &["-lkernel32"]));
    if all.is_none() {
        return;
    }
    let found = made.audit("w");
    assert_eq!(states(&found, "k_avx2.dll"), (0, 1));
    let picked = leaks(&found, "k_avx2.dll").picked.as_ref().unwrap();
    assert!(picked.by.ends_with("core.dll"), "{picked:?}");
    // Windows looks for names in either case: who is linked with it has it loaded.
    made.dir.write(
        "user.c",
        b"int sum(const int *, int); int user(int x) { return sum(&x, 1); }\n",
    );
    std::fs::copy(
        made.dir.path.join("w/k_avx2.dll"),
        made.dir.path.join("K_AVX2.dll"),
    )
    .unwrap();
    build("user.c", "user.dll", &["K_AVX2.dll"]).unwrap();
    assert_eq!(states(&made.audit("w"), "k_avx2.dll"), (1, 0));
}

#[test]
fn a_library_of_macos_opens_one_of_two() {
    let made = Made::new();
    made.dir.write(
        "core.c",
        b"void *dlopen(const char *, int);\n\
          void *core(int which) { return dlopen(which ? \"@rpath/libk_avx2.dylib\" : \
          \"@rpath/libk_def.dylib\", 2); }\n",
    );
    let target = "--target=x86_64-apple-macos11";
    let build = |source: &str, name: &str, flag: &str, more: &[&str]| {
        run(
            &made.dir,
            "clang",
            &[target, "-O3", flag, "-c", source, "-o", "o.o"],
        )?;
        let named = format!("@rpath/{name}");
        let out = format!("w/{name}");
        let flags = "-arch x86_64 -platform_version macos 11 11 -dylib -undefined dynamic_lookup";
        let flags: Vec<&str> = flags.split(' ').collect();
        let own = ["-install_name", &named, "o.o", "-o", &out];
        run(&made.dir, "ld64.lld-14", &[&flags, &own[..], more].concat())
    };
    let all = build("k.c", "libk_avx2.dylib", "-mavx2", &[])
        .and_then(|()| build("k.c", "libk_def.dylib", "-O3", &[]))
        .and_then(|()| build("core.c", "libcore.dylib", "-O3", &[]));
    if all.is_none() {
        return;
    }
    assert_eq!(states(&made.audit("w"), "libk_avx2.dylib"), (0, 1));
    // It is linked.
    made.dir.write(
        "user.c",
        b"int sum(const int *, int); int user(int x) { return sum(&x, 1); }\n",
    );
    build("user.c", "libuser.dylib", "-O3", &["w/libk_avx2.dylib"]).unwrap();
    assert_eq!(states(&made.audit("w"), "libk_avx2.dylib"), (1, 0));
}

/// What lies beside files that may be picked is not all sound: nothing hangs or takes memory
/// that there is not.
#[test]
fn scripts_may_be_of_any_size_and_kind() {
    let made = Made::new();
    let all = made
        .library("k.c", "sum_avx2.so", &["-mavx2"])
        .and_then(|()| made.library("k.c", "sum.so", &[]));
    if all.is_none() {
        return;
    }
    let w = made.dir.path.join("w");
    // As large as a disk, but for what is written.
    let large = std::fs::File::create(w.join("large.py")).unwrap();
    large.set_len(1 << 42).unwrap();
    made.dir.write("w/none.sh", b"");
    made.dir.write("w/bytes.py", &[0xff; 1 << 16]);
    made.dir.write("w/short.so", b"\x7fELF");
    made.dir.write("w/short.dll", b"MZ\0\0");
    let library = made.dir.read("w/sum.so");
    made.dir.write("w/cut.so", &library[..library.len() / 3]);
    for (target, name) in [
        ("loop.py", "loop.py"),
        ("two.py", "one.py"),
        ("one.py", "two.py"),
        ("/dev/zero", "zero.py"),
        ("gone", "gone.py"),
        (".", "here"),
    ] {
        std::os::unix::fs::symlink(target, w.join(name)).unwrap();
    }
    if run(&made.dir, "mkfifo", &["w/pipe.py", "w/pipe.so"]).is_none() {
        return;
    }
    assert_eq!(states(&made.audit("w"), "sum_avx2.so"), (1, 0));
    made.dir.write("w/zzz.py", b"import sum_avx2, sum\n");
    assert_eq!(states(&made.audit("w"), "sum_avx2.so"), (0, 1));
}

#[test]
fn a_folder_of_the_loader_for_a_level_raises_the_baseline() {
    let made = Made::new();
    let folder = "glibc-hwcaps/x86-64-v3";
    std::fs::create_dir_all(made.dir.path.join("w").join(folder)).unwrap();
    let fine = format!("{folder}/libk.so");
    let more = format!("{folder}/libl.so");
    let wide = ["-mavx512f", "-mprefer-vector-width=512"];
    let all = made
        .library("k.c", &fine, &["-mavx2"])
        .and_then(|()| made.library("k.c", &more, &wide));
    if all.is_none() {
        return;
    }
    let found = made.audit("w");
    assert_eq!(leaks(&found, &fine).counts.above, 0);
    assert_eq!(leaks(&found, &fine).baseline, "x86-64-v2+x86-64-v3");
    assert!(
        file(&found, &fine)
            .notes
            .iter()
            .any(|note| note.contains("glibc-hwcaps"))
    );
    // The loader asks for AVX2 there, not for AVX-512.
    assert_eq!(states(&found, &more), (1, 0));
}
