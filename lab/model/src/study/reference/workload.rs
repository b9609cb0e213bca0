//! Keys of `[[workload]]`, its metrics, `[[parity]]` and what is expected.

use super::Base::Run;
use super::Preset::{Else, Required, Value};
use super::build::SURROUNDINGS;
use super::{Kind, Table, key};

pub(super) const WORKLOAD: Table = Table {
    path: "workload",
    header: "[[workload]]",
    what: "One way to run the subject, and what it is judged by. A run should take 20 ms to 1 s.",
    keys: &[
        key(
            "name",
            Kind::Name,
            Required,
            "Its name in reports.",
            "name = \"parse\"",
        ),
        key(
            "why",
            Kind::Text,
            Value("\"\""),
            "What it stands for, for the report.",
            "why = \"what a request costs\"",
        ),
        key(
            "args",
            Kind::Texts,
            Value("[]"),
            "Arguments of the program, behind those of the variant.",
            "args = [\"--repeat\", \"100\"]",
        ),
        key(
            "metric",
            Kind::Metrics,
            Value("\"cpu\""),
            "What it is judged by: a word, a table, or a list of them. `cpu` is user and system time, \
             `wall` the time from start to exit, both in seconds; `rss` peak memory in bytes; \
             `page-faults` a count; `cachegrind` instructions (valgrind must be there); the others \
             are hardware counters, where the kernel gives them.",
            "metric = [\"cpu\", \"rss\"]",
        ),
        key(
            "margin",
            Kind::Margin,
            Else("that of `[measure]`"),
            "The smallest relative change that matters here.",
            "margin = \"0.5%\"",
        ),
        key(
            "timeout",
            Kind::Duration,
            Value("\"60 s\""),
            "Longest time for one run; a longer one ends the whole run with an error.",
            "timeout = \"5 min\"",
        ),
        key(
            "stdout",
            Kind::Word(&["null"]),
            Else("karat reads what is printed"),
            "`null` sends what is printed to /dev/null.",
            "stdout = \"null\"",
        ),
    ],
    shared: SURROUNDINGS,
};

pub(super) const METRIC: Table = Table {
    path: "workload.metric",
    header: "metric = { … } of a workload",
    what: "A number that the program prints. Exactly one of `json`, `regex` and `output` says where.",
    keys: &[
        key(
            "json",
            Kind::Text,
            Else("`regex` or `output` says where"),
            "A key of the last line of stdout that is a JSON object; dots go down.",
            "metric = { json = \"result.speed\", unit = \"GiB/s\", better = \"higher\" }",
        ),
        key(
            "regex",
            Kind::Text,
            Else("`json` or `output` says where"),
            "A regular expression on stdout with a group named `value`.",
            "metric = { regex = 'speed: (?<value>[0-9.]+)', unit = \"MB/s\", better = \"higher\" }",
        ),
        key(
            "output",
            Kind::Text,
            Else("`json` or `regex` says where"),
            "All benchmarks in the output of a benchmark tool, by the tool's name, or \"auto\". Units \
             and directions are the tool's.",
            "metric = { output = \"google-benchmark\" }",
        ),
        key(
            "name",
            Kind::Text,
            Else("the key of `json`, or \"value\""),
            "The metric's name, of `json` and `regex`.",
            "metric = { json = \"v\", name = \"speed\", unit = \"GiB/s\", better = \"higher\" }",
        ),
        key(
            "unit",
            Kind::Text,
            Else("required beside `json` and `regex`"),
            "Its unit, as reports print it.",
            "metric = { json = \"v\", unit = \"ns\", better = \"lower\" }",
        ),
        key(
            "better",
            Kind::Word(&["higher", "lower"]),
            Else("required beside `json` and `regex`"),
            "Which direction is better.",
            "metric = { json = \"v\", unit = \"GiB/s\", better = \"higher\" }",
        ),
        key(
            "path",
            Kind::Path(Run),
            Else("stdout is read"),
            "File or folder that holds the output of the tool. Only beside `output`.",
            "metric = { output = \"criterion\", path = \"target/criterion\" }",
        ),
    ],
    shared: &[],
};

pub(super) const PARITY: Table = Table {
    path: "parity",
    header: "[[parity]]",
    what: "A run whose exit code, output and warnings must be the same in every variant. Without \
           `reader`, bytes are compared.",
    keys: &[
        key(
            "name",
            Kind::Name,
            Required,
            "Its name in reports.",
            "name = \"selftest\"",
        ),
        key(
            "args",
            Kind::Texts,
            Value("[]"),
            "Arguments of the program, behind those of the variant.",
            "args = [\"--selftest\"]",
        ),
        key(
            "reader",
            Kind::Text,
            Else("bytes are compared"),
            "What reads tests, messages and crashes from the output, which are then compared by \
             identity: a reader's name, or \"auto\".",
            "reader = \"libtest\"",
        ),
        key(
            "logs",
            Kind::Texts,
            Else("stdout and stderr"),
            "What is read: \"stdout\", \"stderr\", and files or folders that the run writes, relative \
             to its working directory. Only beside `reader`.",
            "reader = \"junit\"\nlogs = [\"results.xml\"]",
        ),
    ],
    shared: &[],
};

pub(super) const EXPECT: Table = Table {
    path: "expect",
    header: "[[expect]]",
    what: "A function whose survival the audit follows.",
    keys: &[
        key(
            "function",
            Kind::Text,
            Required,
            "Its demangled path.",
            "function = \"tool::simd::sum\"",
        ),
        key(
            "workloads",
            Kind::Texts,
            Value("[]"),
            "Workloads that it is hot in; their causes cite it.",
            "workloads = [\"w\"]",
        ),
    ],
    shared: &[],
};
