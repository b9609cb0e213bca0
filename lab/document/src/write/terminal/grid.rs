//! Text in columns: padding, wrapping, tint.

use crate::wording::Tone;
use anstyle::{AnsiColor, Style};
use karat_page::printable;

/// Paints text, or leaves it plain.
#[derive(Clone, Copy)]
pub struct Paint {
    /// Whether to emit escape sequences.
    pub on: bool,
}

impl Paint {
    /// Text in the colour of its tone.
    pub fn tone(self, tone: Tone, text: &str) -> String {
        let style = match tone {
            Tone::Good => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
            Tone::Bad => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
            Tone::Even => Style::new(),
            Tone::Open => Style::new().dimmed(),
        };
        self.style(style, text)
    }

    /// Bold text.
    pub fn bold(self, text: &str) -> String {
        self.style(Style::new().bold(), text)
    }

    /// Text that stands back.
    pub fn dim(self, text: &str) -> String {
        self.style(Style::new().dimmed(), text)
    }

    fn style(self, style: Style, text: &str) -> String {
        if self.on && style != Style::new() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

/// One cell of a grid.
#[derive(Clone)]
pub struct Cell {
    /// The text, without escapes.
    pub text: String,
    /// Its tint.
    pub tone: Tone,
}

impl Cell {
    /// A cell without tint.
    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::toned(text, Tone::Even)
    }

    /// A tinted cell.
    pub fn toned(text: impl AsRef<str>, tone: Tone) -> Self {
        Self {
            text: printable(text.as_ref()).replace('\n', " "),
            tone,
        }
    }
}

/// Writes rows in aligned columns, two spaces in and two between. The first row
/// is a heading.
pub fn grid(out: &mut String, paint: Paint, rows: &[Vec<Cell>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|c| {
            rows.iter()
                .filter_map(|r| r.get(c))
                .map(|cell| cell.text.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    for (r, row) in rows.iter().enumerate() {
        let mut line = String::from(" ");
        for (c, cell) in row.iter().enumerate() {
            line.push(' ');
            line += &if r == 0 {
                paint.dim(&cell.text)
            } else {
                paint.tone(cell.tone, &cell.text)
            };
            if c + 1 < row.len() {
                let pad = widths[c] - cell.text.chars().count() + 1;
                line.extend(std::iter::repeat_n(' ', pad));
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// `text` on one line, cut where the width ends.
pub fn cut(out: &mut String, text: &str, indent: usize, width: usize) {
    let text = printable(text).replace(['\n', '\t'], " ");
    let limit = width.saturating_sub(indent).max(20);
    out.extend(std::iter::repeat_n(' ', indent));
    if text.chars().count() > limit {
        out.extend(text.chars().take(limit - 1));
        out.push('…');
    } else {
        out.push_str(&text);
    }
    out.push('\n');
}

/// `text` in lines of at most `width` characters, each after `indent` spaces.
/// Words that are longer than a line stay whole.
pub fn wrap(out: &mut String, text: &str, indent: usize, width: usize) {
    hang(out, text, [indent; 2], width);
}

/// The same with another indent of the lines after the first.
pub fn hang(out: &mut String, text: &str, [first, others]: [usize; 2], width: usize) {
    let text = printable(text);
    let mut indent = first;
    let mut line = String::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut word = word.to_owned();
        // A number keeps its percent sign.
        while let Some(sign) = words.next_if(|next| next.starts_with('%')) {
            word.push(' ');
            word.push_str(sign);
        }
        let length = line.chars().count();
        let limit = width.saturating_sub(indent).max(20);
        if length > 0 && length + 1 + word.chars().count() > limit {
            flush(out, &mut line, indent);
            indent = others;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        flush(out, &mut line, indent);
    }
}

fn flush(out: &mut String, line: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
    out.push_str(line);
    out.push('\n');
    line.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_stay_with_their_numbers() {
        let mut out = String::new();
        wrap(&mut out, "the margin of all this is 1 %, and so on", 0, 28);
        assert_eq!(out, "the margin of all this is\n1 %, and so on\n");
    }
}
