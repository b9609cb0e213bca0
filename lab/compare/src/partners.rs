//! Figures that two forms of one tool's output name differently: pytest-benchmark's JSON
//! has `tests/test_x.py::test_sum`, and its table `test_sum`.
//!
//! They are the same one where only one figure of either side ends so. Names of which both
//! are paths, or neither is, are different figures.

use super::collect::Side;
use super::seen::{FigureSeen, figure_key};
use karat_model::units::quantity;
use std::collections::HashMap;

/// By the key of the last part of its name: the figure, or none where several have it.
type ByEnd<'s> = HashMap<String, Option<&'s FigureSeen>>;

/// The figures of two sides.
pub(super) struct Partners<'s> {
    sides: [&'s Side; 2],
    by_end: [ByEnd<'s>; 2],
}

impl<'s> Partners<'s> {
    /// Of two sides.
    pub fn of(sides: [&'s Side; 2]) -> Self {
        let has_path = |side: &&Side| side.figures.iter().any(|seen| is_path(&seen.name));
        // Most logs have no such names at all, and most that have them have them on both sides.
        let is_mixed = sides.iter().filter(|side| has_path(side)).count() == 1;
        let by_end = sides.map(|side| {
            let mut out = ByEnd::new();
            for seen in side.figures.iter().filter(|_| is_mixed) {
                let known = out.entry(key(seen, end(&seen.name))).or_insert(Some(seen));
                if known.is_some_and(|known| known.name != seen.name) {
                    *known = None;
                }
            }
            out
        });
        Self { sides, by_end }
    }

    /// The figure of the other side that a figure of side `from` is.
    pub fn find(&self, from: usize, seen: &FigureSeen) -> Option<&'s FigureSeen> {
        let to = 1 - from;
        if let Some(same) = self.sides[to].figures.get(&key(seen, &seen.name)) {
            return Some(same);
        }
        let by_end = key(seen, end(&seen.name));
        let only = |side: usize| self.by_end[side].get(&by_end).copied().flatten();
        let (own, other) = (only(from)?, only(to)?);
        (own.name == seen.name && is_path(&own.name) != is_path(&other.name)).then_some(other)
    }
}

/// The key of a figure under a name.
fn key(seen: &FigureSeen, name: &str) -> String {
    let class = quantity(&seen.unit).class;
    figure_key(
        &seen.section,
        name,
        &seen.parameters,
        &class,
        seen.statistic,
    )
}

/// Where the parameters of a test begin, which may have anything in them.
fn without_parameters(name: &str) -> &str {
    name.find('[').map_or(name, |at| &name[..at])
}

fn is_path(name: &str) -> bool {
    without_parameters(name).contains(".py::")
}

/// The test without its file and class.
fn end(name: &str) -> &str {
    match without_parameters(name).rfind("::") {
        Some(at) if is_path(name) => &name[at + 2..],
        _ => name,
    }
}
