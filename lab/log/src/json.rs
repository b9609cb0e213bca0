//! JSON as benchmark tools write it.

use crate::error::ReadError;
use crate::text::without_bom;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use std::borrow::Cow;

/// Reads a whole JSON text.
///
/// The bare words `NaN` and `Infinity` are no JSON, but Python's json module and
/// google-benchmark write them, also in statistics that no reader looks at. They
/// are read as strings, which a measurement refuses and everything else ignores.
///
/// # Errors
/// With line and column, what was expected there, and what the tool should have
/// written (`expected`).
pub fn parse<T: DeserializeOwned>(
    tool: &'static str,
    expected: &str,
    text: &[u8],
) -> Result<T, ReadError> {
    let text = without_bom(text);
    let first = match serde_json::from_slice(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let error = match quoted_words(text) {
        Cow::Owned(quoted) if first.is_syntax() => match serde_json::from_slice(&quoted) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        },
        _ => first,
    };
    Err(explained(tool, expected, text.len(), &error))
}

fn explained(
    tool: &'static str,
    expected: &str,
    length: usize,
    error: &serde_json::Error,
) -> ReadError {
    let message = error.to_string();
    // The place has fields of its own.
    let what = match message.rfind(" at line ") {
        Some(at) => &message[..at],
        None => &message,
    };
    let problem = match error.classify() {
        Category::Eof => {
            format!(
                "the text is cut off here, at byte {length} ({what}): let the tool write it again; \
                 expected {expected}"
            )
        }
        Category::Syntax => format!("{what}; expected {expected}"),
        Category::Data | Category::Io => what.to_owned(),
    };
    ReadError::Text {
        tool,
        line: error.line(),
        column: error.column(),
        problem,
    }
}

/// Words outside of strings that JSON does not know, and what stands in their
/// place: as long as they are, so that lines and columns stay.
const WORDS: &[(&[u8], &[u8])] = &[
    (b"-NaN", b"\"Na\""),
    (b"NaN", b"\"N\""),
    (b"-Infinity", b"\"-infini\""),
    (b"Infinity", b"\"infini\""),
];

fn quoted_words(text: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Cow::Borrowed(text);
    let mut in_string = false;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'"' => in_string = !in_string,
            b'\\' if in_string => at += 1,
            b'-' | b'N' | b'I' if !in_string => {
                let found = WORDS.iter().find(|(word, _)| text[at..].starts_with(word));
                if let Some((word, quoted)) = found {
                    out.to_mut()[at..at + word.len()].copy_from_slice(quoted);
                    at += word.len() - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{WORDS, quoted_words};

    #[test]
    fn words_keep_their_length() {
        for (word, quoted) in WORDS {
            assert_eq!(word.len(), quoted.len());
        }
        let text = br#"{"NaN \" NaN": [NaN, -Infinity, -1, "Infinity"]}"#;
        let quoted = br#"{"NaN \" NaN": ["N", "-infini", -1, "Infinity"]}"#;
        assert_eq!(quoted_words(text).as_ref(), quoted);
    }
}
