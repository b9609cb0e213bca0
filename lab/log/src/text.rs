//! Text as terminals and shells leave it.

use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';

/// The text behind a UTF-8 byte order mark.
pub fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

/// Numbered lines as a terminal shows them: no colours, no line ends, and of a
/// line that was overwritten (`\r`) the last version. What is not UTF-8 becomes
/// U+FFFD.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let numbered = without_bom(text).split(|byte| *byte == b'\n').enumerate();
    numbered.map(|(i, line)| (i + 1, shown(line)))
}

/// One line as a terminal shows it.
pub fn shown(line: &[u8]) -> Cow<'_, str> {
    let end = line.iter().rposition(|b| *b != b'\r').map_or(0, |i| i + 1);
    let line = &line[..end];
    let start = line.iter().rposition(|b| *b == b'\r').map_or(0, |i| i + 1);
    let text = String::from_utf8_lossy(&line[start..]);
    if text.contains(ESCAPE) {
        Cow::Owned(without_escapes(&text))
    } else {
        text
    }
}

/// Removes control sequences (ECMA-48 §5.4: CSI, then bytes up to one of
/// `@`..`~`) and the strings of operating systems, applications and devices (§5.6: up to
/// BEL or ESC `\`). Buildkite puts its time stamps into such strings.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != ESCAPE {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('[') => drop(chars.find(|c| ('@'..='~').contains(c))),
            Some(']' | '_' | 'P' | '^' | 'X') => {
                let end = chars.find(|c| [BELL, ESCAPE].contains(c));
                // Of ESC `\` one more belongs to the command.
                end.filter(|c| *c == ESCAPE).and_then(|_| chars.next());
            }
            _ => {}
        }
    }
    out
}

/// Whether `head` holds all of `words`.
pub fn has_all(head: &[u8], words: &[&str]) -> bool {
    let has = |word: &&str| head.windows(word.len()).any(|w| w == word.as_bytes());
    words.iter().all(has)
}

/// The first byte that is no white space.
pub fn first_byte(head: &[u8]) -> Option<u8> {
    let found = without_bom(head).iter().find(|b| !b.is_ascii_whitespace());
    found.copied()
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_are_as_shown() {
        let text = "\u{feff}a\r\n\u{1b}[0;32mb\u{1b}[m c\n40 %\r100 %\r\n\u{1b}]0;title\u{7}\u{1b}_bk;t=17\u{7}d\n\n\u{1b}[";
        let seen: Vec<(usize, String)> = lines(text.as_bytes())
            .map(|(number, line)| (number, line.into_owned()))
            .collect();
        let expected = [
            (1, "a"),
            (2, "b c"),
            (3, "100 %"),
            (4, "d"),
            (5, ""),
            (6, ""),
        ];
        let expected = expected.map(|(number, line)| (number, line.to_owned()));
        assert_eq!(seen, expected);
    }
}
