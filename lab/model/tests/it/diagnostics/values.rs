//! Values that cannot be meant.

use crate::write::{built_by, problems, with};
use insta::assert_snapshot;

#[test]
fn impossible_growth() {
    let source = with("[audit]\nwide-growth = \"-1%\"\nsize-growth = \"much\"\nwide-least = -1\n");
    assert_snapshot!(problems(&source), @r#"
    error: impossible growth `-1%`
      --> study.toml:15:15
       |
    15 | wide-growth = "-1%"
       |               ^^^^^ expected 0 % or more
       |
       = help: "100%" allows twice as much as the baseline has

    error: impossible growth `much`
      --> study.toml:16:15
       |
    16 | size-growth = "much"
       |               ^^^^^^ expected 0 % or more
       |
       = help: "100%" allows twice as much as the baseline has

    error: `wide-least` is out of range
      --> study.toml:17:14
       |
    17 | wide-least = -1
       |              ^^ expected 0 to 4294967295
    "#);
}

#[test]
fn impossible_soaks() {
    let source = with(
        "[soak]\nworkload = \"other\"\nfor = \"soon\"\nbudgets = [\"cv=2%\", \"rss=1\"]\nlength = 1\n",
    );
    let told = problems(&source);
    for part in [
        "`workload` names no workload of this study",
        "`for` is not a duration",
        "no limit is called `rss`; there are rss-drift",
        "unknown key `length` in [soak]",
    ] {
        assert!(told.contains(part), "no `{part}` in:\n{told}");
    }
    assert_eq!(told.matches("error: ").count(), 4, "{told}");
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
       |              ^ expected 4 to 5000

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
         [[workload]]\nname = \"word\"\nmetric = \"cylces\"\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: a metric has one source
      --> study.toml:16:10
       |
    16 | metric = { json = "v", regex = '(?<value>.)', unit = "s", better = "more" }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ give exactly one of `json`, `regex` and `output`

    error: `better` cannot be `more`
      --> study.toml:16:68
       |
    16 | metric = { json = "v", regex = '(?<value>.)', unit = "s", better = "more" }
       |                                                                    ^^^^^^ expected "higher" or "lower"

    error: a metric has one source
      --> study.toml:19:10
       |
    19 | metric = { unit = "s", better = "lower" }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ give exactly one of `json`, `regex` and `output`

    error: unknown metric `cylces`
      --> study.toml:22:10
       |
    22 | metric = "cylces"
       |          ^^^^^^^^ expected cpu, wall, rss, page-faults, cachegrind, cycles, instructions, branches, branch-misses, L1-icache-load-misses or a table
       |
       = help: did you mean `cycles`?
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
fn where_stdout_cannot_go() {
    let source = with(
        "[[workload]]\nname = \"file\"\nstdout = \"out.txt\"\n\
         [[workload]]\nname = \"read\"\nstdout = \"null\"\n\
         metric = { json = \"speed\", unit = \"MB/s\", better = \"higher\" }\n",
    );
    assert_snapshot!(problems(&source), @r#"
    error: stdout cannot go to `out.txt`
      --> study.toml:16:10
       |
    16 | stdout = "out.txt"
       |          ^^^^^^^^^ expected `null`
       |
       = help: without `stdout`, karat reads it

    error: the metric `speed` is read from stdout
      --> study.toml:19:10
       |
    19 | stdout = "null"
       |          ^^^^^^ so it cannot go to /dev/null
       |
       = help: without `stdout`, karat reads it
    "#);
}
