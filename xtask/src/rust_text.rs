//! Rust source with its comments and literals blanked, for checks that look for
//! words in code.

/// The source with every comment, string and character literal replaced by
/// spaces; lines keep their numbers.
pub fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    let mut previous = ' ';
    while let Some(c) = rest.chars().next() {
        let literal = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => quoted(rest, '"'),
            '\'' => character(rest),
            // A prefix (b, c, r, br, cr) begins a word of its own.
            'r' | 'b' | 'c' if !is_word(previous) => raw_string(rest),
            _ => 0,
        };
        let taken = if literal == 0 { c.len_utf8() } else { literal };
        if literal == 0 {
            code.push(c);
        } else {
            let blank = |c| if c == '\n' { '\n' } else { ' ' };
            code.extend(rest[..taken].chars().map(blank));
        }
        previous = c;
        rest = &rest[taken..];
    }
    code
}

/// Numbers of the lines that hold `word` as a whole word.
pub fn lines_with_word(code: &str, word: &str) -> Vec<usize> {
    let holds = |line: &str| {
        line.split(|c: char| !is_word(c))
            .any(|candidate| candidate == word)
    };
    let numbered = code.lines().enumerate();
    numbered
        .filter(|(_, line)| holds(line))
        .map(|(i, _)| i + 1)
        .collect()
}

/// Whether the character can be part of an identifier.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length of a comment that may hold others.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let here = &text[at..];
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Length of a literal that begins and ends with `quote`.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return i + 1;
        }
    }
    text.len()
}

/// Length of a character literal; 0 for a lifetime.
fn character(text: &str) -> usize {
    let mut after = text.chars().skip(1);
    match (after.next(), after.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(text, '\''),
        _ => 0,
    }
}

/// Length of a raw string with its prefix; 0 when it is none.
fn raw_string(text: &str) -> usize {
    let prefix = text.trim_start_matches(['b', 'c']);
    let Some(hashes) = prefix.strip_prefix('r') else {
        return 0;
    };
    let body = hashes.trim_start_matches('#');
    let count = hashes.len() - body.len();
    let Some(inside) = body.strip_prefix('"') else {
        return 0;
    };
    let end = format!("\"{}", "#".repeat(count));
    let begin = text.len() - inside.len();
    inside
        .find(&end)
        .map_or(text.len(), |i| begin + i + end.len())
}

#[cfg(test)]
mod tests {
    use super::{code_only, lines_with_word};

    #[test]
    fn comments_and_literals_are_blank_and_lines_stay() {
        let source = "let a = \"unsafe \\\" unsafe\"; // unsafe\n\
                      /* unsafe /* unsafe */ unsafe\n unsafe */ let b = '\"';\n\
                      let c = br#\"unsafe \" unsafe\"#; let d = '\\'';\n\
                      fn f<'a>(x: &'a str) {}\n\
                      unsafe { g(\"x\") }\n";
        let code = code_only(source);
        assert_eq!(code.lines().count(), source.lines().count());
        assert_eq!(lines_with_word(&code, "unsafe"), [6]);
        assert!(code.contains("fn f<'a>(x: &'a str) {}"));
    }

    #[test]
    fn part_of_a_word_is_not_the_word() {
        assert!(lines_with_word("#![forbid(unsafe_code)]", "unsafe").is_empty());
    }
}
