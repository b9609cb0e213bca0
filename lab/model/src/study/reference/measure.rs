//! Keys of `[measure]` and `[audit]`.

use super::Preset::Value;
use super::{Kind, Table, key};

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
