//! Unknown keys and values of the wrong type.

use crate::write::{built_by, problems, with};
use insta::assert_snapshot;

#[test]
fn an_unknown_key_near_a_known_one_is_suggested() {
    assert_snapshot!(problems(&with("rustflag = [\"-Copt-level=3\"]")), @r#"
    error: unknown key `rustflag` in [[variant]]
      --> study.toml:14:1
       |
    14 | rustflag = ["-Copt-level=3"]
       | ^^^^^^^^ not a key karat knows
       |
       = help: did you mean `rustflags`?
    "#);
}

#[test]
fn an_unknown_key_like_no_other_lists_the_known_ones() {
    assert_snapshot!(problems(&with("[measure]\ncolour = \"red\"")), @r#"
    error: unknown key `colour` in [measure]
      --> study.toml:15:1
       |
    15 | colour = "red"
       | ^^^^^^ not a key karat knows
       |
       = help: known keys of [measure]: layouts, margin, max-rounds, max-time, pin, warmup
    "#);
}

#[test]
fn unknown_keys_are_found_at_every_level() {
    let source = with(
        "crate-rustflags = { flags = [\"-Cx\"], only = [\"a\"], except_ = [] }\n\
         [[variant.patch]]\npackage = \"p\"\nfile = \"f\"\nfiel = 1\n\
         [[workload]]\nname = \"w\"\nmetric = { json = \"v\", unit = \"s\", better = \"lower\", uint = 1 }\n\
         [[parity]]\nname = \"c\"\narg = []\n\
         [[expect]]\nfunction = \"f\"\nworkload = []\n\
         [tests]\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: unknown key `except_` in crate-rustflags
      --> study.toml:14:52
       |
    14 | crate-rustflags = { flags = ["-Cx"], only = ["a"], except_ = [] }
       |                                                    ^^^^^^^ not a key karat knows
       |
       = help: did you mean `except`?

    error: unknown key `fiel` in [[variant.patch]]
      --> study.toml:18:1
       |
    18 | fiel = 1
       | ^^^^ not a key karat knows
       |
       = help: did you mean `file`?

    error: unknown key `uint` in a metric
      --> study.toml:21:54
       |
    21 | metric = { json = "v", unit = "s", better = "lower", uint = 1 }
       |                                                      ^^^^ not a key karat knows
       |
       = help: did you mean `unit`?

    error: unknown key `arg` in [[parity]]
      --> study.toml:24:1
       |
    24 | arg = []
       | ^^^ not a key karat knows
       |
       = help: did you mean `args`?

    error: unknown key `workload` in [[expect]]
      --> study.toml:27:1
       |
    27 | workload = []
       | ^^^^^^^^ not a key karat knows
       |
       = help: did you mean `workloads`?

    error: unknown key `tests` in a study
      --> study.toml:28:2
       |
    28 | [tests]
       |  ^^^^^ not a key karat knows
       |
       = help: known keys of a study: audit, baseline, budget, candidate, compare, description, expect, measure, name, parity, schema, soak, subject, title, variant, workload
    "#);
}

#[test]
fn a_value_of_the_wrong_type_is_named() {
    let source = with(
        "rustflags = \"-O\"\nfeatures = [\"a\", 2]\ndefault-features = \"yes\"\nenv = [1]\n\
         profile = { lto = [] }\nrequires = { avx2 = true }\n\
         [[workload]]\nname = 7\nargs = [[]]\n[measure]\npin = 1\nmax-rounds = 20.5\n\
         [parity]\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: expected a list of strings, found string
      --> study.toml:14:13
       |
    14 | rustflags = "-O"
       |             ^^^^ this is a string

    error: expected a string, found integer
      --> study.toml:15:18
       |
    15 | features = ["a", 2]
       |                  ^ this is an integer

    error: expected true or false, found string
      --> study.toml:16:20
       |
    16 | default-features = "yes"
       |                    ^^^^^ this is a string

    error: expected a table of strings, found array
      --> study.toml:17:7
       |
    17 | env = [1]
       |       ^^^ this is an array

    error: expected a string, a number, true or false, found array
      --> study.toml:18:19
       |
    18 | profile = { lto = [] }
       |                   ^^ this is an array

    error: expected a list of strings, found table
      --> study.toml:19:12
       |
    19 | requires = { avx2 = true }
       |            ^^^^^^^^^^^^^^^ this is a table

    error: expected a string, found integer
      --> study.toml:21:8
       |
    21 | name = 7
       |        ^ this is an integer

    error: expected a string, found array
      --> study.toml:22:9
       |
    22 | args = [[]]
       |         ^^ this is an array

    error: expected true or false, found integer
      --> study.toml:24:7
       |
    24 | pin = 1
       |       ^ this is an integer

    error: expected a whole number, found float
      --> study.toml:25:14
       |
    25 | max-rounds = 20.5
       |              ^^^^ this is a float

    error: expected a list of tables, `[[parity]]`, found table
      --> study.toml:26:1
       |
    26 | [parity]
       | ^^^^^^^^ this is a table
    "#);
}

#[test]
fn tables_of_the_wrong_type_are_named() {
    let source = "schema = 1\nname = \"s\"\nbaseline = \"a\"\nsubject = 1\nvariant = \"a\"\n\
                  workload = [1]\nmeasure = []\nexpect = {}\n";
    assert_snapshot!(problems(source), @r#"
    error: expected a table, found integer
     --> study.toml:4:11
      |
    4 | subject = 1
      |           ^ this is an integer

    error: expected a list of tables, `[[variant]]`, found string
     --> study.toml:5:11
      |
    5 | variant = "a"
      |           ^^^ this is a string

    error: expected a table, found integer
     --> study.toml:6:13
      |
    6 | workload = [1]
      |             ^ this is an integer

    error: expected a table, found array
     --> study.toml:7:11
      |
    7 | measure = []
      |           ^^ this is an array

    error: expected a list of tables, `[[expect]]`, found table
     --> study.toml:8:10
      |
    8 | expect = {}
      |          ^^ this is a table
    "#);
}

#[test]
fn a_wrong_type_is_not_reported_as_missing_too() {
    let source = with(
        "crate-rustflags = { flags = \"-Cx\", only = \"a\" }\n\
         [[workload]]\nname = \"w\"\nmetric = { json = 1, unit = \"s\", better = \"lower\" }\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: expected a list of strings, found string
      --> study.toml:14:29
       |
    14 | crate-rustflags = { flags = "-Cx", only = "a" }
       |                             ^^^^^ this is a string

    error: expected a list of strings, found string
      --> study.toml:14:43
       |
    14 | crate-rustflags = { flags = "-Cx", only = "a" }
       |                                           ^^^ this is a string

    error: expected a string, found integer
      --> study.toml:17:19
       |
    17 | metric = { json = 1, unit = "s", better = "lower" }
       |                   ^ this is an integer
    "#);
}

#[test]
fn logs_of_a_check_that_cannot_be_read_are_refused() {
    let source = with(
        "[[parity]]\nname = \"a\"\nlogs = [\"t.xml\"]\n\
         [[parity]]\nname = \"b\"\nreader = \"junit\"\nlogs = []\n\
         [[parity]]\nname = \"c\"\nreader = \"junit\"\nlogs = \"t.xml\"\n\
         [[parity]]\nname = \"d\"\nreader = \"auto\"\nlogs = [\"t.xml\", \"\", \"t.xml\"]\n\
         [[parity]]\nname = \"e\"\nreader = \"auto\"\nlog = [\"t.xml\"]\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: logs are compared by what a reader finds in them
      --> study.toml:16:8
       |
    16 | logs = ["t.xml"]
       |        ^^^^^^^^^ `logs` without `reader`
       |
       = help: add `reader = "auto"`, or the reader's name

    error: a check reads at least one log
      --> study.toml:20:8
       |
    20 | logs = []
       |        ^^ this list is empty
       |
       = help: without `logs`, stdout and stderr are read

    error: expected a list of strings, found string
      --> study.toml:24:8
       |
    24 | logs = "t.xml"
       |        ^^^^^^^ this is a string

    error: a log's path is empty
      --> study.toml:28:18
       |
    28 | logs = ["t.xml", "", "t.xml"]
       |                  ^^ expected a path

    error: the log `t.xml` is named twice
      --> study.toml:28:22
       |
    28 | logs = ["t.xml", "", "t.xml"]
       |                      ^^^^^^^ named before
       |
       = help: a log that is read twice would count each test twice

    error: unknown key `log` in [[parity]]
      --> study.toml:32:1
       |
    32 | log = ["t.xml"]
       | ^^^ not a key karat knows
       |
       = help: did you mean `logs`?
    "#);
}

#[test]
fn a_key_that_does_nothing_for_its_builder_is_an_error() {
    let source = built_by(
        "command = [\"make\"]\nartifact = \"prog\"",
        "rustflags = [\"-Copt-level=3\"]",
    );
    assert_snapshot!(problems(&source), @r#"
    error: `rustflags` has no effect on what a command builds
      --> study.toml:14:1
       |
    14 | rustflags = ["-Copt-level=3"]
       | ^^^^^^^^^ nothing reads this
       |
       = help: write flags into `command`, or into `env`, as the command reads them
    "#);
    let source = built_by("", "binary = \"b\"\nenv = { A = \"1\" }")
        .replace("name = \"plain\"", "name = \"plain\"\nbinary = \"a\"");
    assert_snapshot!(problems(&source), @r#"
    error: `env` has no effect on a binary that exists
      --> study.toml:15:1
       |
    15 | env = { A = "1" }
       | ^^^ nothing reads this
       |
       = help: it is run as it is; `run = { env = { … } }` and `run = { dir = … }` change what its runs find
    "#);
}

#[test]
fn a_key_of_the_subject_must_do_something_for_some_variant() {
    let source = built_by(
        "profile = { lto = \"fat\" }\ncommand = [\"make\"]\nartifact = \"prog\"",
        "binary = \"b\"",
    );
    assert_snapshot!(problems(&source), @r#"
    error: `profile` has no effect on any variant of this study
     --> study.toml:6:1
      |
    6 | profile = { lto = "fat" }
      | ^^^^^^^ nothing reads this
      |
      = help: leave it out, or move it to a variant that it is for
    "#);
    let mixed = built_by(
        "cargo = \"app\"\nbin = \"app\"\nprofile = { lto = \"fat\" }",
        "binary = \"b\"",
    );
    assert!(karat_model::study::Study::parse(&mixed).is_ok());
}
