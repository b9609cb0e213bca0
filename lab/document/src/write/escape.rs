//! Pieces of Markdown, with everything escaped that could end them.

use karat_page::printable;

/// Text in a paragraph, a list or a table cell.
pub fn text(raw: &str) -> String {
    let raw = printable(raw);
    let mut out = String::with_capacity(raw.len());
    let mut before = ' ';
    let mut rest = raw.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\t' => out.push(' '),
            // Inside a word an underscore is only an underscore.
            '_' if before.is_alphanumeric() && rest.peek().is_some_and(|n| n.is_alphanumeric()) => {
                out.push('_');
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// A code span that also holds in a table cell.
pub fn code(raw: &str) -> String {
    let raw = printable(raw).replace(['\n', '\t'], " ");
    let raw = raw.replace('|', "\\|");
    let fence = "`".repeat(longest_run(&raw) + 1);
    let pad = if raw.is_empty() || raw.contains('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{raw}{pad}{fence}")
}

/// A code block whose fence no line of it can close.
pub fn fence(language: &str, raw: &str) -> String {
    let raw = printable(raw);
    let fence = "`".repeat((longest_run(&raw) + 1).max(3));
    format!(
        "{fence}{language}\n{}\n{fence}\n",
        raw.trim_end_matches('\n')
    )
}

/// A part that is folded.
pub fn details(out: &mut String, summary: &str, body: &str) {
    *out += &format!(
        "\n<details><summary>{}</summary>\n\n{}\n\n</details>\n",
        entities(summary),
        body.trim_end()
    );
}

/// Text inside an HTML tag, where Markdown's escapes do not work.
fn entities(raw: &str) -> String {
    printable(raw)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('\n', " ")
}

/// One row of a table.
pub fn row(out: &mut String, cells: &[String]) {
    *out += &format!("| {} |\n", cells.join(" | "));
}

fn longest_run(raw: &str) -> usize {
    raw.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_stays_text() {
        assert_eq!(text("a_b *c* |"), "a_b \\*c\\* \\|");
        assert_eq!(text("<img>&"), "&lt;img&gt;&amp;");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(fence("sh", "```\nx"), "````sh\n```\nx\n````\n");
    }
}
