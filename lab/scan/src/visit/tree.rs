//! The walk: which node of the syntax tree is whose job.

use super::finder::Finder;
use crate::exprs;
use crate::raw::At;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprBinary, ExprIf, ImplItem, Item, ItemFn, ItemMacro, ItemMod};
use syn::{Macro, Stmt, TraitItem};

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast Item) {
        self.any_item(item);
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        self.module(module);
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.function(function);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        self.impl_item(item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        self.trait_item(item);
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        self.macro_item(item);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.in_macro(mac);
    }

    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        self.branch(branch);
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

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        match binary.op {
            BinOp::Or(_) => self.alternatives(binary),
            BinOp::And(_) if self.together(binary) => {}
            _ => visit::visit_expr_binary(self, binary),
        }
    }
}

fn says_detect(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("detect") || name.contains("cpuid")
}
