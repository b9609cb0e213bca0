//! Macros: those that can be looked into, and what the others mention.

use crate::cfg::{Cfg, string};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// A branch of a macro like `cfg_if!`: when it is compiled, and its tokens.
pub(crate) struct Branch {
    pub condition: Cfg,
    pub body: TokenStream,
}

/// Branches of `if #[cfg(…)] { … } else if #[cfg(…)] { … } else { … }`, as `cfg_if!` and
/// its likes in crates (`pick!` of `wide`) take them; `None` for anything else.
pub(crate) fn branches(tokens: TokenStream) -> Option<Vec<Branch>> {
    let mut tokens = tokens.into_iter();
    let mut out: Vec<Branch> = Vec::new();
    let mut before: Vec<Cfg> = Vec::new();
    if !matches!(tokens.next(), Some(TokenTree::Ident(i)) if i == "if") {
        return None;
    }
    loop {
        if !matches!(tokens.next(), Some(TokenTree::Punct(p)) if p.as_char() == '#') {
            return None;
        }
        let attribute = group(tokens.next(), Delimiter::Bracket)?;
        let own = cfg_in(attribute)?;
        let body = group(tokens.next(), Delimiter::Brace)?;
        let mut all: Vec<Cfg> = before.clone();
        all.push(own.clone());
        out.push(Branch {
            condition: Cfg::All(all),
            body,
        });
        before.push(Cfg::Not(Box::new(own)));
        match tokens.next() {
            None => return Some(out),
            Some(TokenTree::Ident(i)) if i == "else" => {}
            Some(_) => return None,
        }
        match tokens.next() {
            Some(TokenTree::Ident(i)) if i == "if" => {}
            last => {
                let body = group(last, Delimiter::Brace)?;
                out.push(Branch {
                    condition: Cfg::All(before),
                    body,
                });
                return tokens.next().is_none().then_some(out);
            }
        }
    }
}

/// The condition in `cfg(…)`, given as the tokens of an attribute.
fn cfg_in(attribute: TokenStream) -> Option<Cfg> {
    let mut tokens = attribute.into_iter();
    match tokens.next()? {
        TokenTree::Ident(i) if i == "cfg" => {
            Cfg::parse(group(tokens.next(), Delimiter::Parenthesis)?)
        }
        _ => None,
    }
}

fn group(token: Option<TokenTree>, delimiter: Delimiter) -> Option<TokenStream> {
    match token {
        Some(TokenTree::Group(g)) if g.delimiter() == delimiter => Some(g.stream()),
        _ => None,
    }
}

/// The features in the arguments of a detection macro: its string literals.
pub(crate) fn literals(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Literal(literal) => string(&literal.to_string()),
            _ => None,
        })
        .collect()
}

/// Whether a macro is one of std's `is_…_feature_detected!`, or std_detect's own under
/// its name.
pub(crate) fn is_detection(name: &str) -> bool {
    name.starts_with("is_") && name.ends_with("_feature_detected")
}

/// What tokens of a macro mention.
#[derive(Default)]
pub(crate) struct Mentions {
    /// The first place.
    pub at: Option<Span>,
    /// The features; empty where they are the macro's own arguments.
    pub features: Vec<String>,
    /// Whether detection is among it, and not `cfg` alone.
    pub detects: bool,
    /// Whether modules may be declared in it.
    pub modules: bool,
}

/// Looks for `target_feature = "…"` and detection anywhere in the tokens. Attributes that
/// only enable features for a function choose nothing.
pub(crate) fn mentions(tokens: TokenStream) -> Mentions {
    let mut out = Mentions::default();
    let mut open = vec![tokens.into_iter().peekable()];
    let add = |out: &mut Mentions, at: Span, features: Vec<String>| {
        out.at.get_or_insert(at);
        for feature in features {
            if !out.features.contains(&feature) {
                out.features.push(feature);
            }
        }
    };
    while let Some(rest) = open.last_mut() {
        let Some(token) = rest.next() else {
            open.pop();
            continue;
        };
        match token {
            TokenTree::Group(inner) => open.push(inner.stream().into_iter().peekable()),
            TokenTree::Ident(word) if word == "mod" => out.modules = true,
            TokenTree::Ident(word) if word == "target_feature" => {
                let next = rest.next_if(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == '='));
                if next.is_none() {
                    continue;
                }
                let features = rest
                    .next_if(|t| matches!(t, TokenTree::Literal(_)))
                    .map(|t| literals(t.into()))
                    .unwrap_or_default();
                add(&mut out, word.span(), features);
            }
            TokenTree::Ident(word) if is_detection(&word.to_string()) => {
                if rest
                    .next_if(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == '!'))
                    .is_none()
                {
                    continue;
                }
                let features = match rest.peek() {
                    Some(TokenTree::Group(group)) => literals(group.stream()),
                    _ => Vec::new(),
                };
                out.detects = true;
                add(&mut out, word.span(), features);
            }
            TokenTree::Ident(word) if word == "cpufeatures" => {
                let is_path =
                    |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ':');
                let named = rest.next_if(is_path).is_some();
                out.detects |= named;
                named.then(|| add(&mut out, word.span(), Vec::new()));
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_exclude_those_before() {
        let text = "if #[cfg(a)] { 1 } else if #[cfg(b)] { 2 } else { 3 }";
        let found = branches(text.parse().unwrap()).unwrap();
        let written: Vec<String> = found.iter().map(|b| b.condition.to_string()).collect();
        assert_eq!(written, ["all(a)", "all(not(a), b)", "all(not(a), not(b))"]);
        for text in [
            "if a { }",
            "if #[cfg(a)] { } 1",
            "else { }",
            "if #[cfg(a)] { } else { } x",
            "",
        ] {
            assert!(branches(text.parse().unwrap()).is_none(), "{text}");
        }
    }

    #[test]
    fn mentions_are_found_at_any_depth() {
        let text = "($t:ty) => { if is_x86_feature_detected!(\"avx2\") { #[cfg(not(target_feature = \"fma\"))] { x } } }";
        let found = mentions(text.parse().unwrap());
        assert_eq!(found.features, ["avx2", "fma"]);
        assert!(found.detects && found.at.is_some());
        let enabling = mentions("#[target_feature(enable = \"avx2\")]".parse().unwrap());
        assert!(enabling.at.is_none());
    }
}
