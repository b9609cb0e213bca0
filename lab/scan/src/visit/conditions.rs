//! Conditions in code: which statements and operands they decide on.

use super::finder::Finder;
use super::tokens::detection;
use crate::cfg::Cfg;
use crate::exprs;
use crate::macros;
use crate::raw::{At, Kind};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprIf, Stmt};

impl Finder {
    pub(super) fn statements(&mut self, statements: &[Stmt], end: usize) {
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

    pub(super) fn branch(&mut self, branch: &ExprIf) {
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

    /// `cfg!(…) || detected`: the same as a block for the features and one for the rest.
    pub(super) fn alternatives(&mut self, binary: &ExprBinary) {
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
    pub(super) fn together(&mut self, binary: &ExprBinary) -> bool {
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

fn operator(op: &BinOp) -> proc_macro2::Span {
    match op {
        BinOp::Or(token) => token.spans[0],
        _ => proc_macro2::Span::call_site(),
    }
}
