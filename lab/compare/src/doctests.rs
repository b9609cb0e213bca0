//! The names of Rust's doc-tests, which hold the line that they stand in:
//! `src/lib.rs - add (line 7)`.
//!
//! The line moves with every edit above it, so it cannot be part of a name that two
//! versions share. Doc-tests of one item are told apart by their order in the file
//! instead. Tests run side by side and are printed as they end, so that order is
//! known only when a log has been read: until then they wait.

use karat_model::log::Test;
use std::collections::{BTreeMap, BTreeSet};

/// Doc-tests of a log that may wait; those beyond keep their names.
const MOST: usize = 100_000;

/// The doc-tests of the log that is being read.
#[derive(Clone, Default)]
pub(super) struct DocTests(Vec<(Test, u64)>);

impl DocTests {
    /// Takes a test if it is a doc-test; gives it back if it is none.
    pub(super) fn take(&mut self, mut test: Test) -> Option<Test> {
        let found = split(&test.name).map(|(front, line, behind)| {
            // The first one of its item; a second one gets a number at the end.
            (format!("{front}(line <line>){behind}"), line)
        });
        match found {
            Some((name, line)) if self.0.len() < MOST => {
                test.name = name;
                self.0.push((test, line));
                None
            }
            _ => Some(test),
        }
    }

    /// All that wait, in the order of the log, under the names they keep.
    pub(super) fn named(&mut self) -> Vec<Test> {
        let mut waiting = std::mem::take(&mut self.0);
        let mut lines: BTreeMap<(String, String), BTreeSet<u64>> = BTreeMap::new();
        for (test, line) in &waiting {
            let item = item(test);
            lines.entry(item).or_default().insert(*line);
        }
        for (test, line) in &mut waiting {
            let place = lines.get(&item(test)).map(|lines| lines.range(..*line));
            match place.map_or(0, Iterator::count) {
                0 => {}
                before => test.name += &format!(" #{}", before + 1),
            }
        }
        waiting.into_iter().map(|(test, _)| test).collect()
    }
}

fn item(test: &Test) -> (String, String) {
    (test.suite.clone(), test.name.clone())
}

/// What stands before `(line 7)`, the line, and what stands behind: ` - compile`.
fn split(name: &str) -> Option<(&str, u64, &str)> {
    // rustdoc: `path - item (line N)`; of a crate's or module's own text without item.
    let at = name.rfind("(line ")?;
    let (number, behind) = name[at + "(line ".len()..].split_once(')')?;
    let sound = name[..at].contains(" - ") && behind.len() < 64;
    sound.then_some((&name[..at], number.parse().ok()?, behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::log::Outcome;

    fn names(given: &[&str]) -> Vec<String> {
        let mut waiting = DocTests::default();
        let mut out = Vec::new();
        for name in given {
            out.extend(waiting.take(Test {
                suite: "Doc-tests small".into(),
                name: (*name).into(),
                outcome: Outcome::Passed,
                seconds: None,
                reason: None,
            }));
        }
        out.extend(waiting.named());
        out.into_iter().map(|t| t.name).collect()
    }

    #[test]
    fn doc_tests_keep_their_names_when_lines_move() {
        let before = names(&[
            "src/lib.rs - add (line 9)",
            "src/lib.rs - div (line 15) - compile",
            "src/lib.rs - add (line 5)",
            "src/lib.rs - (line 1)",
        ]);
        assert_eq!(
            before,
            [
                "src/lib.rs - add (line <line>) #2",
                "src/lib.rs - div (line <line>) - compile",
                "src/lib.rs - add (line <line>)",
                "src/lib.rs - (line <line>)",
            ]
        );
        // Moved by two lines, in another order, one of them twice (two runs in one log).
        let after = names(&[
            "src/lib.rs - (line 1)",
            "src/lib.rs - add (line 7)",
            "src/lib.rs - add (line 11)",
            "src/lib.rs - add (line 11)",
            "src/lib.rs - div (line 17) - compile",
        ]);
        let (mut before, mut after) = (before, after);
        for names in [&mut before, &mut after] {
            names.sort();
            names.dedup();
        }
        assert_eq!(before, after);
    }

    #[test]
    fn other_names_stay_as_they_are() {
        let other = [
            "parses (line 7)",
            "a - b (line x)",
            "(line 3",
            "tests::line",
        ];
        assert_eq!(names(&other), other);
    }
}
