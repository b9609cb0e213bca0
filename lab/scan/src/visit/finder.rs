//! What is kept on the way, and how a place is noted.

use crate::cfg::Cfg;
use crate::exprs;
use crate::features::is_simd;
use crate::raw::{At, FileScan, Found, Kind};
use karat_model::scan::Class;
use syn::visit::Visit;
use syn::{Attribute, Block};

/// Notes places.
#[derive(Default)]
pub(crate) struct Finder {
    pub out: FileScan,
    /// Places with features that are no instruction sets.
    pub not_simd: u64,
    /// Calls whose name says that they detect features, with the function they are in.
    pub calls: Vec<(usize, At)>,
    pub(super) within: Vec<Cfg>,
    pub(super) item: Vec<String>,
    pub(super) modules: usize,
    /// Attributes that begin at this byte have been seen to.
    pub(super) seen: Option<usize>,
    pub(super) depth: usize,
    pub(super) function: usize,
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

    pub(super) fn add(
        &mut self,
        kind: Kind,
        at: At,
        features: Vec<String>,
        condition: Option<Cfg>,
    ) {
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

    pub(super) fn add_condition(&mut self, kind: Kind, at: At, cfg: &Cfg) {
        let features = owned(&cfg.features(false));
        if !features.is_empty() {
            self.add(kind, at, features, Some(cfg.clone()));
        }
    }

    /// Walks something that attributes may leave out.
    pub(super) fn under(
        &mut self,
        attributes: &[Attribute],
        function: bool,
        walk: impl FnOnce(&mut Self),
    ) {
        let Some((cfg, at)) = exprs::conditions(attributes) else {
            return walk(self);
        };
        if self.seen.take() != Some(at.start) {
            self.add_condition(Kind::Conditional { function }, at, &cfg);
        }
        self.when(cfg, walk);
    }

    pub(super) fn when(&mut self, cfg: Cfg, walk: impl FnOnce(&mut Self)) {
        self.within.push(cfg);
        walk(self);
        self.within.pop();
    }

    pub(super) fn named(&mut self, name: String, walk: impl FnOnce(&mut Self)) {
        self.item.push(name);
        walk(self);
        self.item.pop();
    }

    /// Walks a function's body.
    pub(super) fn body(&mut self, block: &Block) {
        self.functions += 1;
        let outer = std::mem::replace(&mut self.function, self.functions);
        self.visit_block(block);
        self.function = outer;
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}
