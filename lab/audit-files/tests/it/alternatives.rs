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
