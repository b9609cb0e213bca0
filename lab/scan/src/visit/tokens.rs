//! Macros: what they say of features, and their tokens, as far as they are Rust.

use super::finder::Finder;
use crate::cfg::Cfg;
use crate::macros;
use crate::raw::{At, Kind};
use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Block, Expr, ItemMacro, Macro, Token};

/// Macros in macros are looked into this far.
const MACRO_DEPTH: usize = 16;

impl Finder {
    /// A macro's tokens: looked into as far as they are Rust.
    pub(super) fn look_into(&mut self, name: &str, tokens: &TokenStream) {
        let mentions = macros::mentions(tokens.clone());
        if mentions.at.is_none() && !mentions.modules {
            return;
        }
        if self.depth < MACRO_DEPTH {
            self.depth += 1;
            let understood = self.understood(tokens);
            self.depth -= 1;
            if understood {
                return;
            }
        }
        let Some(at) = mentions.at else {
            return;
        };
        let kind = Kind::Hidden {
            detects: mentions.detects,
        };
        let before = self.out.found.len();
        self.add(kind, At::of(at), mentions.features, None);
        if let Some(found) = self.out.found.get_mut(before) {
            found.in_macro = Some(name.to_owned());
        }
    }

    fn understood(&mut self, tokens: &TokenStream) -> bool {
        if let Some(branches) = macros::branches(tokens.clone()) {
            for branch in branches {
                let first = branch.body.clone().into_iter().next();
                let at = first.map_or(At::default(), |t| At::of(t.span()));
                let own = branch.condition.clone();
                self.add_condition(Kind::Conditional { function: false }, at, &own);
                self.when(own, |finder| {
                    if !finder.rust(&branch.body) {
                        finder.look_into("cfg_if", &branch.body);
                    }
                });
            }
            return true;
        }
        self.rust(tokens)
    }

    /// Walks tokens that are expressions, items or statements.
    fn rust(&mut self, tokens: &TokenStream) -> bool {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(file) = syn::parse2::<syn::File>(tokens.clone()) {
            self.visit_file(&file);
        } else if let Ok(expressions) = list.parse2(tokens.clone()) {
            expressions.iter().for_each(|e| self.visit_expr(e));
        } else if let Ok(statements) = Block::parse_within.parse2(tokens.clone()) {
            self.statements(&statements, usize::MAX);
        } else {
            return false;
        }
        true
    }

    pub(super) fn in_macro(&mut self, mac: &Macro) {
        let at = At::of(mac.bang_token.span);
        let name = mac.path.segments.last().map(|s| s.ident.to_string());
        let name = name.unwrap_or_default();
        if detection(mac).is_some() {
            let at = mac
                .path
                .segments
                .last()
                .map_or(at, |s| At::of(s.ident.span()));
            return self.add(
                Kind::Detection,
                at,
                macros::literals(mac.tokens.clone()),
                None,
            );
        }
        if is_cpufeatures(mac) {
            let at = mac
                .path
                .segments
                .first()
                .map_or(at, |s| At::of(s.ident.span()));
            return self.add(
                Kind::Cpufeatures,
                at,
                macros::literals(mac.tokens.clone()),
                None,
            );
        }
        if name == "cfg" {
            if let Some(cfg) = Cfg::parse(mac.tokens.clone()) {
                self.add_condition(Kind::Conditional { function: false }, at, &cfg);
            }
            return;
        }
        self.look_into(&name, &mac.tokens);
    }

    pub(super) fn macro_item(&mut self, item: &ItemMacro) {
        match &item.ident {
            // A definition is no Rust: its tokens have holes.
            Some(name) => {
                self.depth += MACRO_DEPTH;
                self.look_into(&name.to_string(), &item.mac.tokens);
                self.depth -= MACRO_DEPTH;
            }
            None => self.visit_macro(&item.mac),
        }
    }
}

pub(super) fn detection(mac: &Macro) -> Option<()> {
    let name = mac.path.segments.last()?.ident.to_string();
    macros::is_detection(&name).then_some(())
}

/// `cpufeatures::new!`, the only form in its documentation.
fn is_cpufeatures(mac: &Macro) -> bool {
    let names: Vec<String> = mac
        .path
        .segments
        .iter()
        .map(|s| s.ident.to_string())
        .collect();
    names == ["cpufeatures", "new"]
}
