//! What a line that no reader knew looks like: the outcome of a test, or an error.
//!
//! This decides nothing by itself. It says where a log may tell more than was read.

use karat_model::compare::Shape;

/// What is known of a line from the search for all texts at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// One of [`ERRORS`] is in it.
    pub error: bool,
    /// One of [`COUNTS`] is in it.
    pub count: bool,
}

/// What a line that is not blank looks like, if like anything.
pub fn of(line: &str, hints: Hints) -> Option<Shape> {
    let text = line.trim();
    if is_outcome(text) || hints.count && is_count(text) {
        Some(Shape::Test)
    } else {
        hints.error.then_some(Shape::Error)
    }
}

/// Texts of errors.
pub const ERRORS: &[&str] = &[
    "error",
    "Error",
    "ERROR",
    "failed",
    "Failed",
    "FAIL",
    "ailure",
    "fatal",
    "FATAL",
    "xception",
    "panic",
    "Invalid ",
    "ssertion",
    "CRITICAL",
    "lost: ",
    " leak",
    "uninitialised",
    "ata race",
    "overflow",
    "mismatch",
    "abort",
];

/// Words that say how a test ended.
const OUTCOMES: &[&str] = &[
    "ok", "OK", "Ok", "pass", "Pass", "PASS", "passed", "Passed", "PASSED", "fail", "Fail", "FAIL",
    "failed", "Failed", "FAILED", "FAILURE", "skip", "Skip", "SKIP", "skipped", "Skipped",
    "SKIPPED", "XFAIL", "XPASS", "ERROR", "TIMEOUT", "success", "SUCCESS",
];

/// Signs that test runners put before a name.
const SIGNS: &[char] = &[
    '✓', '✔', '✗', '✘', '✕', '×', '√', '✖', '❌', '✅', '⨯', '☑', '☒',
];

/// `FAIL: name`, `[ OK ] name`, `✓ name`, `name ... ok`, `name [PASS]`.
fn is_outcome(text: &str) -> bool {
    if text.starts_with(SIGNS) {
        return true;
    }
    if let Some(inside) = text.strip_prefix('[')
        && let Some((word, rest)) = inside.split_once(']')
    {
        // `[ERROR]` is a level of messages.
        let word = word.trim();
        return OUTCOMES.contains(&word) && word != "ERROR" && !rest.trim().is_empty();
    }
    let first = text.split([' ', '\t']).next().unwrap_or(text);
    if first.len() < text.len() && first.len() > 2 {
        let rest = &text[first.len()..];
        let word = first.trim_end_matches(':');
        if OUTCOMES.contains(&word) && (word.len() < first.len() || names_test(word, rest)) {
            return true;
        }
    }
    ends_in_outcome(text)
}

/// Whether a bare capital word is followed by one name, not by a sentence.
fn names_test(word: &str, rest: &str) -> bool {
    let capital = word.bytes().all(|b| b.is_ascii_uppercase());
    let words = rest.split_whitespace().count();
    let wide = rest.starts_with(['\t', '[']) || rest.starts_with("  ");
    capital && (words == 1 || wide || rest.contains([':', '/', '_', '(']))
}

fn ends_in_outcome(text: &str) -> bool {
    let inside = text.strip_suffix(']').unwrap_or(text).trim_end();
    let start = inside
        .rfind(|c: char| !c.is_ascii_alphabetic())
        .map_or(0, |at| {
            at + inside[at..].chars().next().map_or(1, char::len_utf8)
        });
    if start == 0 || !OUTCOMES.contains(&&inside[start..]) {
        return false;
    }
    let front = &inside[..start];
    let bare = front.trim_end();
    if inside.len() < text.len() {
        return bare.ends_with('[') && bare.len() > 1;
    }
    let spaces = front.len() - bare.len();
    bare.ends_with(['.', ':', '|', '\t', '>']) || spaces > 1 || front.ends_with('\t')
}

/// Words beside the number of tests.
pub const COUNTS: &[&str] = &[
    "passed",
    "Passed",
    "failed",
    "Failed",
    "failures",
    "Failures",
    "passing",
    "failing",
    "Tests run: ",
    "tests run",
];

/// `12 passed, 1 failed`, `Failures: 0`.
fn is_count(text: &str) -> bool {
    COUNTS.iter().any(|word| {
        let Some((before, after)) = text.split_once(word) else {
            return false;
        };
        let before = before
            .trim_end()
            .trim_end_matches(" tests")
            .trim_end_matches(" test");
        let behind = after.trim_start_matches([':', '=', ' ']);
        let is_number = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        // A number that is the whole word before, as in `3 passed`.
        let word = before
            .rsplit([' ', '\t', '(', ',', '|'])
            .next()
            .unwrap_or("");
        let counted = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        counted
            || (after.len() > behind.len() && is_number(behind.chars().next()) && text.len() < 200)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Option<Shape> {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let hints = Hints {
            error: has(ERRORS),
            count: has(COUNTS),
        };
        of(text, hints)
    }

    #[test]
    fn outcomes_of_unknown_runners_look_like_tests() {
        for text in [
            "[ OK ] Sum.Small (0 ms)",
            "[FAIL] a/b.c",
            "FAIL: shop/basket",
            "PASS  src/a.test.js",
            "FAILED test_basket",
            "  ✓ adds small ones",
            "checking basket ... ok",
            "basket: FAILED",
            "basket                  PASS",
            "case 7 [PASS]",
            "12 passed, 3 failed",
            "Failures: 2",
            "3 tests passed",
            "Tests run: 4, Failures: 1",
        ] {
            assert_eq!(shape(text), Some(Shape::Test), "{text}");
        }
    }

    #[test]
    fn sentences_do_not() {
        for text in [
            "FAIL fast is a motto",
            "ok then, 1 more thing",
            "OK computer",
            "running late tests",
            "request took 15 ms, 3 tests of the connection ok",
            "all is ok",
            "[info] ok",
        ] {
            assert_ne!(shape(text), Some(Shape::Test), "{text}");
        }
        assert_eq!(shape("all is well"), None);
        assert_eq!(shape(""), None);
    }

    #[test]
    fn errors_look_like_errors() {
        for text in [
            "==123== Invalid write of size 4",
            "==123==    definitely lost: 40 bytes in 1 blocks",
            "server: ERROR cannot bind",
            "Unhandled Exception: System.Boom",
            "10:15:30: error counts are low",
        ] {
            assert_eq!(shape(text), Some(Shape::Error), "{text}");
        }
    }
}
