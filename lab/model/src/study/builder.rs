//! The build keys that `[subject]` and each `[[variant]]` share.

use super::fields::{Fields, Located, wrong_type};
use super::{Builder, Cargo, Command, CrateFlags, CrateSet, Patch, ProfileValue};
use crate::diagnostic::Problem;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

/// Ways to get a binary, each with the keys that it reads.
const KINDS: [(&str, &[&str]); 3] = [
    (
        "cargo",
        &[
            "cargo",
            "bin",
            "rustflags",
            "crate-rustflags",
            "features",
            "default-features",
            "profile",
            "env",
            "patch",
        ],
    ),
    ("command", &["command", "dir", "artifact", "env"]),
    ("binary", &["binary"]),
];

/// Build keys as written; what a variant leaves out it takes from the subject.
#[derive(Clone, Debug, Default)]
pub(super) struct BuildKeys {
    cargo: Option<Located<PathBuf>>,
    bin: Option<Located<String>>,
    rustflags: Option<Vec<String>>,
    crate_rustflags: Option<CrateFlags>,
    features: Option<Vec<String>>,
    default_features: Option<bool>,
    profile: BTreeMap<String, ProfileValue>,
    env: BTreeMap<String, String>,
    patches: Vec<Patch>,
    command: Option<Vec<String>>,
    dir: Option<Located<PathBuf>>,
    artifact: Option<PathBuf>,
    binary: Option<Located<PathBuf>>,
    /// Where each key of this very table stands; none of those taken from the subject.
    places: BTreeMap<&'static str, Range<usize>>,
}

impl BuildKeys {
    pub(super) fn read(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Self {
        let path = |s: Located<String>| Located {
            value: PathBuf::from(s.value),
            span: s.span,
        };
        let plain = |list: Option<Vec<Located<String>>>| -> Option<Vec<String>> {
            list.map(|l| l.into_iter().map(|s| s.value).collect())
        };
        Self {
            cargo: fields.string("cargo", problems).map(path),
            bin: fields.string("bin", problems),
            rustflags: plain(fields.strings("rustflags", problems)),
            crate_rustflags: crate_rustflags(fields, problems),
            features: plain(fields.strings("features", problems)),
            default_features: fields.boolean("default-features", problems),
            profile: profile(fields, problems),
            env: fields.string_map("env", problems),
            patches: patches(fields, problems),
            command: plain(fields.strings("command", problems)),
            dir: fields.string("dir", problems).map(path),
            artifact: fields
                .string("artifact", problems)
                .map(|s| PathBuf::from(s.value)),
            binary: fields.string("binary", problems).map(path),
            places: KINDS
                .iter()
                .flat_map(|(_, keys)| *keys)
                .filter_map(|key| Some((*key, fields.place(key)?)))
                .collect(),
        }
    }

    /// The kind of builder that these keys name, if it is one.
    pub(super) fn kind(&self) -> Option<&'static str> {
        match (&self.cargo, &self.command, &self.binary) {
            (Some(_), None, None) => Some("cargo"),
            (None, Some(_), None) => Some("command"),
            (None, None, Some(_)) => Some("binary"),
            _ => None,
        }
    }

    /// A problem for each key of this table that none of the builders in `kinds` reads:
    /// it would do nothing, in silence.
    pub(super) fn without_effect(&self, kinds: &[&'static str], problems: &mut Vec<Problem>) {
        let reads = |kind: &str, key: &str| {
            let mut all = KINDS.iter().filter(|(name, _)| *name == kind);
            all.any(|(_, keys)| keys.contains(&key))
        };
        for (key, place) in &self.places {
            if kinds.iter().any(|kind| reads(kind, key)) {
                continue;
            }
            let (who, instead) = match kinds {
                ["command"] => (
                    "what a command builds",
                    "write flags into `command`, or into `env`, as the command reads them",
                ),
                ["binary"] => (
                    "a binary that exists",
                    "it is run as it is; `run = { env = { … } }` and `run = { dir = … }` change \
                     what its runs find",
                ),
                ["cargo"] => (
                    "what cargo builds",
                    "its folder is `cargo`; another way to build is `command`",
                ),
                _ => (
                    "any variant of this study",
                    "leave it out, or move it to a variant that it is for",
                ),
            };
            problems.push(Problem {
                message: format!("`{key}` has no effect on {who}"),
                span: place.clone(),
                label: "nothing reads this".into(),
                help: Some(instead.into()),
            });
        }
    }

    /// These keys over the subject's. A variant that names another kind of
    /// builder than the subject takes none of the subject's keys along.
    pub(super) fn over(self, subject: &Self) -> Self {
        let base =
            if self.names_a_builder() && subject.names_a_builder() && !self.same_kind(subject) {
                Self::default()
            } else {
                subject.clone()
            };
        let mut profile = base.profile;
        profile.extend(self.profile);
        let mut env = base.env;
        env.extend(self.env);
        let mut patches = base.patches;
        patches.extend(self.patches);
        Self {
            cargo: self.cargo.or(base.cargo),
            bin: self.bin.or(base.bin),
            rustflags: self.rustflags.or(base.rustflags),
            crate_rustflags: self.crate_rustflags.or(base.crate_rustflags),
            features: self.features.or(base.features),
            default_features: self.default_features.or(base.default_features),
            profile,
            env,
            patches,
            command: self.command.or(base.command),
            dir: self.dir.or(base.dir),
            artifact: self.artifact.or(base.artifact),
            binary: self.binary.or(base.binary),
            places: self.places,
        }
    }

    fn names_a_builder(&self) -> bool {
        self.cargo.is_some() || self.command.is_some() || self.binary.is_some()
    }

    fn same_kind(&self, other: &Self) -> bool {
        (self.cargo.is_some() && other.cargo.is_some())
            || (self.command.is_some() && other.command.is_some())
            || (self.binary.is_some() && other.binary.is_some())
    }

    /// The builder these keys describe. `span` is where a problem is shown.
    pub(super) fn builder(
        self,
        span: &Range<usize>,
        problems: &mut Vec<Problem>,
    ) -> Option<Builder> {
        let mut fail = |message: &str, help: &str| {
            problems.push(Problem {
                message: message.into(),
                span: span.clone(),
                label: "in this variant".into(),
                help: Some(help.into()),
            });
        };
        match (self.cargo, self.command, self.binary) {
            (Some(dir), None, None) => {
                let Some(bin) = self.bin else {
                    fail("missing key `bin`", "name the binary target to build");
                    return None;
                };
                Some(Builder::Cargo(Cargo {
                    dir,
                    bin: bin.value,
                    rustflags: self.rustflags.unwrap_or_default(),
                    crate_rustflags: self.crate_rustflags,
                    features: self.features.unwrap_or_default(),
                    default_features: self.default_features.unwrap_or(true),
                    profile: self.profile,
                    env: self.env,
                    patches: self.patches,
                }))
            }
            (None, Some(command), None) => {
                let (Some(artifact), false) = (self.artifact, command.is_empty()) else {
                    fail(
                        "a command builder needs a non-empty `command` and an `artifact`",
                        "artifact = the binary that the command leaves, relative to `dir`",
                    );
                    return None;
                };
                Some(Builder::Command(Command {
                    dir: self.dir.unwrap_or(Located {
                        value: PathBuf::from("."),
                        span: span.clone(),
                    }),
                    command,
                    artifact,
                    env: self.env,
                }))
            }
            (None, None, Some(binary)) => Some(Builder::Binary(binary)),
            (None, None, None) => {
                fail(
                    "nothing says how to get this variant's binary",
                    "give `cargo`, `command` or `binary`, here or in [subject]",
                );
                None
            }
            _ => {
                fail(
                    "more than one of `cargo`, `command` and `binary`",
                    "a variant has one builder",
                );
                None
            }
        }
    }
}

fn crate_rustflags(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Option<CrateFlags> {
    let mut table = fields.table("crate-rustflags", problems)?;
    let span = table.span();
    let sets = [table.has("except"), table.has("only")];
    if !table.has("flags") {
        problems.push(table.missing("flags"));
    }
    let flags = table.strings("flags", problems);
    let none = flags.as_ref().is_some_and(Vec::is_empty);
    let flags = flags.unwrap_or_default();
    let except = table.strings("except", problems);
    let only = table.strings("only", problems);
    table.finish("crate-rustflags", problems);
    let mut fail = |message: &str, label: &str, span: Range<usize>| {
        problems.push(Problem {
            message: message.into(),
            span,
            label: label.into(),
            help: None,
        });
    };
    if none {
        fail(
            "`flags` is empty",
            "no flags to give to anyone",
            span.clone(),
        );
    }
    // The rustc wrapper gets them as one variable.
    for flag in flags
        .iter()
        .filter(|f| f.value.contains(char::is_whitespace))
    {
        fail(
            "a crate's flag cannot hold a space",
            "write -Ctarget-cpu=native rather than -C target-cpu=native",
            flag.span.clone(),
        );
    }
    let crates = match (except, only) {
        (Some(names), None) => CrateSet::Except(crate_names(names)),
        (None, Some(names)) => CrateSet::Only(crate_names(names)),
        _ if sets[0] != sets[1] => return None, // its type is wrong
        _ => {
            fail(
                "who gets these flags?",
                "give exactly one of `except` and `only`",
                span,
            );
            return None;
        }
    };
    Some(CrateFlags {
        flags: flags.into_iter().map(|f| f.value).collect(),
        crates,
    })
}

/// rustc knows crates by their underscored names; people write either.
fn crate_names(names: Vec<Located<String>>) -> Vec<String> {
    names
        .into_iter()
        .map(|n| n.value.replace('-', "_"))
        .collect()
}

fn profile(
    fields: &mut Fields<'_, '_>,
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, ProfileValue> {
    let Some(node) = fields.get("profile") else {
        return BTreeMap::new();
    };
    let Some(table) = node.get_ref().as_table() else {
        problems.push(wrong_type(node, "a table such as { lto = \"fat\" }"));
        return BTreeMap::new();
    };
    let mut out = BTreeMap::new();
    for (key, value) in table {
        let item = if let Some(text) = value.get_ref().as_str() {
            ProfileValue::Text(text.to_owned())
        } else if let Some(flag) = value.get_ref().as_bool() {
            ProfileValue::Flag(flag)
        } else if let Some(Ok(number)) = value
            .get_ref()
            .as_integer()
            .map(|i| u32::from_str_radix(i.as_str(), i.radix()))
        {
            ProfileValue::Number(number)
        } else {
            problems.push(wrong_type(value, "a string, a number, true or false"));
            continue;
        };
        out.insert(key.get_ref().to_string(), item);
    }
    out
}

fn patches(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Vec<Patch> {
    fields
        .tables("patch", problems)
        .into_iter()
        .map(|mut f| {
            let package = f.required("package", problems).value;
            let file = f.required("file", problems);
            f.finish("[[variant.patch]]", problems);
            Patch {
                package,
                file: Located {
                    value: PathBuf::from(file.value),
                    span: file.span,
                },
            }
        })
        .collect()
}
