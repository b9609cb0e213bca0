//! Commands in Markdown: lines of blocks, spans of text, rows of tables.

/// A command that a text names.
#[derive(Debug, PartialEq)]
pub struct Said {
    /// Its line, counted from 1.
    pub line: usize,
    /// Without prompt, variables in front and comment.
    pub words: Vec<String>,
}

/// Languages of blocks that hold commands.
const SHELLS: [&str; 5] = ["", "sh", "bash", "shell", "console"];

/// All calls of karat and cargo in a Markdown text.
///
/// In a row of a table that begins with a call, flags that stand by themselves belong to
/// that call: "| `karat ab` | …; `--metric` |" names `karat ab --metric`.
pub fn commands(text: &str) -> Vec<Said> {
    let mut found = Vec::new();
    let mut prose = Vec::new();
    let mut fence = None;
    let mut after_blank = true;
    let mut lines = text.lines().enumerate();
    while let Some((i, line)) = lines.next() {
        let open = line.trim_start().strip_prefix("```");
        match (open, fence) {
            (Some(language), None) => {
                spans(&std::mem::take(&mut prose), &mut found);
                fence = Some(SHELLS.contains(&language.trim()));
            }
            (Some(_), Some(_)) => fence = None,
            (None, Some(shell)) if !shell => {}
            (None, Some(_)) => block_line(i, line, &mut lines, &mut found),
            (None, None) if after_blank && line.starts_with("    ") => {
                block_line(i, line, &mut lines, &mut found);
                continue;
            }
            (None, None) if line.trim().is_empty() || line.starts_with('|') => {
                spans(&std::mem::take(&mut prose), &mut found);
                spans(&[(i, line)], &mut found);
            }
            (None, None) => prose.push((i, line)),
        }
        after_blank = line.trim().is_empty();
    }
    spans(&prose, &mut found);
    found.sort_by_key(|said| said.line);
    found
}

/// A line of a block, with those that a backslash joins to it.
fn block_line<'a>(
    i: usize,
    line: &str,
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    found: &mut Vec<Said>,
) {
    let mut whole = line.to_owned();
    while let Some(joined) = whole.strip_suffix('\\') {
        let next = lines.next().map_or("", |(_, next)| next);
        whole = format!("{joined}{next}");
    }
    found.extend(call(i, &words(&whole)));
}

/// The spans of a paragraph or of a row.
fn spans(lines: &[(usize, &str)], found: &mut Vec<Said>) {
    let row = lines.len() == 1 && lines[0].1.starts_with('|');
    let mut of_row: Option<Said> = None;
    for (i, span) in code(lines) {
        let words = words(&span);
        match (&of_row, words.first()) {
            (Some(said), Some(flag)) if flag.starts_with('-') => {
                let before = said.words.iter().take_while(|w| *w != "--");
                let words = before.chain(&words).cloned().collect();
                found.push(Said { line: i + 1, words });
            }
            _ => {
                let said = call(i, &words);
                if row && of_row.is_none() {
                    of_row = call(i, &words);
                }
                found.extend(said);
            }
        }
    }
}

/// What stands between backticks, each with its line's index.
fn code(lines: &[(usize, &str)]) -> Vec<(usize, String)> {
    let mut spans = Vec::new();
    let mut inside: Option<(usize, String)> = None;
    for (i, line) in lines {
        for (n, part) in line.split('`').enumerate() {
            if n > 0 {
                match inside.take() {
                    Some(span) => spans.push(span),
                    None => inside = Some((*i, String::new())),
                }
            }
            if let Some((_, span)) = &mut inside {
                span.push_str(part);
            }
        }
        if let Some((_, span)) = &mut inside {
            span.push(' ');
        }
    }
    spans
}

/// The call that the words are, if they are one of karat or cargo.
fn call(i: usize, words: &[String]) -> Option<Said> {
    let prefix = |w: &&String| *w == "$" || is_variable(w);
    let words: Vec<String> = words.iter().skip_while(prefix).cloned().collect();
    let program = words.first()?;
    ["karat", "cargo"]
        .contains(&program.as_str())
        .then_some(Said { line: i + 1, words })
}

fn is_variable(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    })
}

/// Words as a shell reads them, as far as documents need it: quotes, and comments.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None if c == '#' && word.is_none() => break,
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::commands;

    fn told(text: &str) -> Vec<String> {
        let said = commands(text);
        let shown = |s: &super::Said| format!("{}: {}", s.line, s.words.join(" "));
        said.iter().map(shown).collect()
    }

    #[test]
    fn blocks_without_a_language_or_of_a_shell_hold_commands() {
        let text = "```\n$ karat run x # why\nA=1 B_C=d cargo \\\n  test\nls\n```\n\
                    ```toml\nkarat = 1\n```\n```sh\nkarat doctor\n```\n";
        assert_eq!(
            told(text),
            ["2: karat run x", "3: cargo test", "11: karat doctor"]
        );
    }

    #[test]
    fn indented_blocks_do_too() {
        let text = "By\n\n    karat run x\n    cargo run -- \\\n        --from 'a b'\n\n- one\n    karat says\n";
        assert_eq!(told(text), ["3: karat run x", "4: cargo run -- --from a b"]);
    }

    #[test]
    fn spans_may_go_over_lines() {
        let text = "It is `karat\nrun x`, `karat`, `karat-hash` and\n`cargo xtask ci`.\n";
        assert_eq!(
            told(text),
            ["1: karat run x", "2: karat", "3: cargo xtask ci"]
        );
    }

    #[test]
    fn flags_of_a_row_are_those_of_its_first_call() {
        let text =
            "| `karat ab -- A` | `--shell`, by `karat run` | `-o x` |\n| `--lost` |\n`--flag`\n";
        assert_eq!(
            told(text),
            [
                "1: karat ab -- A",
                "1: karat ab --shell",
                "1: karat run",
                "1: karat ab -o x"
            ]
        );
    }
}
