//! What differs between any two runs and means nothing: times, addresses, temporary
//! paths, process numbers, UUIDs. Declared here, applied to messages before they
//! are compared, and listed in the report with how often each was needed.

use karat_model::compare::Normalisation;
use regex_lite::Regex;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is replaced, by what (`$1` is a group that stays), and the pattern. The order counts: a UUID holds
/// digits that later rules would take.
const RULES: &[(&str, &str, &str)] = &[
    (
        "UUIDs (RFC 9562)",
        "<uuid>",
        r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b",
    ),
    (
        "dates and times of day",
        "<time>",
        r"\b(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{4}-\d\d-\d\d\b",
    ),
    (
        "lines of source files",
        "$1:<line>",
        r"(\.(?:rs|c|cc|cpp|cxx|h|hpp|go|py|java|kt|js|ts|S|s|zig))(?::\d+(?::\d+)?|\(\d+\)|, line \d+)",
    ),
    ("offsets in binaries", "+<offset>", r"\+0x[0-9a-fA-F]+\b"),
    ("build IDs", "<build>", r"\bBuildId: [0-9a-fA-F]{8,64}\b"),
    ("addresses", "<address>", r"\b0x[0-9a-fA-F]{4,16}\b"),
    (
        "paths of temporary files",
        "<temporary>",
        r#"(?:/private)?(?:/tmp|/var/tmp|/var/folders|/dev/shm)/[^\s:'"`,;)\]]+"#,
    ),
    (
        "process and thread numbers",
        "<pid>",
        r"(?i)\b(?:pid|tid|process|thread|ppid)[ =:#]{1,2}\d+\b|==\d+==|\[\d{2,7}\]",
    ),
    (
        "durations",
        "<duration>",
        r"\b\d+(?:\.\d+)? ?(?:ns|us|\x{b5}s|\x{3bc}s|ms|s|sec|secs|seconds|min)\b",
    ),
];

/// Longest text that is kept, in bytes; what is beyond is told by its length and a hash.
const LONGEST: usize = 2048;

/// Texts remembered with their results: a message that repeats costs no search.
const REMEMBERED: usize = 4096;

/// Applies the rules, and counts.
pub struct Normaliser {
    rules: Vec<Regex>,
    /// Of all sides, which may be read at once.
    state: Mutex<State>,
}

#[derive(Clone, Default)]
struct State {
    replaced: Vec<u64>,
    doc_tests: u64,
    known: HashMap<String, (String, Vec<u64>)>,
}

impl Clone for Normaliser {
    fn clone(&self) -> Self {
        Self {
            rules: self.rules.clone(),
            state: Mutex::new(self.state().clone()),
        }
    }
}

impl Default for Normaliser {
    fn default() -> Self {
        Self {
            rules: RULES
                .iter()
                .map(|rule| Regex::new(rule.2).expect("the rules are constant and tested"))
                .collect(),
            state: Mutex::new(State {
                replaced: vec![0; RULES.len()],
                doc_tests: 0,
                known: HashMap::new(),
            }),
        }
    }
}

impl Normaliser {
    /// `text` with all that means nothing replaced, at most a little over 2 KiB long.
    #[must_use]
    pub fn normalise(&self, text: &str) -> String {
        let mut state = self.state();
        let state = &mut *state;
        if let Some((result, hits)) = state.known.get(text) {
            add(&mut state.replaced, hits);
            return result.clone();
        }
        let mut out = shorten(text.trim());
        let mut hits = vec![0; RULES.len()];
        // Every rule but that of temporary paths needs a digit.
        if out.contains('/') || out.contains(|c: char| c.is_ascii_digit()) {
            for ((rule, (_, by, _)), hits) in self.rules.iter().zip(RULES).zip(&mut hits) {
                *hits = rule.find_iter(&out).count() as u64;
                if *hits > 0 {
                    out = rule.replace_all(&out, *by).into_owned();
                }
            }
        }
        add(&mut state.replaced, &hits);
        if state.known.len() >= REMEMBERED {
            state.known.clear();
        }
        if text.len() <= LONGEST {
            state.known.insert(text.to_owned(), (out.clone(), hits));
        }
        out
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Counts and copies: a panic elsewhere leaves them sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a doc-test whose name lost its line ([`super::doctests`]).
    pub(super) fn count_doc_test(&self) {
        self.state().doc_tests += 1;
    }

    /// The rules that were needed, with how often.
    #[must_use]
    pub fn used(&self) -> Vec<Normalisation> {
        let state = self.state();
        let doc_tests = Normalisation {
            what: "lines in the names of doc-tests".to_owned(),
            by: "(line <line>), and their order in the file".to_owned(),
            replaced: state.doc_tests,
        };
        let doc_tests = (state.doc_tests > 0).then_some(doc_tests);
        RULES
            .iter()
            .zip(&state.replaced)
            .filter(|(_, replaced)| **replaced > 0)
            .map(|((what, by, _), replaced)| Normalisation {
                what: (*what).to_owned(),
                by: by.trim_start_matches("$1").to_owned(),
                replaced: *replaced,
            })
            .chain(doc_tests)
            .collect()
    }
}

fn add(sums: &mut [u64], hits: &[u64]) {
    for (sum, hits) in sums.iter_mut().zip(hits) {
        *sum += hits;
    }
}

/// A text of bounded length that still differs where the whole differs.
fn shorten(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // FNV-1a, 64 bits: G. Fowler, L. Noll, K.-P. Vo, <http://www.isthe.com/chongo/tech/comp/fnv/>.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, byte| {
        (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!(
        "{}… (in all {} bytes, hash {hash:016x}-)",
        &text[..end],
        text.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_run_to_run_is_replaced() {
        let normaliser = Normaliser::default();
        for (text, expected) in [
            ("at 0x7ffe12345678 in f", "at <address> in f"),
            ("2026-02-16 10:11:12.123456 GMT late", "<time> GMT late"),
            ("since 2026-02-16T10:11:12Z", "since <time>"),
            (
                "cannot open /tmp/x.AbC/log: gone",
                "cannot open <temporary>: gone",
            ),
            (
                "panicked at src/lib.rs:12:5: no",
                "panicked at src/lib.rs:<line>: no",
            ),
            ("fd_blake3.c(342) said", "fd_blake3.c:<line> said"),
            (
                "SEGV on 0x0000000001c8 (/bin/true+0x1a) (BuildId: 0123456789abcdef)",
                "SEGV on <address> (/bin/true+<offset>) (<build>)",
            ),
            ("process 4711 left, pid=12", "<pid> left, <pid>"),
            ("==123== ERROR", "<pid> ERROR"),
            ("took 1.25 s, then 30ms", "took <duration>, then <duration>"),
            (
                "id 123e4567-e89b-12d3-a456-426614174000 taken",
                "id <uuid> taken",
            ),
        ] {
            assert_eq!(normaliser.normalise(text), expected);
            assert_eq!(normaliser.normalise(text), expected, "from memory");
        }
        let used = normaliser.used();
        assert_eq!(used.len(), RULES.len());
        assert_eq!(used[1].replaced, 4, "{used:?}");
    }

    #[test]
    fn what_means_something_stays() {
        let normaliser = Normaliser::default();
        for text in [
            "NULL shmem",
            "expected 0x1f, got 0x20",
            "flags 0x1 + 0x2",
            "index 17 of 16",
            "test 12 of 40 failed",
            "ratio 3.5:1, port 80:8080",
        ] {
            assert_eq!(normaliser.normalise(text), text);
        }
        assert!(normaliser.used().is_empty());
    }

    #[test]
    fn long_texts_differ_where_their_ends_differ() {
        let normaliser = Normaliser::default();
        let long = |end: &str| normaliser.normalise(&format!("{}{end}", "äx".repeat(5000)));
        assert_ne!(long("a"), long("b"));
        assert_eq!(long("a"), long("a"));
        assert!(long("a").len() < LONGEST + 80);
    }
}
