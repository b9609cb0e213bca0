//! What a person reads about a mistake in a study.

use crate::write::{built_by, problems, with};
use insta::assert_snapshot;
use karat_model::diagnostic::render;
use karat_model::study::Study;

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
       = help: known keys of [measure]: margin, max-rounds, max-time, pin, warmup
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
       = help: known keys of a study: baseline, budget, candidate, description, expect, measure, name, parity, schema, subject, title, variant, workload
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
fn duplicate_names() {
    let source = with(
        "[[variant]]\nname = \"plain\"\n\
         [[workload]]\nname = \"w\"\n[[workload]]\nname = \"v\"\n[[workload]]\nname = \"w\"\n\
         [[parity]]\nname = \"c\"\n[[parity]]\nname = \"c\"\n\
         [[expect]]\nfunction = \"f\"\n[[expect]]\nfunction = \"f\"\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: two variants are called `plain`
      --> study.toml:15:8
       |
    15 | name = "plain"
       |        ^^^^^^^ this name is taken

    error: two workloads are called `w`
      --> study.toml:21:8
       |
    21 | name = "w"
       |        ^^^ this name is taken

    error: two parity checks are called `c`
      --> study.toml:25:8
       |
    25 | name = "c"
       |        ^^^ this name is taken

    error: two expected functions are called `f`
      --> study.toml:29:12
       |
    29 | function = "f"
       |            ^^^ this name is taken
    "#);
}

#[test]
fn missing_keys_at_the_top() {
    assert_snapshot!(problems("title = \"no more than a title\"\n"), @r#"
    error: missing key `schema`
     --> study.toml:1:1
      |
    1 | title = "no more than a title"
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `schema` is required here

    error: missing key `name`
     --> study.toml:1:1
      |
    1 | title = "no more than a title"
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `name` is required here

    error: missing key `baseline`
     --> study.toml:1:1
      |
    1 | title = "no more than a title"
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `baseline` is required here
    "#);
}

#[test]
fn an_empty_file_lacks_everything() {
    assert_snapshot!(problems(""), @r#"
    error: missing key `schema`
     --> study.toml:1:1
      |
    1 |
      | ^ `schema` is required here

    error: missing key `name`
     --> study.toml:1:1
      |
    1 |
      | ^ `name` is required here

    error: missing key `baseline`
     --> study.toml:1:1
      |
    1 |
      | ^ `baseline` is required here
    "#);
}

#[test]
fn missing_keys_of_tables() {
    let source = with(
        "[[variant.patch]]\n[[variant]]\nwhy = \"nameless\"\n[[workload]]\nmetric = { }\n\
         [[parity]]\n[[expect]]\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: missing key `package`
      --> study.toml:14:1
       |
    14 | [[variant.patch]]
       | ^^^^^^^^^^^^^^^^^ `package` is required here

    error: missing key `file`
      --> study.toml:14:1
       |
    14 | [[variant.patch]]
       | ^^^^^^^^^^^^^^^^^ `file` is required here

    error: missing key `name`
      --> study.toml:15:1
       |
    15 | [[variant]]
       | ^^^^^^^^^^^ `name` is required here

    error: missing key `name`
      --> study.toml:17:1
       |
    17 | [[workload]]
       | ^^^^^^^^^^^^ `name` is required here

    error: missing key `unit`
      --> study.toml:18:10
       |
    18 | metric = { }
       |          ^^^ `unit` is required here

    error: missing key `better`
      --> study.toml:18:10
       |
    18 | metric = { }
       |          ^^^ `better` is required here

    error: a metric has one source
      --> study.toml:18:10
       |
    18 | metric = { }
       |          ^^^ give exactly one of `json` and `regex`

    error: missing key `name`
      --> study.toml:19:1
       |
    19 | [[parity]]
       | ^^^^^^^^^^ `name` is required here

    error: missing key `function`
      --> study.toml:20:1
       |
    20 | [[expect]]
       | ^^^^^^^^^^ `function` is required here
    "#);
}

#[test]
fn empty_names_are_no_names() {
    let source = r#"schema = 1
name = ""
baseline = ""
candidate = ""
subject = { binary = "b" }
[[variant]]
name = ""
[[workload]]
name = ""
metric = { json = "v", unit = "", better = "" }
[[expect]]
function = ""
"#;
    assert_snapshot!(problems(source), @r#"
    error: `name` is empty
     --> study.toml:2:8
      |
    2 | name = ""
      |        ^^ expected some text

    error: `baseline` is empty
     --> study.toml:3:12
      |
    3 | baseline = ""
      |            ^^ expected some text

    error: `candidate` is empty
     --> study.toml:4:13
      |
    4 | candidate = ""
      |             ^^ expected some text

    error: `name` is empty
     --> study.toml:7:8
      |
    7 | name = ""
      |        ^^ expected some text

    error: `name` is empty
     --> study.toml:9:8
      |
    9 | name = ""
      |        ^^ expected some text

    error: `better` is empty
      --> study.toml:10:44
       |
    10 | metric = { json = "v", unit = "", better = "" }
       |                                            ^^ expected some text

    error: `function` is empty
      --> study.toml:12:12
       |
    12 | function = ""
       |            ^^ expected some text
    "#);
}

#[test]
fn names_that_no_file_system_likes() {
    let source = with("[[variant]]\nname = \"a/b\"\n[[workload]]\nname = \".hidden\"\n[[parity]]\nname = \"größe\"\n")
        .replace("name = \"s\"", "name = \"two words\"");
    assert_snapshot!(problems(&source), @r#"
    error: `two words` cannot be the name of a study
     --> study.toml:2:8
      |
    2 | name = "two words"
      |        ^^^^^^^^^^^ letters, digits and - _ . + only

    error: `a/b` cannot be the name of a variant
      --> study.toml:15:8
       |
    15 | name = "a/b"
       |        ^^^^^ letters, digits and - _ . + only

    error: `.hidden` cannot be the name of a workload
      --> study.toml:17:8
       |
    17 | name = ".hidden"
       |        ^^^^^^^^^ letters, digits and - _ . + only

    error: `größe` cannot be the name of a parity check
      --> study.toml:19:8
       |
    19 | name = "größe"
       |        ^^^^^^^ letters, digits and - _ . + only
    "#);
}

#[test]
fn an_unknown_baseline_is_guessed() {
    let source = with("").replace("baseline = \"plain\"", "baseline = \"plian\"");
    assert_snapshot!(problems(&source), @r#"
    error: `baseline` names no variant of this study
     --> study.toml:3:12
      |
    3 | baseline = "plian"
      |            ^^^^^^^ no variant is called `plian`
      |
      = help: did you mean `plain`?
    "#);
}

#[test]
fn an_unknown_candidate_like_no_other_lists_the_variants() {
    let source = with("").replace("[subject]", "candidate = \"production\"\n[subject]");
    assert_snapshot!(problems(&source), @r#"
    error: `candidate` names no variant of this study
     --> study.toml:5:13
      |
    5 | candidate = "production"
      |             ^^^^^^^^^^^^ no variant is called `production`
      |
      = help: variants: plain, tuned
    "#);
}

#[test]
fn an_unknown_workload_is_guessed() {
    let source = with(
        "[[workload]]\nname = \"verify\"\n[[expect]]\nfunction = \"f\"\nworkloads = [\"verfiy\", \"x\"]\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: `workloads` names no workload of this study
      --> study.toml:18:14
       |
    18 | workloads = ["verfiy", "x"]
       |              ^^^^^^^^ no workload is called `verfiy`
       |
       = help: did you mean `verify`?

    error: `workloads` names no workload of this study
      --> study.toml:18:24
       |
    18 | workloads = ["verfiy", "x"]
       |                        ^^^ no workload is called `x`
       |
       = help: workloads: verify
    "#);
}

#[test]
fn the_candidate_is_not_the_baseline() {
    let source = with("").replace("[subject]", "candidate = \"plain\"\n[subject]");
    assert_snapshot!(problems(&source), @r#"
    error: the candidate is the baseline
      --> study.toml:11:8
       |
    11 | name = "plain"
       |        ^^^^^^^ this variant is both
    "#);
}

#[test]
fn impossible_margins() {
    let source = with(
        "[[workload]]\nname = \"zero\"\nmargin = \"0%\"\n\
         [[workload]]\nname = \"much\"\nmargin = \"60%\"\n\
         [[workload]]\nname = \"word\"\nmargin = \"abc\"\n\
         [[workload]]\nname = \"less\"\nmargin = \"-1%\"\n\
         [[workload]]\nname = \"number\"\nmargin = 0.01\n\
         [measure]\nmargin = \"nan\"\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: impossible margin `0%`
      --> study.toml:16:10
       |
    16 | margin = "0%"
       |          ^^^^ expected more than 0 % and at most 50 %
       |
       = help: the margin is the smallest change that matters to you, such as "1%"

    error: impossible margin `60%`
      --> study.toml:19:10
       |
    19 | margin = "60%"
       |          ^^^^^ expected more than 0 % and at most 50 %
       |
       = help: the margin is the smallest change that matters to you, such as "1%"

    error: impossible margin `abc`
      --> study.toml:22:10
       |
    22 | margin = "abc"
       |          ^^^^^ expected more than 0 % and at most 50 %
       |
       = help: the margin is the smallest change that matters to you, such as "1%"

    error: impossible margin `-1%`
      --> study.toml:25:10
       |
    25 | margin = "-1%"
       |          ^^^^^ expected more than 0 % and at most 50 %
       |
       = help: the margin is the smallest change that matters to you, such as "1%"

    error: expected a string, found float
      --> study.toml:28:10
       |
    28 | margin = 0.01
       |          ^^^^ this is a float

    error: impossible margin `nan`
      --> study.toml:30:10
       |
    30 | margin = "nan"
       |          ^^^^^ expected more than 0 % and at most 50 %
       |
       = help: the margin is the smallest change that matters to you, such as "1%"
    "#);
}

#[test]
fn bad_durations() {
    let source = with(
        "[[workload]]\nname = \"w\"\ntimeout = \"10 parsecs\"\n\
         [[workload]]\nname = \"v\"\ntimeout = \"0 s\"\n[measure]\nmax-time = \"ten\"\n\
         [budget]\nclean = \"soon\"\nwarm = \"1 s\"\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: `timeout` is not a duration
      --> study.toml:16:11
       |
    16 | timeout = "10 parsecs"
       |           ^^^^^^^^^^^^ expected such as "10 s", "500 ms" or "2 min"

    error: `timeout` is not a duration
      --> study.toml:19:11
       |
    19 | timeout = "0 s"
       |           ^^^^^ expected such as "10 s", "500 ms" or "2 min"

    error: `max-time` is not a duration
      --> study.toml:21:12
       |
    21 | max-time = "ten"
       |            ^^^^^ expected such as "10 s", "500 ms" or "2 min"

    error: `clean` is not a duration
      --> study.toml:23:9
       |
    23 | clean = "soon"
       |         ^^^^^^ expected such as "10 s", "500 ms" or "2 min"

    error: unknown key `warm` in [budget]
      --> study.toml:24:1
       |
    24 | warm = "1 s"
       | ^^^^ not a key karat knows
       |
       = help: known keys of [budget]: cached, clean, smoke
    "#);
}

#[test]
fn numbers_out_of_range() {
    let source = with("[measure]\nmax-rounds = 3\nwarmup = -1\n");
    assert_snapshot!(problems(&source), @r#"
    error: `max-rounds` is out of range
      --> study.toml:15:14
       |
    15 | max-rounds = 3
       |              ^ expected 4 to 1000

    error: `warmup` is out of range
      --> study.toml:16:10
       |
    16 | warmup = -1
       |          ^^ expected 0 to 100
    "#);
}

#[test]
fn a_bad_regular_expression() {
    let source = with(
        "[[workload]]\nname = \"w\"\nmetric = { regex = 'speed: ([0-9', unit = \"s\", better = \"lower\" }\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: this is not a regular expression
      --> study.toml:16:20
       |
    16 | metric = { regex = 'speed: ([0-9', unit = "s", better = "lower" }
       |                    ^^^^^^^^^^^^^^ found unclosed character class
       |
       = help: such as 'speed: (?<value>[0-9.]+) GiB/s'
    "#);
}

#[test]
fn a_regular_expression_without_a_value() {
    let source = with(
        "[[workload]]\nname = \"w\"\nmetric = { regex = 'speed: ([0-9]+)', unit = \"s\", better = \"lower\" }\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: the metric's regular expression names no value
      --> study.toml:16:20
       |
    16 | metric = { regex = 'speed: ([0-9]+)', unit = "s", better = "lower" }
       |                    ^^^^^^^^^^^^^^^^^ expected a group named `value`
       |
       = help: such as 'speed: (?<value>[0-9.]+) GiB/s'
    "#);
}

#[test]
fn a_metric_has_one_source_and_one_direction() {
    let source = with(
        "[[workload]]\nname = \"both\"\nmetric = { json = \"v\", regex = '(?<value>.)', unit = \"s\", better = \"more\" }\n\
         [[workload]]\nname = \"none\"\nmetric = { unit = \"s\", better = \"lower\" }\n\
         [[workload]]\nname = \"word\"\nmetric = \"cycles\"\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: a metric has one source
      --> study.toml:16:10
       |
    16 | metric = { json = "v", regex = '(?<value>.)', unit = "s", better = "more" }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ give exactly one of `json` and `regex`

    error: `better` cannot be `more`
      --> study.toml:16:68
       |
    16 | metric = { json = "v", regex = '(?<value>.)', unit = "s", better = "more" }
       |                                                                    ^^^^^^ expected "higher" or "lower"

    error: a metric has one source
      --> study.toml:19:10
       |
    19 | metric = { unit = "s", better = "lower" }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ give exactly one of `json` and `regex`

    error: unknown metric `cycles`
      --> study.toml:22:10
       |
    22 | metric = "cycles"
       |          ^^^^^^^^ expected "cpu", "wall" or a table
       |
       = help: such as { json = "value", unit = "GiB/s", better = "higher" }
    "#);
}

#[test]
fn an_unknown_isa_is_guessed_if_it_can_be() {
    assert_snapshot!(problems(&with("requires = [\"avx51f\", \"quantum\"]")), @r#"
    error: unknown ISA `avx51f`
      --> study.toml:14:13
       |
    14 | requires = ["avx51f", "quantum"]
       |             ^^^^^^^^ rustc has no such target feature that karat can detect
       |
       = help: did you mean `avx512f`?

    error: unknown ISA `quantum`
      --> study.toml:14:23
       |
    14 | requires = ["avx51f", "quantum"]
       |                       ^^^^^^^^^ rustc has no such target feature that karat can detect
    "#);
}

#[test]
fn a_variant_without_a_builder() {
    // That the baseline has a problem of its own makes it no stranger.
    assert_snapshot!(problems(&built_by("rustflags = [\"-O\"]", "binary = \"b\"")), @r#"
    error: nothing says how to get this variant's binary
     --> study.toml:8:1
      |
    8 | [[variant]]
      | ^^^^^^^^^^^ in this variant
      |
      = help: give `cargo`, `command` or `binary`, here or in [subject]
    "#);
}

#[test]
fn a_variant_with_two_builders() {
    assert_snapshot!(problems(&built_by("binary = \"b\"", "binary = \"c\"\ncommand = [\"make\"]\nartifact = \"c\"")), @r#"
    error: more than one of `cargo`, `command` and `binary`
      --> study.toml:11:1
       |
    11 | [[variant]]
       | ^^^^^^^^^^^ in this variant
       |
       = help: a variant has one builder
    "#);
}

#[test]
fn half_a_builder() {
    assert_snapshot!(problems(&built_by("cargo = \"app\"", "command = []\nartifact = \"a\"")), @r#"
    error: missing key `bin`
     --> study.toml:8:1
      |
    8 | [[variant]]
      | ^^^^^^^^^^^ in this variant
      |
      = help: name the binary target to build

    error: a command builder needs a non-empty `command` and an `artifact`
      --> study.toml:11:1
       |
    11 | [[variant]]
       | ^^^^^^^^^^^ in this variant
       |
       = help: artifact = the binary that the command leaves, relative to `dir`
    "#);
}

#[test]
fn flags_for_crates_need_one_set_of_crates() {
    assert_snapshot!(problems(&with("crate-rustflags = { flags = [\"-Cx\"] }\n[[variant]]\nname = \"both\"\ncrate-rustflags = { flags = [\"-Cx\"], only = [\"a\"], except = [\"b\"] }")), @r#"
    error: who gets these flags?
      --> study.toml:14:19
       |
    14 | crate-rustflags = { flags = ["-Cx"] }
       |                   ^^^^^^^^^^^^^^^^^^^ give exactly one of `except` and `only`

    error: who gets these flags?
      --> study.toml:17:19
       |
    17 | crate-rustflags = { flags = ["-Cx"], only = ["a"], except = ["b"] }
       |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ give exactly one of `except` and `only`
    "#);
}

#[test]
fn flags_for_crates_are_some_and_hold_no_space() {
    assert_snapshot!(problems(&with("[variant.crate-rustflags]\nflags = [\"-C target-cpu=native\", \"-Cx\"]\nonly = [\"a\"]\n[[variant]]\nname = \"empty\"\ncrate-rustflags = { flags = [], only = [\"a\"] }\n[[variant]]\nname = \"without\"\ncrate-rustflags = { only = [\"a\"] }")), @r#"
    error: a crate's flag cannot hold a space
      --> study.toml:15:10
       |
    15 | flags = ["-C target-cpu=native", "-Cx"]
       |          ^^^^^^^^^^^^^^^^^^^^^^ write -Ctarget-cpu=native rather than -C target-cpu=native

    error: `flags` is empty
      --> study.toml:19:19
       |
    19 | crate-rustflags = { flags = [], only = ["a"] }
       |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no flags to give to anyone

    error: missing key `flags`
      --> study.toml:22:19
       |
    22 | crate-rustflags = { only = ["a"] }
       |                   ^^^^^^^^^^^^^^^^ `flags` is required here
    "#);
}

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
