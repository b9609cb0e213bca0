//! Keys of `[subject]` and `[[variant]]`.

use super::Base::{Build, Study};
use super::Preset::{Else, Required, Value};
use super::{Key, Kind, Table, key};

/// How a variant's program comes to be.
const BUILD: &[Key] = &[
    key(
        "cargo",
        Kind::Path(Study),
        Else("the program is built by `command`, or is a `binary`"),
        "Folder of a cargo package or workspace. Its program is built with `cargo build \
         --release --locked`, in a folder of karat's own.",
        "cargo = \"../tool\"",
    ),
    key(
        "bin",
        Kind::Text,
        Else("required beside `cargo`"),
        "The binary target to build and to run.",
        "bin = \"tool\"",
    ),
    key(
        "rustflags",
        Kind::Texts,
        Value("[]"),
        "Flags for rustc, for every crate. Only beside `cargo`.",
        "rustflags = [\"-Ctarget-cpu=native\"]",
    ),
    key(
        "crate-rustflags",
        Kind::Table("variant.crate-rustflags"),
        Else("no crate gets further flags"),
        "Further flags for some crates. Only beside `cargo`.",
        "crate-rustflags = { flags = [\"-Ctarget-cpu=native\"], except = [\"memchr\"] }",
    ),
    key(
        "features",
        Kind::Texts,
        Value("[]"),
        "Cargo features to enable. Only beside `cargo`.",
        "features = [\"simd\"]",
    ),
    key(
        "default-features",
        Kind::Flag,
        Value("true"),
        "Whether the package's default features are on. Only beside `cargo`.",
        "default-features = false",
    ),
    key(
        "profile",
        Kind::Profile,
        Value("{}"),
        "Settings of the package's `[profile.release]` that are overridden; those of a variant go \
         over those of `[subject]`, key by key. Only beside `cargo`.",
        "profile = { lto = \"fat\", codegen-units = 1 }",
    ),
    key(
        "patch",
        Kind::Tables("variant.patch"),
        Else("dependencies are built as they are"),
        "Patches of dependencies. Those of `[subject]` come first. Only beside `cargo`.",
        "patch = [{ package = \"memchr\", file = \"memchr.patch\" }]",
    ),
    key(
        "command",
        Kind::Texts,
        Else("the program is built by `cargo`, or is a `binary`"),
        "Program and arguments of a build. No shell takes it apart; `[\"sh\", \"-ec\", \"…\"]` \
         starts one. It runs in a copy of `dir`, one for each variant, and with no time limit \
         below four hours.",
        "command = [\"make\", \"CFLAGS=-O3\"]",
    ),
    key(
        "dir",
        Kind::Path(Study),
        Value("\".\""),
        "Folder that is copied for the build command, without `.git`, `target` and `karat-runs`. \
         Only beside `command`.",
        "dir = \"src\"",
    ),
    key(
        "artifact",
        Kind::Path(Build),
        Else("required beside `command`"),
        "The program that the command leaves. It alone is kept: what it loads at run time must lie \
         elsewhere.",
        "artifact = \"build/tool\"",
    ),
    key(
        "env",
        Kind::TextMap,
        Value("{}"),
        "Environment variables of the build, added to karat's own. Those of a variant go over those \
         of `[subject]`. What runs find is set by `run` of a variant and `env` of a workload.",
        "env = { CC = \"clang\" }",
    ),
    key(
        "binary",
        Kind::Path(Study),
        Else("the program is built by `cargo` or `command`"),
        "A program that exists. Nothing is built.",
        "binary = \"bin/tool-2.1\"",
    ),
];

pub(super) const SUBJECT: Table = Table {
    path: "subject",
    header: "[subject]",
    what: "How the program under study is built: what all variants share. A variant that names \
           another of `cargo`, `command` and `binary` takes none of it. A key that does nothing \
           for any variant is an error.",
    keys: BUILD,
    shared: &[],
};

pub(super) const VARIANT: Table = Table {
    path: "variant",
    header: "[[variant]]",
    what: "One way to build or to run the subject; two at least. Besides these keys it takes \
           all of `[subject]`, and each goes before the subject's own.",
    keys: &[
        key(
            "name",
            Kind::Name,
            Required,
            "Its name in reports and in the other tables.",
            "name = \"native\"",
        ),
        key(
            "why",
            Kind::Text,
            Value("\"\""),
            "Why it is in the study, for the report.",
            "why = \"what the release notes recommend\"",
        ),
        key(
            "requires",
            Kind::Isas,
            Value("[]"),
            "ISAs, by rustc's names of target features, without which the variant is left out on \
             this machine.",
            "requires = [\"avx2\"]",
        ),
        key(
            "args",
            Kind::Texts,
            Value("[]"),
            "Arguments that this variant puts before those of a workload or a parity check.",
            "args = [\"--allocator=arena\"]",
        ),
        key(
            "run",
            Kind::Table("variant.run"),
            Value("{}"),
            "What the variant's runs find round them. It goes before what the workload says.",
            "run = { env = { MALLOC_ARENA_MAX = \"1\" } }",
        ),
    ],
    shared: BUILD,
};

/// What a run finds round it.
pub(super) const SURROUNDINGS: &[Key] = &[
    key(
        "stdin",
        Kind::Path(Study),
        Else("stdin is empty"),
        "File on stdin, opened anew for each run.",
        "stdin = \"input.json\"",
    ),
    key(
        "dir",
        Kind::Path(Study),
        Else("the folder in which karat was started"),
        "Working directory of the runs. Arguments that are paths are looked up there by the \
         program.",
        "dir = \"data\"",
    ),
    key(
        "env",
        Kind::TextMap,
        Value("{}"),
        "Environment variables of the runs, added to karat's own.",
        "env = { OMP_NUM_THREADS = \"1\" }",
    ),
    key(
        "setup",
        Kind::Text,
        Else("nothing runs before"),
        "Command of `sh -c` before each run, not measured.",
        "setup = \"rm -rf out\"",
    ),
    key(
        "cleanup",
        Kind::Text,
        Else("nothing runs after"),
        "Command of `sh -c` after each run, not measured.",
        "cleanup = \"rm -rf out\"",
    ),
];

pub(super) const RUN: Table = Table {
    path: "variant.run",
    header: "run = { … } of a variant",
    what: "What the runs of one variant find round them.",
    keys: SURROUNDINGS,
    shared: &[],
};

pub(super) const CRATE_RUSTFLAGS: Table = Table {
    path: "variant.crate-rustflags",
    header: "crate-rustflags = { … } of a variant",
    what: "Flags that not all crates of a cargo build get. Exactly one of `except` and `only` says \
           who. Build scripts and procedural macros never get them.",
    keys: &[
        key(
            "flags",
            Kind::Texts,
            Required,
            "The flags, one at least; none holds a space.",
            "flags = [\"-Ctarget-cpu=native\"]",
        ),
        key(
            "except",
            Kind::Texts,
            Else("`only` says who"),
            "All crates but these. Underscores and hyphens are the same.",
            "except = [\"memchr\", \"tool\"]",
        ),
        key(
            "only",
            Kind::Texts,
            Else("`except` says who"),
            "These crates only. Name the crate that calls the code as well: generic and inline \
             functions are compiled where they are used.",
            "only = [\"blake3\"]",
        ),
    ],
    shared: &[],
};

pub(super) const PATCH: Table = Table {
    path: "variant.patch",
    header: "[[variant.patch]]",
    what: "A patch of one dependency of a cargo build.",
    keys: &[
        key(
            "package",
            Kind::Text,
            Required,
            "Name of the dependency's package.",
            "package = \"memchr\"",
        ),
        key(
            "file",
            Kind::Path(Study),
            Required,
            "A unified diff with `a/` and `b/` paths.",
            "file = \"memchr.patch\"",
        ),
    ],
    shared: &[],
};
