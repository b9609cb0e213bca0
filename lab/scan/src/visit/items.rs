//! Items: their names, their attributes, and which of them are kernels.

use super::finder::Finder;
use crate::macros;
use crate::raw::{At, Declared, Kernel};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ImplItem, Item, ItemFn, ItemMod, Lit, Meta, TraitItem, Type};

impl Finder {
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

    pub(super) fn any_item(&mut self, item: &Item) {
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

    pub(super) fn module(&mut self, module: &ItemMod) {
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

    pub(super) fn function(&mut self, function: &ItemFn) {
        let name = self.item.pop();
        self.kernel(&function.attrs, is_open(&function.vis));
        self.item.extend(name);
        self.body(&function.block);
    }

    pub(super) fn impl_item(&mut self, item: &ImplItem) {
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

    pub(super) fn trait_item(&mut self, item: &TraitItem) {
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
}

fn is_open(visibility: &syn::Visibility) -> bool {
    !matches!(visibility, syn::Visibility::Inherited)
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
