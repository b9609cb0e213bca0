//! Small questions to syn's expressions and attributes.

use crate::cfg::Cfg;
use crate::raw::At;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, Lit, Meta, Stmt, UnOp};

macro_rules! attrs_of_variants {
    ($expr:expr; $($variant:ident)*) => {
        match $expr {
            $(Expr::$variant(e) => &e.attrs,)*
            _ => &[],
        }
    };
}

/// Attributes of an expression; none for those that syn cannot name.
pub(crate) fn attrs(expr: &Expr) -> &[Attribute] {
    attrs_of_variants!(expr; Array Assign Async Await Binary Block Break Call Cast Closure
        Const Continue Field ForLoop If Index Let Lit Loop Macro Match MethodCall Paren Path
        Range Reference Repeat Return Struct Try TryBlock Tuple Unary Unsafe While)
}

/// Attributes of a statement that is no item.
pub(crate) fn statement_attrs(statement: &Stmt) -> &[Attribute] {
    match statement {
        Stmt::Local(local) => &local.attrs,
        Stmt::Expr(expr, _) => attrs(expr),
        Stmt::Macro(mac) => &mac.attrs,
        Stmt::Item(_) => &[],
    }
}

/// The condition of a `cfg` attribute.
pub(crate) fn condition(attribute: &Attribute) -> Option<Cfg> {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => Cfg::parse(list.tokens.clone()),
        _ => None,
    }
}

/// The condition of all `cfg` attributes together, and the place of the first that names a
/// feature of the CPU; `None` without any.
pub(crate) fn conditions(attributes: &[Attribute]) -> Option<(Cfg, At)> {
    let mut all = Vec::new();
    let mut at = None;
    for attribute in attributes {
        if let Some(cfg) = condition(attribute) {
            if at.is_none() || (!cfg.features(false).is_empty() && all.iter().all(names_none)) {
                at = Some(At::of(attribute.pound_token.span));
            }
            all.push(cfg);
        }
    }
    let cfg = if all.len() == 1 {
        all.remove(0)
    } else {
        Cfg::All(all)
    };
    at.map(|at| (cfg, at))
}

fn names_none(cfg: &Cfg) -> bool {
    cfg.features(false).is_empty()
}

/// The condition that an expression is, when it is made of `cfg!` and nothing else.
pub(crate) fn as_condition(expr: &Expr) -> Option<Cfg> {
    match expr {
        Expr::Macro(e) if e.mac.path.segments.last()?.ident == "cfg" => {
            Cfg::parse(e.mac.tokens.clone())
        }
        Expr::Binary(e) => {
            let sides = || Some(vec![as_condition(&e.left)?, as_condition(&e.right)?]);
            match e.op {
                BinOp::And(_) => sides().map(Cfg::All),
                BinOp::Or(_) => sides().map(Cfg::Any),
                _ => None,
            }
        }
        Expr::Unary(e) if matches!(e.op, UnOp::Not(_)) => {
            as_condition(&e.expr).map(|c| Cfg::Not(Box::new(c)))
        }
        Expr::Paren(e) => as_condition(&e.expr),
        Expr::Group(e) => as_condition(&e.expr),
        Expr::Lit(e) => match &e.lit {
            Lit::Bool(value) => Some(Cfg::Always(value.value)),
            _ => None,
        },
        _ => None,
    }
}

/// The byte after a statement; `otherwise` where its last token is not known.
pub(crate) fn end(statement: &Stmt, otherwise: usize) -> usize {
    match statement {
        Stmt::Local(local) => At::of(local.semi_token.span).end,
        Stmt::Expr(_, Some(semi)) => At::of(semi.span).end,
        Stmt::Expr(expr, None) => expr_end(expr).unwrap_or(otherwise),
        Stmt::Macro(mac) => match &mac.semi_token {
            Some(semi) => At::of(semi.span).end,
            None => At::of(mac.mac.delimiter.span().close()).end,
        },
        Stmt::Item(_) => otherwise,
    }
}

/// The byte after an expression that ends in a bracket.
pub(crate) fn expr_end(expr: &Expr) -> Option<usize> {
    let close = match expr {
        Expr::Block(e) => e.block.brace_token.span.close(),
        Expr::Unsafe(e) => e.block.brace_token.span.close(),
        Expr::If(e) => match &e.else_branch {
            Some((_, otherwise)) => return expr_end(otherwise),
            None => e.then_branch.brace_token.span.close(),
        },
        Expr::Match(e) => e.brace_token.span.close(),
        Expr::Macro(e) => e.mac.delimiter.span().close(),
        Expr::Call(e) => e.paren_token.span.close(),
        Expr::MethodCall(e) => e.paren_token.span.close(),
        Expr::Paren(e) => e.paren_token.span.close(),
        _ => return None,
    };
    Some(At::of(close).end)
}

/// Whether a `return` of the function itself is among the statements.
pub(crate) fn returns(statements: &[Stmt]) -> bool {
    let mut finder = Returns(false);
    statements.iter().for_each(|s| finder.visit_stmt(s));
    finder.0
}

struct Returns(bool);

impl<'ast> Visit<'ast> for Returns {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Return(_) => self.0 = true,
            Expr::Closure(_) | Expr::Async(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
