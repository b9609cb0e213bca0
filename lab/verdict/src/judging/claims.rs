//! What a study claims: which arms are compared with which.

use super::columns::Column;
use karat_judge::{Pair, log_margin};
use karat_model::measure::{Arm, Role};

/// What a comparison is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The baseline with itself.
    Again,
    /// A variant with the baseline.
    Variant,
    /// Two variants with each other.
    Pair,
}

/// Two arms to compare, in all layouts.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// Index of the view: a workload by one of its metrics.
    pub(super) view: usize,
    pub(super) kind: Kind,
    pub(super) variant: String,
    pub(super) against: String,
    /// Seed, arm compared with, arm under judgement.
    pub(super) layouts: Vec<(u64, usize, usize)>,
}

/// All claims about one view. `pairs` are names: (compared with, variant); those of which
/// one is not measured are left out. The claims rest on the first `most` layouts.
pub(super) fn of_view(
    view: usize,
    arms: &[Arm],
    pairs: &[(String, String)],
    most: u32,
) -> Vec<Claim> {
    let mut out: Vec<Claim> = Vec::new();
    let claim = |kind, variant: &str, against: &str, one: Role, other: Role| {
        let find = |name: &str, role: Role, layout: u64| {
            let own = |a: &Arm| a.variant == name && a.role == role && a.layout == layout;
            arms.iter().position(own)
        };
        let mut layouts: Vec<u64> = arms.iter().map(|a| a.layout).collect();
        layouts.sort_unstable();
        layouts.dedup();
        layouts.truncate(most as usize);
        let layouts: Vec<(u64, usize, usize)> = layouts
            .into_iter()
            .filter_map(|l| Some((l, find(against, other, l)?, find(variant, one, l)?)))
            .collect();
        (!layouts.is_empty()).then(|| Claim {
            view,
            kind,
            variant: variant.to_owned(),
            against: against.to_owned(),
            layouts,
        })
    };
    let Some(baseline) = arms.iter().find(|a| a.role == Role::Baseline) else {
        return out;
    };
    let baseline = &baseline.variant;
    let (first, again, other) = (Role::Baseline, Role::Again, Role::Variant);
    out.extend(claim(Kind::Again, baseline, baseline, again, first));
    for arm in arms.iter().filter(|a| a.role == other) {
        if !out
            .iter()
            .any(|c| c.variant == arm.variant && c.kind == Kind::Variant)
        {
            out.extend(claim(Kind::Variant, &arm.variant, baseline, other, first));
        }
    }
    for (against, variant) in pairs {
        out.extend(claim(Kind::Pair, variant, against, other, other));
    }
    out
}

impl Claim {
    /// Whether it needs an arm to be measured.
    pub(super) fn needs(&self, arm: usize) -> bool {
        self.layouts.iter().any(|l| l.1 == arm || l.2 == arm)
    }

    /// The costs, as the judge takes them; `margin` as a relative change.
    pub(super) fn pair<'c>(&self, columns: &'c [Column], arms: &[Arm], margin: f64) -> Pair<'c> {
        let again = |layout: u64| {
            let own = |a: &Arm| a.role == Role::Again && a.layout == layout;
            arms.iter().position(own)
        };
        let layout = |&(layout, against, variant): &(u64, usize, usize)| {
            let second = again(layout).filter(|i| *i != variant);
            let beside = |i: &usize| {
                arms[*i].layout == layout
                    && ![Some(against), Some(variant), second].contains(&Some(*i))
            };
            karat_judge::Layout {
                baseline: columns[against].arm(),
                variant: columns[variant].arm(),
                // The second arm tells the scatter of the baseline, and of nothing else.
                again: second
                    .filter(|_| arms[against].role == Role::Baseline)
                    .map(|i| columns[i].arm()),
                others: (0..arms.len())
                    .filter(beside)
                    .chain(second.filter(|_| arms[against].role != Role::Baseline))
                    .map(|i| columns[i].arm())
                    .collect(),
            }
        };
        Pair {
            layouts: self.layouts.iter().map(layout).collect(),
            margin: log_margin(margin),
        }
    }
}
