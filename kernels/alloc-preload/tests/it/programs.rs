//! Real programs print the same with the allocator and without.

use crate::preload::{WAYS, preloaded, said};
use std::process::Command;

fn unharmed(program: &str, arguments: &[&str], ways: &[&[(&str, &str)]]) {
    let Ok(expected) = Command::new(program).args(arguments).output() else {
        println!("SKIPPED: no {program}");
        return;
    };
    assert!(expected.status.success(), "{}", said(&expected));
    for switches in ways {
        let output = preloaded(program, switches)
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(said(&output), said(&expected), "{program} {switches:?}");
    }
}

#[test]
fn shells_go_on() {
    let script =
        "for i in 1 2 3; do echo $(seq $i 200 | sort -R | sort -n | md5sum); done | tr a-f A-F";
    unharmed("bash", &["-c", script], &WAYS);
}

#[test]
fn python_goes_on() {
    let script = "import json, re, sqlite3, threading, zlib, decimal\n\
        data = {str(i): list(range(i % 50)) for i in range(3000)}\n\
        text = json.dumps(data)\n\
        assert json.loads(text) == data\n\
        def work(): [zlib.decompress(zlib.compress(text.encode())) for _ in range(3)]\n\
        threads = [threading.Thread(target=work) for _ in range(4)]\n\
        [t.start() for t in threads]; [t.join() for t in threads]\n\
        db = sqlite3.connect(':memory:')\n\
        db.execute('create table t(a, b)')\n\
        db.executemany('insert into t values(?, ?)', [(i, 'x' * (i % 400)) for i in range(5000)])\n\
        print(db.execute('select sum(length(b)) from t').fetchone())\n\
        print(len(re.findall(r'1\\d', text)), decimal.Decimal(2) ** 5000)\n";
    unharmed("/usr/bin/python3", &["-c", script], &WAYS[..3]);
}

#[test]
fn compilers_go_on() {
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/it/programs/operators.cc"
    );
    unharmed("g++", &["-S", "-O1", "-o", "-", source], &WAYS[..1]);
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/it/programs/conformance.c"
    );
    unharmed("gcc", &["-S", "-O2", "-o", "-", source], &WAYS[..3]);
}

#[test]
fn git_goes_on() {
    let repository = env!("CARGO_MANIFEST_DIR");
    unharmed(
        "git",
        &["-C", repository, "log", "--stat", "-n", "30"],
        &WAYS[..3],
    );
    unharmed(
        "git",
        &["-C", repository, "grep", "-c", "unsafe"],
        &WAYS[..3],
    );
}

#[test]
fn sqlite_goes_on() {
    let script = "create table t(a integer primary key, b text); \
        with recursive n(i) as (select 1 union all select i+1 from n where i < 20000) \
        insert into t select i, hex(i * 7919) from n; create index b on t(b); \
        select count(*), sum(length(b)), max(b) from t;";
    unharmed("sqlite3", &[":memory:", script], &WAYS[..3]);
}
