//! Walks one file's syntax tree and notes every place that has to do with CPU features.

use crate::cfg::Cfg;
use crate::exprs;
use crate::features::is_simd;
use crate::macros;
use crate::raw::{At, Declared, FileScan, Found, Kernel, Kind};
use karat_model::scan::Class;
use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, ExprBinary, ExprIf, ImplItem, Item, ItemFn, ItemMod};
use syn::{Lit, Macro, Meta, Stmt, Token, TraitItem, Type};

/// Macros in macros are looked into this far.
const MACRO_DEPTH: usize = 16;

/// Notes places.
#[derive(Default)]
pub(crate) struct Finder {
    pub out: FileScan,
    /// Places with features that are no instruction sets.
    pub not_simd: u64,
    /// Calls whose name says that they detect features, with the function they are in.
    pub calls: Vec<(usize, At)>,
    within: Vec<Cfg>,
    item: Vec<String>,
    modules: usize,
    /// Attributes that begin at this byte have been seen to.
    seen: Option<usize>,
    depth: usize,
    function: usize,
    functions: usize,
}

impl Finder {
    /// A finder that has read the attributes of the file itself.
    pub fn of_file(attributes: &[Attribute]) -> Self {
        let inner: Vec<Cfg> = attributes.iter().filter_map(exprs::condition).collect();
        let mut finder = Self {
            within: inner.clone(),
            ..Self::default()
        };
        finder.out.inner = inner;
        finder
    }

    fn add(&mut self, kind: Kind, at: At, features: Vec<String>, condition: Option<Cfg>) {
        let before = features.len();
        let features: Vec<String> = features.into_iter().filter(|f| is_simd(f)).collect();
        if features.is_empty() && before > 0 {
            self.not_simd += 1;
            return;
        }
        self.out.found.push(Found {
            kind,
            class: Class::CompileTime,
            at,
            features,
            condition,
            within: self.within.clone(),
            item: self.item.clone(),
            modules: self.modules,
            in_macro: None,
            function: self.function,
        });
    }

    fn add_condition(&mut self, kind: Kind, at: At, cfg: &Cfg) {
        let features = owned(&cfg.features(false));
        if !features.is_empty() {
            self.add(kind, at, features, Some(cfg.clone()));
        }
    }

    /// Walks something that attributes may leave out.
    fn under(&mut self, attributes: &[Attribute], function: bool, walk: impl FnOnce(&mut Self)) {
        let Some((cfg, at)) = exprs::conditions(attributes) else {
            return walk(self);
        };
        if self.seen.take() != Some(at.start) {
            self.add_condition(Kind::Conditional { function }, at, &cfg);
        }
        self.when(cfg, walk);
    }

    fn when(&mut self, cfg: Cfg, walk: impl FnOnce(&mut Self)) {
        self.within.push(cfg);
        walk(self);
        self.within.pop();
    }

    fn named(&mut self, name: String, walk: impl FnOnce(&mut Self)) {
        self.item.push(name);
        walk(self);
        self.item.pop();
    }

    /// Walks a function's body.
    fn body(&mut self, block: &Block) {
        self.functions += 1;
        let outer = std::mem::replace(&mut self.function, self.functions);
        self.visit_block(block);
        self.function = outer;
    }

    /// Looks at attributes that enable features for a function.
    fn kernel(&mut self, attributes: &[Attribute], open: bool) {
        let mut features: Vec<String> = Vec::new();
        let mut start = None;
        let mut inline = false;
        for attribute in attributes {
            inline |= attribute.path().is_ident("inline");
            let Meta::List(list) = &attribute.meta else {
                continue;
            };
            if !list.path.is_ident("target_feature") {
                continue;
            }
            start.get_or_insert(At::of(attribute.pound_token.span).start);
            for literal in macros::literals(list.tokens.clone()) {
                features.extend(literal.split(',').map(|f| f.trim().to_owned()));
            }
        }
        if let Some(start) = start {
            self.out.kernels.push(Kernel {
                features,
                modules: self.item[..self.modules].to_vec(),
                start,
                open: open && !inline,
                within: self.within.clone(),
            });
        }
    }

    /// A macro's tokens: looked into as far as they are Rust.
    fn look_into(&mut self, name: &str, tokens: &TokenStream) {
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

    fn statements(&mut self, statements: &[Stmt], end: usize) {
        let conditions: Vec<Option<(Cfg, At)>> = statements
            .iter()
            .map(|s| {
                let (cfg, at) = exprs::conditions(exprs::statement_attrs(s))?;
                Some((cfg, at.until(exprs::end(s, end))))
            })
            .collect();
        for (statement, own) in statements.iter().zip(&conditions) {
            if let Some((cfg, at)) = own {
                let features = cfg.features(false);
                let otherwise = conditions
                    .iter()
                    .flatten()
                    .filter(|(c, _)| c.features(true).iter().any(|f| features.contains(f)))
                    .map(|(_, at)| *at)
                    .collect();
                let kind = Kind::Guard {
                    returns: exprs::returns(std::slice::from_ref(statement)),
                    otherwise,
                };
                self.add_condition(kind, *at, cfg);
                self.seen = Some(at.start);
            }
            self.visit_stmt(statement);
            self.seen = None;
        }
    }

    /// `cfg!(…) || detected`: the same as a block for the features and one for the rest.
    fn alternatives(&mut self, binary: &ExprBinary) {
        let mut sides = vec![&*binary.right];
        let mut left = &*binary.left;
        while let Expr::Binary(inner) = left
            && matches!(inner.op, BinOp::Or(_))
        {
            sides.push(&inner.right);
            left = &inner.left;
        }
        sides.push(left);
        sides.reverse();
        let Some(cfg) = exprs::as_condition(sides[0]) else {
            return sides.iter().for_each(|s| self.visit_expr(s));
        };
        let at = At::of(operator(&binary.op));
        let index = self.out.found.len();
        self.add_condition(
            Kind::Guard {
                returns: false,
                otherwise: Vec::new(),
            },
            at,
            &cfg,
        );
        let added = self.out.found.len() > index;
        let not = Cfg::Not(Box::new(cfg));
        self.when(not, |finder| {
            for side in &sides[1..] {
                finder.visit_expr(side);
            }
        });
        let rest: Vec<At> = self.out.found[index..]
            .iter()
            .skip(1)
            .map(|f| f.at)
            .collect();
        if added && let Kind::Guard { otherwise, .. } = &mut self.out.found[index].kind {
            *otherwise = rest;
        }
    }

    /// `detected && detected`: one place with several features.
    fn together(&mut self, binary: &ExprBinary) -> bool {
        let mut features = Vec::new();
        let mut at = None;
        let mut open = vec![&*binary.right, &*binary.left];
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Binary(inner) if matches!(inner.op, BinOp::And(_)) => {
                    open.extend([&*inner.right, &*inner.left]);
                }
                Expr::Paren(inner) => open.push(&inner.expr),
                Expr::Macro(inner) if detection(&inner.mac).is_some() => {
                    at.get_or_insert(At::of(inner.mac.bang_token.span));
                    for feature in macros::literals(inner.mac.tokens.clone()) {
                        if !features.contains(&feature) {
                            features.push(feature);
                        }
                    }
                }
                _ => return false,
            }
        }
        if let Some(at) = at {
            self.add(Kind::Detection, at, features, None);
        }
        true
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, function): (&[Attribute], _) = match item {
            Item::Const(i) => (&i.attrs, false),
            Item::Enum(i) => (&i.attrs, false),
            Item::ExternCrate(i) => (&i.attrs, false),
            Item::Fn(i) => (&i.attrs, true),
            Item::ForeignMod(i) => (&i.attrs, false),
            Item::Impl(i) => (&i.attrs, false),
            Item::Macro(i) => (&i.attrs, false),
            Item::Mod(i) => (&i.attrs, false),
            Item::Static(i) => (&i.attrs, false),
            Item::Struct(i) => (&i.attrs, false),
            Item::Trait(i) => (&i.attrs, false),
            Item::TraitAlias(i) => (&i.attrs, false),
            Item::Type(i) => (&i.attrs, false),
            Item::Union(i) => (&i.attrs, false),
            Item::Use(i) => (&i.attrs, false),
            _ => (&[], false),
        };
        if attributes.iter().any(|a| a.path().is_ident("test")) {
            return;
        }
        let name = match item {
            Item::Fn(i) => Some(i.sig.ident.to_string()),
            Item::Mod(i) => Some(i.ident.to_string()),
            Item::Trait(i) => Some(i.ident.to_string()),
            Item::Impl(i) => type_name(&i.self_ty),
            Item::Static(i) => Some(i.ident.to_string()),
            Item::Const(i) => Some(i.ident.to_string()),
            _ => None,
        };
        let walk = |finder: &mut Self| {
            finder.under(attributes, function, |finder| {
                visit::visit_item(finder, item);
            });
        };
        match name {
            Some(name) => self.named(name, walk),
            None => walk(self),
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if let Some((_, items)) = &module.content {
            let before = std::mem::replace(&mut self.modules, self.item.len());
            items.iter().for_each(|item| self.visit_item(item));
            self.modules = before;
        } else {
            self.out.declared.push(Declared {
                path: self.item.clone(),
                file: module.attrs.iter().find_map(path_attribute),
                within: self.within.clone(),
            });
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        let name = self.item.pop();
        self.kernel(&function.attrs, is_open(&function.vis));
        self.item.extend(name);
        self.body(&function.block);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let (attributes, name): (&[Attribute], _) = match item {
            ImplItem::Const(i) => (&i.attrs, Some(&i.ident)),
            ImplItem::Fn(i) => (&i.attrs, Some(&i.sig.ident)),
            ImplItem::Macro(i) => (&i.attrs, None),
            ImplItem::Type(i) => (&i.attrs, None),
            _ => (&[], None),
        };
        let function = matches!(item, ImplItem::Fn(_));
        let walk = |finder: &mut Self| {
            finder.under(attributes, function, |finder| {
                if let ImplItem::Fn(i) = item {
                    finder.kernel(attributes, is_open(&i.vis));
                    finder.body(&i.block);
                } else {
                    visit::visit_impl_item(finder, item);
                }
            });
        };
        match name {
            Some(name) => self.named(name.to_string(), walk),
            None => walk(self),
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let (attributes, name): (&[Attribute], _) = match item {
            TraitItem::Const(i) => (&i.attrs, Some(&i.ident)),
            TraitItem::Fn(i) => (&i.attrs, Some(&i.sig.ident)),
            TraitItem::Macro(i) => (&i.attrs, None),
            TraitItem::Type(i) => (&i.attrs, None),
            _ => (&[], None),
        };
        let function = matches!(item, TraitItem::Fn(_));
        let walk = |finder: &mut Self| {
            finder.under(attributes, function, |finder| match item {
                TraitItem::Fn(i) => i.default.iter().for_each(|block| finder.body(block)),
                _ => visit::visit_trait_item(finder, item),
            });
        };
        match name {
            Some(name) => self.named(name.to_string(), walk),
            None => walk(self),
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let end = At::of(block.brace_token.span.close()).start;
        self.statements(&block.stmts, end);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match statement {
            // `visit_expr` and `visit_item` see to their attributes.
            Stmt::Expr(..) | Stmt::Item(_) => visit::visit_stmt(self, statement),
            Stmt::Local(_) | Stmt::Macro(_) => {
                self.under(exprs::statement_attrs(statement), false, |finder| {
                    visit::visit_stmt(finder, statement);
                });
            }
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.under(exprs::attrs(expr), false, |finder| {
            if let Expr::Call(call) = expr
                && let Expr::Path(path) = &*call.func
                && let Some(last) = path.path.segments.last()
                && says_detect(&last.ident.to_string())
            {
                finder
                    .calls
                    .push((finder.function, At::of(last.ident.span())));
            }
            visit::visit_expr(finder, expr);
        });
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.under(&arm.attrs, false, |finder| visit::visit_arm(finder, arm));
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.under(&field.attrs, false, |finder| {
            visit::visit_field(finder, field)
        });
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        self.under(&field.attrs, false, |finder| {
            visit::visit_field_value(finder, field)
        });
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.under(&variant.attrs, false, |finder| {
            visit::visit_variant(finder, variant)
        });
    }

    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        let Some(cfg) = exprs::as_condition(&branch.cond) else {
            return visit::visit_expr_if(self, branch);
        };
        let at = At::of(branch.if_token.span);
        let then_end = At::of(branch.then_branch.brace_token.span.close()).end;
        let otherwise = branch.else_branch.as_ref().map(|(word, expr)| {
            let start = At::of(word.span);
            start.until(exprs::expr_end(expr).unwrap_or(start.end))
        });
        let kind = Kind::Guard {
            returns: exprs::returns(&branch.then_branch.stmts),
            otherwise: otherwise.into_iter().collect(),
        };
        self.add_condition(kind, at.until(then_end), &cfg);
        let not = Cfg::Not(Box::new(cfg.clone()));
        self.when(cfg, |finder| finder.visit_block(&branch.then_branch));
        if let Some((_, expr)) = &branch.else_branch {
            self.when(not, |finder| finder.visit_expr(expr));
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        match binary.op {
            BinOp::Or(_) => self.alternatives(binary),
            BinOp::And(_) if self.together(binary) => {}
            _ => visit::visit_expr_binary(self, binary),
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
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

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
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

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn detection(mac: &Macro) -> Option<()> {
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

fn says_detect(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("detect") || name.contains("cpuid")
}

fn is_open(visibility: &syn::Visibility) -> bool {
    !matches!(visibility, syn::Visibility::Inherited)
}

fn operator(op: &BinOp) -> proc_macro2::Span {
    match op {
        BinOp::Or(token) => token.spans[0],
        _ => proc_macro2::Span::call_site(),
    }
}

fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        Type::Reference(inner) => type_name(&inner.elem),
        _ => None,
    }
}

fn path_attribute(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else {
        return None;
    };
    match &pair.value {
        Expr::Lit(literal) if pair.path.is_ident("path") => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
