//! The sets of programs, each with a list and a record of its own.

use crate::truth::{Case, cases, cases_of};

/// What the names of programs for AArch64 begin with.
const ARM: &str = "arm-";

/// One set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Set {
    /// What the names of its programs begin with; nothing for the first.
    start: &'static str,
    /// Whether they also run where the system does not save AVX's registers.
    pub asks_state: bool,
}

const FIRST: Set = Set::new("", false);

const OTHERS: [Set; 10] = [
    Set::new(ARM, false),
    Set::new("arm2-", false),
    Set::new("unseen-", false),
    Set::new("third-", true),
    Set::new("fourth-", true),
    Set::new("fifth-", true),
    Set::new("sixth-", true),
    Set::new("seventh-", true),
    Set::new("eighth-", true),
    Set::new("ninth-", true),
];

impl Set {
    const fn new(start: &'static str, asks_state: bool) -> Self {
        Self { start, asks_state }
    }

    /// The set that a name, or the start of names, belongs to.
    pub fn of(name: &str) -> Self {
        let is_of = |set: &Self| name.starts_with(set.start);
        OTHERS.into_iter().find(is_of).unwrap_or(FIRST)
    }

    /// Whether these are all names of a set.
    pub fn is_whole(self, name: &str) -> bool {
        name == self.start
    }

    /// Its programs in all builds, each with its number in the list.
    pub fn cases(self) -> Vec<(usize, Case)> {
        let (all, is_arm) = match self.start {
            "" | ARM => (cases(), Some(self.start == ARM)),
            start => (
                cases_of(&format!("{}.txt", start.trim_end_matches('-'))),
                None,
            ),
        };
        let all = all.into_iter().enumerate();
        let is_of = |case: &Case| is_arm.is_none_or(|arm| case.name.starts_with(ARM) == arm);
        all.filter(|(_, case)| is_of(case)).collect()
    }

    /// Name of a file of its record.
    pub fn file(self, what: &str) -> String {
        match self.start {
            "" => format!("{what}.csv"),
            start => format!("{what}-{}.csv", start.trim_end_matches('-')),
        }
    }

    /// Whether its labels are kept beside its list as well.
    pub fn has_labels(self) -> bool {
        matches!(self.start, "" | ARM)
    }

    /// Whether a line of the labels is of it.
    pub fn is_label_of(self, line: &str) -> bool {
        line.starts_with(ARM) == (self.start == ARM)
    }
}
