//! Names: missing, empty, twice, unknown.

use crate::write::{problems, with};
use insta::assert_snapshot;

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

    error: a metric has one source
      --> study.toml:18:10
       |
    18 | metric = { }
       |          ^^^ give exactly one of `json`, `regex` and `output`

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
fn pairs_that_name_nothing_or_nothing_new() {
    let source = with("[[variant]]\nname = \"third\"\n").replace(
        "baseline = \"plain\"\n",
        "baseline = \"plain\"\ncompare = [[\"tuned\", \"thirt\"], [\"tuned\", \"tuned\"], \
         [\"plain\", \"third\"], [\"tuned\", \"third\"], [\"third\", \"tuned\"], [\"tuned\"], 3]\n",
    );
    let text = problems(&source);
    for expected in [
        "no variant is called `thirt`",
        "did you mean `third`?",
        "a variant is compared with itself",
        "every variant is compared with the baseline anyway",
        "this pair is named twice",
        "a pair of variants: [\"a\", \"b\"]",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    assert_eq!(text.matches("error:").count(), 6, "{text}");
}
