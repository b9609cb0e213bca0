//! What a line of pytest's says: a heading, letters of tests, a test's outcome, the last
//! line's counts.

use crate::log::scan::test;
use karat_model::log::{Outcome, Test};

pub(super) fn is_first(line: &str) -> bool {
    title(line) == Some("test session starts") || is_quiet(line) || letters(line).is_some()
}

/// The first heading of a log made with `-q`. Pytest's are as wide as the terminal;
/// `FAILURES` alone could be another tool's.
pub(super) fn is_quiet(line: &str) -> bool {
    match title(line) {
        Some("short test summary info") => true,
        Some("FAILURES" | "ERRORS") => line.len() >= 60,
        Some(title) => title.starts_with("warnings summary"),
        None => false,
    }
}

/// `Name (time in ns)   Min   Max   Mean …`
pub(super) fn is_table(line: &str) -> bool {
    line.starts_with("Name (time in ")
}

/// What stands between the signs of a heading.
pub(super) fn title(line: &str) -> Option<&str> {
    let inside = line.strip_prefix("==")?.strip_suffix('=')?;
    let inside = inside.trim_matches('=');
    inside.strip_prefix(' ')?.strip_suffix(' ')
}

/// In the order of all counts.
pub(super) const OUTCOMES: [Outcome; 3] = [Outcome::Passed, Outcome::Failed, Outcome::Skipped];

/// `..F.s   [ 85%]`: tests that passed, failed and were skipped, subtests of which the
/// letter does not tell, and the percentage.
pub(super) fn letters(line: &str) -> Option<([u64; 3], u64, u8)> {
    let (letters, percent) = line.trim_end().strip_suffix("%]")?.split_once(" [")?;
    let (mut counts, mut subtests) = ([0; 3], 0);
    for letter in letters.trim_end().bytes() {
        counts[match letter {
            b'.' | b'X' | b',' => 0,
            b'F' | b'E' => 1,
            b's' | b'x' | b'-' | b'y' => 2,
            b'u' => {
                subtests += 1;
                continue;
            }
            // It is run again.
            b'R' => continue,
            _ => return None,
        }] += 1;
    }
    let percent = percent.trim_start().parse().ok()?;
    (counts != [0; 3] || subtests > 0).then_some((counts, subtests, percent))
}

/// `1 failed, 7 passed in 0.12s`.
pub(super) fn is_result(text: &str) -> bool {
    let counted = [
        " passed",
        " failed",
        " skipped",
        " error",
        " deselected",
        "no tests ran",
    ];
    text.contains(" in ") && counted.iter().any(|word| text.contains(word))
}

/// The number before a word of the last line.
pub(super) fn counted(result: &str, word: &str) -> u64 {
    let words: Vec<&str> = result.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    let pair = words.windows(2).find(|pair| pair[1] == word);
    let number = pair.and_then(|pair| pair[0].parse::<u32>().ok());
    number.unwrap_or(0).into()
}

pub(super) fn outcome_of(word: &str) -> Option<Outcome> {
    match word {
        // The last of each is a subtest's, by the plugin pytest-subtests.
        "PASSED" | "XPASS" | "SUBPASS" => Some(Outcome::Passed),
        "FAILED" | "ERROR" | "SUBFAIL" => Some(Outcome::Failed),
        "SKIPPED" | "XFAIL" | "SUBSKIP" => Some(Outcome::Skipped),
        _ => None,
    }
}

/// `SUBFAILED(i=1) rest`, `SUBPASSED[title] (i=0)`: the outcome and what is behind it.
pub(super) fn subtest(text: &str) -> Option<(Outcome, &str)> {
    let rest = text.strip_prefix("SUB")?;
    let words = [
        ("PASSED", Outcome::Passed),
        ("FAILED", Outcome::Failed),
        ("SKIPPED", Outcome::Skipped),
        ("XFAIL", Outcome::Skipped),
    ];
    let (word, outcome) = words.into_iter().find(|(word, _)| rest.starts_with(word))?;
    let what = &rest[word.len()..];
    what.starts_with(['(', '[', ' ']).then_some((outcome, what))
}

/// `ID SUBPASSED(i=0)   [ 8%]`, `[gw0] [  8%] SUBPASSED(i=0) ID`: a name with what was given
/// to the subtest, and its outcome.
pub(super) fn verbose_subtest(text: &str) -> Option<(String, Outcome)> {
    let text = text.trim_end();
    if text.starts_with("[gw") {
        let (outcome, what) = subtest(text.split_once("%] ")?.1)?;
        let (what, id) = what.rsplit_once(' ')?;
        return Some((format!("{id} {what}"), outcome));
    }
    let text = match text.rsplit_once('[') {
        Some((front, percent)) if percent.ends_with("%]") => front.trim_end(),
        _ => text,
    };
    let at = text.find(" SUB")?;
    let (outcome, what) = subtest(&text[at + 1..])?;
    Some((format!("{} {what}", &text[..at]), outcome))
}

/// `ID PASSED   [  8%]`, `ID SKIPPED (needs a disk)   [ 25%]`.
pub(super) fn verbose(text: &str) -> Option<(&str, Outcome, Option<&str>)> {
    let mut text = text.trim_end();
    if let Some((front, percent)) = text.rsplit_once('[')
        && percent.ends_with("%]")
    {
        text = front.trim_end();
    }
    let mut reason = None;
    if let Some(front) = text.strip_suffix(')')
        && let Some((front, inside)) = front.split_once(" (").filter(|(front, _)| {
            front
                .rsplit(' ')
                .next()
                .is_some_and(|word| outcome_of(word).is_some())
        })
    {
        reason = Some(inside);
        text = front.trim_end();
    }
    let (id, outcome) = text.rsplit_once(' ')?;
    id.contains("::")
        .then_some((id.trim(), outcome_of(outcome)?, reason))
}

/// `[gw1] [  8%] PASSED ID`.
pub(super) fn of_worker(text: &str) -> Option<(&str, Outcome, Option<&str>)> {
    let (_, rest) = text.split_once("%] ")?;
    let (outcome, id) = rest.split_once(' ')?;
    Some((whole_id(id.trim()), outcome_of(outcome)?, None))
}

/// A node id without what a worker wrote to stderr behind it. Blanks are part of it in
/// brackets only.
fn whole_id(text: &str) -> &str {
    let name = text.find("::").unwrap_or(0);
    let at = |what: &str| text[name..].find(what).map(|at| name + at);
    let blank = at(" ").unwrap_or(text.len());
    match at("[").filter(|open| *open < blank) {
        None => &text[..blank],
        Some(_) => at("] ").map_or(text, |end| &text[..=end]),
    }
}

/// A node id as suite and name.
pub(super) fn split(id: &str, outcome: Outcome) -> Test {
    let plain = id.split('[').next().unwrap_or(id);
    match plain.rfind("::") {
        Some(at) => test(&id[..at], &id[at + 2..], outcome),
        None => test("", id, outcome),
    }
}
