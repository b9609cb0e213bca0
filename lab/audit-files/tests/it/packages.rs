//! Packages and folders made of libraries that are linked here.

use crate::tools::{Dir, run};
use karat_audit::Vouched;
use karat_audit_files::packages::{Siblings, gather};
use karat_audit_files::{Request, document};
use karat_model::audit_document::AuditDocument;
use karat_model::catalogue::Expected;
use karat_model::facts::Grade;
use karat_model::package::FoundBy;
use std::path::{Path, PathBuf};

/// `m/ext.so` needs `libinner.so` in `m.libs`, which it finds by its RUNPATH.
fn wheel(dir: &Dir) -> Option<()> {
    std::fs::create_dir_all(dir.path.join("w/m.libs")).unwrap();
    std::fs::create_dir_all(dir.path.join("w/m")).unwrap();
    dir.write("inner.c", b"int inner(int x) { return x * 3; }\n");
    dir.write(
        "ext.c",
        b"int inner(int); int ext(int x) { return inner(x) + 1; }\n",
    );
    let inner = "inner.c -o w/m.libs/libinner.so -Wl,-soname,libinner.so";
    let ext = "ext.c -o w/m/ext.so -Lw/m.libs -linner \
               -Wl,--enable-new-dtags,-rpath,$ORIGIN/../m.libs";
    for line in [inner, ext] {
        let flags = ["-O1", "-shared", "-fPIC"];
        let words: Vec<&str> = flags.into_iter().chain(line.split(' ')).collect();
        let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
        run(dir, "gcc", &words)?;
    }
    std::fs::copy(dir.path.join("w/m/ext.so"), dir.path.join("w/m/copy.so")).unwrap();
    dir.write("w/m/data.txt", b"no binary");
    Some(())
}

fn audit(files: &[PathBuf], baseline: Option<&Path>) -> AuditDocument {
    let request = Request {
        files,
        baseline,
        isa: None,
        vouched: &Vouched::default(),
        catalogues: &[],
        expected: &Expected::default(),
        top: 5,
        debug_dirs: &[],
        karat: "0",
    };
    document(&request, &mut |_| {}).expect("a document")
}

#[test]
fn a_folder_and_an_archive_of_it_give_the_same() {
    let dir = Dir::new();
    let made = wheel(&dir).and_then(|()| run(&dir, "tar", &["-czf", "w.tgz", "-C", "w", "."]));
    if made.is_none() {
        return;
    }
    for (name, kind) in [("w", "folder"), ("w.tgz", "tar archive")] {
        let root = dir.path.join(name);
        let found = audit(std::slice::from_ref(&root), None);
        assert!(found.failed.is_empty(), "{:?}", found.failed);
        let [package] = &found.packages[..] else {
            panic!("{name}: {:?}", found.packages);
        };
        assert_eq!(
            (package.kind.as_str(), package.binaries),
            (kind, 3),
            "{name}"
        );
        // What is there twice is audited once.
        let below = |path: &str| path[root.display().to_string().len() + 1..].to_owned();
        let mut files: Vec<Vec<String>> = found
            .files
            .iter()
            .map(|f| {
                let mut names: Vec<String> = [&f.path]
                    .into_iter()
                    .chain(&f.same)
                    .map(|n| below(n))
                    .collect();
                names.sort();
                names
            })
            .collect();
        files.sort();
        assert_eq!(
            files,
            [vec!["m.libs/libinner.so"], vec!["m/copy.so", "m/ext.so"]]
        );
        let linked: Vec<_> = package.linked.iter().flat_map(|l| &l.needs).collect();
        let inner = linked.iter().find(|n| n.name == "libinner.so").unwrap();
        assert_eq!(inner.by, Some(FoundBy::Runpath), "{name}");
        assert_eq!(inner.symbols, 1);
        assert_eq!(
            below(inner.sibling.as_deref().unwrap()),
            "m.libs/libinner.so"
        );
    }
}

/// A Debian package begins as a static library does.
#[test]
fn a_debian_package_is_opened_in_a_folder_and_in_an_archive() {
    let dir = Dir::new();
    std::fs::create_dir_all(dir.path.join("w")).unwrap();
    dir.write("in.c", b"int in(int x) { return x + 1; }\n");
    dir.write("debian-binary", b"2.0\n");
    let steps: [(&str, &[&str]); 5] = [
        ("gcc", &["-shared", "-fPIC", "in.c", "-o", "libin.so"]),
        ("tar", &["-czf", "data.tar.gz", "./libin.so"]),
        ("tar", &["-czf", "control.tar.gz", "in.c"]),
        (
            "ar",
            &[
                "rc",
                "w/p.deb",
                "debian-binary",
                "control.tar.gz",
                "data.tar.gz",
            ],
        ),
        ("tar", &["-cf", "w.tar", "-C", "w", "."]),
    ];
    if steps
        .iter()
        .any(|(tool, words)| run(&dir, tool, words).is_none())
    {
        return;
    }
    for name in ["w", "w.tar"] {
        let found = audit(&[dir.path.join(name)], None);
        assert!(found.failed.is_empty(), "{name}: {:?}", found.failed);
        let skipped: Vec<_> = found.packages.iter().flat_map(|p| &p.skipped).collect();
        assert!(skipped.is_empty(), "{name}: {skipped:?}");
        let [file] = &found.files[..] else {
            panic!("{name}: {:?}", found.files.len());
        };
        assert!(file.path.ends_with("/p.deb/libin.so") || file.path.ends_with("libin.so"));
    }
}

#[test]
fn siblings_give_the_symbols_that_they_define() {
    let dir = Dir::new();
    if wheel(&dir).is_none() {
        return;
    }
    let gathered = gather(&[dir.path.join("w")], false);
    let siblings = Siblings::read(&gathered);
    let at = |name: &str| {
        let mut items = gathered.items.iter();
        items.position(|item| item.name.ends_with(name)).unwrap()
    };
    let (inner, user) = (at("libinner.so"), at("copy.so"));
    assert_eq!(siblings.provider(user, b"inner"), Some(inner));
    assert_eq!(siblings.provider(user, b"malloc"), None);
    assert_eq!(siblings.provider(inner, b"inner"), None);
}

#[test]
fn facts_tell_compiler_guards_and_lost_symbols() {
    let dir = Dir::new();
    dir.write(
        "one.c",
        b"int a(void) { return 1; } int b(void) { return 2; }\n",
    );
    dir.write(
        "two.c",
        b"int a(void) { return 1; } int c(void) { return 2; }\n",
    );
    let shared = ["-shared", "-fPIC", "-g", "-O1", "-march=x86-64-v2"];
    let hard = [
        &shared[..],
        &["-Wl,-z,relro,-z,now", "one.c", "-o", "one.so"],
    ]
    .concat();
    let soft = [&shared[..], &["-Wl,-z,execstack", "two.c", "-o", "two.so"]].concat();
    if run(&dir, "gcc", &hard)
        .and_then(|()| run(&dir, "gcc", &soft))
        .is_none()
    {
        return;
    }
    let (one, two) = (dir.path.join("one.so"), dir.path.join("two.so"));
    let found = audit(&[one.clone(), two], Some(&one));
    let facts = |nth: usize| found.files[nth].facts.as_ref().unwrap();
    let guard = |nth: usize, name: &str| {
        let mut guards = facts(nth).hardening.iter();
        guards
            .find(|g| g.name == name)
            .map(|g| (g.state.as_str(), g.grade))
    };
    assert_eq!(guard(0, "RELRO"), Some(("full", Grade::Good)));
    assert_eq!(guard(0, "NX").unwrap().1, Grade::Good);
    assert_eq!(guard(1, "NX").unwrap().1, Grade::Bad);
    assert_eq!((facts(0).exports, facts(1).exports), (Some(2), Some(2)));
    let tool = facts(0).tools.iter().find(|t| t.from == "DWARF").unwrap();
    assert!(tool.name.starts_with("GNU C"), "{tool:?}");
    assert_eq!(tool.units, 1);
    assert!(
        tool.flags.iter().any(|f| f == "-march=x86-64-v2"),
        "{tool:?}"
    );
    assert!(facts(0).tools.iter().any(|t| t.from == ".comment"));
    let changed = facts(1).exports_changed.as_ref().unwrap();
    assert_eq!(
        (&changed.gone_names[..], &changed.new_names[..]),
        (&["b".to_owned()][..], &["c".to_owned()][..])
    );
    let codes: Vec<&str> = found.findings.iter().map(|f| f.code.as_str()).collect();
    assert!(
        codes.contains(&"KA013") && codes.contains(&"KA014"),
        "{codes:?}"
    );
    assert!(!codes.contains(&"KA015"), "{codes:?}");
}

#[test]
fn a_name_with_several_versions_is_exported_once() {
    let dir = Dir::new();
    dir.write(
        "versions.c",
        b"int old(void) { return 1; } int new(void) { return 2; }\n\
          __asm__(\".symver old, a@V1\\n.symver new, a@@V2\");\n",
    );
    dir.write("map", b"V1 { global: a; local: *; }; V2 { global: a; } V1;");
    let flags = ["-shared", "-fPIC", "-Wl,--version-script=map", "versions.c"];
    let flags = [&flags[..], &["-o", "versions.so"]].concat();
    if run(&dir, "gcc", &flags).is_none() {
        return;
    }
    let found = audit(&[dir.path.join("versions.so")], None);
    let facts = found.files[0].facts.as_ref().unwrap();
    assert_eq!(facts.exports, Some(1));
}

#[test]
fn what_no_audit_reads_in_a_package_is_skipped_and_the_damaged_is_told() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path.join("p")).unwrap();
    // ELF for 32 bits; ELF that ends behind its header.
    dir.write(
        "p/small.so",
        b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x03\0",
    );
    dir.write(
        "p/cut.so",
        &[
            &b"\x7fELF\x02\x01\x01"[..],
            &[0; 9],
            &[3, 0, 62, 0],
            &[9; 50],
        ]
        .concat(),
    );
    let found = audit(&[dir.path.join("p")], None);
    assert!(
        found.failed[0].why.contains("cut off"),
        "{:?}",
        found.failed
    );
    let skipped = &found.packages[0].skipped;
    assert!(skipped[0].name.ends_with("small.so") && skipped[0].why.contains("32-bit"));
    assert!(
        found.failed[0].path.ends_with("cut.so"),
        "{:?}",
        found.failed
    );
    assert_eq!(
        (skipped.len(), found.failed.len(), found.files.len()),
        (1, 1, 0)
    );
}

#[test]
fn a_package_of_which_nothing_could_be_read_is_told() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path.join("p")).unwrap();
    dir.write("p/odd.so", b"\x7fELF\x09\x01\x01\0\0\0\0\0\0\0\0\0");
    let found = audit(&[dir.path.join("p")], None);
    assert!(found.files.is_empty());
    let why = &found.failed[0].why;
    assert!(
        why.contains("none of the binaries") && why.contains("class 9"),
        "{why}"
    );
}
