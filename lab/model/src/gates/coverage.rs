//! Which functions of a program ran at all.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One function of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WatchedFunction {
    /// Demangled name, or the place of a function without one.
    pub name: String,
    /// Its first byte.
    pub address: u64,
    /// Bytes of its code, cold parts among it.
    pub bytes: u64,
    /// Its crate, of Rust functions.
    #[serde(default)]
    pub krate: Option<String>,
    /// The source file of its first instruction, when the file has line tables.
    #[serde(default)]
    pub file: Option<String>,
    /// Whether it ran; none when it could not be watched.
    pub executed: Option<bool>,
}

/// The functions of a file after a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// By address.
    pub functions: Vec<WatchedFunction>,
    /// Beside another run of the same program.
    #[serde(default)]
    pub against: Option<Difference>,
}

/// What ran in one of two runs only. Functions are matched by name; one that only one
/// of the files has is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// The command of the other run.
    pub command: Vec<String>,
    /// Ran here and not there.
    pub only_here: Vec<String>,
    /// Ran there and not here.
    pub only_there: Vec<String>,
    /// Ran in both.
    pub both: u64,
    /// Ran in neither.
    pub neither: u64,
}

/// Functions of one crate or one source file, summed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dormant {
    /// The crate or the file; empty when it is not known.
    pub name: String,
    /// Functions that were watched.
    pub functions: u64,
    /// Those that ran.
    pub executed: u64,
    /// Bytes of those that were watched.
    pub bytes: u64,
    /// Bytes of those that never ran.
    pub dead_bytes: u64,
}

impl Coverage {
    /// Sums by crate, most dead bytes first.
    #[must_use]
    pub fn by_crate(&self) -> Vec<Dormant> {
        self.by(|function| function.krate.as_deref())
    }

    /// Sums by source file, most dead bytes first.
    #[must_use]
    pub fn by_file(&self) -> Vec<Dormant> {
        self.by(|function| function.file.as_deref())
    }

    /// The sum of all.
    #[must_use]
    pub fn total(&self) -> Dormant {
        self.by(|_| None).pop().unwrap_or_default()
    }

    fn by<'a>(&'a self, name: impl Fn(&'a WatchedFunction) -> Option<&'a str>) -> Vec<Dormant> {
        let mut sums: BTreeMap<&str, Dormant> = BTreeMap::new();
        for function in &self.functions {
            let Some(executed) = function.executed else {
                continue;
            };
            let name = name(function).unwrap_or_default();
            let sum = sums.entry(name).or_default();
            sum.functions += 1;
            sum.bytes += function.bytes;
            match executed {
                true => sum.executed += 1,
                false => sum.dead_bytes += function.bytes,
            }
        }
        let mut out: Vec<Dormant> = sums
            .into_iter()
            .map(|(name, sum)| Dormant {
                name: name.to_owned(),
                ..sum
            })
            .collect();
        out.sort_by(|a, b| (b.dead_bytes, &a.name).cmp(&(a.dead_bytes, &b.name)));
        out
    }

    /// What ran in only one of two runs. A name that stands for several functions ran
    /// when one of them did.
    #[must_use]
    pub fn difference(&self, other: &Self, command: &[String]) -> Difference {
        let (here, there) = (self.ran(), other.ran());
        let mut out = Difference {
            command: command.to_vec(),
            ..Difference::default()
        };
        for (name, ran_here) in here {
            match (ran_here, there.get(name)) {
                (true, Some(true)) => out.both += 1,
                (true, Some(false)) => out.only_here.push(name.to_owned()),
                (false, Some(true)) => out.only_there.push(name.to_owned()),
                (false, Some(false)) => out.neither += 1,
                (_, None) => {}
            }
        }
        out
    }

    fn ran(&self) -> BTreeMap<&str, bool> {
        let mut out = BTreeMap::new();
        for function in &self.functions {
            if let Some(executed) = function.executed {
                *out.entry(function.name.as_str()).or_default() |= executed;
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{Coverage, WatchedFunction};

    fn function(name: &str, krate: &str, bytes: u64, executed: Option<bool>) -> WatchedFunction {
        WatchedFunction {
            name: name.into(),
            krate: Some(krate.into()),
            bytes,
            executed,
            ..WatchedFunction::default()
        }
    }

    fn coverage(functions: Vec<WatchedFunction>) -> Coverage {
        Coverage {
            functions,
            against: None,
        }
    }

    #[test]
    fn sums_count_what_was_watched() {
        let all = coverage(vec![
            function("a::f", "a", 10, Some(true)),
            function("a::g", "a", 20, Some(false)),
            function("b::h", "b", 40, Some(false)),
            function("b::data", "b", 80, None),
        ]);
        let by_crate = all.by_crate();
        let told: Vec<_> = by_crate
            .iter()
            .map(|s| {
                (
                    s.name.as_str(),
                    s.functions,
                    s.executed,
                    s.bytes,
                    s.dead_bytes,
                )
            })
            .collect();
        assert_eq!(told, [("b", 1, 0, 40, 40), ("a", 2, 1, 30, 20)]);
        let total = all.total();
        assert_eq!(
            (total.functions, total.executed, total.dead_bytes),
            (3, 1, 60)
        );
        assert_eq!(coverage(Vec::new()).total().functions, 0);
    }

    #[test]
    fn runs_are_compared_by_name() {
        let of = |f, g, h| {
            let list = [("f", f), ("g", g), ("h", h)];
            let list = list.into_iter();
            coverage(
                list.map(|(name, ran)| function(name, "a", 1, ran))
                    .collect(),
            )
        };
        let mut here = of(Some(true), Some(false), Some(true));
        here.functions.push(function("g", "a", 1, Some(true)));
        here.functions
            .push(function("only here", "a", 1, Some(true)));
        let there = of(Some(true), Some(false), None);
        let difference = here.difference(&there, &["x".into()]);
        assert_eq!(difference.only_here, ["g"]);
        assert!(difference.only_there.is_empty());
        assert_eq!((difference.both, difference.neither), (1, 0));
        assert_eq!(there.difference(&here, &[]).only_there, ["g"]);
    }
}
