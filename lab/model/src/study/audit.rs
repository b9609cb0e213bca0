//! `[audit]`: what growth against the baseline is worth a finding.

use super::fields::Fields;
use super::quantity;
use crate::bloat::Thresholds;
use crate::diagnostic::Problem;

pub(super) fn read(fields: Option<Fields<'_, '_>>, problems: &mut Vec<Problem>) -> Thresholds {
    let mut limits = Thresholds::default();
    let Some(mut fields) = fields else {
        return limits;
    };
    if let Some(growth) = growth(&mut fields, "wide-growth", problems) {
        limits.wide_growth = growth;
    }
    if let Some(least) = fields.integer("wide-least", 0..=u32::MAX, problems) {
        limits.wide_least = least.into();
    }
    if let Some(growth) = growth(&mut fields, "size-growth", problems) {
        limits.size_growth = growth;
    }
    if let Some(least) = fields.integer("size-least", 0..=u32::MAX, problems) {
        limits.size_least = least.into();
    }
    fields.finish("[audit]", problems);
    limits
}

fn growth(
    fields: &mut Fields<'_, '_>,
    key: &'static str,
    problems: &mut Vec<Problem>,
) -> Option<f64> {
    let text = fields.string(key, problems)?;
    let value = quantity::ratio(&text.value).filter(|value| *value >= 0.0);
    if value.is_none() {
        problems.push(Problem {
            message: format!("impossible growth `{}`", text.value),
            span: text.span,
            label: "expected 0 % or more".into(),
            help: Some("\"100%\" allows twice as much as the baseline has".into()),
        });
    }
    value
}
