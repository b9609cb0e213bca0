//! Conditions of `cfg`, as values that can be asked with what is known.
//!
//! Source of the syntax: The Rust Reference, "Conditional compilation".

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::fmt;

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cfg {
    /// `all(…)`.
    All(Vec<Cfg>),
    /// `any(…)`.
    Any(Vec<Cfg>),
    /// `not(…)`.
    Not(Box<Cfg>),
    /// `key` or `key = "value"`.
    Is(String, Option<String>),
    /// `true` or `false`.
    Always(bool),
}

impl Cfg {
    /// From what stands in the parentheses of `cfg(…)`; `None` when that is no condition.
    pub fn parse(tokens: TokenStream) -> Option<Self> {
        let mut terms = terms(tokens)?;
        (terms.len() == 1).then(|| terms.remove(0))
    }

    /// From text such as `all(unix, target_arch = "x86_64")`.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::parse(text.parse().ok()?)
    }

    /// What it is, given what is known; `None` when what is known does not decide it.
    pub fn eval(&self, known: &dyn Fn(&str, Option<&str>) -> Option<bool>) -> Option<bool> {
        match self {
            Self::All(terms) => all(terms.iter().map(|t| t.eval(known))),
            Self::Any(terms) => {
                all(terms.iter().map(|t| t.eval(known).map(|v| !v))).map(|v: bool| !v)
            }
            Self::Not(term) => term.eval(known).map(|v| !v),
            Self::Is(key, value) => known(key, value.as_deref()),
            Self::Always(value) => Some(*value),
        }
    }

    /// Values of `target_feature` that have to be there for it to hold; with `negated`,
    /// those that must not.
    pub fn features(&self, negated: bool) -> Vec<&str> {
        let mut out = Vec::new();
        self.collect(negated, &mut out);
        out
    }

    fn collect<'a>(&'a self, negated: bool, out: &mut Vec<&'a str>) {
        match self {
            Self::All(terms) | Self::Any(terms) => {
                terms.iter().for_each(|t| t.collect(negated, out));
            }
            Self::Not(term) => term.collect(!negated, out),
            Self::Is(key, Some(value)) if key == "target_feature" && !negated => {
                if !out.contains(&value.as_str()) {
                    out.push(value);
                }
            }
            Self::Is(..) | Self::Always(_) => {}
        }
    }
}

/// "And" where some answers are not known.
pub(crate) fn all(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut out = Some(true);
    for answer in answers {
        match answer {
            Some(false) => return Some(false),
            Some(true) => {}
            None => out = None,
        }
    }
    out
}

fn terms(tokens: TokenStream) -> Option<Vec<Cfg>> {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let TokenTree::Ident(key) = token else {
            return None;
        };
        let key = key.to_string();
        let term = match tokens.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                let mut inner = terms(group.stream())?;
                tokens.next();
                match key.as_str() {
                    "all" => Cfg::All(inner),
                    "any" => Cfg::Any(inner),
                    "not" if inner.len() == 1 => Cfg::Not(Box::new(inner.remove(0))),
                    _ => return None,
                }
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == '=' => {
                tokens.next();
                let Some(TokenTree::Literal(value)) = tokens.next() else {
                    return None;
                };
                Cfg::Is(key, Some(string(&value.to_string())?))
            }
            _ if key == "true" || key == "false" => Cfg::Always(key == "true"),
            _ => Cfg::Is(key, None),
        };
        out.push(term);
        match tokens.next() {
            None => break,
            Some(TokenTree::Punct(punct)) if punct.as_char() == ',' => {}
            Some(_) => return None,
        }
    }
    Some(out)
}

/// The text of a string literal without escapes; names of features have none.
pub(crate) fn string(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains('\\')).then(|| inner.to_owned())
}

impl fmt::Display for Cfg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, name: &str, terms: &[Self]| {
            write!(f, "{name}(")?;
            for (at, term) in terms.iter().enumerate() {
                write!(f, "{}{term}", if at == 0 { "" } else { ", " })?;
            }
            f.write_str(")")
        };
        match self {
            Self::All(terms) => list(f, "all", terms),
            Self::Any(terms) => list(f, "any", terms),
            Self::Not(term) => write!(f, "not({term})"),
            Self::Is(key, None) => f.write_str(key),
            Self::Is(key, Some(value)) => write!(f, "{key} = \"{value}\""),
            Self::Always(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_and_written() {
        for text in [
            "unix",
            "all(any(unix, windows), not(target_feature = \"avx2\"), true)",
            "any()",
        ] {
            assert_eq!(Cfg::from_text(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "a b",
            "not(a, b)",
            "some(a)",
            "a = b",
            "a = \"\\n\"",
            "(a)",
            "a, b",
        ] {
            assert_eq!(Cfg::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_known_stays_open() {
        let known = |key: &str, _: Option<&str>| match key {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        for (text, expected) in [
            ("all(yes, maybe)", None),
            ("all(no, maybe)", Some(false)),
            ("any(yes, maybe)", Some(true)),
            ("any(no, maybe)", None),
            ("not(maybe)", None),
            ("not(any(no, no))", Some(true)),
            ("all()", Some(true)),
            ("any()", Some(false)),
        ] {
            assert_eq!(
                Cfg::from_text(text).unwrap().eval(&known),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn features_count_by_their_sign() {
        let text = "all(target_feature = \"a\", not(any(target_feature = \"b\", \
                    not(target_feature = \"c\"))), target_arch = \"d\")";
        let cfg = Cfg::from_text(text).unwrap();
        assert_eq!(cfg.features(false), ["a", "c"]);
        assert_eq!(cfg.features(true), ["b"]);
    }
}
