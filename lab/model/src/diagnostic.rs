//! Problems in a study file, shown at the line with a caret.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;

/// One mistake in a text, with its place and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one line.
    pub message: String,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Words under the caret.
    pub label: String,
    /// What to do, if there is a good guess.
    pub help: Option<String>,
}

/// Renders `problems` in `source` (a file called `path`) as compilers do.
#[must_use]
pub fn render(problems: &[Problem], path: &str, source: &str, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
    .decor_style(DecorStyle::Ascii);
    let mut out = String::new();
    for problem in problems {
        let end = problem.span.end.min(source.len());
        let start = problem.span.start.min(end);
        let snippet = Snippet::source(source).path(path).annotation(
            AnnotationKind::Primary
                .span(start..end)
                .label(problem.label.as_str()),
        );
        let mut group = Level::ERROR
            .primary_title(problem.message.as_str())
            .element(snippet);
        if let Some(help) = &problem.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        out.push_str(&renderer.render(&[group]));
        out.push_str("\n\n");
    }
    out
}

/// The known word nearest to `word`, if it is near enough to be a typing error.
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    known
        .iter()
        .map(|k| (edit_distance(word, k), *k))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// Optimal string alignment distance: insertions, deletions, substitutions and
/// swaps of neighbours each cost one.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitute = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let known = ["rustflags", "features", "requires"];
        assert_eq!(nearest("rustflag", &known), Some("rustflags"));
        assert_eq!(nearest("ruslfags", &known), Some("rustflags"));
        assert_eq!(nearest("colour", &known), None);
    }
}
