//! Keys of all tables that do not say how a program is built.

use super::Base::Run;
use super::Preset::{Else, Required, Value};
use super::build::SURROUNDINGS;
use super::{Key, Kind, Table, key};

pub(super) const STUDY: Table = Table {
    path: "",
    header: "The top of the file",
    what: "What is asked, and of which variants.",
    keys: &[
        key(
            "schema",
            Kind::Version,
            Required,
            "The version of this format.",
            "schema = 1",
        ),
        key(
            "name",
            Kind::Name,
            Required,
            "Short name; folders of runs end in it.",
            "name = \"flags\"",
        ),
        key(
            "title",
            Kind::Text,
            Else("the name"),
            "The question, as a heading of the report.",
            "title = \"Does -O3 help?\"",
        ),
        key(
            "description",
            Kind::Text,
            Value("\"\""),
            "A paragraph for the report.",
            "description = \"Asked before release 2.1.\"",
        ),
        key(
            "baseline",
            Kind::Name,
            Required,
            "The variant that all others are compared with.",
            "baseline = \"plain\"",
        ),
        key(
            "candidate",
            Kind::Name,
            Else("the variant with the best verdict"),
            "The variant that the study's verdict is about.",
            "candidate = \"tuned\"",
        ),
        key(
            "compare",
            Kind::Pairs,
            Value("[]"),
            "Variants to compare with each other, besides with the baseline.",
            "compare = [[\"tuned\", \"other\"]]",
        ),
        key(
            "subject",
            Kind::Table("subject"),
            Else("each variant says how it is built"),
            "How the program is built: what all variants share.",
            "subject = { cargo = \"app\", bin = \"app\" }",
        ),
        key(
            "variant",
            Kind::Tables("variant"),
            Required,
            "The variants, two at least.",
            "[[variant]]",
        ),
        key(
            "workload",
            Kind::Tables("workload"),
            Else("nothing is measured"),
            "The ways to run the subject that are measured.",
            "[[workload]]",
        ),
        key(
            "parity",
            Kind::Tables("parity"),
            Else("behaviour is not checked"),
            "Runs that must behave the same in every variant.",
            "[[parity]]",
        ),
        key(
            "expect",
            Kind::Tables("expect"),
            Else("the audit follows no function"),
            "Functions that the audit looks for.",
            "[[expect]]",
        ),
        key(
            "measure",
            Kind::Table("measure"),
            Value("{}"),
            "How to measure.",
            "measure = { margin = \"2%\" }",
        ),
        key(
            "audit",
            Kind::Table("audit"),
            Value("{}"),
            "What growth of the code is worth a finding.",
            "audit = { size-growth = \"20%\" }",
        ),
        key(
            "budget",
            Kind::Table("budget"),
            Value("{}"),
            "What a run may cost.",
            "budget = { cached = \"5 min\" }",
        ),
        key(
            "soak",
            Kind::Table("soak"),
            Else("as typed"),
            "How a variant is watched for a long time.",
            "[soak]\nfor = \"10 min\"",
        ),
    ],
    shared: &[],
};

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

pub(super) const MEASURE: Table = Table {
    path: "measure",
    header: "[measure]",
    what: "How to measure.",
    keys: &[
        key(
            "margin",
            Kind::Margin,
            Value("\"1%\""),
            "The smallest relative change that matters: a change within it is SAME. A smaller one \
             needs more time to decide.",
            "margin = \"2%\"",
        ),
        key(
            "max-time",
            Kind::AutoOrDuration,
            Value("\"5 min\""),
            "Time for all that comes after the builds and their audit. Measuring ends earlier when \
             all is decided. \"auto\" is as long as 40 rounds take, within 40 s and 10 min. \
             `--max-time` goes before it.",
            "max-time = \"15 min\"",
        ),
        key(
            "max-rounds",
            Kind::Integer(4, crate::study::MOST_ROUNDS),
            Value("5000"),
            "Rounds after which measuring ends in any case.",
            "max-rounds = 200",
        ),
        key(
            "warmup",
            Kind::Integer(0, 100),
            Value("1"),
            "Runs of each arm before the first round, which are not counted.",
            "warmup = 3",
        ),
        key(
            "pin",
            Kind::Flag,
            Value("true"),
            "Whether measured runs stay on one processor. A program whose threads are to run side by \
             side needs `false`.",
            "pin = false",
        ),
        key(
            "layouts",
            Kind::AutoOrInteger(1, 64),
            Value("\"auto\""),
            "In how many layouts of its code each variant is measured. \"auto\" lets a pilot decide; \
             1 is the linker's own layout only.",
            "layouts = 16",
        ),
    ],
    shared: &[],
};

pub(super) const AUDIT: Table = Table {
    path: "audit",
    header: "[audit]",
    what: "What growth of a variant's code against the baseline is worth a finding. Both a share and \
           an amount must be exceeded.",
    keys: &[
        key(
            "wide-growth",
            Kind::Growth,
            Value("\"100%\""),
            "Growth of instructions with 256-bit or 512-bit registers; \"100%\" allows twice as many \
             as the baseline has.",
            "wide-growth = \"50%\"",
        ),
        key(
            "wide-least",
            Kind::Integer(0, u32::MAX),
            Value("500"),
            "How many of these instructions at least.",
            "wide-least = 1000",
        ),
        key(
            "size-growth",
            Kind::Growth,
            Value("\"10%\""),
            "Growth of the code in bytes.",
            "size-growth = \"25%\"",
        ),
        key(
            "size-least",
            Kind::Integer(0, u32::MAX),
            Value("16384"),
            "How many bytes at least.",
            "size-least = 65536",
        ),
    ],
    shared: &[],
};

const BUDGETS: &[Key] = &[
    key(
        "clean",
        Kind::Duration,
        Else("nothing is promised"),
        "A whole run with builds to make.",
        "clean = \"20 min\"",
    ),
    key(
        "cached",
        Kind::Duration,
        Else("nothing is promised"),
        "A whole run with all builds cached.",
        "cached = \"5 min\"",
    ),
    key(
        "smoke",
        Kind::Duration,
        Else("nothing is promised"),
        "A smoke run with all builds cached.",
        "smoke = \"1 min\"",
    ),
];

pub(super) const BUDGET: Table = Table {
    path: "budget",
    header: "[budget]",
    what: "What a run may cost; the report says whether it did. It ends nothing: `max-time` does.",
    keys: BUDGETS,
    shared: &[],
};

pub(super) const SOAK: Table = Table {
    path: "soak",
    header: "[soak]",
    what: "How `karat soak --study` watches a variant, and the limits that it is held against.",
    keys: &[
        key(
            "workload",
            Kind::Name,
            Else("the first workload"),
            "The workload whose arguments and environment the program gets.",
            "workload = \"mix\"",
        ),
        key(
            "for",
            Kind::Duration,
            Else("until it is stopped"),
            "How long.",
            "for = \"10 min\"",
        ),
        key(
            "every",
            Kind::Duration,
            Else("as `karat soak` has it"),
            "Time between two samples.",
            "every = \"1 s\"",
        ),
        key(
            "epoch",
            Kind::Duration,
            Else("as `karat soak` has it"),
            "Length of an epoch.",
            "epoch = \"10 s\"",
        ),
        key(
            "warm",
            Kind::Duration,
            Else("a tenth of the time"),
            "Time after each start that is not judged.",
            "warm = \"30 s\"",
        ),
        key(
            "line",
            Kind::Text,
            Else("no throughput from lines"),
            "What the program's lines tell, a regular expression.",
            "line = 'done (?<total>[0-9]+)'",
        ),
        key(
            "load",
            Kind::Text,
            Else("none"),
            "A shell command that works the program.",
            "load = \"redis-benchmark -n 100000\"",
        ),
        key(
            "repeat",
            Kind::Flag,
            Value("false"),
            "Whether the program is started again whenever it ends.",
            "repeat = true",
        ),
        key(
            "budgets",
            Kind::Texts,
            Value("[]"),
            "Limits, as `karat soak --budget` takes them.",
            "budgets = [\"rss-drift=5%/h\", \"cv=2%\"]",
        ),
    ],
    shared: &[],
};
