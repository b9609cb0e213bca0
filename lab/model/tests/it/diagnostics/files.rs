//! The file as a whole, and how it is shown.

use crate::write::{problems, with};
use insta::assert_snapshot;
use karat_model::diagnostic::render;
use karat_model::study::Study;

#[test]
fn not_toml_at_all() {
    assert_snapshot!(problems("schema = 1\nname = [unclosed\n"), @r#"
    error: this is not TOML
     --> study.toml:2:17
      |
    2 | name = [unclosed
      |                 ^ unclosed array, expected `]`
    "#);
    assert_snapshot!(problems("FROM rust:1.89\n"), @r#"
    error: this is not TOML
     --> study.toml:1:6
      |
    1 | FROM rust:1.89
      |      ^ key with no value, expected `=`
    "#);
}

#[test]
fn a_key_twice() {
    assert_snapshot!(problems("schema = 1\nname = \"a\"\nname = \"b\"\n"), @r#"
    error: this is not TOML
     --> study.toml:3:1
      |
    3 | name = "b"
      | ^^^^ duplicate key
    "#);
}

#[test]
fn a_later_schema() {
    let source = with("").replace("schema = 1", "# written by a later karat\nschema = 2");
    assert_snapshot!(problems(&source), @r#"
    error: schema 2 is not known to this karat
     --> study.toml:2:10
      |
    2 | schema = 2
      |          ^ this karat reads `schema = 1`
    "#);
}

#[test]
fn a_schema_that_is_no_number() {
    assert_snapshot!(problems(&with("").replace("schema = 1", "schema = true")), @r#"
    error: expected a whole number, found boolean
     --> study.toml:1:10
      |
    1 | schema = true
      |          ^^^^ this is a boolean
    "#);
    assert_snapshot!(problems(&with("").replace("schema = 1", "schema = -1")), @r#"
    error: `schema` is out of range
     --> study.toml:1:10
      |
    1 | schema = -1
      |          ^^ expected 0 to 4294967295
    "#);
}

#[test]
fn one_variant_is_no_comparison() {
    let source =
        "schema = 1\nname = \"s\"\nbaseline = \"a\"\n[[variant]]\nname = \"a\"\nbinary = \"b\"\n";
    assert_snapshot!(problems(source), @r#"
    error: a study compares at least two variants
     --> study.toml:1:1
      |
    1 | schema = 1
      | ^^^^^^^^^^ 1 [[variant]] in this file
    "#);
}

#[test]
fn several_problems_come_in_the_order_of_the_text() {
    let source = with(
        "requires = [\"avx9\"]\n[measure]\nmargin = \"1 percent\"\n[[workload]]\nname = \"w\"\ntimeout = \"5\"\ntimout = \"5 s\"\n",
    )
    .replace("bin = \"app\"", "bin = \"app\"\nenvironment = {}");
    let Err(found) = Study::parse(&source) else {
        panic!("five mistakes went unnoticed");
    };
    let starts: Vec<usize> = found.iter().map(|p| p.span.start).collect();
    assert!(starts.is_sorted(), "{starts:?}");
    assert_snapshot!(problems(&source), @r#"
    error: unknown key `environment` in [subject]
     --> study.toml:8:1
      |
    8 | environment = {}
      | ^^^^^^^^^^^ not a key karat knows
      |
      = help: known keys of [subject]: artifact, bin, binary, cargo, command, crate-rustflags, default-features, dir, env, features, patch, profile, rustflags

    error: unknown ISA `avx9`
      --> study.toml:15:13
       |
    15 | requires = ["avx9"]
       |             ^^^^^^ rustc has no such target feature that karat can detect
       |
       = help: did you mean `avx`?

    error: impossible margin `1 percent`
      --> study.toml:17:10
       |
    17 | margin = "1 percent"
       |          ^^^^^^^^^^^ expected more than 0 % and at most 50 %
       |
       = help: the margin is the smallest change that matters to you, such as "1%"

    error: `timeout` is not a duration
      --> study.toml:20:11
       |
    20 | timeout = "5"
       |           ^^^ expected such as "10 s", "500 ms" or "2 min"

    error: unknown key `timout` in [[workload]]
      --> study.toml:21:1
       |
    21 | timout = "5 s"
       | ^^^^^^ not a key karat knows
       |
       = help: did you mean `timeout`?
    "#);
}

#[test]
fn lines_and_columns_count_characters_of_other_alphabets() {
    let source = with("why = \"größer, 速い\"\nrequires = [\"größe\"] # кто?\nwhi = \"…\"\n");
    assert_snapshot!(problems(&source), @r#"
    error: unknown ISA `größe`
      --> study.toml:15:13
       |
    15 | requires = ["größe"] # кто?
       |             ^^^^^^^ rustc has no such target feature that karat can detect

    error: unknown key `whi` in [[variant]]
      --> study.toml:16:1
       |
    16 | whi = "…"
       | ^^^ not a key karat knows
       |
       = help: did you mean `why`?
    "#);
}

#[test]
fn windows_line_ends() {
    let source = with("rustflag = []\n").replace('\n', "\r\n");
    assert_snapshot!(problems(&source), @r#"
    error: unknown key `rustflag` in [[variant]]
      --> study.toml:14:1
       |
    14 | rustflag = []
       | ^^^^^^^^ not a key karat knows
       |
       = help: did you mean `rustflags`?
    "#);
}

#[test]
fn missing_paths_are_shown_where_they_are_named() {
    let source = with(
        "[[variant.patch]]\npackage = \"p\"\nfile = \"patches/p.patch\"\n\
         [[variant]]\nname = \"made\"\ncommand = [\"make\"]\nartifact = \"a\"\ndir = \"c\"\n\
         [[variant]]\nname = \"there\"\nbinary = \"exists\"\n",
    );
    let study = Study::parse(&source).unwrap();
    assert_eq!(study.missing_paths(|_| true), []);
    let missing = study.missing_paths(|p| p.ends_with("exists"));
    // `app` of [subject] is every cargo variant's, and one mistake.
    assert_snapshot!(render(&missing, "study.toml", &source, false), @r#"
    error: no such file or folder: app
     --> study.toml:6:9
      |
    6 | cargo = "app"
      |         ^^^^^ named here
      |
      = help: paths are relative to the study file

    error: no such file or folder: patches/p.patch
      --> study.toml:16:8
       |
    16 | file = "patches/p.patch"
       |        ^^^^^^^^^^^^^^^^^ named here
       |
       = help: paths are relative to the study file

    error: no such file or folder: c
      --> study.toml:21:7
       |
    21 | dir = "c"
       |       ^^^ named here
       |
       = help: paths are relative to the study file
    "#);
}

#[test]
fn colour_is_only_used_when_asked_for() {
    let source = with("rustflag = []");
    let found = Study::parse(&source).unwrap_err();
    assert!(!render(&found, "study.toml", &source, false).contains('\x1b'));
    assert!(render(&found, "study.toml", &source, true).contains('\x1b'));
}
