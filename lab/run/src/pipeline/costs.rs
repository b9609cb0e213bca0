//! What the stages cost, and what they should.

use karat_model::evidence::Cost;
use karat_model::units;

/// What a measured process may cost beside its own time.
pub(super) const OWN_TIME: Bound = Bound::AtMost(2.0);

/// What the audit's decoder should reach on one core.
pub(super) const CENSUS_RATE: Bound = Bound::AtLeast(150.0);

/// What a cost is held against.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    None,
    AtMost(f64),
    AtLeast(f64),
}

/// The costs of a run so far.
#[derive(Default)]
pub(super) struct Costs(pub(super) Vec<Cost>);

impl Costs {
    /// Notes what something took, without a bound.
    pub(super) fn note(&mut self, name: &str, value: f64, unit: &str) {
        self.bounded(name, value, unit, Bound::None);
    }

    /// Notes what something took, with what it should take.
    pub(super) fn bounded(&mut self, name: &str, value: f64, unit: &str, bound: Bound) {
        let shown = |limit: f64| match unit {
            "s" => units::seconds(limit),
            _ => format!("{limit} {unit}"),
        };
        let (bound, met) = match bound {
            Bound::None => (String::new(), None),
            Bound::AtMost(limit) => (format!("at most {}", shown(limit)), Some(value <= limit)),
            Bound::AtLeast(limit) => (format!("at least {}", shown(limit)), Some(value >= limit)),
        };
        self.0.push(Cost {
            name: name.into(),
            value,
            unit: unit.into(),
            bound,
            met,
        });
    }
}
