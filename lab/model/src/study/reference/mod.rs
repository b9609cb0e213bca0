//! Every key of a study: what it is, its default, an example.
//!
//! `docs/study.md`, `karat explain study.…` and the JSON Schema for editors are made from
//! this. Tests hold it against the parser: the same keys in every table, examples that are
//! read, and defaults that change nothing when they are written down.

mod build;
mod measure;
mod page;
mod schema;
mod soak;
mod study;
mod workload;

pub use page::{list, markdown, page};
pub use schema::{SCHEMA_ID, schema};

/// A table of a study and its keys.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its place, with dots; empty for the top of the file.
    pub path: &'static str,
    /// How it is written: `[measure]`.
    pub header: &'static str,
    /// What it is for.
    pub what: &'static str,
    /// The keys that it alone has.
    pub keys: &'static [Key],
    /// Keys that it shares with another table.
    pub shared: &'static [Key],
}

impl Table {
    /// All its keys.
    pub fn all(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().chain(self.shared)
    }
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What holds without it.
    pub preset: Preset,
    /// What it means.
    pub what: &'static str,
    /// A line that uses it, or several.
    pub example: &'static str,
}

/// What values a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The number of the format.
    Version,
    /// Any text.
    Text,
    /// Text that can name a folder.
    Name,
    /// A path.
    Path(Base),
    /// A list of texts.
    Texts,
    /// A table of texts.
    TextMap,
    /// `true` or `false`.
    Flag,
    /// A whole number from the first to the second.
    Integer(u32, u32),
    /// `"auto"`, or a whole number from the first to the second.
    AutoOrInteger(u32, u32),
    /// Such as `"10 s"`.
    Duration,
    /// `"auto"` or a duration.
    AutoOrDuration,
    /// More than 0 % and at most 50 %.
    Margin,
    /// 0 % or more.
    Growth,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Names of ISAs.
    Isas,
    /// Pairs of variants.
    Pairs,
    /// Settings of a cargo profile.
    Profile,
    /// A metric, or a list of them.
    Metrics,
    /// A table, by its path.
    Table(&'static str),
    /// A list of tables, by their path.
    Tables(&'static str),
}

/// What a path is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The study file's folder.
    Study,
    /// The folder in which the build command runs.
    Build,
    /// The working directory of a run.
    Run,
}

/// What holds without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// It must be there.
    Required,
    /// This value, as TOML.
    Value(&'static str),
    /// Something that no value says.
    Else(&'static str),
}

const fn key(
    name: &'static str,
    kind: Kind,
    preset: Preset,
    what: &'static str,
    example: &'static str,
) -> Key {
    Key {
        name,
        kind,
        preset,
        what,
        example,
    }
}

/// All tables, in the order of the page.
pub const TABLES: [Table; 14] = [
    study::STUDY,
    build::SUBJECT,
    build::VARIANT,
    build::RUN,
    build::CRATE_RUSTFLAGS,
    build::PATCH,
    workload::WORKLOAD,
    workload::METRIC,
    workload::PARITY,
    workload::EXPECT,
    measure::MEASURE,
    measure::AUDIT,
    soak::BUDGET,
    soak::SOAK,
];
