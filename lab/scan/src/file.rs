//! One file: prefilter, guard, parse, walk, classify.

use crate::classes::classify;
use crate::guard;
use crate::raw::FileScan;
use crate::visit::Finder;
use proc_macro2::{Span, TokenStream};
use std::borrow::Cow;
use syn::visit::Visit;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub message: String,
}

/// Words of which every place has at least one.
const WORDS: [&str; 3] = ["target_feature", "feature_detected", "cpufeatures::"];

/// Whether a text can hold a place at all.
pub(crate) fn is_worth_parsing(text: &str) -> bool {
    // Each word has this one, and it is rare: one search instead of three.
    text.contains("feature") && WORDS.iter().any(|word| text.contains(word))
}

/// Reads one file, on a thread with [`guard::STACK`].
pub(crate) fn read(text: &str) -> Result<(FileScan, u64), Problem> {
    let result = parse(text).map(|file| {
        let mut finder = Finder::of_file(&file.attrs);
        finder.visit_file(&file);
        let mut out = finder.out;
        classify(&mut out, &finder.calls);
        (out, finder.not_simd)
    });
    // Else every file's text is kept until the thread ends.
    proc_macro2::extra::invalidate_current_thread_spans();
    result
}

fn parse(text: &str) -> Result<syn::File, Problem> {
    let text = without_shebang(text);
    let tokens: TokenStream = text
        .parse()
        .map_err(|e: proc_macro2::LexError| problem(e.span(), "no Rust"))?;
    if guard::too_deep(tokens.clone()) {
        return Err(Problem {
            line: None,
            column: None,
            message: "nested too deeply to be parsed safely".into(),
        });
    }
    syn::parse2(tokens).map_err(|e| problem(e.span(), &e.to_string()))
}

fn problem(span: Span, message: &str) -> Problem {
    let at = crate::raw::At::of(span);
    Problem {
        line: Some(at.line.max(1)),
        column: Some(at.column),
        message: message.to_owned(),
    }
}

/// A first line `#!…` becomes a comment, so that bytes keep their places.
fn without_shebang(text: &str) -> Cow<'_, str> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    match body.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => Cow::Owned(format!("//{rest}")),
        _ => Cow::Borrowed(body),
    }
}
