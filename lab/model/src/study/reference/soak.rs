//! Keys of `[soak]` and its limits.

use super::Preset::{Else, Value};
use super::{Key, Kind, Table, key};

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
