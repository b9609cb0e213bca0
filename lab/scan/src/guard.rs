//! Protection from sources that would make a recursive parser overflow its stack.
//!
//! syn descends once for every level of nesting, for every prefix operator, for every
//! `else if`, for every type argument. No search for characters sees all of these, so two
//! things are done: files are parsed on threads with a large stack, and a file whose tokens
//! could nest deeper than that stack allows is refused before it is parsed.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Stack of a parsing thread, in bytes. Only what is used of it is ever backed by memory.
pub(crate) const STACK: usize = 1 << 30;

/// Most tokens that may nest in one another. Unoptimised builds use some 20 KiB of stack
/// for one of them; the tests parse sources of every kind just below this.
pub(crate) const DEEPEST: usize = 20_000;

/// Most levels of brackets. Real code has a few dozen.
pub(crate) const BRACKETS: usize = 500;

/// A group that is being read.
struct Open {
    rest: proc_macro2::token_stream::IntoIter,
    /// Weight where its statements begin.
    base: usize,
    /// Weight of what is around it.
    outside: usize,
    braces: bool,
}

/// Whether the tokens might nest too deeply for a recursive parser.
///
/// What counts is the longest way from the outside to the inside that neither a `;` nor the
/// end of a block cuts: each token on it might open a level. Literals and commas open none.
pub(crate) fn too_deep(tokens: TokenStream) -> bool {
    let mut open = vec![Open {
        rest: tokens.into_iter(),
        base: 0,
        outside: 0,
        braces: true,
    }];
    let mut weight = 0;
    let mut after_braces = false;
    while let Some(group) = open.last_mut() {
        let Some(token) = group.rest.next() else {
            weight = group.outside + 1;
            after_braces = group.braces;
            open.pop();
            continue;
        };
        // Another statement or item begins.
        if after_braces && begins(&token) {
            weight = group.base;
        }
        after_braces = false;
        match token {
            TokenTree::Group(inner) => {
                if open.len() > BRACKETS {
                    return true;
                }
                open.push(Open {
                    rest: inner.stream().into_iter(),
                    base: weight + 1,
                    outside: weight,
                    braces: inner.delimiter() == Delimiter::Brace,
                });
                weight += 1;
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => weight = group.base,
            TokenTree::Punct(punct) if punct.as_char() == ',' => {}
            TokenTree::Literal(_) => {}
            TokenTree::Punct(_) | TokenTree::Ident(_) => weight += 1,
        }
        if weight > DEEPEST {
            return true;
        }
    }
    false
}

/// Whether a token after `}` cannot belong to the same expression, pattern or type.
fn begins(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => !["as", "else", "if", "in"].iter().any(|w| word == w),
        TokenTree::Punct(punct) => punct.as_char() == '#',
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}
